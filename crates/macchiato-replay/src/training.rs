//! The training lines of a certificate: what each stage saw and did.
//!
//! They are claims about a file of rows. Nothing here is believed; `crate::replay` finds every number again.

use crate::table::{Table, Test};
use macchiato_check::certificate::FileClaim;
use macchiato_check::text::{Line, decimal, quoted};
use macchiato_check::{Certificate, Circuit, Fault};

/// All training records.
#[derive(Debug)]
pub(crate) struct Training {
    pub(crate) format: RowsFormat,
    pub(crate) data: FileClaim,
    pub(crate) rows: u64,
    /// The column that holds the rows' weights, or how often each is meant.
    pub(crate) weight: Option<Weight>,
    /// The tests behind the inputs, where the rows are not bits themselves.
    pub(crate) table: Option<Table>,
    /// What is claimed of outputs, in increasing order of output.
    pub(crate) parts: Vec<Part>,
}

/// A column of weights. A row of weight 0 counts as absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) column: String,
    /// Whether weights are whole, and a row of weight 3 is three rows.
    pub(crate) repeats: bool,
}

/// What is claimed of one output.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) output: usize,
    /// The class that it predicts, where the rows have classes.
    pub(crate) class: Option<String>,
    /// Inputs of a stage at most; always there for Algorithm 1.
    pub(crate) k: Option<u64>,
    /// Stages at most.
    pub(crate) m: u64,
    pub(crate) method: Method,
    /// One for each stage.
    pub(crate) claims: Vec<Claim>,
    /// Rows that the output gets wrong, where nothing is claimed of stages.
    pub(crate) errors: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowsFormat {
    Csv,
    Tsv,
    Pla,
}

/// How the stages were learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Algorithm 1, with the threshold tau in units of 10^-18.
    Paper {
        tau: u64,
        rule: Rule,
        /// Each stage has a share of the rows of its own, the m-th part in the file's order.
        split: bool,
    },
    /// Circuits of any shape; or stages by evidence, which are fitted again when others change.
    Auto,
}

/// How a stage's inputs are chosen in Algorithm 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    Influence,
    Random,
}

/// What a stage did: rows in error, and cells by majority.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) line: usize,
    /// The gate of the circuit that is the stage.
    pub(crate) gate: usize,
    /// `J_t`, in increasing order.
    pub(crate) inputs: Vec<usize>,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) on: u64,
    pub(crate) off: u64,
    pub(crate) tied: u64,
    /// Cells whose strict majority the stage does not follow: none in Algorithm 1.
    pub(crate) against: u64,
    /// Of each input, in Algorithm 1.
    pub(crate) influences: Vec<Fraction>,
}

/// Pairs on which the residual differs, over pairs seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fraction {
    pub(crate) differing: u64,
    pub(crate) pairs: u64,
}

/// One, in the units of tau.
pub(crate) const TAU_UNITS: u64 = 1_000_000_000_000_000_000;

/// The lines that are still to be read.
struct Records<'a> {
    lines: std::slice::Iter<'a, (usize, String)>,
    /// The line after the last.
    end: usize,
}

impl<'a> Records<'a> {
    /// Whether the next line is one of this kind.
    fn is_next(&self, kind: &str) -> bool {
        self.lines.as_slice().first().is_some_and(|(_, text)| text.split(' ').nth(1) == Some(kind))
    }

    /// Whether there is a further line about the same output.
    fn more(&self) -> bool {
        self.lines.len() > 0 && !self.is_next("output")
    }

    /// The next line, behind its first word.
    fn next(&mut self) -> Result<Line<'a>, Fault> {
        let Some((number, text)) = self.lines.next() else {
            let why = "a line about training is missing".to_owned();
            return Err(Fault { line: self.end, column: 1, why });
        };
        let mut line = Line::new(text, *number);
        line.keyword("training")?;
        Ok(line)
    }
}

/// Reads the lines; none where the certificate has none.
pub(crate) fn read(certificate: &Certificate, circuit: &Circuit) -> Result<Option<Training>, Fault> {
    let Some((last, _)) = certificate.training.last() else { return Ok(None) };
    let mut records = Records { lines: certificate.training.iter(), end: last + 1 };
    let mut line = records.next()?;
    line.keyword("data")?;
    let format = match line.word("the format of the rows")? {
        "csv" => RowsFormat::Csv,
        "tsv" => RowsFormat::Tsv,
        "pla" => RowsFormat::Pla,
        other => return line.wrong(format!("{} is none of `csv`, `tsv`, `pla`", quoted(other))),
    };
    let data = FileClaim::read(&mut line)?;
    line.keyword("rows")?;
    let rows = line.number("the number of rows", 1, u64::MAX)?;
    let mut weight = None;
    if line.more() {
        let repeats = match line.word("`weight` or `repeat`")? {
            "weight" => false,
            "repeat" => true,
            other => return line.wrong(format!("{} is neither `weight` nor `repeat`", quoted(other))),
        };
        weight = Some(Weight { column: line.name("the column of weights")?, repeats });
    }
    line.end()?;
    let table = if records.is_next("table") { Some(read_table(&mut records, circuit)?) } else { None };

    let mut parts: Vec<Part> = Vec::new();
    loop {
        // The only output is not named.
        let mut output = 0;
        if circuit.outputs.len() > 1 {
            let mut line = records.next()?;
            line.keyword("output")?;
            let least = parts.last().map_or(0, |part| part.output + 1);
            output = line.count("the next output", least, circuit.outputs.len() - 1)?;
            line.end()?;
        }
        let mut class = None;
        if table.is_some() {
            let mut line = records.next()?;
            line.keyword("class")?;
            let name = line.name("the class that the output predicts")?;
            if parts.iter().any(|part: &Part| part.class.as_ref() == Some(&name)) {
                return line.wrong(format!("{} is the class of another output", quoted(&name)));
            }
            class = Some(name);
            line.end()?;
        }
        let (k, m, method) = read_params(records.next()?)?;
        let mut errors = None;
        if method == Method::Auto && records.is_next("circuit") {
            let mut line = records.next()?;
            line.keyword("circuit")?;
            line.keyword("errors")?;
            errors = Some(line.number("rows in error", 0, u64::MAX)?);
            line.end()?;
        }
        let mut claims = Vec::new();
        while errors.is_none() && records.more() {
            claims.push(read_claim(&mut records, claims.len() + 1, circuit, method)?);
        }
        parts.push(Part { output, class, k, m, method, claims, errors });
        if errors.is_some() && records.more() {
            let why = "a stage of an output of which the errors of the whole circuit are claimed";
            return records.next()?.wrong(why.to_owned());
        }
        if records.lines.len() == 0 {
            return Ok(Some(Training { format, data, rows, weight, table, parts }));
        }
    }
}

