//! Tables of numbers, categories and gaps, and the classifiers that are learned from them.

use std::fmt::Write;

use super::command::{Folder, ROWS};

/// The risk is high above 41 years, but for cooks; every age from 20 to 69 occurs.
fn people() -> String {
    let mut text = "age,job,smoker,risk\n".to_owned();
    for i in 0..150 {
        let (age, job) = (20 + i * 7 % 50, ["cook", "clerk", "baker"][i % 3]);
        let risk = if age > 41 && job != "cook" { "high" } else { "low" };
        let _ = writeln!(text, "{age},{job},{},{risk}", ["yes", "no"][i / 3 % 2]);
    }
    text
}

/// Which third of the sizes: three classes.
fn sizes() -> String {
    let class = |size: usize| ["small", "medium", "large"][size / 30];
    let row = |i: usize| format!("{}.5,{}\n", i * 37 % 90, class(i * 37 % 90));
    "size,class\n".to_owned() + &(0..90).map(row).collect::<String>()
}

fn fitted(data: &str, options: &str) -> Folder {
    let folder = Folder::new(data);
    folder.run(&format!("fit data.csv --out c.json --quiet {options}")).succeeds();
    folder
}

#[test]
fn the_rule_reads_in_the_words_of_the_table() {
    let folder = Folder::new(&people());
    let ran = folder.run("fit data.csv --positive high --out c.json");
    for part in [
        "rows      150 of 3 columns, seen as ",
        "; risk is high on 56 (37.3 %)\n",
        "\nrisk = high if age > 41.5 ∧ job != cook\n",
        "right     100.0 % of the training rows (150 of 150); always ",
        "unused    1 column: smoker\n",
        "model     c.json\n",
    ] {
        assert!(ran.succeeds().contains(part), "{part}\n{}", ran.stdout());
    }
    let shown = folder.run("show c.json --ascii");
    assert!(shown.succeeds().contains("\nrisk = high if age > 41.5 & job != cook\n"), "{}", shown.stdout());
    let object = folder.run("show c.json --json").json();
    assert_eq!(object["positive"], "high");
    let default = folder.run("fit data.csv");
    assert!(default.succeeds().contains("\nrisk = low if "), "{}", default.stdout());
}

#[test]
fn rows_that_are_only_bits_give_a_model_like_others() {
    let folder = Folder::new(ROWS);
    folder.run("fit data.csv --out m.json --quiet").succeeds();
    assert!(folder.text("m.json").starts_with("{\n  \"format\": \"macchiato-model\",\n"));
    folder.run("fit data.csv --positive 0 --out c.json --quiet").succeeds();
    assert!(folder.text("c.json").starts_with("{\n  \"format\": \"macchiato-model\",\n"));
    assert_eq!(folder.run("evaluate c.json data.csv --json").json()["rows"], 14);
}

#[test]
fn predictions_are_classes() {
    let data = people();
    let folder = fitted(&data, "");
    let labels: Vec<&str> = data.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    let labels = labels.join("\n") + "\n";
    assert_eq!(folder.run("predict c.json data.csv").succeeds(), labels);
    // Gaps, unknown jobs and another order; the data need no target.
    folder.put("new.csv", b"job,smoker,age\npilot,no,60\n,no,60\ncook,no,60\nclerk,,21\nclerk,no,\n");
    assert_eq!(folder.run("predict c.json new.csv").succeeds(), "high\nhigh\nlow\nlow\nlow\n");
    let object = folder.run("predict c.json new.csv --json --probabilities").json();
    assert_eq!(
        (&object["classes"], &object["counts"]),
        (&serde_json::json!(["high", "low"]), &serde_json::json!([2, 3]))
    );
    assert!(object["probabilities"][0][0].as_f64().is_some_and(|p| p > 0.5));
    folder.run("predict c.json new.csv --out out.csv").succeeds();
    assert!(
        folder.text("out.csv").starts_with("job,smoker,age,risk_predicted\npilot,0,60,high\n,0,60,high\n")
    );
    let ran = folder.run("predict c.json new.csv --probabilities");
    assert!(
        ran.succeeds().starts_with("risk_predicted,risk_predicted_high,risk_predicted_low\nhigh,0."),
        "{}",
        ran.stdout()
    );
    folder.refuses(
        "predict c.json new.csv --out o.pla",
        "o.pla: pla files hold nothing but 0 and 1 here: write .csv or .tsv",
    );
}

