//! A learned rule as one page: an HTML file that needs nothing else, neither a network nor other files.
//!
//! Takes a model and, where they are at hand, labelled rows; gives the page's bytes. It shows the rule in words,
//! how often it is right, every stage with its table, the circuit as gates, the compiled network neuron by neuron, how much
//! each input matters, and the checker's verdict. The page computes the network's weights and the circuit side by side
//! on any input, and compares them on all.
//!
//! The same model and rows give the same bytes. What the data say is only ever text; the page's own script
//! and style are the only ones that it allows. Large circuits are drawn in part, with a line that says what is left out; the
//! numbers and the comparison cover all of them. Without a script the page is still all there but for the live panel.

mod certificate;
mod checked;
mod data;
mod deep;
mod escape;
mod figures;
mod gates;
mod influences;
mod kmap;
mod live;
mod measure;
mod neurons;
mod page;
mod rule;
mod sizes;
mod stages;
mod table;
mod view;

use crate::binarize::BinarizeError;
use crate::certify::{CertifyError, Training};
use crate::circuit::Circuit;
use crate::explain::ExplainError;
use crate::frame::Frame;
use crate::model::Model;
use crate::network::CompileError;
use crate::stage::Stage;
use crate::words::Words;
use view::View;

/// Labelled rows.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// What the page calls them: the file's name.
    pub source: &'a str,
    /// The values.
    pub frame: &'a Frame,
    /// The class of each row, as its number among the model's.
    pub labels: &'a [u32],
    /// Weight of each row in millionths, where the rows are weighted.
    pub weights: Option<&'a [u64]>,
}

/// A page to be made.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// What it is about.
    pub model: &'a Model,
    /// The name of its file, where it has one.
    pub source: Option<&'a str>,
    /// The bytes of that file, for their digest.
    pub file: Option<&'a [u8]>,
    /// The training rows.
    pub train: Option<Sample<'a>>,
    /// Rows that it was not learned from.
    pub test: Option<Sample<'a>>,
    /// The training file, for a certificate whose training claims are replayed.
    pub replay: Option<&'a Training<'a>>,
    /// The day on which the page is made, as it will say; without it the same model and rows give the same bytes on every day.
    pub day: Option<&'a str>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Rows that do not belong to the model.
    #[error("{source_name}: {why}")]
    Sample {
        /// What the rows are called.
        source_name: String,
        /// What is wrong with them.
        why: &'static str,
    },
    /// Columns that the model cannot read.
    #[error("{source_name}: {error}")]
    Columns {
        /// What the rows are called.
        source_name: String,
        /// What is wrong with them.
        error: BinarizeError,
    },
    /// Circuits that have no exact network.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Influences that cannot be counted.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// The checker does not accept the network.
    #[error(transparent)]
    Certify(#[from] CertifyError),
    /// Numbers that JSON cannot hold.
    #[error(transparent)]
    Json(#[from] std::io::Error),
}

impl<'a> Report<'a> {
    /// A page without rows.
    #[must_use]
    pub const fn new(model: &'a Model) -> Self {
        Self { model, source: None, file: None, train: None, test: None, replay: None, day: None }
    }

    /// The page.
    ///
    /// ```
    /// use macchiato::fit::PaperParams;
    /// use macchiato::minimize::Budget;
    /// use macchiato::model::{Method, Model};
    /// use macchiato::report::Report;
    /// use macchiato::rows::Rows;
    ///
    /// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b0110], 4)?;
    /// let method = Method::Paper(PaperParams::new(2, 20));
    /// let model = Model::of_rows(&rows, &method, &Budget::unlimited())?;
    /// let page = Report::new(&model).html()?;
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Rows that do not belong to the model.
    pub fn html(&self) -> Result<String, ReportError> {
        page::page(&View::new(self)?)
    }
}

/// The rule and, where there are some, the stages of one circuit as a piece of a page, for notebooks: it brings its style and needs no script.
///
/// ```
/// use macchiato::circuit::{Circuit, Literal, Output};
/// use macchiato::report::fragment;
/// use macchiato::words::Words;
///
/// let output = Output::new("y", Literal::input(0));
/// let circuit = Circuit::new(vec!["<b>".into()], vec![], vec![output])?;
/// let html = fragment(&circuit, &[], Words::Names(circuit.inputs()));
/// assert!(html.contains("<div class=\"macchiato\">") && !html.contains("<b><"));
/// # Ok::<(), macchiato::circuit::CircuitError>(())
/// ```
#[must_use]
pub fn fragment(circuit: &Circuit, stages: &[Stage], words: Words<'_>) -> String {
    page::fragment(circuit, stages, words)
}

#[cfg(test)]
mod tests;
