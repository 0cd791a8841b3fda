//! `macchiato report`. What the page does in a browser is tested in `report-tests`.

use super::command::Folder;

#[test]
fn the_page_is_written_with_and_without_rows() {
    let folder = Folder::with_model();
    let object = folder.run("report model.json --out plain.html --json").json();
    assert_eq!(object["bytes"], folder.text("plain.html").len());
    let plain = folder.text("plain.html");
    assert!(plain.starts_with("<!DOCTYPE html>") && plain.ends_with("</html>\n"));
    assert!(plain.contains("said: <strong class=\"verdict good\">accepted</strong>"));
    folder.run("report model.json --rows data.csv --test data.csv --out full.html --quiet").succeeds();
    let full = folder.text("full.html");
    assert!(full.contains("replayed on 14 rows, 0 in error"), "the training claims are replayed");
    assert!(full.contains("right of 14 rows in data.csv"), "the rows are counted");
    assert_eq!(folder.run("report model.json --out -").succeeds(), plain, "the same bytes");
}

#[test]
fn rows_of_another_training_are_said_to_be_others() {
    let folder = Folder::with_model();
    folder.put("other.csv", b"a,b,c,d,y\n1,0,0,0,1\n0,1,0,0,1\n0,0,0,0,0\n1,0,1,0,0\n");
    folder.run("report model.json --rows other.csv --out page.html --quiet").succeeds();
    assert!(folder.text("page.html").contains("The training claims were not replayed"));
}

#[test]
fn a_classifier_has_a_page_too() {
    let folder = Folder::new("");
    let row = |row: usize| format!("{row},{}", ["low", "middle", "high"][row / 20]);
    let rows: Vec<String> = std::iter::once("size,class".to_owned()).chain((0..60).map(row)).collect();
    folder.put("data.csv", rows.join("\n").as_bytes());
    folder.run("fit data.csv --quiet --out model.json").succeeds();
    folder.run("report model.json --rows data.csv --test data.csv --out page.html --quiet").succeeds();
    let page = folder.text("page.html");
    assert!(page.contains("<strong>class = middle is proposed</strong>") && page.contains("id=\"columns\""));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::with_model();
    folder.put("unlabelled.csv", b"a,b,c,d\n0,0,0,0\n");
    folder.refuses(
        "report model.json --rows unlabelled.csv --out page.html",
        "unlabelled.csv: no column \"y\" to compare with: name the one with the labels after --target",
    );
    folder.put("wide.csv", b"a,b,c,d,e,y\n0,0,0,0,0,1\n");
    folder.refuses(
        "report model.json --test wide.csv --out page.html",
        "wide.csv: column \"e\": not among the model's 4 inputs: remove, or add --ignore-extra",
    );
    folder.refuses(
        "report model.json --rows - --test - --format csv --out page.html",
        "--rows and --test cannot both be standard input: name a file for one of them",
    );
    folder.refuses("report data.csv --out page.html", "data.csv:1:1: expected value");
    folder
        .refuses("report model.json --out missing/page.html", "missing/page.html: its folder does not exist");
}
