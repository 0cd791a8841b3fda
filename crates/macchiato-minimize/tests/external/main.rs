//! Tests that ask a tool which this project did not write. Where the tool is missing they say that they were skipped.

mod abc;
mod pyeda;
mod tool;
