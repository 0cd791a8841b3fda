//! Training records against rows: Algorithm 1 once more, by brute force, and lies about what it did.

mod auto;

use super::build::{Circuit, Form, PAPER, Random, Term, compile};
use super::{assert_rejected, assert_unreadable};
use crate::sha256::{hex, sha256};
use crate::{TrainingSummary, Verdict, check};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

type Row = (Vec<bool>, bool);

/// A learned circuit and the training records of its certificate, one string each.
struct Learned {
    circuit: Circuit,
    records: Vec<String>,
    errors: usize,
}

/// Algorithm 1 as the paper has it, with a completion that is 1 just on the cells with majority 1.
fn learn(rows: &[Row], k: usize, m: usize, tau: f64) -> Learned {
    let inputs = rows[0].0.len();
    let mut learned =
        Learned { circuit: Circuit { inputs, stages: Vec::new() }, records: Vec::new(), errors: 0 };
    for t in 1..=m + 1 {
        let residual: Vec<Row> = rows.iter().map(|(x, y)| (x.clone(), y ^ learned.circuit.at(x))).collect();
        let before = residual.iter().filter(|(_, wrong)| *wrong).count();
        learned.errors = before;
        if before == 0 || t > m {
            break;
        }
        let mut labels: BTreeMap<Vec<bool>, i64> = BTreeMap::new();
        for (x, y) in rows {
            *labels.entry(x.clone()).or_default() += if *y { 1 } else { -1 };
        }
        let of = |x: &Vec<bool>| {
            labels.get(x).filter(|votes| **votes != 0).map(|votes| (*votes > 0) ^ learned.circuit.at(x))
        };
        let mut influences = Vec::new();
        for i in 0..inputs {
            let (mut differing, mut pairs) = (0, 0);
            for x in labels.keys().filter(|x| !x[i]) {
                let mut flipped = x.clone();
                flipped[i] = true;
                if let (Some(a), Some(b)) = (of(x), of(&flipped)) {
                    pairs += 1;
                    differing += usize::from(a != b);
                }
            }
            influences.push((differing, pairs));
        }
        let value = |i: usize| influences[i].0 as f64 / influences[i].1.max(1usize) as f64;
        let mut chosen: Vec<usize> = (0..inputs).filter(|&i| value(i) > tau).collect();
        chosen.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
        chosen.truncate(k);
        chosen.sort_unstable();
        if chosen.is_empty() {
            break;
        }
        let mut cells: BTreeMap<Vec<bool>, i64> = BTreeMap::new();
        for (x, wrong) in &residual {
            *cells.entry(chosen.iter().map(|&i| x[i]).collect()).or_default() += if *wrong { 1 } else { -1 };
        }
        let on: Vec<&Vec<bool>> =
            cells.iter().filter(|(_, votes)| **votes > 0).map(|(cell, _)| cell).collect();
        let off = cells.values().filter(|votes| **votes < 0).count();
        let term =
            |cell: &&Vec<bool>| -> Term { chosen.iter().zip(*cell).map(|(&i, &bit)| (i, !bit)).collect() };
        let mut terms: Vec<Term> = on.iter().map(term).collect();
        if terms.is_empty() {
            terms.push(vec![(chosen[0], false), (chosen[0], true)]);
        }
        learned.circuit.stages.push((chosen, terms));
        let after = rows.iter().filter(|(x, y)| *y != learned.circuit.at(x)).count();
        let tied = cells.len() - on.len() - off;
        let mut record = format!(
            "claim {t} before {before} after {after} on {} off {off} tied {tied}\ninfluence {t}",
            on.len()
        );
        for (differing, pairs) in influences {
            write!(record, " {differing}/{pairs}").expect("a string takes all");
        }
        learned.records.push(record);
    }
    learned
}

fn csv(rows: &[Row]) -> String {
    let inputs = rows[0].0.len();
    let mut text: String = (1..=inputs).fold(String::new(), |text, i| text + &format!("x{i},")) + "y\n";
    for (x, y) in rows {
        text.extend(x.iter().map(|&bit| if bit { "1," } else { "0," }));
        text.push_str(if *y { "1\n" } else { "0\n" });
    }
    text
}