#[test]
fn more_than_two_classes_have_a_circuit_each() {
    let folder = fitted(&sizes(), "");
    let object = folder.run("evaluate c.json data.csv --json").json();
    assert_eq!(
        (&object["accuracy"], &object["classes"]),
        (&1.0.into(), &serde_json::json!(["large", "medium", "small"]))
    );
    let shown = folder.run("show c.json");
    for part in ["class = large if size > 60\n", "class = small if size <= 30\n"] {
        assert!(shown.succeeds().contains(part), "{part}{}", shown.stdout());
    }
    let text = folder.run("evaluate c.json data.csv");
    assert!(
        text.succeeds().contains("answer medium                   0               30               0\n"),
        "{}",
        text.stdout()
    );
    let fit = folder.run("fit data.csv --json").json();
    assert_eq!((&fit["rows"], fit["circuits"].as_array().map(Vec::len)), (&90.into(), Some(3)));
    folder.run("export c.json --to c --out c.c").succeeds();
    let exported = folder.text("c.c");
    assert!(exported.contains("\nvoid predict(const unsigned char x["), "{exported}");
    for class in ["large", "medium", "small"] {
        assert!(
            exported.lines().next().is_some_and(|head| head.contains(&format!("\"class = {class}\""))),
            "{exported}"
        );
    }
}