/// `table TARGET`, and for each input `test I COLUMN TEST`.
fn read_table(records: &mut Records<'_>, circuit: &Circuit) -> Result<Table, Fault> {
    let mut line = records.next()?;
    line.keyword("table")?;
    let target = line.name("the column of the classes")?;
    line.end()?;
    let mut tests = Vec::new();
    for input in 0..circuit.inputs {
        let mut line = records.next()?;
        line.keyword("test")?;
        line.count("the next input", input, input)?;
        let column = line.name("the column that is tested")?;
        tests.push((column, Test::read(&mut line)?));
        line.end()?;
    }
    Ok(Table { target, tests })
}

/// `paper k K m M tau TAU select RULE`, maybe with `split` after it, or `auto m M`, or `auto k K m M`.
fn read_params(mut line: Line<'_>) -> Result<(Option<u64>, u64, Method), Fault> {
    let auto = match line.word("the method")? {
        "auto" => true,
        "paper" => false,
        other => return line.wrong(format!("{} is neither `paper` nor `auto`", quoted(other))),
    };
    let word = line.word("`k` or `m`")?;
    let k = match word {
        "k" => Some(line.number("k", 1, u64::MAX)?),
        "m" if auto => None,
        other => return line.wrong(format!("{} where `k` must be, or `m` for `auto`", quoted(other))),
    };
    if k.is_some() {
        line.keyword("m")?;
    }
    let m = line.number("m", 1, u64::MAX)?;
    if auto {
        line.end()?;
        return Ok((k, m, Method::Auto));
    }
    line.keyword("tau")?;
    let word = line.word("tau")?;
    let Some(tau) = threshold(word) else {
        return line
            .wrong(format!("{} is no decimal from 0 to below 1 with at most 18 digits", quoted(word)));
    };
    line.keyword("select")?;
    let rule = match line.word("the rule of selection")? {
        "influence" => Rule::Influence,
        "random" => Rule::Random,
        other => return line.wrong(format!("{} is neither `influence` nor `random`", quoted(other))),
    };
    let split = line.more();
    if split {
        line.keyword("split")?;
    }
    line.end()?;
    Ok((k, m, Method::Paper { tau, rule, split }))
}

fn read_claim(
    records: &mut Records<'_>,
    t: usize,
    circuit: &Circuit,
    method: Method,
) -> Result<Claim, Fault> {
    let mut line = records.next()?;
    let at = line.number;
    line.keyword("stage")?;
    line.count("the stage's number", t, t)?;
    line.keyword("gate")?;
    let gate = line.count("the stage's gate", 0, circuit.gates.len().saturating_sub(1))?;
    let mut number = |name: &str| {
        line.keyword(name)?;
        line.number(name, 0, u64::MAX)
    };
    let (before, after) = (number("before")?, number("after")?);
    let (on, off, tied) = (number("on")?, number("off")?, number("tied")?);
    let against = if method == Method::Auto { number("against")? } else { 0 };
    line.keyword("inputs")?;
    let mut inputs: Vec<usize> = Vec::new();
    while line.more() {
        let least = inputs.last().map_or(0, |last| last + 1);
        inputs.push(line.count("the stage's next input", least, circuit.inputs - 1)?);
    }
    line.end()?;
    let mut claim =
        Claim { line: at, gate, inputs, before, after, on, off, tied, against, influences: Vec::new() };
    if method == Method::Auto {
        return Ok(claim);
    }

    let mut line = records.next()?;
    line.keyword("influence")?;
    line.count("the influences' stage", t, t)?;
    for _ in 0..circuit.inputs {
        let word = line.word("an influence for each input")?;
        let fraction = word.split_once('/').and_then(|(a, b)| Some((decimal(a)?, decimal(b)?)));
        match fraction {
            Some((differing, pairs)) if differing <= pairs => {
                claim.influences.push(Fraction { differing, pairs });
            }
            _ => return line.wrong(format!("{} is no influence", quoted(word))),
        }
    }
    line.end()?;
    Ok(claim)
}

/// `0` or `0.` and up to 18 digits, in units of 10^-18.
fn threshold(word: &str) -> Option<u64> {
    let digits = match word.strip_prefix("0.") {
        Some(digits) if !digits.is_empty() => digits,
        _ if word == "0" => "",
        _ => return None,
    };
    if digits.len() > 18 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{digits:0<18}").parse().ok()
}
