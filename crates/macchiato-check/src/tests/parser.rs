//! Certificates that break their format, each with the place.

use super::assert_unreadable;
use super::build::{PAPER, compile, shared, small};
use crate::{Verdict, check};

/// The verdict on the small certificate after one replacement.
#[track_caller]
fn edited(from: &str, to: &str) -> Verdict {
    let mut compiled = compile(&small(), PAPER);
    let network = compiled.network();
    compiled.edit(from, to);
    check(compiled.certificate(&network).as_bytes(), &network)
}

#[track_caller]
fn faulty(from: &str, to: &str, place: (usize, usize), reason: &str) {
    assert_unreadable(&edited(from, to), place, reason);
}

/// The text that the places below refer to.
#[test]
fn the_certificate() {
    let text = compile(&small(), PAPER).certificate(b"");
    let from_third: Vec<&str> = text.lines().skip(2).collect();
    let wanted = "inputs 3/input 0 \"x1\"/input 1 \"x2\"/input 2 \"x3\"/layers 5/layer 1 6 relu/layer 2 6 relu/\
        layer 3 4 relu/layer 4 2 relu/layer 5 1 relu/gates 13/gate 0 relay +x0 : 1 0 | 0 1 0 1/\
        gate 1 relay -x0 : 1 0 | 1 1 0 1/gate 2 relay +x1 : 1 0 | 2 1 0 1/gate 3 relay -x1 : 1 0 | 3 1 0 1/\
        gate 4 relay +x2 : 1 0 | 4 1 0 1/gate 5 relay -x2 : 1 0 | 5 1 0 1/\
        gate 6 and +g0 +g3 : 2 0 | 0 1 -1 1 | 1 1 -2 -1/gate 7 and +g2 : 2 0 | 2 1 0 1 | 3 1 -1 -1/\
        gate 8 and +g2 +g5 : 2 0 | 4 1 -1 1 | 5 1 -2 -1/gate 9 or +g6 +g7 : 3 0 | 0 1 0 1 | 1 1 -1 -1/\
        gate 10 or +g8 : 3 0 | 2 1 0 1 | 3 1 -1 -1/gate 11 xor +g9 +g10 : 4 0 | 0 1 0 1 | 1 1 -1 -2/\
        gate 12 relay +g11 : 5 0 | 0 1 0 1/outputs 1/output 0 \"y1\" gate 12 most 1/end";
    assert_eq!(from_third.join("/"), wanted);
}

#[test]
fn the_frame() {
    let first = "macchiato-certificate 1";
    faulty(first, "macchiato-certificate 3", (1, 23), "the version is 3, not from 1 to 1");
    faulty(first, "", (1, 1), "`macchiato-certificate` is missing");
    faulty(first, "macchiato-certificate  1", (1, 23), "the version is missing");
    faulty(first, "macchiato-certificate", (1, 22), "the line ends before the version");
    faulty("macchiato-certificate 1\n", "macchiato-certificate 1 \n", (1, 24), "the record has ended");
    faulty("macchiato-certificate 1\n", "macchiato-certificate 1\r\n", (1, 23), "is no number");
    faulty("\nend\n", "\n", (29, 1), "the file ends before its line `end`");
    faulty("\nend\n", "\nend", (29, 4), "the file ends within a line");
    faulty("\nend\n", "\nend\nend\n", (30, 1), "there is text after the line `end`");
    faulty("\nend\n", "\nend\n\n", (30, 1), "there is text after the line `end`");
    assert_unreadable(&check(b"", b""), (1, 1), "the file ends before its line `end`");
    assert_unreadable(&check(b"macchiato-certificate 1\nnet\xff", b""), (2, 4), "no UTF-8");
    let long = [vec![b'a'; (16 << 20) + 1], vec![b'\n']].concat();
    assert_unreadable(&check(&long, b""), (1, (16 << 20) + 1), "longer than 16 MiB");
    assert_unreadable(&check(&vec![b'\n'; (256 << 20) + 1], b""), (1, 1), "longer than 268435456 bytes");
}

#[test]
fn the_network() {
    faulty("network onnx", "network tflite", (2, 9), "\"tflite\" is not `onnx` or `safetensors`");
    faulty("sha256 ", "sha256 0", (2, 21), "64 hexadecimal digits");
    faulty("sha256", "md5", (2, 14), "\"md5\" where `sha256` must be");
    faulty("bytes ", "bytes 0", (2, 92), "is no number");
    faulty("bytes ", "bytes -", (2, 92), "is no number");
    faulty("bytes ", "bytes 99999999999999999", (2, 92), "is no number");
}

