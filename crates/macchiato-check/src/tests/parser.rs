//! Certificates that break their format, each with the place.

use super::assert_unreadable;
use super::build::{Circuit, PAPER, compile, small};
use crate::{Verdict, check};

/// The verdict on the small certificate after one replacement.
#[track_caller]
fn edited(from: &str, to: &str) -> Verdict {
    let compiled = compile(&small(), PAPER);
    let network = compiled.network();
    let text = compiled.certificate(&network);
    assert!(text.contains(from), "{from:?} in\n{text}");
    check(text.replacen(from, to, 1).as_bytes(), &network, None)
}

#[track_caller]
fn faulty(from: &str, to: &str, place: (usize, usize), reason: &str) {
    assert_unreadable(&edited(from, to), place, reason);
}

/// The text that the places below refer to.
#[test]
fn the_certificate() {
    let compiled = compile(&small(), PAPER);
    let network = compiled.network();
    let text = compiled.certificate(&network);
    let from_third: Vec<&str> = text.lines().skip(2).collect();
    let wanted = "inputs 3|input 0 \"x1\"|input 1 \"x2\"|input 2 \"x3\"|target \"y\"|layers 5|layer 1 6 relu|\
        layer 2 6 relu|layer 3 4 relu|layer 4 2 relu|layer 5 1 relu|stages 2|stage 1 inputs 0 1|term 1 +0 -1|\
        term 1 +1|stage 2 inputs 1 2|term 2 +1 -2|literal +0 : 1.0|literal -0 : 1.1|literal +1 : 1.2|\
        literal -1 : 1.3|literal +2 : 1.4|literal -2 : 1.5|and 1.1 two : 2.0 2.1|and 1.2 two : 2.2 2.3|\
        and 2.1 two : 2.4 2.5|or 1 two : 3.0 3.1|or 2 two : 3.2 3.3|xor 1 flat s1 s2 : 4.0 4.1 > 5.0|sum 7|end";
    assert_eq!(from_third.join("|"), wanted);
}

#[test]
fn the_frame() {
    faulty(
        "macchiato-certificate 1",
        "macchiato-certificate 3",
        (1, 23),
        "\"3\" is no version that is known here",
    );
    faulty("macchiato-certificate 1", "", (1, 1), "`macchiato-certificate` is missing");
    faulty("macchiato-certificate 1", "macchiato-certificate  1", (1, 23), "the version is missing");
    faulty("macchiato-certificate 1", "macchiato-certificate", (1, 22), "the line ends before the version");
    faulty("macchiato-certificate 1\n", "macchiato-certificate 1 \n", (1, 24), "the record has ended");
    faulty("macchiato-certificate 1\n", "macchiato-certificate 1\r\n", (1, 23), "is no version");
    faulty("\nend\n", "\n", (33, 1), "the file ends before its line `end`");
    faulty("\nend\n", "\nend", (33, 4), "the file ends within a line");
    faulty("\nend\n", "\nend\nend\n", (34, 1), "there is text after the line `end`");
    faulty("\nend\n", "\nend\n\n", (34, 1), "there is text after the line `end`");
    assert_unreadable(&check(b"", b"", None), (1, 1), "the file ends before its line `end`");
    assert_unreadable(&check(b"macchiato-certificate 1\nnet\xff", b"", None), (2, 4), "no UTF-8");
    let long = [vec![b'a'; (16 << 20) + 1], vec![b'\n']].concat();
    assert_unreadable(&check(&long, b"", None), (1, (16 << 20) + 1), "longer than 16 MiB");
    assert_unreadable(
        &check(&vec![b'\n'; (256 << 20) + 1], b"", None),
        (1, 1),
        "longer than 268435456 bytes",
    );
}

#[test]
fn the_network() {
    faulty("network onnx", "network tflite", (2, 9), "neither `onnx` nor `safetensors`");
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
    faulty("inputs 3", "inputs 4", (7, 1), "\"target\" where `input` must be");
    faulty("inputs 3", "inputs 2", (6, 1), "\"input\" where `target` must be");
    faulty("input 1", "input 2", (5, 7), "the input's number is 2, not from 1 to 1");
    faulty("\"x2\"", "\"x1\"", (5, 9), "a second input is named \"x1\"");
    faulty("\"x2\"", "x2", (5, 9), "must be a JSON string");
    faulty("\"x2\"", "\"x2", (5, 12), "the string has no closing quote");
    faulty("\"x2\"", "\"x\\q\"", (5, 11), "no escape of a JSON string");
    faulty("\"x2\"", "\"\\ud800\"", (5, 10), "no escape of a JSON string");
    faulty("\"x2\"", "\"\\ud800\\u0041\"", (5, 10), "no escape of a JSON string");
    faulty("\"x2\"", "\"a\tb\"", (5, 11), "a control character must be escaped");
    faulty("\"x2\"", "\"x2\"x", (5, 13), "the record has ended");
    faulty("\"x2\"", &format!("\"{}\"", "a".repeat(1025)), (5, 9), "longer than 1024 bytes");
    assert!(edited("\"x2\"", &format!("\"{}\"", "a".repeat(1024))).is_accepted());
    faulty("layers 5", "layers 1001", (8, 8), "the number of layers is 1001");
    faulty("layers 5", "layers 4", (12, 9), "the last layer has width 2, not 1");
    faulty("layer 2 6", "layer 2 0", (10, 9), "the layer's width is 0");
    faulty("layer 2 6 relu", "layer 2 6 linear", (10, 11), "only the last layer may be linear");
    faulty("layer 2 6 relu", "layer 2 6 tanh", (10, 11), "\"tanh\" is no activation");
    faulty("layer 5 1", "layer 5 2", (13, 9), "the last layer has width 2, not 1");
}

