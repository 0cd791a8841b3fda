//! Python's own readers take the JSON and the SVG: the JSON answers like the circuit, the SVG shows its names and gates.

use crate::corpus::{Case, FACTOR, agrees, doctored, faithful, folder, run};
use crate::tool::tool;
use macchiato::circuit::Rule;
use macchiato::export::ExportFormat;
use std::fs;

/// For each number of points among the arguments, the answers of the JSON file, then what is in the drawing: the XORs, whether it
/// names all outputs, and whether it names nothing but them and inputs.
const READ: &str = r#"
import json, sys
import xml.etree.ElementTree as tree
FACTOR = int(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"
RULES = {
    "and": lambda gate, count, most: count == most,
    "or": lambda gate, count, most: count >= 1,
    "xor": lambda gate, count, most: count % 2,
    "at least": lambda gate, count, most: count >= gate["least"],
    "counts": lambda gate, count, most: any(first <= count <= last for first, last in gate["counts"]),
    "sum": lambda gate, count, most: count,
}
for k, (points, bits) in enumerate(zip(map(int, sys.argv[2::2]), sys.argv[3::2])):
    circuit = json.load(open(f"{k}.json", encoding="utf-8"))
    assert (circuit["format"], circuit["version"]) == ("macchiato-circuit", 2)
    widths = [int(width) for width in bits.split()]
    def answer(x):
        row, gates = {name: x >> i & 1 for i, name in enumerate(circuit["inputs"])}, []
        def value(literal):
            value = gates[literal["gate"]] if "gate" in literal else row[literal["input"]]
            return 1 - value if literal.get("negated") else value
        for gate in circuit["gates"]:
            points = [literal.get("points", 1) for literal in gate["literals"]]
            count = sum(point * value(literal) for point, literal in zip(points, gate["literals"]))
            gates.append(int(RULES[gate["rule"]](gate, count, sum(points))))
        values = [value(output) for output in circuit["outputs"]]
        return "".join(str(value >> bit & 1) for value, width in zip(values, widths) for bit in range(width))
    print("".join(answer(k * FACTOR) for k in range(points)))
    root = tree.parse(f"{k}.svg").getroot()
    xors = sum("xor" in gate.get("class").split() for gate in root.iter(SVG + "g"))
    unescape = lambda text: json.loads('"' + (text or "").replace('"', '\\"') + '"')
    shown = {unescape(text.find(SVG + "title").text) for text in root.iter(SVG + "text") if len(text)}
    outputs = {output["name"] for output in circuit["outputs"]}
    print(xors, outputs <= shown, shown <= outputs | set(circuit["inputs"]))
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
        let bits: Vec<String> = case.bits().iter().map(ToString::to_string).collect();
        arguments.extend([case.points().to_string(), bits.join(" ")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = run(&python, &arguments, &folder);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2 * cases.len(), "{said}");
    for (case, lines) in cases.iter().zip(lines.chunks(2)) {
        assert_eq!(agrees(case, &lines[..1]), expected, "{}", case.name);
        // A deep circuit may have XORs that no output needs.
        let xors = case.reference.gates().iter().filter(|gate| gate.rule == Rule::Xor).count();
        if case.is_staged() {
            assert_eq!(lines[1] == format!("{xors} True True"), expected, "{}: {}", case.name, lines[1]);
        }
        assert!(lines[1].ends_with(" True True"), "{}: {}", case.name, lines[1]);
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