#[test]
fn names_and_layers() {
    faulty("inputs 3", "inputs 0", (3, 8), "the number of inputs is 0, not from 1 to 65535");
    faulty("inputs 3", "inputs 65536", (3, 8), "not from 1 to 65535");
    faulty("inputs 3", "inputs 4", (7, 1), "\"layers\" where `input` must be");
    faulty("inputs 3", "inputs 2", (6, 1), "\"input\" where `layers` must be");
    faulty("input 1", "input 2", (5, 7), "the input's number is 2, not from 1 to 1");
    faulty("\"x2\"", "\"x1\"", (5, 9), "a second one is named \"x1\"");
    faulty("\"x2\"", "x2", (5, 9), "must be a JSON string");
    faulty("\"x2\"", "\"x2", (5, 9), "must be a JSON string");
    faulty("\"x2\"", "\"x\\q\"", (5, 9), "must be a JSON string");
    faulty("\"x2\"", "\"\\ud800\"", (5, 9), "must be a JSON string");
    faulty("\"x2\"", "\"a\tb\"", (5, 9), "must be a JSON string");
    faulty("\"x2\"", "\"x2\"x", (5, 13), "the record has ended");
    faulty(
        "\"x2\"",
        &format!("\"{}\"", "a".repeat(1025)),
        (5, 9),
        "must be a JSON string of at most 1024 bytes",
    );
    assert!(edited("\"x2\"", &format!("\"{}\"", "a".repeat(1024))).is_accepted());
    faulty("layers 5", "layers 10001", (7, 8), "the number of layers is 10001");
    faulty("layers 5", "layers 4", (12, 1), "\"layer\" where `gates` must be");
    faulty("layer 2 6", "layer 2 0", (9, 9), "the layer's width is 0");
    faulty("layer 2 6 relu", "layer 2 6 linear", (10, 7), "only the last layer may be linear");
    faulty("layer 2 6 relu", "layer 2 6 tanh", (9, 11), "\"tanh\" is not `relu` or `linear`");
}

#[test]
fn gates() {
    faulty("gates 13", "gates 0", (13, 7), "the number of gates is 0");
    faulty("gates 13", "gates 14", (27, 1), "\"outputs\" where `gate` must be");
    faulty("gates 13", "gates 12", (26, 1), "\"gate\" where `outputs` must be");
    faulty("gates 13", "gates 10000001", (13, 7), "not from 1 to 10000000");
    faulty("gate 1 relay", "gate 2 relay", (15, 6), "the gate's number is 2, not from 1 to 1");
    faulty("relay +x0", "delay +x0", (14, 8), "\"delay\" is no rule");
    faulty("or +g6", "least -1 +g6", (23, 14), "\"-1\" is no number");
    faulty("or +g6", "least 16777217 +g6", (23, 14), "the least count is 16777217, not from 0 to 16777216");
    faulty("or +g6", "least +g6", (23, 14), "\"+g6\" is no number");
    for counts in ["2", "2-1", "1-2,2-3", "1-2,3-4", "3-4,1-1", "1-", "-1", "1-2,", "01-2", "1-16777217"] {
        let reason = format!("\"{counts}\" is not counts in ascending order");
        faulty("or +g6", &format!("counts {counts} +g6"), (23, 15), &reason);
    }
}

#[test]
fn operands() {
    faulty(
        "+x0 :",
        "+x3 :",
        (14, 14),
        "\"+x3\" is not `:`, or a literal of 3 inputs and 0 earlier gates, of 1 to 1000 points",
    );
    faulty("+x0 :", "x0 :", (14, 14), "\"x0\" is not `:`, or a literal");
    faulty("+x0 :", "+x00 :", (14, 14), "\"+x00\" is not `:`, or a literal");
    faulty("+x0 :", "+y0 :", (14, 14), "\"+y0\" is not `:`, or a literal");
    faulty("+x0 :", "+x :", (14, 14), "\"+x\" is not `:`, or a literal");
    faulty("+x0 :", "+-x0 :", (14, 14), "\"+-x0\" is not `:`, or a literal");
    faulty("+x0 :", "0*+x0 :", (14, 14), "\"0*+x0\" is not `:`, or a literal");
    faulty("+x0 :", "1001*+x0 :", (14, 14), "\"1001*+x0\" is not `:`, or a literal");
    faulty("+x0 :", "1*+x0 :", (14, 14), "\"1*+x0\" is not `:`, or a literal");
    faulty("+x0 :", "-2*+x0 :", (14, 14), "\"-2*+x0\" is not `:`, or a literal");
    faulty("+x0 :", "+g0 :", (14, 14), "\"+g0\" is not `:`, or a literal of 3 inputs and 0 earlier gates");
    faulty(
        "+g0 +g3 :",
        "+g0 +g6 :",
        (20, 16),
        "\"+g6\" is not `:`, or a literal of 3 inputs and 6 earlier gates",
    );
    faulty("+x0 : 1 0 | 0 1 0 1", "+x0", (14, 17), "the line ends before `:`, or a literal");
}

