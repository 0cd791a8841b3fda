//! A sceptic reads the kernel in an evening: it may get shorter, never longer.

use std::path::Path;

const READERS: [&str; 3] = ["onnx.rs", "protobuf.rs", "safetensors.rs"];
/// Outside the claim: the program, and what reads files for it.
const OUTSIDE: [&str; 3] = ["files.rs", "main.rs", "tests.rs"];

/// Lines of code, without tests, comments and blanks.
fn lines(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("a source file");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn the_kernel_and_the_readers_stay_short() {
    let (mut kernel, mut readers) = (0, 0);
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("the sources") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match name {
            _ if path.is_dir() || OUTSIDE.contains(&name) => {}
            _ if READERS.contains(&name) => readers += lines(&path),
            _ => kernel += lines(&path),
        }
    }
    assert!(kernel > 500 && readers > 250, "{kernel} and {readers}: the sources were not found");
    assert!(kernel <= 1000, "the kernel has {kernel} lines");
    assert!(readers <= 500, "the readers have {readers} lines");
}
