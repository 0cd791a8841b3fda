//! Models of rows of 0 and 1, whose tests are the inputs themselves.

use super::alternative::alternatives;
use super::{ClassCircuit, FitError, Method, Model};
use crate::binarize::{Binarizer, Possible};
use crate::circuit::{Circuit, Rule, Source};
use crate::fit::{Fit, Stop, Trace, fit_paper};
use crate::learn::{AutoParams, Settings, fit_auto_with};
use crate::minimize::Budget;
use crate::rows::Rows;

impl Model {
    /// Learns from rows of 0 and 1.
    ///
    /// # Errors
    /// Parameters that do not fit the rows; a defect of the minimizer.
    pub fn of_rows(rows: &Rows, method: &Method, budget: &Budget) -> Result<Self, FitError> {
        let (fit, front) = match method {
            Method::Paper(params) => (fit_paper(rows, &params.clone().check(rows)?, budget)?, None),
            Method::Auto(params) => {
                let (params, settings) = (params.clone().check(rows)?, Settings::default());
                fit_auto_with(rows, None, &params, &settings, budget, &|_| {})?
            }
        };
        let mut model = Self::of_fit(fit, method.clone(), rows);
        let possible = Possible::new(&model.binarizer);
        if let (Some(front), [circuit]) = (front, model.circuits.as_mut_slice()) {
            circuit.alternatives = alternatives(&front, circuit, rows, &possible);
        }
        Ok(model)
    }

    /// The model of a circuit that another learner, or a person, made for these rows: what is known about it is counted on them.
    ///
    /// ```
    /// use macchiato::Model;
    /// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
    /// use macchiato::rows::Rows;
    ///
    /// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b0110], 4)?;
    /// let one = Gate::new(Rule::Counts(vec![(1, 1)]), vec![Literal::input(0), Literal::input(1)]);
    /// let output = Output::new(rows.target(), Literal::gate(0));
    /// let circuit = Circuit::new(rows.names().to_vec(), vec![one], vec![output])?;
    /// let model = Model::of_circuit(circuit, &rows)?;
    /// assert_eq!(model.circuits()[0].trace().errors, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A circuit with other inputs than the rows, or with another output than one of 0 and 1 with the target's name.
    pub fn of_circuit(circuit: Circuit, rows: &Rows) -> Result<Self, FitError> {
        let good = match circuit.outputs() {
            [output] if output.name == rows.target() => match output.literal.source {
                Source::Gate(gate) => circuit.gates()[gate].rule != Rule::Sum,
                Source::Input(_) => true,
            },
            _ => false,
        };
        if !good || circuit.inputs() != rows.names() {
            return Err(FitError::Circuit { target: rows.target().to_owned() });
        }
        let trace = Trace::of_circuit(rows, &circuit, Stop::NoEvidence, None);
        let stop = if trace.errors == 0 { Stop::ResidualZero } else { trace.stop };
        let fit = Fit::from_circuit(circuit, Trace { stop, ..trace });
        Ok(Self::of_fit(fit, Method::Auto(AutoParams::default()), rows))
    }

    /// The model of a fit to these rows by this method.
    pub(crate) fn of_fit(fit: Fit, method: Method, rows: &Rows) -> Self {
        let staged = matches!(method, Method::Paper(_));
        Self {
            binarizer: Binarizer::plain(rows.names()),
            target: rows.target().to_owned(),
            classes: vec!["0".to_owned(), "1".to_owned()],
            class_type: None,
            positive: Some(1),
            method,
            circuits: vec![ClassCircuit::new(fit, staged, rows)],
            holdout: None,
        }
    }
}