#[test]
fn read_outs() {
    faulty("+x0 : 1", "+x0 : 0", (14, 20), "the layer is 0, not from 1 to 5");
    faulty("+x0 : 1", "+x0 : 6", (14, 20), "the layer is 6, not from 1 to 5");
    faulty("+x0 : 1 0", "+x0 : 1", (14, 22), "\"|\" is not the constant of a read-out");
    faulty("+x0 : 1 0", "+x0 : 1 -0", (14, 22), "is not the constant of a read-out, whole and below 2^24");
    faulty(
        "+x0 : 1 0",
        "+x0 : 1 16777216",
        (14, 22),
        "is not the constant of a read-out, whole and below 2^24",
    );
    faulty("| 0 1 0 1\n", "| 0 1 0\n", (14, 31), "the line ends before a coefficient");
    faulty("| 0 1 0 1\n", "| -1 1 0 1\n", (14, 26), "\"-1\" is no number");
    faulty("| 0 1 0 1\n", "| 0 1.5 0 1\n", (14, 28), "\"1.5\" is not a slope, whole and below 2^24");
    faulty("| 0 1 0 1\n", "| 0 1 --1 1\n", (14, 30), "\"--1\" is not an offset");
    faulty("| 0 1 0 1\n", "| 0 1 0 -16777216\n", (14, 32), "\"-16777216\" is not a coefficient");
    faulty("| 0 1 0 1\n", "| 0 1 0 1 0\n", (14, 34), "\"0\" where `|` must be");
    faulty("| 0 1 0 1\n", "| 0 1 0 1 \n", (14, 34), "`|` is missing");
}

#[test]
fn outputs() {
    faulty("outputs 1", "outputs 0", (27, 9), "the number of outputs is 0");
    faulty("outputs 1", "outputs 2", (29, 1), "\"end\" where `output` must be");
    faulty("output 0", "output 1", (28, 8), "the output's number is 1, not from 0 to 0");
    faulty("gate 12 most", "gate 13 most", (28, 20), "the output's gate is 13, not from 0 to 12");
    faulty("most 1", "most 16777217", (28, 28), "its largest value is 16777217");
    faulty(" most 1", "", (28, 22), "the line ends before `most`");
    let mut two = compile(&shared(), PAPER);
    two.edit("\"y2\"", "\"y1\"");
    let text = two.certificate(b"");
    let line = text.lines().position(|line| line.starts_with("output 1 ")).expect("an output") + 1;
    assert_unreadable(&check(text.as_bytes(), b""), (line, 10), "a second one is named \"y1\"");
}

/// Lines about training are handed on, whatever they say, and counted.
#[test]
fn training_is_not_read_here() {
    let found = edited("\nend\n", "\ntraining a\ntraining  b c\nend\n");
    let Verdict::Accepted(summary) = &found else { panic!("{found}") };
    assert_eq!(summary.training, 2);
    faulty("\nend\n", "\ntrain a\nend\n", (29, 1), "\"train\" where `end` must be");
}

/// A number in the text never reserves memory: only lines that are there do.
#[test]
fn claims_without_lines() {
    for (from, to) in [
        ("inputs 3", "inputs 65535"),
        ("layers 5", "layers 10000"),
        ("gates 13", "gates 10000000"),
        ("outputs 1", "outputs 65535"),
    ] {
        assert_eq!(edited(from, to).exit_code(), 2);
    }
    let wide = edited("layer 2 6", "layer 2 18446744073709551615");
    super::assert_rejected(
        &wide,
        "layer 2: inputs and neurons are (6, 6) in the file, (6, 18446744073709551615) by the certificate",
    );
}
