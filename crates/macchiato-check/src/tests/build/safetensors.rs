//! safetensors files, entry by entry.

use super::{Layer, bytes_of};

/// The header's entries and the data, to be tampered with.
pub(crate) fn safetensors_parts(layers: &[Layer]) -> (Vec<String>, Vec<u8>) {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (l, layer) in layers.iter().enumerate() {
        let (out, into) = (layer.rows.len(), layer.rows[0].len());
        let parts = [
            ("weight", format!("{out},{into}"), layer.rows.concat()),
            ("bias", out.to_string(), layer.biases.clone()),
        ];
        for (part, shape, numbers) in parts {
            let from = data.len();
            data.extend(bytes_of(&numbers));
            let to = data.len();
            entries.push(format!(
                r#""{}.{part}":{{"dtype":"F32","shape":[{shape}],"data_offsets":[{from},{to}]}}"#,
                2 * l
            ));
        }
    }
    (entries, data)
}

pub(crate) fn safetensors_file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(data);
    file
}
