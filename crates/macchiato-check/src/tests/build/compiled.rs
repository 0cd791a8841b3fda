//! A network and its certificate, both open to forgery: computed here, and written.

use super::{onnx, safetensors};
use crate::sha256::{hex, sha256};

#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) rows: Vec<Vec<f32>>,
    pub(crate) biases: Vec<f32>,
    pub(crate) relu: bool,
}

/// A network and the records of its certificate that come after `network`; both can be tampered with before writing.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pub(crate) version: usize,
    pub(crate) onnx: bool,
    pub(crate) layers: Vec<Layer>,
    pub(crate) lines: Vec<String>,
}

impl Compiled {
    /// The largest partial sum, from the dense weights.
    pub(crate) fn partial_sum(&self) -> u64 {
        let mut values = vec![1.0f64; self.layers[0].rows[0].len()];
        let mut largest = 0.0f64;
        for layer in &self.layers {
            let mut next = Vec::new();
            for (row, &bias) in layer.rows.iter().zip(&layer.biases) {
                let parts = || row.iter().zip(&values).map(|(&w, v)| (f64::from(w), v));
                largest = largest.max(f64::from(bias).abs() + parts().map(|(w, v)| w.abs() * v).sum::<f64>());
                next.push((f64::from(bias) + parts().map(|(w, v)| w.max(0.0) * v).sum::<f64>()).max(0.0));
            }
            values = next;
        }
        format!("{largest}").parse().expect("a whole number")
    }

    /// The network's first output in float32, adding from the left or from the right.
    pub(crate) fn at(&self, x: &[bool], backwards: bool) -> f32 {
        self.outputs_at(x, backwards)[0]
    }

    /// All of its outputs.
    pub(crate) fn outputs_at(&self, x: &[bool], backwards: bool) -> Vec<f32> {
        let mut values: Vec<f32> = x.iter().map(|&bit| f32::from(u8::from(bit))).collect();
        for layer in &self.layers {
            let one = |(row, &bias): (&Vec<f32>, &f32)| {
                let mut parts: Vec<f32> = row.iter().zip(&values).map(|(w, v)| w * v).collect();
                if backwards {
                    parts.reverse();
                }
                let sum = parts.iter().fold(bias, |sum, part| sum + part);
                if layer.relu && sum < 0.0 { 0.0 } else { sum }
            };
            values = layer.rows.iter().zip(&layer.biases).map(one).collect();
        }
        values
    }

    pub(crate) fn network(&self) -> Vec<u8> {
        if self.onnx {
            onnx(self.layers.first().map_or(0, |l| l.rows[0].len()), &self.layers)
        } else {
            safetensors(&self.layers)
        }
    }

    /// The certificate, with the digest of this network.
    pub(crate) fn certificate(&self, network: &[u8]) -> String {
        let format = if self.onnx { "onnx" } else { "safetensors" };
        let (digest, length) = (hex(&sha256(network)), network.len());
        let version = self.version;
        let head =
            format!("macchiato-certificate {version}\nnetwork {format} sha256 {digest} bytes {length}\n");
        head + &self.lines.join("\n") + "\n"
    }

    /// Replaces the only line that begins with `from`.
    #[track_caller]
    pub(crate) fn line(&mut self, from: &str, to: &str) {
        let at: Vec<usize> = (0..self.lines.len()).filter(|&l| self.lines[l].starts_with(from)).collect();
        assert_eq!(at.len(), 1, "{from}");
        self.lines[at[0]] = to.to_owned();
    }

    /// Removes the only line that begins with `from`.
    #[track_caller]
    pub(crate) fn drop(&mut self, from: &str) -> String {
        let at = self.lines.iter().position(|line| line.starts_with(from)).expect(from);
        self.lines.remove(at)
    }
}
