//! An exception class for each error enum of the library, all of them `ValueError`s. Where the error has a column or a row, the
//! exception has the attributes `column` and `row` as well.

use macchiato::binarize::BinarizeError;
use macchiato::bounds::BoundsError;
use macchiato::certify::CertifyError;
use macchiato::explain::{ExplainError, MonotoneError};
use macchiato::export::ExportError;
use macchiato::export::sql::SqlError;
use macchiato::fit::ParamError;
use macchiato::frame::FrameError;
use macchiato::minimize::MinimizeError;
use macchiato::model::{FitError, ModelError, TargetError};
use macchiato::network::{CompileError, RawError, TunedError};
use macchiato::recertify::RecertifyError;
use macchiato::report::ReportError;
use macchiato::rows::RowsError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The classes. They live in the package, where users find them and pickles look for them.
mod classes {
    use super::PyValueError;
    use pyo3::create_exception;

    create_exception!(macchiato, MacchiatoError, PyValueError, "Whatever the library refuses.");
    create_exception!(macchiato, FrameError, MacchiatoError, "A column that cannot be used.");
    create_exception!(macchiato, BinarizeError, MacchiatoError, "Columns that do not become bits.");
    create_exception!(macchiato, TargetError, MacchiatoError, "A target that cannot be predicted.");
    create_exception!(macchiato, RowsError, MacchiatoError, "Rows or weights that cannot be learned from.");
    create_exception!(macchiato, ParamError, MacchiatoError, "A parameter out of its range.");
    create_exception!(macchiato, FitError, MacchiatoError, "Rows and parameters that do not go together.");
    create_exception!(macchiato, MinimizeError, MacchiatoError, "A function that cannot be minimized.");
    create_exception!(macchiato, ExportError, MacchiatoError, "A circuit that a format cannot hold.");
    create_exception!(macchiato, ModelError, MacchiatoError, "A file that is no model.");
    create_exception!(macchiato, CompileError, MacchiatoError, "Circuits that do not fit into one network.");
    create_exception!(macchiato, RawError, MacchiatoError, "A table that no ONNX file can start from.");
    create_exception!(macchiato, CertifyError, MacchiatoError, "A network that the checker does not accept.");
    create_exception!(
        macchiato,
        RecertifyError,
        MacchiatoError,
        "A changed network that cannot be certified again."
    );
    create_exception!(macchiato, ExplainError, MacchiatoError, "A question that has no explanation.");
    create_exception!(macchiato, BoundsError, MacchiatoError, "A study that cannot be planned.");
    create_exception!(macchiato, ReportError, MacchiatoError, "Rows that a report cannot show.");
}

/// An error of the library that becomes an exception.
pub(crate) trait Raise {
    /// The exception.
    fn raise(self, py: Python<'_>) -> PyErr;
}

macro_rules! raise_with_message {
    ($($error:ident),*) => {
        $(impl Raise for $error {
            fn raise(self, _: Python<'_>) -> PyErr {
                classes::$error::new_err(self.to_string())
            }
        })*
    };
}

raise_with_message!(RowsError, ParamError, MinimizeError, ModelError, ExportError);
raise_with_message!(CompileError, CertifyError, RecertifyError, ExplainError, BoundsError, ReportError);

/// The exception with the place of the fault; where that cannot be attached, the message still has it.
fn placed(py: Python<'_>, error: PyErr, column: Option<&str>, row: Option<usize>) -> PyErr {
    let value = error.value(py);
    let _ = value.setattr("column", column);
    let _ = value.setattr("row", row);
    error
}

impl Raise for FrameError {
    fn raise(self, py: Python<'_>) -> PyErr {
        let (column, row) = match &self {
            Self::Infinite { column, row } | Self::Code { column, row, .. } => (Some(column), Some(*row)),
            Self::Length { column, .. } | Self::Foreign { column, .. } => (Some(column), None),
            _ => (None, None),
        };
        placed(py, classes::FrameError::new_err(self.to_string()), column.map(String::as_str), row)
    }
}

impl Raise for BinarizeError {
    fn raise(self, py: Python<'_>) -> PyErr {
        let (column, row) = match &self {
            Self::Frame(error) => return error.clone().raise(py),
            Self::NotBoolean { name, row, .. } => (Some(name), Some(*row)),
            Self::Class { row, .. } => (None, Some(*row)),
            Self::NoColumn { name } | Self::WrongKind { name, .. } | Self::DuplicateName { name } => {
                (Some(name), None)
            }
            _ => (None, None),
        };
        placed(py, classes::BinarizeError::new_err(self.to_string()), column.map(String::as_str), row)
    }
}

impl Raise for TargetError {
    fn raise(self, py: Python<'_>) -> PyErr {
        let (column, row) = match &self {
            Self::Values(error) => return error.clone().raise(py),
            Self::Missing { name, row } => (Some(name), Some(*row)),
            Self::TooManyClasses { name, .. } => (Some(name), None),
            _ => (None, None),
        };
        placed(py, classes::TargetError::new_err(self.to_string()), column.map(String::as_str), row)
    }
}

impl Raise for SqlError {
    fn raise(self, py: Python<'_>) -> PyErr {
        let column = match &self {
            Self::SameName { first: name, .. } | Self::Taken { name } | Self::Name { name, .. } => {
                Some(name.as_str())
            }
            _ => None,
        };
        placed(py, classes::ExportError::new_err(self.to_string()), column, None)
    }
}

impl Raise for RawError {
    fn raise(self, py: Python<'_>) -> PyErr {
        let column = if let Self::Unspellable { column, .. } = &self { Some(column.as_str()) } else { None };
        placed(py, classes::RawError::new_err(self.to_string()), column, None)
    }
}

impl Raise for TunedError {
    fn raise(self, _: Python<'_>) -> PyErr {
        classes::RecertifyError::new_err(self.to_string())
    }
}

impl Raise for FitError {
    fn raise(self, py: Python<'_>) -> PyErr {
        let message = self.to_string();
        match self {
            Self::Binarize(error) => error.raise(py),
            Self::Target(error) => error.raise(py),
            Self::Rows(error) => error.raise(py),
            Self::Params(error) => error.raise(py),
            Self::Minimize(error) => error.raise(py),
            Self::UnknownClass { target, row, .. } => {
                placed(py, classes::FitError::new_err(message), Some(&target), Some(row))
            }
            _ => classes::FitError::new_err(message),
        }
    }
}

impl Raise for MonotoneError {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Fit(error) => error.raise(py),
            Self::Frame(error) => error.raise(py),
            Self::NoColumn { ref column, .. } | Self::Category { ref column } => {
                placed(py, classes::ParamError::new_err(self.to_string()), Some(column), None)
            }
            _ => classes::ParamError::new_err(self.to_string()),
        }
    }
}

/// Adds the classes to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! add {
        ($($class:ident),*) => { $(module.add(stringify!($class), module.py().get_type::<classes::$class>())?;)* };
    }
    add!(MacchiatoError, FrameError, BinarizeError, TargetError, RowsError, ParamError, FitError);
    add!(MinimizeError, ModelError, ExportError, CompileError, RawError, CertifyError, RecertifyError);
    add!(ExplainError, BoundsError, ReportError);
    // Errors without a place.
    let base = module.py().get_type::<classes::MacchiatoError>();
    base.setattr("column", module.py().None())?;
    base.setattr("row", module.py().None())
}
