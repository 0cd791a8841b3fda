//! Python's own readers take the JSON and the SVG: the JSON answers like the circuit, the SVG shows its names and gates.

use crate::corpus::{Case, FACTOR, agrees, doctored, faithful, folder, run};
use crate::tool::tool;
use macchiato::export::ExportFormat;
use std::fs;

/// For each number of points among the arguments, the answers of the JSON file, then what is in the drawing: the ORs,
/// and whether it names the target and the inputs that are read, and nothing else.
const READ: &str = r#"
import json, sys
import xml.etree.ElementTree as tree
FACTOR = int(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"
for k, points in enumerate(map(int, sys.argv[2:])):
    circuit = json.load(open(f"{k}.json", encoding="utf-8"))
    names, stages = circuit["inputs"], [stage["or"] for stage in circuit["xor"]]
    def answer(x):
        row = {name: bool(x >> i & 1) for i, name in enumerate(names)}
        return sum(any(all(row[n] == v for n, v in term.items()) for term in stage) for stage in stages) % 2
    print("".join(str(answer(k * FACTOR)) for k in range(points)))
    root = tree.parse(f"{k}.svg").getroot()
    ors = sum("or" in gate.get("class").split() for gate in root.iter(SVG + "g"))
    unescape = lambda text: json.loads('"' + (text or "").replace('"', '\\"') + '"')
    shown = {unescape(text.find(SVG + "title").text) for text in root.iter(SVG + "text") if len(text)}
    read = {name for stage in stages for term in stage for name in term}
    print(ors, shown == read | {circuit["target"]})
"#;

fn check(cases: &[Case], test: &str, expected: bool) {
    let Some(python) = tool("MACCHIATO_PYTHON", test) else { return };
    let folder = folder(test);
    let mut arguments = vec!["-c".to_owned(), READ.to_owned(), FACTOR.to_string()];
    for (k, case) in cases.iter().enumerate() {
        for format in [ExportFormat::Json, ExportFormat::Svg] {
            let file = folder.join(format!("{k}.{}", format.extension()));
            fs::write(file, case.bytes(format)).expect("a file can be written");
        }
        arguments.push(case.points().to_string());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = run(&python, &arguments, &folder);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2 * cases.len(), "{said}");
    for (case, lines) in cases.iter().zip(lines.chunks(2)) {
        assert_eq!(agrees(case, &lines[..1]), expected, "{}", case.name);
        let drawn = format!("{} True", case.reference.stages.len());
        assert_eq!(lines[1] == drawn, expected, "{}: {}", case.name, lines[1]);
    }
}

#[test]
fn json_and_svg_say_what_the_circuit_says() {
    check(&faithful(), "json_and_svg_say_what_the_circuit_says", true);
}

#[test]
fn doctored_json_and_svg_are_found() {
    check(&doctored(), "doctored_json_and_svg_are_found", false);
}