#[test]
fn stages_and_terms() {
    faulty("stages 2", "stages 100001", (14, 8), "the number of stages is 100001");
    faulty("stages 2", "stages 3", (20, 1), "\"literal\" where `stage` must be");
    faulty("stages 2", "stages 1", (18, 1), "\"stage\" where a gate or `sum` must be");
    faulty("stage 2 inputs", "stage 3 inputs", (18, 7), "the stage's number is 3, not from 2 to 2");
    faulty("inputs 0 1", "inputs", (15, 15), "the line ends before the stage's first input");
    faulty("inputs 0 1", "inputs 1 0", (15, 18), "the stage's next input is 0, not from 2 to 2");
    faulty("inputs 0 1", "inputs 0 3", (15, 18), "the stage's next input is 3, not from 1 to 2");
    faulty("term 1 +0 -1", "term 2 +0 -1", (16, 6), "the term's stage is 2, not from 1 to 1");
    faulty("term 1 +0 -1", "term 1", (16, 7), "the line ends before a literal");
    faulty("term 1 +0 -1", "term 1 0 -1", (16, 8), "\"0\" is no literal");
    faulty("term 1 +0 -1", "term 1 +00 -1", (16, 8), "\"+00\" is no literal");
    faulty("term 1 +0 -1", "term 1 -1 +0", (16, 11), "literals must ascend");
    faulty("term 1 +0 -1", "term 1 -0 +0", (16, 11), "literals must ascend");
    faulty("term 1 +0 -1", "term 1 +0 -2", (16, 11), "input 2 is none of the stage's inputs");
    faulty("term 1 +0 -1", "term 1 +1", (17, 8), "stage 1 has this term already");
    faulty("term 2 +1 -2\n", "", (19, 1), "\"literal\" where `term` must be");
}

#[test]
fn gates() {
    faulty("literal +0", "literal +3", (20, 9), "input 3 of 3");
    faulty("literal +0 :", "literal +0", (20, 12), "\"1.0\" where `:` must be");
    faulty(": 1.0", ": 1", (20, 14), "\"1\" is no neuron");
    faulty(": 1.0", ": 1.00", (20, 14), "\"1.00\" is no neuron");
    faulty("and 1.1", "and 1.3", (26, 5), "there is no term 1.3");
    faulty("and 1.1", "and 0.1", (26, 5), "there is no term 0.1");
    faulty("and 1.1", "and 11", (26, 5), "\"11\" is no term");
    faulty("and 1.1 two", "and 1.1 wide", (26, 9), "neither `two` nor `narrow`");
    faulty("2.0 2.1", "2.0", (26, 18), "the line ends before a neuron");
    faulty("and 1.1 two", "and 1.1 narrow", (26, 21), "the record has ended");
    faulty("or 1 two", "or 3 two", (29, 4), "the stage is 3, not from 1 to 2");
    faulty("or 1 two", "or 1 flat", (29, 6), "neither `two` nor `deep`");
    faulty("or 1 two", "nor 1 two", (29, 1), "\"nor\" where a gate or `sum` must be");
    faulty("xor 1", "xor 2", (31, 5), "the XOR's number is 2, not from 1 to 1");
    faulty("flat", "round", (31, 7), "neither `flat` nor `fold`");
    faulty("flat", "fold 0", (31, 12), "the fold's height is 0");
    faulty("s1 s2", "s1 s3", (31, 15), "\"s3\" is neither a stage nor an earlier XOR");
    faulty("s1 s2", "s1 v1", (31, 15), "\"v1\" is neither a stage nor an earlier XOR");
    faulty("s1 s2", "s0 s1", (31, 12), "\"s0\" is neither");
    faulty("s1 s2 :", ":", (31, 12), "\":\" is neither");
    faulty(" > 5.0", "", (31, 27), "the line ends before a neuron, or `>`");
    faulty("or 1 two : 3.0 3.1\n", "zero : 1.0\n", (29, 1), "`zero` is for a circuit without stages");
    faulty(
        "literal -2 : 1.5\nand 1.1 two : 2.0 2.1",
        "and 1.1 two : 2.0 2.1\nliteral -2 : 1.5",
        (26, 1),
        "gates come in",
    );
    faulty("sum 7", "sum 16777216", (32, 5), "the largest partial sum is 16777216");
    faulty("sum 7", "sum 7\nsum 7", (33, 1), "\"sum\" where `data` must be");
}

/// A number in the text never reserves memory: only lines that are there do.
#[test]
fn claims_without_lines() {
    let compiled = compile(&Circuit { inputs: 1, stages: Vec::new() }, PAPER);
    let text = compiled.certificate(&compiled.network());
    for (from, to) in
        [("inputs 1", "inputs 65535"), ("layers 1", "layers 1000"), ("stages 0", "stages 100000")]
    {
        let verdict = check(text.replacen(from, to, 1).as_bytes(), &compiled.network(), None);
        assert_eq!(verdict.exit_code(), 2, "{verdict}");
    }
}
