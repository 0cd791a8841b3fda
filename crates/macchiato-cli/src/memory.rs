//! `--max-memory`: how much memory the data may take, by default three quarters of what is free.
//!
//! Free is what the kernel calls available, or what the control group of the process still allows if that is less (Linux).
//! Elsewhere, and where neither says anything, 4 GiB count as free.

use std::fs;
use std::io::{self, Read};

use clap::Args;

/// Taken for free where nothing says what is.
const UNKNOWN: u64 = 4 << 30;

/// The flag of every command that reads data.
#[derive(Debug, Args)]
pub(crate) struct MemoryOptions {
    /// Memory that the data may take at most: 500MiB, 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse)]
    max_memory: Option<u64>,
}

impl MemoryOptions {
    /// The limit in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.max_memory.unwrap_or_else(|| free() / 4 * 3)
    }
}

/// A stream of text that takes no more memory than it has bytes, and may not have more than a limit.
#[derive(Debug)]
pub(crate) struct Limited<R> {
    inner: io::Take<R>,
    limit: u64,
}

impl<R: Read> Limited<R> {
    pub(crate) fn new(inner: R, limit: u64) -> Self {
        Self { inner: inner.take(limit.saturating_add(1)), limit }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        if length > 0 && self.inner.limit() == 0 {
            let limit = self.limit;
            return Err(io::Error::other(format!("more than {limit} bytes: allow more (--max-memory)")));
        }
        Ok(length)
    }
}

/// Reads `512MiB`, `1.5GiB`, `800MB`; a number alone is bytes.
fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is no size: write a number and a unit, such as 500MiB or 2GiB");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let bytes = number * unit as f64;
    // Past 2^53 a float no longer tells bytes apart, and no machine has them.
    #[allow(clippy::cast_sign_loss)] // Below 0 it becomes 0, and is refused.
    let whole = bytes as u64;
    if bytes >= 1.0 && bytes < (1u64 << 53) as f64 { Ok(whole) } else { Err(wrong()) }
}

fn free() -> u64 {
    let read = |path: &str| fs::read_to_string(path).ok();
    let available = read("/proc/meminfo").and_then(|text| field(&text, "MemAvailable:")).map(|kib| kib << 10);
    let group = read("/proc/self/cgroup").and_then(|text| {
        let path = text.lines().find_map(|line| line.strip_prefix("0::"))?.trim_end_matches('/').to_owned();
        // Inside a container the group's own folder is often the root.
        [format!("/sys/fs/cgroup{path}"), "/sys/fs/cgroup".to_owned()].iter().find_map(|folder| {
            let number = |file: &str| read(&format!("{folder}/{file}"))?.trim().parse::<u64>().ok();
            let (max, current) = (number("memory.max")?, number("memory.current")?);
            // Cached files count as used and are given up when needed.
            let cached =
                read(&format!("{folder}/memory.stat")).and_then(|text| field(&text, "inactive_file"));
            Some(max.saturating_sub(current.saturating_sub(cached.unwrap_or(0))))
        })
    });
    available.into_iter().chain(group).min().unwrap_or(UNKNOWN)
}

/// The number after `name` on the line that begins with it.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases =
            [("1", 1), ("64KiB", 1 << 16), ("1.5 GiB", 3 << 29), ("2g", 2 << 30), ("800MB", 800_000_000)];
        for (text, bytes) in cases {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "-1", "GiB", "1.2.3M", "5 apples", "99999999TiB", "NaN"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn there_is_free_memory() {
        assert!(free() > 0);
        assert_eq!(field("MemFree: 5 kB\nMemAvailable:   77 kB\n", "MemAvailable:"), Some(77));
    }
}