fn pla(rows: &[Row]) -> String {
    let mut text = format!(".i {}\n.o 1\n.type fr # labelled\n", rows[0].0.len());
    for (x, y) in rows {
        text.extend(x.iter().map(|&bit| if bit { '1' } else { '0' }));
        text.push_str(if *y { " 1\n" } else { " 0\n" });
    }
    text + ".e\n"
}

/// A certificate with training records, its network and its rows.
struct Case {
    certificate: String,
    network: Vec<u8>,
    data: String,
}

impl Case {
    fn new(learned: &Learned, format: &str, data: String, rows: usize, params: &str) -> Self {
        let mut compiled = compile(&learned.circuit, Form { prune: true, onnx: false, ..PAPER });
        compiled.lines.pop();
        let digest = hex(&sha256(data.as_bytes()));
        compiled.lines.push(format!("data {format} sha256 {digest} bytes {} rows {rows}", data.len()));
        compiled.lines.push(format!("params {params}"));
        compiled.lines.extend(learned.records.iter().cloned());
        compiled.lines.push("end".to_owned());
        let network = compiled.network();
        Self { certificate: compiled.certificate(&network), network, data }
    }

    fn verdict(&self) -> Verdict {
        check(self.certificate.as_bytes(), &self.network, Some(self.data.as_bytes()))
    }

    /// The verdict after one replacement in the certificate.
    #[track_caller]
    fn edited(&self, from: &str, to: &str) -> Verdict {
        assert!(self.certificate.contains(from), "{from:?} in\n{}", self.certificate);
        let certificate = self.certificate.replacen(from, to, 1);
        check(certificate.as_bytes(), &self.network, Some(self.data.as_bytes()))
    }

    /// The verdict on other rows, named by their own digest.
    fn with_rows(&self, data: &str) -> Verdict {
        let named = |data: &str| format!("sha256 {} bytes {}", hex(&sha256(data.as_bytes())), data.len());
        let certificate = self.certificate.replace(&named(&self.data), &named(data));
        check(certificate.as_bytes(), &self.network, Some(data.as_bytes()))
    }
}

fn random_rows(random: &mut Random, inputs: usize, rows: usize) -> Vec<Row> {
    let row = |random: &mut Random| {
        let x: Vec<bool> = (0..inputs).map(|_| random.below(2) == 1).collect();
        let y = (x[0] ^ x[inputs - 1]) | (x[inputs / 2] && random.below(4) == 0);
        (x, y)
    };
    (0..rows).map(|_| row(random)).collect()
}

#[test]
fn what_algorithm_1_does_is_accepted() {
    let mut random = Random(3);
    let mut stops = BTreeSet::new();
    for round in 0..120 {
        let inputs = 2 + random.below(5);
        let count = 4 + random.below(80);
        let rows = random_rows(&mut random, inputs, count);
        let (k, m) = (1 + random.below(inputs), 1 + random.below(4));
        let tau = ["0", "0.25", "0.5"][random.below(3)];
        let learned = learn(&rows, k, m, tau.parse().expect("a number"));
        let params = format!("k {k} m {m} tau {tau} select influence");
        for (format, data) in
            [("csv", csv(&rows)), ("tsv", csv(&rows).replace(',', "\t")), ("pla", pla(&rows))]
        {
            let verdict = Case::new(&learned, format, data, rows.len(), &params).verdict();
            let Verdict::Accepted(summary) = &verdict else { panic!("round {round}: {verdict}") };
            let TrainingSummary::Replayed { errors, stop, .. } = summary.training else {
                panic!("{verdict}")
            };
            assert_eq!(errors, learned.errors as u64);
            stops.insert(stop);
        }
    }
    assert_eq!(stops.len(), 3, "{stops:?}");
}

/// x1 AND NOT x2 over all four points twice, then one contradiction outvoted: two stages would be one too many.
fn small_case() -> (Case, Vec<Row>) {
    let mut rows: Vec<Row> = Vec::new();
    for x in super::build::cube(2) {
        let y = x[0] && !x[1];
        rows.extend([(x.clone(), y), (x, y)]);
    }
    rows.push((vec![true, false], false));
    let learned = learn(&rows, 1, 2, 0.0);
    assert_eq!(learned.circuit.stages.len(), 2);
    let case = Case::new(&learned, "csv", csv(&rows), rows.len(), "k 1 m 2 tau 0 select influence");
    assert!(case.verdict().is_accepted(), "{}", case.verdict());
    (case, rows)
}

