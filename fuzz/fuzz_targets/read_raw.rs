//! No bytes make the reader of raw ONNX files panic, and what it takes apart is whole: a file has its own tests, and its layers are
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
    assert!(file.has_the_tests_of(&file), "a file has its own tests");
    let layers = file.layers(12);
    let _ = check(&repaired(CERTIFICATE, "network", &layers), &layers);
});
