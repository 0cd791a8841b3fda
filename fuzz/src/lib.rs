//! What several fuzz targets need. A target takes bytes and panics where a promise is broken; `scripts/fuzz` builds and runs them.
//!
//! | module | gives |
//! |---|---|
//! | [`repair`] | a certificate with the digests and lengths of the files at hand, which no mutation would ever meet |
//! | [`network`] | a network file evaluated in float32, by code that neither the compiler nor the checker has |
//! | [`scratch`] | bytes as a file, for readers that choose by a file's ending |

#![forbid(unsafe_code)]

// Its runtime has what the coverage counters call, in tests too.
use libfuzzer_sys as _;

pub mod network;
pub mod repair;
pub mod scratch;
