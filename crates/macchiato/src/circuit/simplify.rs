//! Shorter circuits that compute the same.
