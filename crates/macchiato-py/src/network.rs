//! `Network`: the exact ReLU network of a circuit, as arrays, as files, and with its certificate.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::network::{
    self, Activation, AndGate, CompileOptions, Compiled, OrGate, XorGate, compile, to_onnx, to_safetensors,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::circuit::Circuit;
use crate::errors::Raise;
use crate::{matrix, work};

/// A compiled circuit.
#[pyclass(frozen, module = "macchiato._macchiato")]
pub(crate) struct Network {
    circuit: Circuit,
    options: CompileOptions,
    compiled: Compiled,
}

/// Weights (neurons of this layer by those of the one before), biases, and whether a ReLU follows.
type Layer<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>, bool);

impl Network {
    pub(crate) fn new(circuit: Circuit, options: CompileOptions) -> Self {
        let compiled = compile(circuit.get(), &options);
        Self { circuit, options, compiled }
    }

    const fn network(&self) -> &network::Network {
        &self.compiled.network
    }

    fn file(&self, format: NetworkFormat) -> Vec<u8> {
        match format {
            NetworkFormat::Onnx => to_onnx(self.network()),
            NetworkFormat::Safetensors => to_safetensors(self.network()),
        }
    }
}

fn format(name: &str) -> PyResult<NetworkFormat> {
    match name {
        "onnx" => Ok(NetworkFormat::Onnx),
        "safetensors" => Ok(NetworkFormat::Safetensors),
        other => Err(PyValueError::new_err(format!("format {other:?}: give 'onnx' or 'safetensors'"))),
    }
}

#[pymethods]
impl Network {
    #[getter]
    fn circuit(&self) -> Circuit {
        self.circuit.clone()
    }

    #[getter]
    fn widths(&self) -> Vec<usize> {
        self.network().widths()
    }

    #[getter]
    fn largest_partial_sum(&self) -> u64 {
        self.network().largest_partial_sum()
    }

    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Layer<'py>>> {
        let mut before = self.network().inputs;
        let mut layers = Vec::new();
        for layer in &self.network().layers {
            let mut dense = vec![0.0f32; layer.width() * before];
            for (neuron, weights) in layer.weights.iter().enumerate() {
                for &(from, weight) in weights {
                    dense[neuron * before + from as usize] = weight as f32;
                }
            }
            let weights = PyArray1::from_vec(py, dense).reshape([layer.width(), before])?;
            let biases = PyArray1::from_iter(py, layer.biases.iter().map(|&bias| bias as f32));
            layers.push((weights, biases, layer.activation == Activation::Relu));
            before = layer.width();
        }
        Ok(layers)
    }

    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, bool>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let (columns, rows) = matrix::columns(&x, self.network().inputs)?;
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let done = work::run(py, 1, None, |_| self.network().evaluate::<f32>(&columns, rows))?;
        Ok(PyArray1::from_vec(py, done.value))
    }

    fn to_bytes<'py>(&self, py: Python<'py>, format_name: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.file(format(format_name)?)))
    }

    fn certificate(&self, py: Python<'_>, format_name: &str) -> PyResult<String> {
        let format = format(format_name)?;
        let text = certify(self.circuit.get(), &self.compiled, format, &self.file(format), None);
        text.map_err(|error| error.raise(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let CompileOptions { and, or, xor, prune, linear_output } = self.options;
        let and = match and {
            AndGate::Two => "two",
            AndGate::Narrow => "narrow",
        };
        let or = match or {
            OrGate::Two => "two",
            OrGate::Deep => "deep",
        };
        let xor = match xor {
            XorGate::Flat => "flat".to_owned(),
            XorGate::Triangle => "triangle".to_owned(),
            XorGate::Depth(depth) => format!("depth={depth}"),
        };
        let compile = Bound::new(py, self.circuit.clone())?.getattr("compile")?;
        (compile, (and, or, xor, prune, linear_output)).into_pyobject(py)
    }
}
