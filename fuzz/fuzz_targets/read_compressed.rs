//! No bytes make the decoders of gzip and zstd panic or take memory that the input does not pay for: a table is read through
//! them. The first byte chooses the decoder; both formats unpack to at most some thousand times their length, which `scripts/fuzz` keeps small.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::table::{self, ReadOptions};
use macchiato_fuzz::scratch;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let ending = if choice & 1 == 0 { "csv.gz" } else { "csv.zst" };
    let path = scratch::file(bytes, ending);
    let first = table::read(&path, &ReadOptions::default());
    if let Ok(table) = first {
        assert_eq!(table::read(&path, &ReadOptions::default()).ok(), Some(table), "the same file twice");
    }
});
