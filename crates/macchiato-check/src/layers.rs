//! The file's layers are the certificate's: as many, of the same widths, each with the `ReLU` that it should have.

use crate::certificate::{Certificate, NetworkFormat};
use crate::network::Network;
use crate::verdict::{Rejection, reject};
use crate::{onnx, safetensors};

/// Reads the file and compares its layers with the certificate's.
pub(crate) fn read<'a>(bytes: &'a [u8], certificate: &Certificate) -> Result<Network<'a>, Rejection> {
    let network = match certificate.format {
        NetworkFormat::Onnx => onnx::read(bytes, certificate.inputs.len(), certificate.outputs.len())?,
        NetworkFormat::Safetensors => safetensors::read(bytes)?,
    };
    let (found, claimed) = (network.layers.len(), certificate.layers.len());
    if found != claimed {
        return reject("network", format!("the file has {found} layers, the certificate {claimed}"));
    }
    let mut before = certificate.inputs.len();
    for (l, (layer, claim)) in network.layers.iter().zip(&certificate.layers).enumerate() {
        let place = || format!("layer {}", l + 1);
        if layer.inputs != before {
            return reject(place(), format!("it reads {} values where there are {before}", layer.inputs));
        }
        if layer.width != claim.width {
            let (found, claimed) = (layer.width, claim.width);
            return reject(place(), format!("width {found} in the file, {claimed} in the certificate"));
        }
        if layer.relu.is_some_and(|relu| relu != claim.relu) {
            return reject(place(), "the file and the certificate disagree about its ReLU");
        }
        before = layer.width;
    }
    Ok(network)
}