#[test]
fn many_classes_compile_to_one_network_with_an_output_for_each() {
    let folder = fitted(&sizes(), "");
    for (network, options) in [("n.onnx", ""), ("n.safetensors", "--xor triangle --or deep --linear-output")]
    {
        let ran = folder.run(&format!("compile c.json --out {network} --certificate n.cert {options}"));
        ran.succeeds();
        for part in [
            "certificate  accepted by the checker\n",
            "outputs      3, a circuit for each class, the first one \"class = large\": where not\n",
            "exactly one is 1, `macchiato predict` decides by the training rows\n",
        ] {
            assert!(ran.stderr().contains(part), "{part}{}", ran.stderr());
        }
        assert!(folder.text("n.cert").starts_with("macchiato-certificate 1\n"));
        let verdict = folder.run(&format!("check {network} n.cert"));
        for part in [
            "accepted\n",
            "  output 1     \"class = medium\": 0 or 1\n",
            "  output 2     \"class = small\": 0 or 1\n",
        ] {
            assert!(verdict.succeeds().contains(part), "{part}{}", verdict.stdout());
        }
        let verdict = folder.run(&format!("check {network} n.cert --behaviour"));
        assert!(verdict.succeeds().starts_with("accepted\n"), "{}", verdict.stdout());
    }
    let object = folder.run("compile c.json --out n.onnx --json").json();
    assert_eq!(object["outputs"], serde_json::json!(["class = large", "class = medium", "class = small"]));
    assert_eq!(object["widths"].as_array().and_then(|widths| widths.last()), Some(&3.into()));
    let ran = folder.run("compile c.json --out m.onnx --certificate m.cert --rows data.csv");
    ran.succeeds();
    assert!(
        ran.stderr().contains("certificate  accepted by the checker, training replayed\n"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_network_may_read_the_table_itself() {
    let folder = fitted(&people(), "");
    folder.run("compile c.json --out n.onnx --certificate n.cert --raw table.onnx --quiet").succeeds();
    assert!(folder.run("check n.onnx n.cert").succeeds().starts_with("accepted\n"));
    // The certificate is not about this file, and the checker knows no comparisons.
    let verdict = folder.run("check table.onnx n.cert --behaviour");
    assert!(verdict.stdout().starts_with("rejected: network"), "{}", verdict.stdout());
    // A table of 0 and 1 is a table, too.
    let folder = Folder::with_model();
    folder.run("compile model.json --out n.onnx --certificate n.cert --raw table.onnx").succeeds();
    let verdict = folder.run("check table.onnx n.cert --model model.json");
    assert!(
        verdict.succeeds().contains("in front of the certified layers, classes behind: those of the model")
    );
}

#[test]
fn a_single_class_is_the_answer() {
    let folder = fitted("a,b,y\n1.5,2,x\n2.5,3,x\n", "");
    assert_eq!(folder.run("predict c.json data.csv").succeeds(), "x\nx\n");
    assert!(folder.run("show c.json").succeeds().starts_with("y = x, whatever the columns are\n"));
    for command in ["export c.json --to c --out c.c", "compile c.json --out n.onnx"] {
        folder.refuses(command, "c.json: this model has one class and no circuit");
    }
}

#[test]
fn two_classes_compile_to_a_network_over_the_bits() {
    let folder = fitted(&people(), "--positive high");
    let ran = folder.run("compile c.json --out n.onnx --certificate n.cert");
    ran.succeeds();
    for part in
        ["certificate  accepted by the checker\n", "tests of the model", "not how the table answers them\n"]
    {
        assert!(ran.stderr().contains(part), "{}", ran.stderr());
    }
    assert!(folder.text("n.cert").starts_with("macchiato-certificate 1\n"));
    assert!(folder.run("check n.onnx n.cert").succeeds().starts_with("accepted\n"));
    folder.run("export c.json --to pla --out rule.pla").succeeds();
    let ran = folder.run("compile c.json --out m.onnx --certificate m.cert --rows data.csv");
    ran.succeeds();
    assert!(
        ran.stderr().contains("certificate  accepted by the checker, training replayed\n"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn the_classifier_is_the_same_bytes_from_any_place() {
    let folder = fitted(&people(), "--threads 1");
    let one = folder.text("c.json");
    folder.run("fit data.csv --out two.json --quiet --threads 2").succeeds();
    assert_eq!(folder.text("two.json"), one);
    let ran = folder.pipe("fit - --format csv --out - --quiet", &people());
    assert_eq!(ran.succeeds(), one);
    let piped = folder.pipe("evaluate - data.csv --json", &one);
    assert_eq!(piped.json()["accuracy"], 1.0);
}

#[test]
fn categories_may_look_like_numbers() {
    let folder = fitted("zip,y\n01,a\n2,b\n01,a\n3,b\n2,b\n3,b\n", "--category zip");
    let object = folder.run("show c.json --json").json();
    assert_eq!(object["tests"], serde_json::json!(["zip = 01", "zip = 2", "zip = 3"]));
    let file: serde_json::Value = serde_json::from_str(&folder.text("c.json")).expect("JSON");
    assert_eq!(
        file["columns"][0],
        serde_json::json!({"name": "zip", "type": "category", "gaps": false, "levels": ["01", "2", "3"]})
    );
    folder.refuses(
        "fit data.csv --category zap",
        "data.csv: no column \"zap\" to be a category: there are \"zip\", \"y\"",
    );
}

#[test]
fn validation_rows_and_weights_are_heard() {
    let folder = Folder::new(&people());
    folder.put("more.csv", people().as_bytes());
    let object = folder.run("fit data.csv --validation more.csv --json").json();
    assert_eq!(object["train_accuracy"], 1.0);
    folder.put("w.csv", b"w,a,y\n2,1.5,x\n0.5,2.5,z\n1,3.5,z\n");
    let object = folder.run("fit w.csv --weight w --json").json();
    assert_eq!((&object["columns"], &object["rows"]), (&1.into(), &3.into()));
}

#[test]
fn classes_have_weights() {
    // Of the old one in three is ill, of the others nobody.
    let row = |row: usize| format!("{},{}\n", row % 2, if row % 6 == 1 { "ill" } else { "well" });
    let folder = Folder::new(&("old,state\n".to_owned() + &(0..240).map(row).collect::<String>()));
    folder.put("two.csv", b"old\n0\n1\n");
    let answers = |options: &str| {
        folder.run(&format!("fit data.csv --effort 1 {options} --out m.json --quiet"));
        folder.run("predict m.json two.csv").succeeds().to_owned()
    };
    assert_eq!(answers(""), "well\nwell\n");
    assert_eq!(answers("--class-weight balanced"), "well\nill\n");
    assert_eq!(answers("--class-weight ill=6"), "well\nill\n");
    folder.refuses(
        "fit data.csv --class-weight sick=3",
        "data.csv: no row of the target \"state\" is \"sick\", which has a weight: the classes are \"ill\", \"well\"",
    );
    folder.refuses(
        "fit data.csv --class-weight ill=1,ill=2",
        "data.csv: the class \"ill\" has two weights: leave one out",
    );
}

#[test]
fn excluded_columns_have_no_test() {
    let folder = fitted(&people(), "--exclude job");
    let object = folder.run("show c.json --json").json();
    let tests: Vec<&str> =
        object["tests"].as_array().expect("tests").iter().filter_map(|test| test.as_str()).collect();
    assert!(!tests.is_empty() && tests.iter().all(|test| !test.starts_with("job")), "{tests:?}");
    // With the column, with something else in it, and without it: the answers are the same.
    folder.put("with.csv", b"age,job,smoker\n50,cook,no\n20,clerk,yes\n");
    folder.put("other.csv", b"age,job,smoker\n50,7,no\n20,,yes\n");
    folder.put("without.csv", b"age,smoker\n50,no\n20,yes\n");
    let answers = |data: &str| folder.run(&format!("predict c.json {data}")).succeeds().to_owned();
    assert_eq!([answers("other.csv"), answers("without.csv")], [answers("with.csv"), answers("with.csv")]);
    folder.refuses(
        "fit data.csv --exclude jobs",
        "data.csv: no column \"jobs\" to exclude: there are \"age\", \"job\", \"smoker\"",
    );
    folder.refuses(
        "fit data.csv --exclude age,job,smoker",
        "data.csv: every column is excluded: leave at least one to learn from",
    );
}

#[test]
fn rules_are_monotone_where_asked() {
    // The young and the old are poor: more are rich with age than without it.
    let row = |row: usize| {
        format!("{},{}\n", row % 90, if (30..75).contains(&(row % 90)) { "rich" } else { "poor" })
    };
    let folder = Folder::new(&("age,state\n".to_owned() + &(0..450).map(row).collect::<String>()));
    let ages: Vec<String> = (0..90).map(|age| age.to_string()).collect();
    folder.put("ages.csv", format!("age\n{}\n", ages.join("\n")).as_bytes());
    let turns = |options: &str| {
        folder.run(&format!("fit data.csv --effort 1 {options} --out m.json --quiet")).succeeds();
        let answers = folder.run("predict m.json ages.csv").succeeds().to_owned();
        let answers: Vec<&str> = answers.lines().collect();
        answers
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .map(|pair| pair[1].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(turns(""), ["rich", "poor"]);
    assert_eq!(turns("--monotone age=+1"), ["rich"]);
    assert!(turns("--monotone age=-1").iter().all(|turn| turn == "poor"));
    folder.refuses(
        "fit data.csv --monotone aeg=+1",
        "data.csv: no column \"aeg\" to be monotone in: there are \"age\"",
    );
}

#[test]
fn rows_of_weight_0_are_absent() {
    let folder = Folder::new("a,b,y\n1.5,?,x\n2.5,u,z\n3.5,v,z\n");
    folder.put("w.csv", b"w,a,b,y\n1,1.5,?,x\n0,7.5,t,t\n1,2.5,u,z\n0,,,z\n1,3.5,v,z\n");
    let object = folder.run("fit w.csv --weight w --out w.json --json").json();
    assert_eq!((&object["rows"], &object["classes"]), (&3.into(), &["x", "z"].as_slice().into()));
    assert_eq!(object["train_accuracy"], 1.0);
    folder.run("fit data.csv --out data.json");
    assert_eq!(folder.text("w.json"), folder.text("data.json"));
}

#[test]
fn what_does_not_fit_gets_one_line() {
    let folder = fitted(&people(), "");
    folder.put("few.csv", b"age,risk\n50,low\n");
    folder.put("more.csv", b"age,job,smoker,size,risk\n50,cook,no,1,low\n");
    folder.put("text.csv", b"age,job,smoker,risk\n50,cook,no,low\nold,cook,no,low\n");
    folder.put("class.csv", b"age,job,smoker,risk\n50,cook,no,low\n50,cook,no,medium\n");
    folder.put("gap.csv", b"age,job,smoker,risk\n50,cook,no,low\n51,cook,no,\n");
    for (command, line) in [
        ("predict c.json few.csv", "few.csv: no columns \"job\", \"smoker\", which the model reads"),
        (
            "predict c.json more.csv",
            "more.csv: column \"size\": not among the model's 3 columns: remove, or add --ignore-extra",
        ),
        (
            "predict c.json text.csv",
            "text.csv:3:1: \"old\" is no number in column \"age\": correct it, or leave the cell empty",
        ),
        (
            "evaluate c.json class.csv",
            "class.csv: row 2: \"medium\" is none of the model's classes in column \"risk\"",
        ),
        (
            "evaluate c.json gap.csv",
            "gap.csv: row 2 has no value in the target \"risk\": remove the row, or give it one",
        ),
        (
            "fit gap.csv --out o.json",
            "gap.csv: row 2 has no value in the target \"risk\": remove the row, or give it one",
        ),
        (
            "fit data.csv --positive none",
            "data.csv: no row of the target \"risk\" is \"none\": the classes are \"high\", \"low\"",
        ),
        (
            "fit data.csv --target none",
            "data.csv: no column \"none\"; the columns are \"age\", \"job\", \"smoker\", \"risk\"",
        ),
    ] {
        folder.refuses(command, line);
    }
    assert_eq!(folder.run("predict c.json more.csv --ignore-extra").succeeds(), "low\n");
    let broken = folder.text("c.json").replace("\"age > 41.5\"", "\"age > 42.5\"");
    folder.put("broken.json", broken.as_bytes());
    folder.refuses(
        "show broken.json",
        "broken.json: circuits[0].gates[0].literals[0]: \"age > 42.5\" is no input of this model",
    );
    let several = fitted(&sizes(), "");
    several.refuses(
        "evaluate c.json data.csv --stages",
        "--stages: the circuits of several classes are measured as a whole: leave it out",
    );
}

#[test]
fn arrays_of_numbers_are_read_by_position() {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (40, 3), }");
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    for row in 0..40 {
        let x = f64::from(row * 7 % 40) / 8.0;
        for value in [x, f64::from(row % 5) * 1.25, if x > 2.0 { 3.0 } else { 2.0 }] {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
    let folder = Folder::new("");
    folder.put("a.npy", &bytes);
    folder.run("fit a.npy --out c.json --quiet").succeeds();
    assert_eq!(folder.run("evaluate c.json a.npy --json").json()["accuracy"], 1.0);
    let shown = folder.run("show c.json");
    assert!(shown.succeeds().contains("y = 3 if x1 > 2.1\n"), "{}", shown.stdout());
}