#[test]
fn lies_about_the_training() {
    let (case, _) = small_case();
    let wanted = "claim 1 before 2 after 2 on 0 off 1 tied 1";
    assert!(!case.certificate.contains(wanted));
    assert_rejected(
        &case.edited("claim 1 before 2", "claim 1 before 3"),
        "rows in error before it: 2, not 3",
    );
    let first =
        case.certificate.lines().find(|line| line.starts_with("claim 1")).expect("a claim").to_owned();
    for (name, what) in
        [("after", "in error after it"), ("on", "majority 1"), ("off", "majority 0"), ("tied", "tied cells")]
    {
        let mut words: Vec<String> = first.split(' ').map(str::to_owned).collect();
        let at = words.iter().position(|word| word == name).expect("a name") + 1;
        words[at] = (words[at].parse::<u64>().expect("a number") + 1).to_string();
        assert_rejected(&case.edited(&first, &words.join(" ")), what);
    }
    assert_rejected(&case.edited("influence 1 1/2", "influence 1 2/2"), "the influence of input 0 is 1/2");
    assert_rejected(
        &case.edited("influence 1 1/2 1/2", "influence 1 1/2 1/3"),
        "the influence of input 1 is 1/2",
    );
    assert_rejected(&case.edited("k 1", "k 2"), "Algorithm 1 chooses the inputs 0 1");
    assert_rejected(&case.edited("k 1", "k 3"), "k is 3, more than there are inputs");
    assert_rejected(&case.edited("m 2 tau", "m 1 tau"), "more stages than m, which is 1");
    assert_rejected(&case.edited("tau 0 ", "tau 0.5 "), "Algorithm 1 chooses the inputs none");
    assert!(case.edited("tau 0 ", "tau 0.499999999999999999 ").is_accepted());
    assert!(
        case.edited("select influence", "select random").is_accepted(),
        "one input is what a random choice gives"
    );
    assert_rejected(
        &case.edited("k 1 m 2 tau 0 select influence", "k 2 m 2 tau 0 select random"),
        "inputs: 1, not 2",
    );
    assert_rejected(&case.edited("rows 9", "rows 8"), "9 rows, where the certificate says 8");
    let none = case.certificate[..case.certificate.find("data ").expect("data")].to_owned() + "end\n";
    let verdict = check(none.as_bytes(), &case.network, Some(case.data.as_bytes()));
    assert_rejected(&verdict, "the certificate has no training records");
    let verdict = check(case.certificate.as_bytes(), &case.network, Some(b"x1,x2,y\n"));
    assert_rejected(&verdict, "this is not the file that the certificate names");
    let Verdict::Accepted(summary) = check(case.certificate.as_bytes(), &case.network, None) else {
        panic!("accepted")
    };
    assert_eq!(summary.training, TrainingSummary::Unchecked);
}

/// Another choice than Algorithm 1's, and a cover against a majority, each with a network that does just that.
#[test]
fn stages_that_algorithm_1_would_not_choose() {
    let (_, rows) = small_case();
    let mut learned = learn(&rows, 1, 2, 0.0);
    let params = "k 1 m 2 tau 0 select influence";
    learned.circuit.stages[0] = (vec![1], vec![vec![(1, true)]]);
    let case = Case::new(&learned, "csv", csv(&rows), rows.len(), params);
    assert_rejected(&case.verdict(), "stage 1 (line 29): Algorithm 1 chooses the inputs 0");
    let mut learned = learn(&rows, 2, 1, 0.0);
    learned.circuit.stages[0].1.push(vec![(0, true)]);
    let case = Case::new(&learned, "csv", csv(&rows), rows.len(), "k 2 m 1 tau 0 select influence");
    assert_rejected(&case.verdict(), "its cover is 1 on a cell with 2 votes for 0 and 0 for 1");
    let clean: Vec<Row> = rows[..8].to_vec();
    let mut learned = learn(&clean, 2, 3, 0.0);
    let twice = learned.circuit.stages[0].clone();
    learned.circuit.stages.push(twice);
    learned.records.push("claim 2 before 0 after 0 on 0 off 4 tied 0\ninfluence 2 0/2 0/2".to_owned());
    let case = Case::new(&learned, "csv", csv(&clean), 8, "k 2 m 3 tau 0 select influence");
    assert_rejected(&case.verdict(), "Algorithm 1 ends before it: no row is in error");
}

