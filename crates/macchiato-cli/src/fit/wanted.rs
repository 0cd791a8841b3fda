//! Options about what the rule is to be, whatever the rows say.

use clap::Args;
use macchiato::explain::Monotony;
use macchiato::model::ClassWeight;

/// What a person asks of the rule.
#[derive(Debug, Args)]
pub(super) struct WantedOptions {
    /// How much the rows of each class count: balanced, or as in yes=10,no=1
    #[arg(long, value_name = "CLASS=W,...")]
    pub(super) class_weight: Option<ClassWeight>,
    /// Columns that the rule may not read: what would be unfair, or is not known in time
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) exclude: Vec<String>,
    /// Columns that the positive answer may only rise with (+1) or fall with (-1), proven: age=+1,debt=-1
    #[arg(long, value_name = "NAME=+1,...", value_delimiter = ',')]
    pub(super) monotone: Vec<Monotony>,
}
