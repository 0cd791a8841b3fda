//! `macchiato explain`.

use std::fmt::Write;

use super::command::{Folder, ROWS};

#[test]
fn a_model_is_explained_as_a_whole() {
    let folder = Folder::with_model();
    let expected = "\
y = ((a ∧ ¬b) ∨ (¬a ∧ b)) ⊕ (c ∧ d)
is 1 on 8 of 16 points (50.0 %)

stage 1   (a ∧ ¬b) ∨ (¬a ∧ b)
    fires on 8 of 16 points (50.0 %)
    errors 7 → 2 of 14 training rows
    reads a, b

stage 2   c ∧ d
    fires on 4 of 16 points (25.0 %)
    errors 2 → 0 of 14 training rows
    reads c, d

influence   share of the 16 points whose answer changes with this input alone
    a    100.0 %
    b    100.0 %
    c     50.0 %
    d     50.0 %
";
    assert_eq!(folder.run("explain model.json").succeeds(), expected);
}

#[test]
fn rows_are_counted_as_well() {
    let folder = Folder::with_model();
    let ran = folder.run("explain model.json --data data.csv --ascii");
    for part in [
        "is 1 on 8 of 16 points (50.0 %), and on 7 of the 14 rows of data.csv\n",
        "    errors 7 -> 2 of 14 rows\n",
        "share of the 16 points, and of the rows, whose answer changes with this input alone\n",
        "    c     50.0 %     42.9 %\n",
    ] {
        assert!(ran.succeeds().contains(part), "{part}\n{}", ran.stdout());
    }
    let object = folder.run("explain model.json --data data.csv --json").json();
    let influence = &object["circuits"][0]["features"][2];
    assert_eq!(
        influence,
        &serde_json::json!({
            "feature": "c", "values": 2, "points": {"number": "8", "of": "16", "share": 0.5}, "rows": 6,
            "matters": "yes", "stages": [2],
        })
    );
    // Without the labels there are no errors of these rows to tell.
    folder.put("new.csv", b"a,b,c,d\n1,0,1,1\n");
    assert!(
        folder
            .run("explain model.json --data new.csv")
            .succeeds()
            .contains("errors 7 → 2 of 14 training rows\n")
    );
}

#[test]
fn one_answer_is_explained() {
    let folder = Folder::with_model();
    let expected = "\
y = 1

stage 1   a ∧ ¬b
together  1 of 2 stages fires: 1

because   a = 1, b = 0, c = 0
          whatever the other inputs are; no fewer inputs force it: proven
nearest   a 1 → 0
          then y = 0; one input changes: proven nearest
";
    assert_eq!(folder.run("explain model.json --row 2 data.csv").succeeds(), expected);
    assert_eq!(folder.run("explain model.json --input a=1,b=no,c=0,d=0").succeeds(), expected);
    let object = folder.run("explain model.json --input d=1,c=1,b=0,a=1 --json").json();
    assert_eq!((&object["answer"], &object["reason"]["at_least"]), (&"0".into(), &4.into()));
    assert_eq!(
        object["counterfactual"],
        serde_json::json!({
            "outcome": "found", "changes": [{"feature": "a", "from": "1", "to": "a = 0"}], "becomes": "1", "at_least": 1,
        })
    );
    let ran = folder.run("explain model.json --input a=1,b=0,c=1,d=1 --ascii");
    assert!(ran.succeeds().contains("together  2 of 2 stages fire: 1 ^ 1 = 0\n"), "{}", ran.stdout());
    assert!(ran.stdout().contains("nearest   a 1 -> 0\n"), "{}", ran.stdout());
}

#[test]
fn only_what_can_be_acted_on_changes() {
    let folder = Folder::with_model();
    // (a XOR b) XOR (c AND d): with c = 0, d alone changes nothing.
    let nearest = |names: &str| {
        let ran = folder.run(&format!("explain model.json --input a=0,b=0,c=0,d=0 --actionable {names}"));
        let said = ran.succeeds().to_owned();
        said[said.find("nearest").expect("the nearest")..].to_owned()
    };
    assert_eq!(
        nearest("d,b"),
        "nearest   b 0 → 1\n          then y = 1; one input changes: proven nearest\n"
    );
    let none =
        "nearest   none by d\n          whatever they become while the other inputs stay, y = 0: proven\n";
    assert_eq!(nearest("d"), none);
    folder.refuses(
        "explain model.json --input a=0,b=0,c=0,d=0 --actionable e,a,f",
        "--actionable: no \"e\", \"f\" that could change: there are \"a\", \"b\", \"c\", \"d\"",
    );
    folder.refuses(
        "explain model.json --actionable a",
        "--actionable is about one answer: name the row (--row N DATA, or --input)",
    );
}

#[test]
fn a_difference_is_explained() {
    let folder = Folder::with_model();
    folder.run("fit data.csv --method paper -k 3 -m 1 --quiet --out one.json").succeeds();
    let expected = "\
model.json and one.json disagree on 4 of 16 points (25.0 %)

example   c = 1, d = 1
          model.json says 1, one.json says 0; 2 inputs away from all inputs 0: proven nearest
wherever  c = 1, d = 1
          holds, they disagree: proven
";
    assert_eq!(folder.run("explain model.json --against one.json").succeeds(), expected);
    let near = folder.run("explain model.json --against one.json --row 2 data.csv");
    assert!(near.succeeds().contains("; 2 inputs away from the row: proven nearest\n"), "{}", near.stdout());
    assert_eq!(
        folder.run("explain model.json --against model.json").succeeds(),
        "model.json and model.json are equal everywhere: proven\n"
    );
    let object = folder.run("explain model.json --against model.json --json").json();
    assert_eq!(
        object,
        serde_json::json!({
            "equal": true, "points": {"number": "0", "of": "16", "share": 0.0}, "example": null,
        })
    );
}

