//! Flat Espresso: one call on all rows and all inputs, unobserved points don't-care (Appendix D.5), with a deadline.
//!
//! Two engines. The Espresso engine takes the rows as an ON and an OFF cover and runs the Berkeley loop once, as the paper's
//! Espresso does; the row engine never builds a don't-care set, is far faster, and finds smaller covers. At the deadline both
//! hand back the best cover that they have, which may be little more than the ON rows.

use std::time::{Duration, Instant};

use anyhow::Result;
use macchiato::bits;
use macchiato::minimize::{
    Budget, Cover, Engine, Function, Literal, MinimizeError, Minimized, Options, Rows, Shape,
    minimize_function, minimize_rows,
};
use macchiato::stage::Stage;
use macchiato::staged::Staged;

use super::measure::Data;
use super::method::Method;
use super::outcome::{Ended, Outcome};
use crate::accuracy::columns;
use crate::bar::rounded;

/// One call, in this process.
pub(super) fn measure(data: &Data<'_>, method: Method, budget: Duration) -> Result<Outcome> {
    let begun = Instant::now();
    let mut options = Options::default();
    options.seed = data.seed;
    options.budget = Budget::unlimited().with_time_limit(budget);
    let answer = match method {
        Method::FlatEspresso => espresso(data, options),
        _ => rows(data, &options),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let outcome = match answer {
        Ok(Minimized { cover, interrupted, .. }) => {
            let ended = if interrupted { Ended::Budget } else { Ended::Finished };
            let staged = circuit(data, cover);
            Outcome { ended, ..data.of_circuit(method, seconds, &staged.plain(), &staged.stages) }
        }
        Err(error @ MinimizeError::EngineDoesNotFit { .. }) => {
            Outcome::failed((data.configuration.id, method, data.seed), seconds, &error.to_string())
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
    options.effort = 1;
    minimize_function(&Function::on_off(on, off)?, &options)
}

/// The cover as a circuit of one stage that reads all inputs.
fn circuit(data: &Data<'_>, cover: Cover) -> Staged {
    let stage = Stage { inputs: (0..data.train.inputs()).collect(), cover };
    Staged {
        inputs: data.train.names().to_vec(),
        target: data.train.target().to_owned(),
        stages: vec![stage],
    }
}
