//! Flat Espresso: one call on all rows and all inputs, unobserved points don't-care (Appendix D.5), with a deadline.
//!
//! Two engines. The Espresso engine takes the rows as an ON and an OFF cover and runs the Berkeley loop; the row engine never
//! builds a don't-care set, is far faster, and finds smaller covers. In a run each call is a process of its own (`apart`): an
//! engine looks at its deadline only where it holds a valid cover, so one that has none when the time is up is ended from
//! outside, as in the paper.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use macchiato::bits;
use macchiato::circuit::Circuit;
use macchiato::minimize::{
    Budget, Cover, Engine, Function, Literal, MinimizeError, Minimized, Options, Rows, Shape,
    minimize_function, minimize_rows,
};
use macchiato::stage::Stage;

use super::apart;
use super::measure::{Data, columns};
use super::method::Method;
use super::outcome::{Ended, Outcome, Piece};
use crate::bar::rounded;

/// How long after its deadline an engine may still verify the cover that it has.
const GRACE: Duration = Duration::from_mins(2);

/// One call, in this process.
pub(super) fn measure(data: &Data<'_>, method: Method, budget: Duration) -> Result<Outcome> {
    let state = Arc::new(State::default());
    let begun = Instant::now();
    if apart::is_child() {
        let piece = (data.configuration.id, method, data.seed);
        watch(piece, begun, budget, Arc::clone(&state));
    }
    let observed = Arc::clone(&state);
    let mut options = Options::default();
    options.seed = data.seed;
    options.budget = Budget::unlimited()
        .with_time_limit(budget)
        .with_observer(move |_| observed.has_cover.store(true, Ordering::Relaxed));
    let answer = match method {
        Method::FlatEspresso => espresso(data, options),
        _ => rows(data, &options),
    };
    state.returned.store(true, Ordering::Relaxed);
    let seconds = begun.elapsed().as_secs_f64();
    let outcome = match answer {
        Ok(Minimized { cover, interrupted, .. }) => {
            let ended = if interrupted { Ended::Budget } else { Ended::Finished };
            Outcome { ended, ..data.of_circuit(method, seconds, &circuit(data, cover)) }
        }
        Err(error @ MinimizeError::EngineDoesNotFit { .. }) => {
            let spent = seconds >= budget.as_secs_f64();
            let why = if spent { NO_COVER.to_owned() } else { error.to_string() };
            Outcome::failed((data.configuration.id, method, data.seed), seconds, &why)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Outcome { budget_seconds: Some(rounded(budget.as_secs_f64())), ..outcome })
}

fn rows(data: &Data<'_>, options: &Options) -> Result<Minimized, MinimizeError> {
    let rows = Rows::from_columns(&columns(&data.train), data.train.labels(), data.train.len())?;
    minimize_rows(&rows, options)
}

fn espresso(data: &Data<'_>, mut options: Options) -> Result<Minimized, MinimizeError> {
    let shape = Shape::new(data.train.inputs(), 1);
    let (mut on, mut off) = (Cover::new(shape), Cover::new(shape));
    for row in 0..data.train.len() {
        let literal = |column: &Vec<u64>| {
            if bits::get(column, row) { Literal::Positive } else { Literal::Negative }
        };
        let point: Vec<Literal> = data.train.columns().iter().map(literal).collect();
        let cover = if bits::get(data.train.labels(), row) { &mut on } else { &mut off };
        cover.push(&point, &[true]);
    }
    options.engine = Engine::Espresso;
    minimize_function(&Function::on_off(on, off)?, &options)
}

/// The cover as a circuit of one stage that reads all inputs.
fn circuit(data: &Data<'_>, cover: Cover) -> Circuit {
    let stage = Stage { inputs: (0..data.train.inputs()).collect(), cover };
    Circuit {
        inputs: data.train.names().to_vec(),
        target: data.train.target().to_owned(),
        stages: vec![stage],
    }
}

const NO_COVER: &str = "no cover within the budget";

/// How far a call is.
#[derive(Default)]
struct State {
    /// The engine has reported a step, which it does only with a valid cover at hand.
    has_cover: AtomicBool,
    returned: AtomicBool,
}

/// Ends this process, with an outcome that says so, when the time is up and there is nothing to hand back.
fn watch(piece: Piece, begun: Instant, budget: Duration, state: Arc<State>) {
    std::thread::spawn(move || {
        std::thread::sleep(budget.saturating_sub(begun.elapsed()));
        if state.has_cover.load(Ordering::Relaxed) {
            std::thread::sleep(GRACE);
        }
        if state.returned.load(Ordering::Relaxed) {
            return;
        }
        let outcome = Outcome {
            budget_seconds: Some(rounded(budget.as_secs_f64())),
            ..Outcome::failed(piece, begun.elapsed().as_secs_f64(), NO_COVER)
        };
        println!("{}", serde_json::to_string(&outcome).unwrap_or_default());
        std::process::exit(0);
    });
}
