//! The questions that this crate answers, asked of circuits and networks that the compiler of the checker's tests makes.

#[path = "../../../macchiato-check/src/tests"]
mod of_the_checker {
    #[allow(
        dead_code,
        unused_imports,
        clippy::cast_sign_loss,
        reason = "the checker's tests need more of it"
    )]
    pub(crate) mod build;
}

/// What the compiler takes from the crate that it was written for.
mod sha256 {
    pub(crate) use macchiato_check::sha256::sha256;
}

mod behaviour;
mod decides;
mod learning;
mod replay;
mod tables;