/// The risk is high above 41 years, but for cooks.
fn people() -> Folder {
    let mut text = "age,job,smoker,risk\n".to_owned();
    for i in 0..150 {
        let (age, job) = (20 + i * 7 % 50, ["cook", "clerk", "baker"][i % 3]);
        let risk = if age > 41 && job != "cook" { "high" } else { "low" };
        let _ = writeln!(text, "{age},{job},{},{risk}", ["yes", "no"][i / 3 % 2]);
    }
    let folder = Folder::new(&text);
    folder.run("fit data.csv --out c.json --quiet --positive high").succeeds();
    folder
}

#[test]
fn a_classifier_is_explained_in_the_words_of_its_table() {
    let folder = people();
    let expected = "\
risk = high

risk = high? yes
holds     age > 41.5
          job != cook
together  AND: 2 conditions hold, so 1

because   age > 41.5 (43), job != cook (clerk)
          whatever the other columns are; no fewer columns force it: proven
nearest   age 43 → age <= 41.5
          then risk = low; one column changes: proven nearest
";
    assert_eq!(folder.run("explain c.json --input age=43,job=clerk").succeeds(), expected);
    // A gap, which no training row has.
    let ran = folder.run("explain c.json --input age=,job=cook");
    for part in [
        "because   age <= 41.5 or missing (missing)\n",
        "nearest   age missing → age > 41.5, job cook → job != cook\n",
        "          then risk = high; 2 columns change, and no fewer do: proven\n",
    ] {
        assert!(ran.succeeds().contains(part), "{part}\n{}", ran.stdout());
    }
    let whole = folder.run("explain c.json --data data.csv");
    for part in [
        "risk = high if age > 41.5 ∧ job != cook\nholds on 1 of 4 points (25.0 %), and on 56 of the 150 rows of data.csv\n",
        "    age     50.0 %     66.7 %\n",
        "\nwithout   smoker\n          never changes the answer: proven\n",
    ] {
        assert!(whole.succeeds().contains(part), "{part}\n{}", whole.stdout());
    }
}

#[test]
fn several_classes_are_explained_by_their_circuits() {
    let class = |size: usize| ["small", "medium", "large"][size / 30];
    let row = |i: usize| format!("{}.5,{}\n", i * 37 % 90, class(i * 37 % 90));
    let folder = Folder::new(&("size,class\n".to_owned() + &(0..90).map(row).collect::<String>()));
    folder.run("fit data.csv --out c.json --quiet").succeeds();
    let ran = folder.run("explain c.json --row 1 data.csv");
    for part in [
        "class = small\n\nclass = large? no\n",
        "class = small? yes\n",
        "because   size <= 30 (0.5)\n",
        "nearest   size 0.5 → 30 < size <= 60\n          then class = medium; one column changes: proven nearest\n",
    ] {
        assert!(ran.succeeds().contains(part), "{part}\n{}", ran.stdout());
    }
}

#[test]
fn a_constant_has_no_other_answer() {
    let folder = Folder::new("a,y\n0,0\n1,0\n");
    folder.run("fit data.csv --method paper --out m.json").succeeds();
    let ran = folder.run("explain m.json --row 2 data.csv");
    let expected = "\
y = 0

together  always 0

because   whatever the inputs are: proven
nearest   no input has another answer: proven
";
    assert_eq!(ran.succeeds(), expected);
    assert!(
        folder
            .run("explain m.json")
            .succeeds()
            .contains("without   a\n          never changes the answer: proven\n")
    );
}

#[test]
fn mistakes_are_one_line() {
    let folder = Folder::with_model();
    folder.refuses(
        "explain model.json --input a=1,b=0",
        r#"--input: no value for "c", "d", which the model reads"#,
    );
    folder.refuses(
        "explain model.json --input a=1,q=2",
        r#"--input: "q=2" is no `name=value` of these inputs: the names are "a", "b", "c", "d""#,
    );
    folder.refuses("explain model.json --input a=2,b=0,c=0,d=0", r#"--input: "a" is "2": use 0 or 1"#);
    folder.refuses("explain model.json --input a=1,a=1", r#"--input: "a" has two values: leave one out"#);
    folder.refuses("explain model.json --row 15 data.csv", "--row 15: data.csv has 14 rows");
    folder.refuses(
        "explain model.json --against model.json --row 1 - --format csv",
        "with --against each model reads the data by itself: name a file, not standard input",
    );
    let people = people();
    people.put("rows.csv", ROWS.as_bytes());
    people.run("fit rows.csv --method paper --quiet --out m.json").succeeds();
    people.refuses(
        "explain c.json --input age=old,job=cook",
        r#"--input: "age" is "old", and that column holds numbers"#,
    );
    people.refuses(
        "explain c.json --input age=4",
        r#"--input: no value for "job", which the model reads; if there is none, write "job=""#,
    );
    people.refuses(
        "explain c.json --against m.json",
        r#"the models have no answer in common, one says "high" and the other "0": they cannot be compared"#,
    );
    assert_eq!(people.run("explain c.json data.csv").0.status.code(), Some(2), "DATA without --row");
}
