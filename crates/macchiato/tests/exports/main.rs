//! Every export of one corpus of circuits, read back by a tool that this project did not write and compared there.
//!
//! Each family of tools is asked twice: about the exports of the corpus, which must be equal, and about exports of
//! circuits that differ at one point, which must not. Where a tool is missing the tests say that they were skipped.

mod abc;
mod corpus;
mod data;
#[path = "../made/gates.rs"]
mod made;
mod programs;
mod simulation;
mod smt;
#[path = "../made/stages.rs"]
mod stages;
#[path = "../../../macchiato-minimize/tests/external/tool.rs"]
mod tool;
