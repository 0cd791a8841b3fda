//! `macchiato fit --pick` and `--path`: circuits of every shape, and the front of accuracy against size.

use super::command::{Folder, ROWS};

/// 512 rows of ten bits; y is 1 where at least four of the first seven are.
fn majority() -> String {
    let mut text = "a,b,c,d,e,f,g,h,i,j,y\n".to_owned();
    for row in 0..512u64 {
        let x = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
        let cells = (0..10).map(|i| if x >> i & 1 == 1 { "1," } else { "0," });
        text.extend(cells);
        text.push_str(if (x & 127).count_ones() >= 4 { "1\n" } else { "0\n" });
    }
    text
}

#[test]
fn a_count_is_one_gate_and_the_front_goes_up_to_it() {
    let folder = Folder::new(&majority());
    let ran = folder.run("fit data.csv --path --out model.json");
    let text = ran.succeeds();
    assert!(text.contains("\ny = 1 if at least 4 of: a, b, c, d, e, f, g\n"), "{text}");
    let front: Vec<(usize, f64)> = text
        .lines()
        .skip_while(|line| !line.starts_with("(each judged by rows that it did not learn from)"))
        .skip(1)
        .map(|line| {
            let mut words = line.split_whitespace();
            let mut next = || words.next().expect("a word");
            (next().parse().expect("conditions"), next().parse().expect("a rate"))
        })
        .collect();
    assert!(
        front.len() > 2 && front.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1),
        "{text}"
    );
    assert_eq!(front.last(), Some(&(7, 1.0)), "{text}");
    // The model is one like any other.
    assert!(folder.run("evaluate model.json data.csv").succeeds().contains("512"));
    folder.run("compile model.json --out net.onnx --certificate net.cert").succeeds();
    folder.run("check net.onnx net.cert").succeeds();
}

#[test]
fn a_model_keeps_the_sizes_that_were_found() {
    let folder = Folder::new(&majority());
    folder.run("fit data.csv --path --out model.json").succeeds();
    let sizes = folder.run("show model.json --sizes");
    assert!(sizes.succeeds().contains("\n     7  1.0000  "), "{}", sizes.stdout());
    let small = folder.run("show model.json --size 3 --out small.json");
    assert!(small.succeeds().contains("decided: by 512 held-out rows: "), "{}", small.stdout());
    // A model like any other, which keeps the sizes too.
    assert_eq!(folder.run("show small.json").stdout(), small.stdout());
    let rate = |model: &str| {
        let object = folder.run(&format!("evaluate {model} data.csv --json")).json();
        object["accuracy"].as_f64().expect("a rate")
    };
    assert!((0.6..1.0).contains(&rate("small.json")));
    folder.run("show small.json --size 7 --out again.json").succeeds();
    assert!((rate("again.json") - 1.0).abs() < 1e-9);
    folder.refuses(
        "show model.json --size 3 --out model.json",
        "model.json: --out would replace a file that is read: name another one",
    );
    folder.run("fit data.csv -k 3 --out stages.json").succeeds();
    folder.refuses(
        "show stages.json --size 3",
        "stages.json: the model has circuits of one size only, since none competed when it was learned: \
         `macchiato fit --path` looks for all sizes",
    );
}

#[test]
fn a_pick_keeps_its_word() {
    let folder = Folder::new(&majority());
    let object = folder.run("fit data.csv --pick max-conditions=3 --json --out short.json").json();
    assert!(object["train_accuracy"].as_f64().is_some_and(|rate| (0.6..1.0).contains(&rate)), "{object}");
    let object = folder.run("fit data.csv --pick best --json").json();
    assert_eq!(object["train_accuracy"], 1.0);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new(ROWS);
    folder.put("typed.csv", b"a,y\n1.5,yes\n2.5,no\n");
    folder.refuses(
        "fit data.csv --method paper --pick best",
        "--pick is an option of --method auto: choose that, or leave --pick out",
    );
    folder.refuses(
        "fit data.csv --path -k 3",
        "-k is about stages, and --pick and --path about circuits of every shape: leave one of the two out",
    );
    folder.put("weighted.csv", b"a,w,y\n1.5,0.5,yes\n2.5,1,no\n");
    folder.run("fit weighted.csv --weight w --pick best").succeeds();
    folder.run("fit typed.csv --pick best --out typed.json").succeeds();
    let ran = folder.run("fit data.csv --pick shortest");
    assert!(
        ran.stderr().contains("give score, best, simplest-within=SHARE (such as 0.01) or max-conditions=N")
    );
}
