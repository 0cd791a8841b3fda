//! No bytes make the decoders of gzip and zstd panic or fill more memory with columns than they may: a table is read through
//! them. The first byte chooses the decoder.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::table::{self, ReadOptions};
use macchiato_fuzz::scratch;

/// More than the columns of a good file of this size take, and less than those of one that was made to unfold.
const ROOM: u64 = 1 << 14;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let ending = if choice & 1 == 0 { "csv.gz" } else { "csv.zst" };
    let path = scratch::file(bytes, ending);
    let options = ReadOptions { max_bytes: Some(ROOM), ..ReadOptions::default() };
    if let Ok(table) = table::read(&path, &options) {
        let words: usize = table.columns.iter().map(Vec::len).sum();
        assert!(8 * words as u64 <= ROOM, "{words} words of columns in {ROOM} bytes");
        assert_eq!(table::read(&path, &options).ok(), Some(table), "the same file twice");
    }
});
