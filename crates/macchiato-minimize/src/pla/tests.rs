use std::io::{self, BufReader, Read};

use proptest::prelude::*;

use super::{MAX_LINE, Pla, PlaError, PlaType, read, write};
use crate::cover::Cover;
use crate::cube::{Literal, Shape};

fn parse(text: &str) -> Pla {
    read(text.as_bytes(), "t.pla").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn message(text: impl AsRef<[u8]>) -> String {
    read(text.as_ref(), "t.pla").expect_err("a fault").to_string()
}

fn written(cover: &Cover, inputs: Option<&[String]>, outputs: Option<&[String]>) -> String {
    let mut text = Vec::new();
    write(&mut text, cover, inputs, outputs).unwrap();
    String::from_utf8(text).unwrap()
}

/// The rows of a cover, as `write` spells them.
fn rows(cover: &Cover) -> Vec<String> {
    let text = written(cover, None, None);
    text.lines().filter(|line| !line.starts_with('.')).map(str::to_owned).collect()
}

#[test]
fn each_type_gives_its_own_sets() {
    let sets = |pla_type: &str| {
        let pla = parse(&format!(".i 1\n.o 8\n{pla_type}\n0 0123 4-~1\n"));
        (rows(pla.on()), rows(pla.dont_care()), rows(pla.off()))
    };
    let on = vec!["0 01001001".to_owned()];
    let dont_care = vec!["0 00100100".to_owned()];
    let off = vec!["0 10010000".to_owned()];
    assert_eq!(sets(".type f"), (on.clone(), vec![], vec![]));
    assert_eq!(sets(".type fd"), (on.clone(), dont_care.clone(), vec![]));
    assert_eq!(sets(""), (on.clone(), dont_care.clone(), vec![]));
    assert_eq!(sets(".type fr"), (on.clone(), vec![], off.clone()));
    assert_eq!(sets(".type fdr"), (on, dont_care, off));
}

#[test]
fn functions_have_the_sets_of_their_type() {
    for (pla_type, dont_care, off) in
        [("f", true, false), ("fd", true, false), ("fr", false, true), ("fdr", true, true)]
    {
        let pla = parse(&format!(".i 1\n.o 1\n.type {pla_type}\n0 1\n1 0\n"));
        assert_eq!(pla.pla_type().name(), pla_type);
        let function = pla.to_function();
        assert_eq!((function.dont_care().is_some(), function.off().is_some()), (dont_care, off));
        assert_eq!(function.on(), pla.on());
    }
}

#[test]
fn odd_formats_read_as_the_plain_one() {
    let plain = parse(".i 4\n.o 2\n01-- 10\n1111 01\n.e\n");
    let odd = [
        ("no gap", ".i 4\n.o 2\n01--10\n111101\n"),
        ("bar", ".i 4\n.o 2\n01--|10\n1111 | 01\n"),
        ("tabs and CRLF", ".i\t4\r\n.o 2\r\n01--\t10\r\n1111\t01\r\n.e\r\n"),
        ("two for dash", ".i 4\n.o 2\n0122 10\n1111 01\n"),
        ("gaps inside", ".i 4\n.o 2\n 01 -- 1 0 \n11 11 0 1\n"),
        ("rows over lines", ".i 4\n.o 2\n01\n--\n\n10\n1111 # half\n01\n"),
        ("comments", "# head\n.i 4 # inputs\n.o 2# outputs\n01-- 10# row\n# between\n1111 01 # .e\n"),
        ("one line", ".i 4 .o 2 .p 2\n01-- 10 # a\n1111 01 .e"),
        ("outputs first", ".o 2\n.i 4\n01-- 10\n1111 01\n"),
        ("junk after the end", ".i 4\n.o 2\n01-- 10\n1111 01\n.end\nanything \u{0} goes\n.i 9\n"),
        ("wrong .p", ".i 4\n.o 2\n.p 99999999999999999999999999\n01-- 10\n1111 01\n"),
        ("the same twice", ".i 4\n.o 2\n.i 4\n01-- 10\n.type fd\n.o 2\n1111 01\n"),
        ("positive phase", ".i 4\n.o 2\n.phase 11\n01-- 10\n1111 01\n"),
        ("a title", "adder, 1986\n.i 4\nsecond title\n.o 2\n01-- 10\n1111 01\n"),
        ("byte order mark", "\u{feff}.i 4\n.o 2\n01-- 10\n1111 01\n"),
        ("a row that says nothing", ".i 4\n.o 2\n01-- 10\n0000 00\n---- ~~\n1111 01\n"),
    ];
    for (what, text) in odd {
        let pla = parse(text);
        assert_eq!(pla.on(), plain.on(), "{what}");
        assert!(pla.dont_care().is_empty() && pla.off().is_empty(), "{what}");
    }
}

#[test]
fn names_come_before_or_after_rows_and_over_several_lines() {
    let expected = ["a<0>", "b#1", ".c"].map(str::to_owned);
    for text in [
        ".i 3\n.o 1\n.ilb a<0> b#1 .c # not_a_name\n.ob f\n000 1\n",
        ".i 3\n.o 1\n.ilb a<0>\n # more\n b#1 .c\n.ob\nf\n000 1\n",
        ".i 3\n.o 1\n000 1\n.ilb a<0> b#1 .c\n.ob f\n.e\n",
        ".i 3 .o 1 .ilb a<0> b#1 .c .ob f\n000 1\n",
    ] {
        let pla = parse(text);
        assert_eq!(pla.input_names(), Some(expected.as_slice()), "{text}");
        assert_eq!(pla.output_names(), Some(["f".to_owned()].as_slice()), "{text}");
        assert_eq!(rows(pla.on()), ["000 1"]);
    }
}

#[test]
fn cubes_know_their_lines() {
    let pla = parse("# one\n.i 2\n.o 2\n.type fdr\n00 1-\n01\n 0~\n\n11 01\n");
    assert_eq!(
        (pla.on_lines(), pla.dont_care_lines(), pla.off_lines()),
        (&[5, 9][..], &[5][..], &[6, 9][..])
    );
}

#[test]
fn a_file_without_inputs_or_rows_is_a_constant() {
    assert_eq!(rows(parse(".i 0\n.o 2\n10\n").on()), [" 10"]);
    let empty = parse(".i 3\n.o 1\n.e\n");
    assert!(empty.on().is_empty());
    assert_eq!((empty.shape(), empty.pla_type()), (Shape::new(3, 1), PlaType::Fd));
}

#[test]
fn every_fault_has_its_place_and_remedy() {
    let faults = [
        ("", "1:1: the numbers of inputs and outputs must be known by here: `.i` is missing"),
        (".i 2\n01 1\n", "2:1: the numbers of inputs and outputs must be known by here: `.o` is missing"),
        (".i 2\n.ilb a b\n", "2:1: the numbers of inputs and outputs must be known by here: `.o` is missing"),
        (".i 2\n  .foo 3\n", "2:3: unknown keyword `.foo`: remove the line, or put `#` before it"),
        (".i 2\n.o 1\n.\n", "3:1: unknown keyword `.`: remove the line, or put `#` before it"),
        (".mv 3 2 4\n", "1:1: `.mv` is not supported: only binary inputs and outputs in positive phase are"),
        (".kiss\n", "1:1: `.kiss` is not supported: only binary inputs and outputs in positive phase are"),
        (
            ".i 1\n.o 2\n.phase 10\n",
            "3:1: `.phase` is not supported: only binary inputs and outputs in positive phase are",
        ),
        (".i two\n", "1:4: `.i` needs a whole number, not `two`"),
        (".i\n.o 1\n", "1:3: `.i` needs a whole number"),
        (".p -1\n", "1:4: `.p` needs a whole number, not `-1`"),
        (".i 65536\n", "1:4: `.i` is too large: at most 65535 inputs and 65535 outputs are read"),
        (
            ".o 99999999999999999999999",
            "1:4: `.o` is too large: at most 65535 inputs and 65535 outputs are read",
        ),
        (".i 1\n.o 0\n", "2:4: `.o` needs at least one output"),
        (".i 1\n.o 1\n.i 2\n", "3:4: `.i` was 1 before and cannot change to 2"),
        (".type fr\n.type fd\n", "2:7: `.type` was fr before and cannot change to fd"),
        (".type dr\n", "1:7: unknown type `dr`: `f`, `fd`, `fr` and `fdr` are known"),
        (".i 1\n.o 1\n0 1\n.type fr\n", "4:7: `.type` must come before the first row"),
        (".i 2\n.o 1\n0~ 1\n", "3:2: `~` is no input value: write `0`, `1`, or `-` for a free input"),
        (".i 2\n.o 1\n01 x\n", "3:4: `x` is no output value: write `0`, `1`, `-`, or `~`"),
        (
            ".i 2\n.o 1\n0\n.e\n",
            "3:1: this row has only 1 of its 3 values: complete it, or correct `.i` or `.o`",
        ),
        (
            ".i 2\n.o 1\n 01\n\n",
            "3:2: this row has only 2 of its 3 values: complete it, or correct `.i` or `.o`",
        ),
        (
            ".i 2\n.o 1\n01 11\n",
            "3:5: the row of line 3 goes on after its 3 values: shorten it, or correct `.i` or `.o`",
        ),
        (
            ".i 3\n.o 1\n01 1\n01 1\n",
            "4:2: the row of line 3 goes on after its 4 values: shorten it, or correct `.i` or `.o`",
        ),
        (".i 2\n.o 1\n .ob f g h # i\n", "3:2: `.ob` has 3 names where there are 1 to be named"),
        (".i 2\n.o 1\n.ilb a b c\n", "3:1: `.ilb` has 3 names where there are 2 to be named"),
        (
            ".i 2\n.o 2\n.type fr\n01 11\n0- ~0\n",
            "5:1: output 2 is OFF here and ON on line 4 for the same inputs: remove one of the two",
        ),
        (
            ".i 2\n.o 1\n.type fdr\n-1 0\n00 1\n11 1\n",
            "6:1: output 1 is ON here and OFF on line 4 for the same inputs: remove one of the two",
        ),
    ];
    for (text, expected) in faults {
        assert_eq!(message(text), format!("t.pla:{expected}"), "{text}");
    }
}

#[test]
fn bytes_that_are_not_text_are_shown_escaped() {
    assert_eq!(
        message(b".i 1\n.o 1\n\xff 1\n"),
        "t.pla:3:1: `\\xff` is no input value: write `0`, `1`, or `-` for a free input"
    );
    assert_eq!(message(b".i 1\n.o 1\n.ilb \xff\n"), "t.pla:3:6: this name is not UTF-8 text: rename it");
    assert_eq!(
        message(b".\x00\xfe\n"),
        "t.pla:1:1: unknown keyword `.\\x00\\xfe`: remove the line, or put `#` before it"
    );
    let comment = read(&b"# caf\xe9\n.i 1\n.o 1\n0 1\n"[..], "t.pla").unwrap();
    assert_eq!(comment.on().terms(), 1);
}

#[test]
fn an_endless_line_is_refused_before_it_fills_the_memory() {
    let endless = BufReader::new(io::repeat(b' '));
    let error = read(endless, "t.pla").unwrap_err();
    assert!(matches!(&error, PlaError::LineTooLong { place } if place.line == 1));
    assert_eq!(
        error.to_string(),
        format!("t.pla:1:1: this line is longer than {MAX_LINE} bytes: is it a PLA file?")
    );
}

#[test]
fn a_failing_reader_is_reported_where_it_failed() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let reader = BufReader::new(b".i 1\n".chain(Broken));
    let error = read(reader, "t.pla").unwrap_err();
    assert_eq!(error.to_string(), "t.pla:2:1: cannot be read: the disk is on fire");
}

