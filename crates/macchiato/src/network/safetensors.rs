//! The network as a safetensors file, with the names of an `nn.Sequential` of linear layers and ReLUs.

use super::Network;
use serde_json::{Map, Value, json};

/// The bytes of the file: `0.weight`, `0.bias`, `2.weight`, ... in float32.
#[must_use]
pub fn to_safetensors(network: &Network) -> Vec<u8> {
    let mut header = Map::new();
    let mut data = Vec::new();
    let mut width = network.inputs;
    for (at, layer) in network.layers.iter().enumerate() {
        let mut add = |name: String, shape: Value, bytes: &[u8]| {
            let from = data.len();
            data.extend_from_slice(bytes);
            header.insert(name, json!({"dtype": "F32", "shape": shape, "data_offsets": [from, data.len()]}));
        };
        add(format!("{}.weight", 2 * at), json!([layer.width(), width]), &layer.dense(width));
        add(format!("{}.bias", 2 * at), json!([layer.width()]), &layer.dense_biases());
        width = layer.width();
    }
    let mut text = Value::Object(header).to_string().into_bytes();
    // The format asks for data aligned to eight bytes; spaces may pad the header.
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut file = (text.len() as u64).to_le_bytes().to_vec();
    file.append(&mut text);
    file.append(&mut data);
    file
}
