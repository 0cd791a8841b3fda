//! How much memory the cells of a table may take while it is read.
//!
//! A few megabytes of gzip can unfold to more rows than there is memory for. What is stored is counted as it comes: readers
//! never learn from the file how much will follow. Counted is what the columns have reserved, so that a column that doubles
//! is counted at twice its cells; buffers of fixed size are not.

use super::ReadError;

/// A limit in bytes, or none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Room {
    limit: Option<u64>,
}

impl Room {
    pub(crate) const fn new(limit: Option<u64>) -> Self {
        Self { limit }
    }

    /// Whether `used` bytes are too many.
    pub(crate) fn is_exceeded(self, used: u64) -> bool {
        self.limit.is_some_and(|limit| used > limit)
    }

    /// What is left when `used` bytes are taken.
    pub(crate) fn left(self, used: u64) -> u64 {
        self.limit.map_or(u64::MAX, |limit| limit.saturating_sub(used))
    }

    /// The fault of `source`, which needs more.
    pub(crate) fn fault(self, source: &str) -> ReadError {
        ReadError::TooLarge { file: source.to_owned(), limit: self.limit.unwrap_or(u64::MAX) }
    }
}

/// Bytes as people write them: `1 MiB`, `1.5 GiB`.
pub(super) fn spelled(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = (bytes.max(1).ilog2() / 10).min(4) as usize;
    let tenths = (u128::from(bytes) * 10) >> (10 * unit);
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {}", units[unit]),
        (whole, tenth) => format!("{whole}.{tenth} {}", units[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn bytes_as_people_write_them() {
        let cases = [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1 << 20, "1 MiB"),
            (3 << 29, "1.5 GiB"),
            (1 << 63, "8388608 TiB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(spelled(bytes), text);
        }
    }
}
