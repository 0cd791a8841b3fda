//! `Network`: the exact ReLU network of one circuit or of several, as arrays, as files, and with its certificate.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::circuit;
use macchiato::model::Model;
use macchiato::network::{
    self, Activation, CompileError, CompileOptions, Compiled, GateError, Kind, RawNumbers, TunedLayer,
    compile, to_raw_onnx, to_tuned_onnx,
};
use macchiato::recertify;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::circuit::Circuit;
use crate::errors::Raise;
use crate::{matrix, work};

/// Compiled circuits, an output for each.
#[pyclass(frozen, module = "macchiato._macchiato")]
pub(crate) struct Network {
    circuits: Vec<Circuit>,
    options: CompileOptions,
    gates: macchiato::circuit::Circuit,
    compiled: Compiled,
}

/// Weights (neurons of this layer by those of the one before), biases, and whether a ReLU follows.
type Layer<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>, bool);

/// Changes, gates that are none any more, the record or why there is none, the largest difference, and the circuit of each output.
type Recertified = (Vec<String>, Vec<String>, Option<String>, Option<String>, f64, Vec<Circuit>);

/// A gate's neurons with slope and offset, and its literals: neurons of the layer before with their coefficients, the constant of their
/// sum, the sign and the points.
type Bank = (Vec<(usize, i32, i32)>, Vec<(Vec<(usize, i32)>, i32, bool, u32)>);

impl Network {
    const fn network(&self) -> &network::Network {
        &self.compiled.network
    }

    /// The bytes of an ONNX file that starts from the columns of `model` and ends with its classes.
    pub(crate) fn raw_onnx(&self, py: Python<'_>, model: &Model, numbers: RawNumbers) -> PyResult<Vec<u8>> {
        to_raw_onnx(self.network(), model, numbers).map_err(|error| error.raise(py))
    }
}

fn format(name: &str) -> PyResult<NetworkFormat> {
    let known = [NetworkFormat::Onnx, NetworkFormat::Safetensors];
    known
        .into_iter()
        .find(|format| format.name() == name)
        .ok_or_else(|| PyValueError::new_err(format!("format {name:?}: give 'onnx' or 'safetensors'")))
}

#[pymethods]
impl Network {
    /// The network of these circuits, which read the same inputs, with these gates.
    #[staticmethod]
    fn compile(
        py: Python<'_>,
        circuits: Vec<PyRef<'_, Circuit>>,
        and_gate: &str,
        or_gate: &str,
        xor_gate: &str,
        prune: bool,
        linear_output: bool,
    ) -> PyResult<Self> {
        let refuse = |what| move |error: GateError| PyValueError::new_err(format!("{what}: {error}"));
        let mut options = CompileOptions::default();
        options.and = and_gate.parse().map_err(refuse("and_gate"))?;
        options.or = or_gate.parse().map_err(refuse("or_gate"))?;
        options.xor = xor_gate.parse().map_err(refuse("xor_gate"))?;
        (options.literals, options.linear_output) = (!prune, linear_output);
        let circuits: Vec<Circuit> = circuits.iter().map(|circuit| (**circuit).clone()).collect();
        let inner: Vec<&circuit::Circuit> = circuits.iter().map(Circuit::get).collect();
        let gates = circuit::Circuit::beside(&inner).map_err(|error| CompileError::from(error).raise(py))?;
        // As the command has it (`Model::circuit_of`): what several learned circuits have in common is there once.
        let shared = circuits.len() > 1 && circuits.iter().all(Circuit::may_share);
        let gates = if shared { gates.shortened() } else { gates };
        let compiled = compile(&gates, &options).map_err(|error| error.raise(py))?;
        Ok(Self { circuits, options, gates, compiled })
    }

    #[getter]
    fn circuits(&self) -> Vec<Circuit> {
        self.circuits.clone()
    }

    #[getter]
    fn inputs(&self) -> usize {
        self.network().inputs
    }

    #[getter]
    fn widths(&self) -> Vec<usize> {
        self.network().widths()
    }