#[test]
fn rows_as_people_write_them() {
    let (case, _) = small_case();
    let written = case.data.replace("x1,x2,y", "\u{feff}\"x1\", x2 ,y").replace("1,0,1", "TRUE,n,\"Yes\"");
    assert!(case.with_rows(&written.replace('\n', "\r\n")).is_accepted());
    assert!(case.with_rows(&("\n".to_owned() + &case.data + "\n\n")).is_accepted());
    let swap = |line: &str| match line.split(',').collect::<Vec<_>>()[..] {
        [a, b, y] => [a, ",", y, ",", b, "\n"].concat(),
        _ => panic!("{line}"),
    };
    let moved: String = case.data.lines().map(swap).collect();
    let verdict = case.with_rows(&moved);
    assert!(verdict.is_accepted(), "the target is found by its name: {verdict}");
    assert_rejected(
        &case.with_rows(&case.data.replace("x1,x2", "x2,x1")),
        "their inputs are not the certificate's",
    );
    assert_rejected(&case.with_rows(&case.data.replace(",y", ",z")), "no column is the target \"y\"");
    assert_unreadable(&case.with_rows("x1,x2,y\n0,2,1\n"), (2, 3), "\"2\" is neither 0, 1");
    assert_unreadable(&case.with_rows("x1,x2,y\n0,1\n"), (2, 4), "2 cells where the header has 3");
    assert_unreadable(&case.with_rows("x1,x2,y\n0,\"1,1\n"), (2, 3), "does not end on its line");
    assert_unreadable(&case.with_rows("x1,x2,y\n0,\"1\"1,1\n"), (2, 6), "text after the quoted cell");
    assert_rejected(&case.with_rows(""), "no column is the target");
}

#[test]
fn pla_rows() {
    let (_, rows) = small_case();
    let learned = learn(&rows, 1, 2, 0.0);
    let case = Case::new(&learned, "pla", pla(&rows), rows.len(), "k 1 m 2 tau 0 select influence");
    assert!(case.verdict().is_accepted());
    let named = case
        .data
        .replace(".type", ".ilb x1 x2\n.ob y\n.p 4\n.phase 1\n\n.type")
        .replace("x1 x2", "x1 x2 # names")
        .replace("10 1", "1 0|1");
    assert!(case.with_rows(&named).is_accepted());
    assert_rejected(&case.with_rows(&named.replace(".ob y", ".ob z")), "their target is \"z\", not \"y\"");
    assert_rejected(
        &case.with_rows(&named.replace("x1 x2", "x2 x1")),
        "their inputs are not the certificate's",
    );
    assert_rejected(&case.with_rows(&case.data.replace(".i 2", ".i 3")), "they have 3 inputs, not 2");
    assert_unreadable(&case.with_rows(&case.data.replace(".o 1", ".o 2")), (2, 1), "only one output");
    assert_unreadable(&case.with_rows(&case.data.replace(".type fr", ".type fd")), (3, 1), "`.type fr`");
    assert_unreadable(&case.with_rows(&case.data.replace(".type fr", "")), (4, 1), "a row before `.type fr`");
    assert_unreadable(&case.with_rows(&case.data.replacen("00 0", "0- 0", 1)), (4, 2), "only 0 and 1");
    assert_unreadable(
        &case.with_rows(&case.data.replacen("00 0", "00 ", 1)),
        (4, 4),
        "ends before its output",
    );
    assert_unreadable(
        &case.with_rows(&case.data.replacen("00 0", "00 00", 1)),
        (4, 5),
        "goes on after its output",
    );
    assert_unreadable(&case.with_rows(&case.data.replace(".type fr", ".kiss")), (3, 1), "not known");
}

/// More inputs than a word has bits, and hashes instead of keys.
#[test]
fn wide_rows() {
    let mut random = Random(17);
    let base = random_rows(&mut random, 130, 12);
    let mut rows = base.clone();
    for (x, y) in &base {
        for i in [0, 63, 64, 128, 129] {
            let mut flipped = x.clone();
            flipped[i] = !flipped[i];
            let label = if i == 0 || i == 129 { !y } else { *y };
            rows.push((flipped, label));
        }
    }
    let learned = learn(&rows, 80, 2, 0.0);
    let case = Case::new(&learned, "csv", csv(&rows), rows.len(), "k 80 m 2 tau 0 select influence");
    assert!(case.verdict().is_accepted(), "{}", case.verdict());
}
