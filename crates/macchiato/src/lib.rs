//! Learn a Boolean rule from labelled rows, as a circuit of AND, OR and XOR that a person can read.
//!
//! The modules are the pipeline, in reading order; a module uses only modules above it.
//!
//! | module | gives | the paper |
//! |---|---|---|
//! | [`bits`], [`natural`] | bit columns; whole numbers of any size | |
//! | [`minimize`] | two-level minimization (crate `macchiato-minimize`) | Appendix C |
//! | `evidence` | what labels are worth in nats | |
//! | [`frame`] | typed columns: Boolean, numbers, categories, gaps | |
//! | [`binarize`] | bits from them, learned from training rows | |
//! | [`rows`] | labelled rows as bit columns | Section 2.1 |
//! | [`generate`] | random juntas and other targets | Appendix D.2 |
//! | [`residual`] | what is left to explain | Section 3.2 |
//! | [`influence`] | neighbour pairs and empirical influences | Section 3.1 |
//! | [`select`] | the inputs of a stage | Section 3.1 |
//! | [`project`] | the majority table over them | Section 3.2 |
//! | [`circuit`] | gates that answer by the weighted count of their literals, as deep as needed | |
//! | [`stage`] | its minimized completion | Section 3.2 |
//! | `wide` | sums of products over many inputs, for what no table holds | |
//! | [`staged`] | the XOR of the stages | Section 3.2 |
//! | [`words`] | formulas in the words of the table | |
//! | [`fit`] | Algorithm 1, and the method `auto` | Section 3.3 |
//! | [`learn`] | circuits of every shape, which compete in nats | |
//! | [`model`] | tests, a circuit for each class and how they were learned, as a file | |
//! | [`explain`] | why a circuit answers what it answers, proven | |
//! | [`network`] | Algorithm 2: the exact ReLU network | Section 4.2, Appendix F.3 |
//! | [`certify`] | its certificate | Section 4.2 |
//! | [`bounds`] | the theorems as functions: rows needed, accuracy bought, confidence limits | Sections 4.1, A, F.1, F.2 |
//! | [`check`] | the verdict on it (crate `macchiato-check`, which shares no code with this one) | |
//! | [`replay`] | training replayed, and networks after fine-tuning (crate `macchiato-replay`) | |
//! | [`export`] | the circuit for other tools | |
//! | [`report`] | all of it as one page | |
//!
//! Three modules are features: `explain` and `report`, on by default, and what reads Parquet files, `parquet`. Without them the library learns,
//! compiles and certifies.
//!
//! A table becomes a model, the model a network, and the network has a certificate:
//!
//! ```
//! use macchiato::certify::{NetworkFormat, certify};
//! use macchiato::frame::{self, Format, FrameOptions};
//! use macchiato::network::{CompileOptions, compile, to_onnx};
//! use macchiato::{Budget, FitOptions, Model, check};
//!
//! let table = "age,job,risk\n23,cook,low\n48,clerk,high\n61,cook,low\n52,baker,high\n".repeat(9);
//! let frame = frame::read_from(table.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
//! let model = Model::of_frame(frame, Some("risk"), &FitOptions::default(), &Budget::unlimited())?;
//! let circuit = model.circuit()?;
//! let compiled = compile(&circuit, &CompileOptions::default())?;
//! let network = to_onnx(&compiled.network);
//! let certificate = certify(&circuit, &compiled, NetworkFormat::Onnx, &network, None)?;
//! assert!(check::check(certificate.as_bytes(), &network).is_accepted());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A few parts of other modules are there for explanations alone.
#![cfg_attr(not(feature = "explain"), allow(dead_code, unused_imports))]

pub use macchiato_check as check;
pub use macchiato_minimize as minimize;
pub use macchiato_replay as replay;

pub use circuit::Circuit;
pub use frame::Frame;
pub use macchiato_minimize::Budget;
pub use model::{FitOptions, Model};
pub use network::Network;

pub mod bits;
mod random;

mod draw;

mod evidence;

pub mod natural;

pub mod file;

pub mod frame;

pub mod binarize;

pub mod rows;

pub mod generate;

pub mod residual;

pub mod influence;

pub mod select;

pub mod project;

pub mod circuit;

pub mod stage;

mod wide;

pub mod staged;

pub mod words;

pub mod fit;

pub mod learn;

pub mod model;

#[cfg(feature = "explain")]
pub mod explain;

pub mod network;

pub mod certify;

pub mod recertify;

pub mod bounds;

pub mod export;

#[cfg(feature = "report")]
pub mod report;
