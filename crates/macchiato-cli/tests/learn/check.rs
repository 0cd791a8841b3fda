//! What `macchiato check` says beyond the checker: names against a model, networks that read a table, and verdicts that nobody reads.

use std::fmt::Write;
use std::process::{Command, Stdio};

use super::command::Folder;

/// Three classes by size, and a column of texts.
fn folder() -> Folder {
    let mut text = "size,shape,class\n".to_owned();
    for i in 0..90 {
        let class = if i % 7 == 0 { "small" } else { ["small", "medium", "large"][i * 37 % 90 / 30] };
        let shape = ["odd", "round "][usize::from(i % 7 != 0)];
        let _ = writeln!(text, "{}.5,{shape},{class}", i * 37 % 90);
    }
    let folder = Folder::new(&text);
    folder.run("fit data.csv --out c.json --quiet").succeeds();
    folder.run("compile c.json --out n.onnx --certificate n.cert --raw table.onnx --quiet").succeeds();
    folder
}

/// The verdict's first line, and its exit code.
fn verdict(folder: &Folder, words: &str) -> (String, Option<i32>) {
    let ran = folder.run(words);
    (ran.stdout().lines().next().unwrap_or_default().to_owned(), ran.0.status.code())
}

#[test]
fn an_exit_code_is_the_verdict_though_nobody_reads_the_words() {
    let folder = folder();
    let mut bytes = std::fs::read(folder.path().join("n.onnx")).expect("a network");
    *bytes.last_mut().expect("bytes") ^= 1;
    folder.put("bad.onnx", &bytes);
    for (words, code) in [
        ("check bad.onnx n.cert", 1),
        ("check bad.onnx n.cert --json", 1),
        ("check n.onnx n.cert", 0),
        ("check n.onnx data.csv", 2),
        ("check n.onnx n.cert --behaviour", 0),
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"))
            .current_dir(folder.path())
            .args(words.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{words}");
    }
}

#[test]
fn names_are_tied_to_a_model() {
    let folder = folder();
    let accepted = folder.run("check n.onnx n.cert --model c.json");
    assert!(accepted.succeeds().contains("  model        names and circuits are those of the model\n"));
    let unproven =
        "names        the certificate's word: places of inputs and outputs are proven, names are not";
    assert!(folder.run("check n.onnx n.cert").succeeds().contains(unproven));

    let certificate = folder.text("n.cert");
    let swapped = certificate.replace("\"class = large\"", "\"?\"");
    let swapped =
        swapped.replace("\"class = small\"", "\"class = large\"").replace("\"?\"", "\"class = small\"");
    assert_ne!(certificate, swapped);
    folder.put("swapped.cert", swapped.as_bytes());
    let input = certificate.lines().find(|line| line.contains("size > ")).expect("a test of the size");
    let turned = certificate.replace(input, &input.replace("size > ", "size < "));
    folder.put("turned.cert", turned.as_bytes());
    for (certificate, place) in [("swapped.cert", "output 0"), ("turned.cert", "input ")] {
        // Places are proven, and names are not: that is all that acceptance says.
        assert_eq!(
            verdict(&folder, &format!("check n.onnx {certificate}")),
            ("accepted".to_owned(), Some(0))
        );
        let (line, code) = verdict(&folder, &format!("check n.onnx {certificate} --model c.json"));
        assert!(line.starts_with(&format!("rejected: model: {place}")), "{line}");
        assert_eq!(code, Some(1));
    }
}

#[test]
fn outputs_that_cannot_be_told_apart_are_refused() {
    let folder = folder();
    let certificate = folder.text("n.cert");
    for alike in ["class = large ", "class =  large", "class = large\\u{200b}", "class = ｌarge"] {
        let alike = alike.replace("\\u{200b}", "\u{200b}");
        let renamed = certificate.replace("class = small", &alike);
        folder.put("alike.cert", renamed.as_bytes());
        let (line, code) = verdict(&folder, "check n.onnx alike.cert");
        assert!(line.contains("looks the same as"), "{alike:?}: {line}");
        assert_eq!(code, Some(1), "{alike:?}");
    }
}

#[test]
fn a_network_that_reads_a_table_is_checked_too() {
    let folder = folder();
    let ran = folder.run("check table.onnx n.cert");
    assert!(
        ran.succeeds().contains("not checked; --model\n               compares them with a model's\n"),
        "{}",
        ran.stdout()
    );
    let ran = folder.run("check table.onnx n.cert --model c.json");
    assert!(
        ran.succeeds().contains("in front of the certified layers, classes behind: those of the model\n"),
        "{}",
        ran.stdout()
    );

    let bytes = std::fs::read(folder.path().join("table.onnx")).expect("a network");
    // One weight of the layers: the first 1.0 behind the name of the first layer's weights.
    let at = |wanted: &[u8], from: usize| {
        from + bytes[from..].windows(wanted.len()).position(|window| window == wanted).expect("bytes")
    };
    let one = at(&1f32.to_le_bytes(), at(b"W1J", 0));
    let mut layers = bytes.clone();
    layers[one + 3] = 0xbf;
    folder.put("layers.onnx", &layers);
    let (line, code) = verdict(&folder, "check layers.onnx n.cert");
    assert!(line.starts_with("rejected: neuron 1."), "{line}");
    assert_eq!(code, Some(1));
    // A comparison's constant: the layers are certified as before, the tests are no longer the model's.
    let cut = folder
        .text("n.cert")
        .split("size > ")
        .nth(1)
        .and_then(|rest| rest.split('"').next()?.parse::<f64>().ok());
    let mut tests = bytes.clone();
    let place = at(&cut.expect("a cut").to_le_bytes(), 0);
    tests[place] ^= 1;
    folder.put("tests.onnx", &tests);
    assert_eq!(verdict(&folder, "check tests.onnx n.cert").1, Some(0));
    let (line, code) = verdict(&folder, "check tests.onnx n.cert --model c.json");
    assert!(line.starts_with("rejected: around: "), "{line}");
    assert_eq!(code, Some(1));
    // What stands behind the layers: another class under the same probabilities.
    let mut behind = bytes.clone();
    let place = at(b"small", at(b"W1J", 0));
    behind[place] = b'S';
    folder.put("behind.onnx", &behind);
    assert_eq!(verdict(&folder, "check behind.onnx n.cert").1, Some(0));
    let (line, code) = verdict(&folder, "check behind.onnx n.cert --model c.json");
    assert!(line.starts_with("rejected: around: "), "{line}");
    assert_eq!(code, Some(1));
    // The same for columns of float32.
    folder
        .run("compile c.json --out n.onnx --certificate n.cert --raw t32.onnx --raw-numbers float32 --quiet")
        .succeeds();
    assert_eq!(verdict(&folder, "check t32.onnx n.cert --model c.json").1, Some(0));
}

#[test]
fn a_rule_that_counts_is_one_gate() {
    let row = |x: u32| {
        let bits: Vec<String> = (0..7).map(|i| (x >> i & 1).to_string()).collect();
        format!("{},{}\n", bits.join(","), u32::from(x.count_ones() >= 3))
    };
    let folder = Folder::new(&("a,b,c,d,e,f,g,y\n".to_owned() + &(0..128).map(row).collect::<String>()));
    folder.run("fit data.csv --out m.json --quiet").succeeds();
    let shown = folder.run("show m.json");
    assert!(
        shown.succeeds().contains("\ny = 1 if at least 3 of: a, b, c, d, e, f, g\n"),
        "{}",
        shown.stdout()
    );
    folder.run("compile m.json --out n.onnx --certificate n.cert --quiet").succeeds();
    let gate = "\ngate 0 least 3 +x0 +x1 +x2 +x3 +x4 +x5 +x6 : 1 0 | 0 1 -2 1 | 1 1 -3 -1\n";
    assert!(folder.text("n.cert").contains(gate), "{}", folder.text("n.cert"));
    let ran = folder.run("check n.onnx n.cert --model m.json");
    assert!(ran.succeeds().contains("circuit      1 gate over 7 inputs\n"), "{}", ran.stdout());
    assert_eq!(folder.run("compile m.json --depth --width").succeeds(), "2 2\n");
}

#[test]
fn a_missing_file_is_named_once() {
    let folder = Folder::new("");
    folder.refuses("check no.onnx no.cert", "no.cert: No such file or directory (os error 2)");
}