    #[getter]
    fn largest_partial_sum(&self) -> u64 {
        self.compiled.largest_partial_sum
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

    /// The outputs, a row for each row.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, bool>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (columns, rows) = matrix::columns(&x, self.network().inputs)?;
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let done = work::run(py, 1, None, |_| self.network().evaluate::<f32>(&columns, rows))?;
        PyArray1::from_vec(py, done.value).reshape([rows, self.network().outputs()])
    }

    fn to_bytes<'py>(&self, py: Python<'py>, format_name: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &format(format_name)?.file(self.network())))
    }

    fn certificate(&self, py: Python<'_>, format_name: &str) -> PyResult<String> {
        let format = format(format_name)?;
        let text = certify(&self.gates, &self.compiled, format, &format.file(self.network()), None);
        text.map_err(|error| error.raise(py))
    }

    /// An ONNX file of the same layers with these weights and biases.
    fn tuned_onnx<'py>(
        &self,
        py: Python<'py>,
        layers: Vec<(Vec<f32>, Vec<f32>)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let layer = |(weights, biases)| TunedLayer { weights, biases };
        let layers: Vec<TunedLayer> = layers.into_iter().map(layer).collect();
        let file = to_tuned_onnx(self.network(), &layers).map_err(|error| error.raise(py))?;
        Ok(PyBytes::new(py, &file))
    }

    /// What an ONNX file of the same layers computes now.
    fn recertify(&self, py: Python<'_>, file: Vec<u8>) -> PyResult<Recertified> {
        let certificate = self.certificate(py, "onnx")?;
        let now = py.detach(|| recertify::recertify(certificate.as_bytes(), &file));
        let now = now.map_err(|error| error.raise(py))?;
        let alone = |output: &circuit::Output| {
            let (inputs, gates) = (now.circuit.inputs().to_vec(), now.circuit.gates().to_vec());
            circuit::Circuit::new(inputs, gates, vec![output.clone()])
                .map(|circuit| Circuit::alone(circuit.shortened(), Vec::new()))
                .map_err(|error| CompileError::from(error).raise(py))
        };
        let circuits = now.circuit.outputs().iter().map(alone).collect::<PyResult<_>>()?;
        let (record, why) = match now.record {
            Ok(record) => (Some(record), None),
            Err(why) => (None, Some(why)),
        };
        let changes = now.changes.iter().map(ToString::to_string).collect();
        let no_gates = now.no_gates.iter().map(ToString::to_string).collect();
        Ok((changes, no_gates, record, why, now.largest_difference, circuits))
    }

    /// For each layer its gates that ask for a count to be reached: those that another count or other points leave gates.
    fn counting_gates(&self) -> Vec<Vec<Bank>> {
        let mut layers = vec![Vec::new(); self.network().layers.len()];
        for placed in &self.compiled.gates {
            let Kind::Rule(circuit::Rule::And | circuit::Rule::Or | circuit::Rule::AtLeast(_)) = &placed.kind
            else {
                continue;
            };
            let literal = |read: &network::Read| match read.source {
                circuit::Source::Input(input) => (vec![(input, 1)], 0, read.positive, read.weight),
                circuit::Source::Gate(gate) => {
                    let bank = &self.compiled.gates[gate].bank;
                    let parts = bank.neurons.iter().map(|neuron| (neuron.at, neuron.coefficient)).collect();
                    (parts, bank.base, read.positive, read.weight)
                }
            };
            let neurons = placed.bank.neurons.iter().map(|neuron| (neuron.at, neuron.slope, neuron.offset));
            layers[placed.layer - 1].push((neurons.collect(), placed.reads.iter().map(literal).collect()));
        }
        layers
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let CompileOptions { and, or, xor, literals, linear_output, .. } = slf.get().options;
        let gates = (and.to_string(), or.to_string(), xor.to_string());
        let arguments = (slf.get().circuits(), gates.0, gates.1, gates.2, !literals, linear_output);
        (slf.get_type().getattr("compile")?, arguments).into_pyobject(slf.py())
    }
}
