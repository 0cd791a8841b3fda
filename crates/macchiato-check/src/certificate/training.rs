//! The training records: what each stage saw and did.
//!
//! They are claims about a file of rows. Nothing here is believed; `crate::replay` finds every number again.

use super::{FileClaim, file_claim, record};
use crate::text::{Line, Lines, decimal, quoted};
use crate::verdict::Fault;

/// All training records.
#[derive(Debug)]
pub(crate) struct Training {
    pub(crate) format: RowsFormat,
    pub(crate) data: FileClaim,
    pub(crate) rows: u64,
    /// Inputs of a stage at most; always there for Algorithm 1.
    pub(crate) k: Option<u64>,
    /// Stages at most.
    pub(crate) m: u64,
    pub(crate) method: Method,
    /// One for each stage.
    pub(crate) claims: Vec<Claim>,
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
    Paper { tau: u64, rule: Rule },
    /// By evidence: stages are fitted again when others change.
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

/// Reads the records from `data` to the last stage's.
pub(super) fn read(lines: &mut Lines<'_>, inputs: usize, stages: usize) -> Result<Training, Fault> {
    let mut line = record(lines, "data")?;
    let format = match line.word("the format of the rows")? {
        "csv" => RowsFormat::Csv,
        "tsv" => RowsFormat::Tsv,
        "pla" => RowsFormat::Pla,
        other => return line.wrong(format!("{} is none of `csv`, `tsv`, `pla`", quoted(other))),
    };
    let data = file_claim(&mut line)?;
    line.keyword("rows")?;
    let rows = line.number("the number of rows", 1, u64::MAX)?;
    line.end()?;

    let (k, m, method) = read_params(record(lines, "params")?)?;
    let mut claims = Vec::new();
    for t in 1..=stages {
        claims.push(read_claim(lines, t, inputs, method)?);
    }
    Ok(Training { format, data, rows, k, m, method, claims })
}

/// `k K m M tau TAU select RULE`, or `auto m M`, or `auto k K m M`.
fn read_params(mut line: Line<'_>) -> Result<(Option<u64>, u64, Method), Fault> {
    let mut word = line.word("`k` or `auto`")?;
    let auto = word == "auto";
    if auto {
        word = line.word("`k` or `m`")?;
    }
    let k = match word {
        "k" => Some(line.number("k", 1, u64::MAX)?),
        "m" if auto => None,
        other if auto => return line.wrong(format!("{} where `k` or `m` must be", quoted(other))),
        other => return line.wrong(format!("{} where `k` or `auto` must be", quoted(other))),
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
    line.end()?;
    Ok((k, m, Method::Paper { tau, rule }))
}

fn read_claim(lines: &mut Lines<'_>, t: usize, inputs: usize, method: Method) -> Result<Claim, Fault> {
    let mut line = record(lines, "claim")?;
    let at = line.number;
    line.count("the claim's stage", t, t)?;
    let mut number = |name: &str| {
        line.keyword(name)?;
        line.number(name, 0, u64::MAX)
    };
    let (before, after) = (number("before")?, number("after")?);
    let (on, off, tied) = (number("on")?, number("off")?, number("tied")?);
    let mut claim = Claim { line: at, before, after, on, off, tied, against: 0, influences: Vec::new() };
    if method == Method::Auto {
        claim.against = number("against")?;
        line.end()?;
        return Ok(claim);
    }
    line.end()?;

    let mut line = record(lines, "influence")?;
    line.count("the influences' stage", t, t)?;
    for _ in 0..inputs {
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
