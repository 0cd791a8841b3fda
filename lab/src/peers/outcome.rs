//! What came of a method on a draw, read from how its process ended and what it printed.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bar::rounded;

/// A fit that was finished, with its figures on the test rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) accuracy: f64,
    pub(crate) fit_seconds: f64,
    pub(crate) predict_seconds: f64,
    /// Leaves or terms.
    pub(crate) rules: u64,
    /// Conditions in them.
    pub(crate) literals: u64,
    /// The time limit came first, and what stood by then is the model: only Macchiato can do that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) interrupted: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum Outcome {
    Measured(Measured),
    /// It was still fitting, or predicting, when its time was over.
    TimeLimit,
    Failed {
        why: String,
    },
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Code(i32),
    Signal(i32),
    /// It was ended from outside, long after its own limit.
    Overrun,
}

/// The signal by which the Python program ends itself at its limit.
const SIGALRM: i32 = 14;

/// A process that has ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    TimeLimit,
    Failed(String),
}

impl Ended {
    /// The last line that it printed, as libraries may chatter before it; or why there is none.
    pub(crate) fn answer<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        let why = match self.end {
            End::Signal(SIGALRM) | End::Overrun => return Err(Fault::TimeLimit),
            End::Signal(signal) => format!("ended by signal {signal}"),
            End::Code(0) => {
                let line = last_line(&self.stdout);
                match serde_json::from_str(line) {
                    Ok(answer) => return Ok(answer),
                    Err(_) => format!("unreadable answer: {}", shortened(line)),
                }
            }
            End::Code(code) => match last_line(&self.stderr) {
                "" => format!("ended with code {code}"),
                line => shortened(line),
            },
        };
        Err(Fault::Failed(why))
    }
}

impl From<Fault> for Outcome {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::TimeLimit => Self::TimeLimit,
            Fault::Failed(why) => Self::Failed { why },
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeLimit => f.write_str("its time was over"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl Outcome {
    /// What came of a process.
    pub(crate) fn new(ended: &Ended) -> Self {
        ended.answer().map_or_else(Self::from, |answer| Self::checked(&answer))
    }

    fn checked(answer: &Measured) -> Self {
        let seconds = [answer.fit_seconds, answer.predict_seconds];
        if !(0.0..=1.0).contains(&answer.accuracy) || seconds.iter().any(|&seconds| seconds < 0.0) {
            return Self::Failed { why: format!("impossible answer: {answer:?}") };
        }
        Self::Measured(Measured {
            accuracy: rounded(answer.accuracy),
            // Predictions of small samples take microseconds.
            fit_seconds: (answer.fit_seconds * 1e9).round() / 1e9,
            predict_seconds: (answer.predict_seconds * 1e9).round() / 1e9,
            ..answer.clone()
        })
    }

    /// The figures, where there are any.
    pub(crate) const fn measured(&self) -> Option<&Measured> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::TimeLimit | Self::Failed { .. } => None,
        }
    }
}

/// The last line with something in it: where programs say what went wrong.
pub(crate) fn last_line(text: &str) -> &str {
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("")
}

/// At most 200 characters.
pub(crate) fn shortened(line: &str) -> String {
    line.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str =
        r#"{"accuracy": 0.875, "fit_seconds": 1.5, "predict_seconds": 2.5e-7, "rules": 3, "literals": 7}"#;

    fn outcome(end: End, stdout: &str, stderr: &str) -> Outcome {
        Outcome::new(&Ended { end, stdout: stdout.to_owned(), stderr: stderr.to_owned() })
    }

    fn failed(end: End, stdout: &str, stderr: &str) -> String {
        match outcome(end, stdout, stderr) {
            Outcome::Failed { why } => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_is_the_last_line() {
        let chatter = format!("warming up\n{ANSWER}\n\n");
        let Outcome::Measured(measured) = outcome(End::Code(0), &chatter, "a warning") else {
            panic!("not measured")
        };
        assert_eq!((measured.rules, measured.literals, measured.interrupted), (3, 7, false));
        assert!(
            (measured.accuracy - 0.875).abs() < 1e-12 && (measured.predict_seconds - 2.5e-7).abs() < 1e-9
        );
    }

    #[test]
    fn the_alarm_and_an_overrun_are_the_time_limit() {
        assert_eq!(outcome(End::Signal(SIGALRM), "", ""), Outcome::TimeLimit);
        assert_eq!(outcome(End::Overrun, ANSWER, ""), Outcome::TimeLimit);
    }

    #[test]
    fn failures_say_why() {
        assert_eq!(failed(End::Signal(9), ANSWER, ""), "ended by signal 9");
        assert_eq!(failed(End::Code(1), "", "Traceback\nMemoryError\n"), "MemoryError");
        assert_eq!(failed(End::Code(2), "", " \n"), "ended with code 2");
        assert_eq!(failed(End::Code(0), "", ""), "unreadable answer: ");
        assert!(failed(End::Code(0), "{\"accuracy\": 0.5}", "").starts_with("unreadable answer"));
        assert!(failed(End::Code(0), &ANSWER.replace("0.875", "NaN"), "").starts_with("unreadable answer"));
        assert!(failed(End::Code(0), &ANSWER.replace("0.875", "1.5"), "").starts_with("impossible answer"));
    }

    #[test]
    fn outcomes_survive_the_results_file() {
        for one in [
            outcome(End::Code(0), ANSWER, ""),
            Outcome::TimeLimit,
            Outcome::Failed { why: "MemoryError".to_owned() },
        ] {
            let text = serde_json::to_string(&one).unwrap();
            assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), one, "{text}");
        }
    }
}
