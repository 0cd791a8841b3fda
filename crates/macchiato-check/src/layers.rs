//! The file is a chain of the certified layers.

use crate::certificate::{Certificate, Format};
use crate::network::Network;
use crate::verdict::{Rejection, reject};
use crate::{onnx, safetensors};

/// Reads the file and compares its layers with the certificate's.
///
/// # Errors
/// A file that is none of the two formats in the form that is certified, or has other layers.
pub fn read<'a>(bytes: &'a [u8], certificate: &Certificate) -> Result<Network<'a>, Rejection> {
    let network = match certificate.format {
        Format::Onnx => onnx::read(bytes, certificate.inputs.len(), certificate.outputs.len())?,
        Format::Safetensors => safetensors::read(bytes)?,
    };
    let (found, claimed) = (network.layers.len(), certificate.layers.len());
    if found != claimed {
        return reject("network", format!("the file has {found} layers, the certificate {claimed}"));
    }
    let mut before = certificate.inputs.len();
    for (l, (layer, claim)) in network.layers.iter().zip(&certificate.layers).enumerate() {
        let place = || format!("layer {}", l + 1);
        let (found, claimed) = ((layer.inputs, layer.width), (before, claim.width));
        if found != claimed {
            let why = format!("inputs and neurons are {found:?} in the file, {claimed:?} by the certificate");
            return reject(place(), why);
        }
        if layer.relu.is_some_and(|relu| relu != claim.relu) {
            return reject(place(), "the file and the certificate disagree about its ReLU");
        }
        before = layer.width;
    }
    Ok(network)
}
