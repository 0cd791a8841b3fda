//! Whether a certificate speaks of given circuits: the same inputs and outputs by name, the same stages.
//!
//! The checker proves what a network computes from input 0, 1, ... and what its outputs 0, 1, ... are; it takes names as
//! they come. A model file says what the names mean, so that a certificate which agrees with it in everything has the
//! model's names and, for a table, its tests.

use crate::circuit::Circuit;
use crate::network::NormalStage;
use macchiato_check::{Claims, OutputClaims, StageClaims};

/// Where a certificate and a model differ.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TieError {
    /// Other numbers of inputs.
    #[error("the certificate has {certified} inputs, the model {given}")]
    Inputs {
        /// The certificate's.
        certified: usize,
        /// The model's.
        given: usize,
    },
    /// An input of another name.
    #[error("input {at} is {certified:?} in the certificate and {given:?} in the model")]
    InputName {
        /// Its place, from 0.
        at: usize,
        /// The certificate's name.
        certified: String,
        /// The model's.
        given: String,
    },
    /// Other numbers of outputs.
    #[error("the certificate has {certified} outputs, the model {given} circuits")]
    Outputs {
        /// The certificate's.
        certified: usize,
        /// The model's.
        given: usize,
    },
    /// An output of another name.
    #[error("output {at} is {certified:?} in the certificate and {given:?} in the model")]
    OutputName {
        /// Its place, from 0.
        at: usize,
        /// The certificate's name.
        certified: String,
        /// The model's.
        given: String,
    },
    /// A circuit that is another.
    #[error("stage {stage} of output {output} ({name:?}) is not the model's")]
    Stage {
        /// The output, from 0.
        output: usize,
        /// Its name.
        name: String,
        /// The first stage that differs, from 1.
        stage: usize,
    },
}

/// Compares what a certificate claims with the circuits of a model, in their order.
///
/// # Errors
/// The first difference.
pub fn tie(claims: &Claims, circuits: &[&Circuit]) -> Result<(), TieError> {
    let inputs = circuits.first().map_or(&[][..], |circuit| &circuit.inputs);
    let (certified, given) = (claims.inputs.len(), inputs.len());
    if certified != given {
        return Err(TieError::Inputs { certified, given });
    }
    for (at, (certified, given)) in claims.inputs.iter().zip(inputs).enumerate() {
        if certified != given {
            return Err(TieError::InputName { at, certified: certified.clone(), given: given.clone() });
        }
    }
    let (certified, given) = (claims.outputs.len(), circuits.len());
    if certified != given {
        return Err(TieError::Outputs { certified, given });
    }
    for (at, (certified, circuit)) in claims.outputs.iter().zip(circuits).enumerate() {
        tie_output(at, certified, circuit)?;
    }
    Ok(())
}

fn tie_output(at: usize, certified: &OutputClaims, circuit: &Circuit) -> Result<(), TieError> {
    if certified.name != circuit.target {
        let (certified, given) = (certified.name.clone(), circuit.target.clone());
        return Err(TieError::OutputName { at, certified, given });
    }
    let given = circuit.stages.iter().map(NormalStage::new);
    let given: Vec<StageClaims> =
        given.map(|NormalStage { inputs, terms }| StageClaims { inputs, terms }).collect();
    let differs = (0..given.len().max(certified.stages.len()))
        .find(|&stage| given.get(stage) != certified.stages.get(stage));
    match differs {
        None => Ok(()),
        Some(stage) => Err(TieError::Stage { output: at, name: circuit.target.clone(), stage: stage + 1 }),
    }
}
