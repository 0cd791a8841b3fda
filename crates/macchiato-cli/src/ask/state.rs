//! The file between two questions: what is asked, and every label so far.

use std::path::Path;

use anyhow::{Context, bail};
use macchiato::bounds::active::{Question, Session};
use serde::{Deserialize, Serialize};

use super::{at, slurp};
use crate::output::json_line;

const FORMAT: &str = "macchiato-ask";
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    format: String,
    version: u64,
    question: Question,
    /// The inputs as 0 and 1, and the label.
    answers: Vec<(String, u8)>,
}

pub(super) fn write(session: &Session) -> anyhow::Result<String> {
    let digits = |x: Vec<bool>| x.into_iter().map(|bit| if bit { '1' } else { '0' }).collect();
    let state = State {
        format: FORMAT.to_owned(),
        version: VERSION,
        question: session.question().clone(),
        answers: session.answers().map(|(x, label)| (digits(x), label.into())).collect(),
    };
    json_line(&state)
}

pub(super) fn read(path: &Path) -> anyhow::Result<Session> {
    if !path.exists() {
        bail!("{}: no question there: begin one with --inputs and -k", at(path));
    }
    let state: State = serde_json::from_slice(&slurp(path)?).with_context(|| at(path))?;
    if state.format != FORMAT {
        bail!(
            "{}: format: {:?} is not {FORMAT:?}: this is no state of `macchiato ask`",
            at(path),
            state.format
        );
    }
    if state.version != VERSION {
        bail!("{}: version: {} is unknown: this program reads {VERSION}", at(path), state.version);
    }
    let inputs = state.question.inputs;
    let mut session = Session::new(state.question).with_context(|| format!("{}: question", at(path)))?;
    for (row, (digits, label)) in state.answers.iter().enumerate() {
        let wrong = |what: String| anyhow::anyhow!("{}: answers[{row}]: {what}", at(path));
        let bit = |digit: char| match digit {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(wrong(format!("{digit:?} is neither 0 nor 1"))),
        };
        let x = digits.chars().map(bit).collect::<Result<Vec<bool>, _>>()?;
        if x.len() != inputs {
            return Err(wrong(format!("{} digits where there are {inputs} inputs", x.len())));
        }
        if *label > 1 {
            return Err(wrong(format!("the label {label} is neither 0 nor 1")));
        }
        session.answer(&x, *label == 1).map_err(|contradiction| wrong(contradiction.to_string()))?;
    }
    Ok(session)
}
