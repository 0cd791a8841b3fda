//! What a certificate says of its circuits, for programs that compare it with something else, such as a model file.
//!
//! Only the form of the text is checked here. Whether a network computes these circuits is [`crate::check`]'s answer.

use crate::certificate::Certificate;
use crate::verdict::{Document, Verdict};

/// The circuits of a certificate, and what it calls their inputs and outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// The circuit of each output.
    pub outputs: Vec<OutputClaims>,
}

/// The circuit of one output: the XOR of its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputClaims {
    /// Name of what it predicts.
    pub name: String,
    /// Its stages.
    pub stages: Vec<StageClaims>,
}

/// One stage: the OR of its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageClaims {
    /// The inputs that it may read, increasing.
    pub inputs: Vec<usize>,
    /// Its terms: inputs, and whether they must be 1.
    pub terms: Vec<Vec<(usize, bool)>>,
}

/// Reads a certificate; the verdict says where it is unreadable.
///
/// # Errors
/// Text that is no certificate.
pub fn claims(certificate: &[u8]) -> Result<Claims, Verdict> {
    let certificate = Certificate::read(certificate).map_err(|fault| fault.of(Document::Certificate))?;
    let mut outputs: Vec<OutputClaims> =
        certificate.outputs.into_iter().map(|name| OutputClaims { name, stages: Vec::new() }).collect();
    for stage in certificate.stages {
        let terms = stage.terms.iter().map(|term| term.iter().map(|l| (l.input, !l.negated)).collect());
        let claims = StageClaims { inputs: stage.inputs, terms: terms.collect() };
        if let Some(output) = outputs.get_mut(stage.output) {
            output.stages.push(claims);
        }
    }
    Ok(Claims { inputs: certificate.inputs, outputs })
}