#[test]
fn names_that_would_not_read_back_are_not_written() {
    let cover = Cover::new(Shape::new(1, 1));
    for name in ["", "a b", "#a", "a\n.e"] {
        let error = write(&mut Vec::new(), &cover, Some(&[name.to_owned()]), None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
    let error = write(&mut Vec::new(), &cover, None, Some(&[])).unwrap_err();
    assert_eq!(error.to_string(), "0 output names for 1 outputs");
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![Just(Literal::Negative), Just(Literal::Positive), Just(Literal::Free)]
}

/// Any cover whose cubes all assert something: a row that says nothing is not kept.
fn cover() -> impl Strategy<Value = Cover> {
    (0usize..70, 1usize..70).prop_flat_map(|(inputs, outputs)| {
        let cube = (
            prop::collection::vec(literal(), inputs),
            prop::collection::vec(any::<bool>(), outputs)
                .prop_filter("asserts something", |outputs| outputs.contains(&true)),
        );
        prop::collection::vec(cube, 0..12).prop_map(move |cubes| {
            let mut cover = Cover::new(Shape::new(inputs, outputs));
            for (literals, outputs) in &cubes {
                cover.push(literals, outputs);
            }
            cover
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(cover in cover(), names in any::<bool>()) {
        let name = |letter: char, count: usize| (0..count).map(|i| format!("{letter}[{i}]")).collect::<Vec<_>>();
        let inputs = names.then(|| name('x', cover.shape().inputs()));
        let outputs = names.then(|| name('y', cover.shape().outputs()));
        let text = written(&cover, inputs.as_deref(), outputs.as_deref());
        let pla = parse(&text);
        prop_assert_eq!(pla.on(), &cover);
        prop_assert_eq!(pla.input_names(), inputs.as_deref());
        prop_assert_eq!(pla.output_names(), outputs.as_deref());
        prop_assert!(pla.dont_care().is_empty());
        prop_assert_eq!(written(pla.on(), pla.input_names(), pla.output_names()), text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(text in "([.# \n|01~2-]|\\.i|\\.o|\\.e|\\.type fr|\\.ilb|[0-9a-z\u{e9}]){0,60}") {
        if let Ok(pla) = read(text.as_bytes(), "t.pla") {
            prop_assert_eq!(pla.to_function().shape(), pla.shape());
        }
    }

    #[test]
    fn a_row_that_is_on_and_off_is_found(inputs in prop::collection::vec(literal(), 1..9), filler in 0usize..200) {
        let mut cover = Cover::new(Shape::new(inputs.len(), 1));
        cover.push(&inputs, &[true]);
        let row = rows(&cover)[0].clone();
        let other = format!("{}0", &row[..row.len() - 1]);
        // Rows that say nothing stand between the two, to move the lines apart.
        let filler = format!("{}~\n", &row[..row.len() - 1]).repeat(filler);
        let text = format!(".i {}\n.o 1\n.type fr\n{row}\n{filler}{other}\n", inputs.len());
        let error = read(text.as_bytes(), "t.pla").unwrap_err();
        let last = 5 + filler.lines().count();
        let found = matches!(error, PlaError::Contradiction { on_line: 4, off_line, output: 0, .. } if off_line == last);
        prop_assert!(found);
    }
}

/// As in the classical `newxcpla1`, which Berkeley's program reads: the rest are made up, and said to be.
#[test]
fn names_that_are_missing_are_made_up() {
    let rows = "000 11\n111 01\n";
    for (names, inputs, outputs, notes) in [
        (".ilb a b c\n.ob f\n", ["a", "b", "c"], ["f", "y2"], 1),
        (".ilb x2\n.ob\n.p 2\n", ["x2", "x2_", "x3"], ["y1", "y2"], 2),
        (".ilb a\n b\n.ob f g\n", ["a", "b", "x3"], ["f", "g"], 1),
    ] {
        for text in [format!(".i 3\n.o 2\n{names}{rows}.e\n"), format!(".i 3\n.o 2\n{rows}{names}")] {
            let pla = read(text.as_bytes(), "t").unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(pla.input_names().expect("names"), inputs, "{text}");
            assert_eq!(pla.output_names().expect("names"), outputs, "{text}");
            assert_eq!((pla.notes().len(), pla.on().terms()), (notes, 2), "{text}");
        }
    }
    let pla = read(format!(".i 3\n.o 2\n.ob f\n{rows}").as_bytes(), "t").unwrap();
    let answer = crate::minimize_pla(&pla, &crate::Options::default()).unwrap();
    let said: Vec<String> = answer.notes.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["`.ob` has 1 names where there are 2 to be named: the rest are made up"]);
}
