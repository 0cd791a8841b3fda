//! No bytes make the decoders of gzip and zstd panic or fill more memory with columns than they may: a table is read through
//! them. The first byte chooses the decoder.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::frame::{self, FrameOptions, Values};
use macchiato_fuzz::scratch;

/// More than the columns of a good file of this size take, and less than those of one that was made to unfold.
const ROOM: u64 = 1 << 14;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let ending = if choice & 1 == 0 { "csv.gz" } else { "csv.zst" };
    let path = scratch::file(bytes, ending);
    let mut options = FrameOptions::default();
    options.max_bytes = Some(ROOM);
    if let Ok(frame) = frame::read(&path, &options) {
        let bytes = |column: &Values<'_>| match column {
            Values::Boolean { bits, .. } => 8 * bits.len(),
            Values::Number(numbers) => 8 * numbers.len(),
            Values::Category { codes, .. } => 4 * codes.len(),
        };
        let bytes: usize = frame.columns.iter().map(bytes).sum();
        assert!(bytes as u64 <= ROOM, "{bytes} bytes of columns in {ROOM}");
        let again = frame::read(&path, &options).expect("the same file twice");
        assert_eq!((again.rows, again.names), (frame.rows, frame.names));
    }
});
