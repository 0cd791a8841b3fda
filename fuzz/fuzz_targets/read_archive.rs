//! No bytes make the reader of NumPy archives panic, and what is read twice is the same.
//!
//! The first byte says whether the bytes are the archive itself, or the two arrays that a good archive is made of; then the
//! second and third say where the first array ends.

#![no_main]

use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use macchiato::frame::{self, FrameOptions};
use macchiato_fuzz::scratch;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fuzz_target!(|bytes: &[u8]| {
    let Some((&[choice, low, high], rest)) = bytes.split_first_chunk::<3>() else { return };
    let made;
    let archive = if choice & 1 == 0 {
        rest
    } else {
        let (x, y) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes([low, high]))));
        made = archive(x, y);
        &made
    };
    let path = scratch::file(archive, "npz");
    let read = || frame::read(&path, &FrameOptions::default()).ok().map(|frame| (frame.rows, frame.names));
    assert_eq!(read(), read());
});

/// An archive of the arrays, whose checksums are right.
fn archive(x: &[u8], y: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("X.npy", x), ("y.npy", y)] {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(name, options).expect("a name");
        zip.write_all(bytes).expect("a vector takes everything");
    }
    zip.finish().expect("a vector takes everything").into_inner()
}
