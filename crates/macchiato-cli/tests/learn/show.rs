//! `macchiato show`.

use super::command::Folder;

#[test]
fn a_person_can_read_it() {
    let folder = Folder::with_model();
    let expected = "\
y, learned from 14 rows of 4 inputs by paper (K = 3, m = 20, tau = 0)
2 stages, 3 terms, 6 literals; right on 100.0 % of the training rows
stopped: every training row is explained

y = ((a ∧ ¬b) ∨ (¬a ∧ b)) ⊕ (c ∧ d)
⊕ is exclusive or: 1 where an odd number of the stages hold

stage 1   errors 7 → 2
    a ∧ ¬b   4 rows
  ∨ ¬a ∧ b   3 rows

stage 2   errors 2 → 0
    c ∧ d    2 rows
";
    assert_eq!(folder.run("show model.json").succeeds(), expected);
    let ascii =
        expected.replace('∧', "&").replace('∨', "|").replace('¬', "!").replace('⊕', "^").replace('→', "->");
    assert_eq!(folder.run("show model.json --ascii").succeeds(), ascii);
}

#[test]
fn rows_of_other_data_are_counted() {
    let folder = Folder::with_model();
    folder.put("new.csv", b"a,b,c,d\n1,0,1,1\n1,0,0,0\n");
    let ran = folder.run("show model.json --rows new.csv --ascii");
    let text = ran.succeeds();
    for part in [
        "counting the 2 rows of new.csv for each term\n",
        "a & !b   2 rows\n",
        "!a & b   0 rows\n",
        "c & d    1 row\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn json_has_the_formulas() {
    let folder = Folder::with_model();
    let object = folder.run("show model.json --json --ascii").json();
    assert_eq!((&object["target"], &object["circuits"][0]["rows"]), (&"y".into(), &14.into()));
    let stage = &object["circuits"][0]["stages"][0];
    assert_eq!(stage["formula"], "(a & !b) | (!a & b)");
    assert_eq!(stage["terms"][0], serde_json::json!({"formula": "a & !b", "literals": 2, "rows": 4}));
}

#[test]
fn a_circuit_without_stages_is_a_constant() {
    let folder = Folder::new("a,y\n0,0\n1,0\n");
    folder.run("fit data.csv --method paper --out m.json").succeeds();
    assert!(folder.run("show m.json").succeeds().contains("\nno rule: always 0 (100.0 %)\n"));
    assert_eq!(folder.run("predict m.json data.csv").succeeds(), "0\n0\n");
    assert_eq!(folder.run("evaluate m.json data.csv --json").json()["stage_accuracy"], serde_json::json!([]));
}

/// The parity of three inputs, two at a time: no stage of two inputs finds a majority.
#[test]
fn stages_that_do_nothing_are_told_as_one() {
    let folder =
        Folder::new("a,b,c,y\n0,0,0,0\n1,0,0,1\n0,1,0,1\n1,1,0,0\n0,0,1,1\n1,0,1,0\n0,1,1,0\n1,1,1,1\n");
    let ran = folder.run("fit data.csv --method paper -k 2 -m 4 --out m.json");
    assert!(
        ran.succeeds()
            .contains("stuck     the last 4 stages changed nothing: a greater -k may explain more\n")
    );
    let ran = folder.run("show m.json --ascii");
    assert!(
        ran.succeeds().ends_with(
            "\nno rule: always 0 (50.0 %)\n\nstages 1 to 4   errors 4 -> 4\n    0, whatever the inputs are\n"
        ),
        "{}",
        ran.stdout()
    );
}
