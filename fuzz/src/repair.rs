//! A certificate that speaks of the files at hand: the digest and length in its record of a file are put right.
//!
//! Without this a changed network would end at its digest, and nothing behind that would ever be fuzzed. The digest is
//! computed by another crate than the checker's own.

use sha2::{Digest, Sha256};

/// The certificate with the first `NAME... FORMAT sha256 HEX bytes N ...` made to speak of `file`; unchanged where it has no such record.
#[must_use]
pub fn repaired(certificate: &[u8], name: &str, file: &[u8]) -> Vec<u8> {
    let start = format!("\n{name} ");
    let Some(at) = certificate.windows(start.len()).position(|bytes| bytes == start.as_bytes()) else {
        return certificate.to_vec();
    };
    let (before, rest) = certificate.split_at(at + 1);
    let (line, after) = rest.split_at(rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()));
    let mut fields: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    // A name may be several words.
    let more = name.split(' ').count() - 1;
    if fields.len() < 6 + more {
        return certificate.to_vec();
    }
    let digest: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
    let length = file.len().to_string();
    (fields[3 + more], fields[5 + more]) = (digest.as_bytes(), length.as_bytes());
    [before, &fields.join(&b' '), after].concat()
}

#[cfg(test)]
mod tests {
    use super::repaired;
    use macchiato_check::check;

    #[test]
    fn a_lie_about_the_file_becomes_the_truth() {
        let certificate = include_str!("../../testdata/certificates/one-flat.cert");
        let network = include_bytes!("../../testdata/certificates/one-flat.onnx");
        let lie = certificate.replacen(" bytes ", " bytes 1", 1).replacen("sha256 ", "sha256 00", 1);
        assert!(!check(lie.as_bytes(), network).is_accepted());
        assert_eq!(repaired(lie.as_bytes(), "network", network), certificate.as_bytes());
        assert_eq!(repaired(b"network onnx", "network", network), b"network onnx");
    }

    /// Else the target `check` would begin where nothing is accepted, and might never compare anything.
    #[test]
    fn every_seed_of_the_checker_is_accepted() {
        let mut seeds = 0;
        for entry in std::fs::read_dir("seeds/check").expect("the seeds") {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("a seed");
            let (&[a, b, c, d], rest) = bytes.split_first_chunk().expect("two lengths");
            let (certificate, rest) = rest.split_at(u16::from_le_bytes([a, b]).into());
            let (network, rows) = rest.split_at(u16::from_le_bytes([c, d]).into());
            let certificate = repaired(&repaired(certificate, "network", network), "training data", rows);
            let verdict = check(&certificate, network);
            assert!(verdict.is_accepted(), "{}: {verdict}", path.display());
            assert!(rows.is_empty() || macchiato_replay::replay(&certificate, rows).is_ok(), "{}", path.display());
            seeds += 1;
        }
        assert!(seeds >= 9, "{seeds} seeds");
    }
}
