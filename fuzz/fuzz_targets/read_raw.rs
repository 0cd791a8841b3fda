//! No bytes make the reader of raw ONNX files panic, and what it takes apart is whole: what stands around the layers is its own, and its layers are
//! bytes that the checker answers, whatever it answers, without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::network::RawFile;
use macchiato_check::check;
use macchiato_fuzz::repair::repaired;

/// The certificate of the file that the seeds were made from.
const CERTIFICATE: &[u8] = include_bytes!("read_raw.cert");

fuzz_target!(|bytes: &[u8]| {
    let Ok(Some(file)) = RawFile::read(bytes) else { return };
    assert!(file.is_around_as(&file), "a file is around its layers as itself");
    let layers = file.layers(12, 1);
    let _ = check(&repaired(CERTIFICATE, "network", &layers), &layers);
});
