//! No bytes make the checker panic, whether they are a certificate, a network or rows. The first two bytes say where the
//! certificate ends; a network that has the certificate's digest would never be met, so the digest is put right where
//! there is a place for it. Run it with `cargo +nightly fuzz run check`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato_check::{Verdict, check, check_behaviour};

fuzz_target!(|bytes: &[u8]| {
    let Some((length, rest)) = bytes.split_first_chunk::<2>() else { return };
    let (certificate, network) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes(*length))));
    let _ = check_behaviour(certificate, network);
    let verdict = check(certificate, network, Some(network));
    // The checker itself names the digest that it found.
    if let Verdict::Rejected { why, .. } = &verdict {
        let found = why.strip_prefix("the file's SHA-256 is ").and_then(|why| why.get(..64));
        if let (Some(found), Ok(text)) = (found, std::str::from_utf8(certificate)) {
            let claimed = text.split(' ').nth(4).unwrap_or_default();
            let signed = text.replacen(claimed, found, 1);
            let _ = check(signed.as_bytes(), network, Some(certificate));
        }
    }
});
