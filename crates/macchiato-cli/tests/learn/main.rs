//! The learning commands as their users meet them: files, pipes, exit codes, one-line faults, no leftovers.

mod auto;
mod bounds;
mod check;
mod command;
mod deep;
mod engine;
mod evaluate;
mod explain;
mod fit;
mod pick;
mod predict;
mod report;
mod show;
mod typed;
