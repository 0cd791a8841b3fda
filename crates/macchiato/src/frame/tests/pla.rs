//! PLA files.

use super::*;

#[test]
fn pla_rows_are_samples() {
    let table = parse(
        Format::Pla,
        "# head\n.i 3\n.o 1\n.ilb a b[1] c#\n.ob out\n.type fr\n.p 99\n010 1\n010 1 # again\n010 0\n1|1|1 4\n\t00\n03\n.e\nx",
    )
    .unwrap();
    assert_eq!(table.names, ["a", "b[1]", "c#", "out"]);
    assert_eq!(rows(&table), ["0101", "0101", "0100", "1111", "0000"]);
    let odd = parse(Format::Pla, "\u{feff}adder, 1986\r\n.type fr .i 2 .o 1\r\n.phase 1\r\n011\r\n10 0\r\n")
        .unwrap();
    assert_eq!((odd.names.concat(), rows(&odd)), ("x1x2y".into(), vec!["011".into(), "100".into()]));
}

#[test]
fn faults_of_pla_files_name_line_and_byte() {
    let head = ".i 2\n.o 1\n.type fr\n";
    let free = "row has free inputs; expand it or minimize it with `macchiato minimize`";
    let faults = [
        (String::new(), "1:1: the file is empty: expected `.i`".into()),
        (head.into(), "4:1: there are no rows: add at least one".into()),
        (format!("{head}01 1\n0- 1\n"), format!("5:2: {free}")),
        (
            format!("{head}01 -\n"),
            "4:4: `-` is no label: write `1` for ON or `0` for OFF, or remove the row".into(),
        ),
        (
            ".i 2\n.o 1\n01 1\n".into(),
            "3:1: rows need labels, so the type must be fr, not fd: put `.type fr` before the rows".into(),
        ),
        (
            ".type fdr\n".into(),
            "1:7: rows need labels, so the type must be fr, not fdr: put `.type fr` before the rows".into(),
        ),
        (
            ".o 2\n".into(),
            "1:1: the file has 2 outputs: exactly one is learned, so write one file for each".into(),
        ),
        (".mv 3\n".into(), "1:1: unknown keyword `.mv`: remove the line, or put `#` before it".into()),
        (
            ".i 1\n.o 1\n.phase 0\n".into(),
            "3:1: `.phase` is not supported: only binary inputs and outputs in positive phase are".into(),
        ),
        (".i two\n".into(), "1:4: `.i` needs a whole number, not `two`".into()),
        (
            ".i 65536\n".into(),
            "1:4: `.i` is too large: at most 65535 inputs and 65535 outputs are read".into(),
        ),
        (".i 2\n.i 3\n".into(), "2:4: `.i` was 2 before and cannot change to 3".into()),
        (".type q\n".into(), "1:7: unknown type `q`: `f`, `fd`, `fr` and `fdr` are known".into()),
        (
            "01 1\n".into(),
            "1:1: the numbers of inputs and outputs must be known by here: `.i` is missing".into(),
        ),
        (
            ".i 2\n".into(),
            "2:1: the numbers of inputs and outputs must be known by here: `.o` is missing".into(),
        ),
        (
            format!("{head}0x 1\n"),
            "4:2: `x` is no input value: write `0`, `1`, or `-` for a free input".into(),
        ),
        (format!("{head}01 x\n"), "4:4: `x` is no output value: write `0`, `1`, `-`, or `~`".into()),
        (
            format!("{head}01 1\n01\n.e"),
            "5:1: this row has only 2 of its 3 values: complete it, or correct `.i` or `.o`".into(),
        ),
        (
            format!("{head}01 11\n"),
            "4:5: the row of line 4 goes on after its 3 values: shorten it, or correct `.i` or `.o`".into(),
        ),
        (format!("{head}.ilb a\n"), "4:1: `.ilb` has 1 names where there are 2 to be named".into()),
        (format!("{head}.ilb a y\n01 1\n"), "5:3: column 2 is named \"y\" too: rename one of the two".into()),
    ];
    for (text, expected) in faults {
        assert_eq!(message(Format::Pla, &text), format!("t:{expected}"), "{text:?}");
    }
    assert_eq!(
        message(Format::Pla, b".i 1\n.o 1\n.ilb \xff\n"),
        "t:3:6: this name is not UTF-8 text: rename it"
    );
}
