//! Every mean that is far from the paper's, with a sentence.

use std::fmt::Write;

use super::super::discussion;
use super::super::method::Method;
use super::super::view::{FIGURES, View};
use super::super::{CONFIGURATIONS, Published, published};

/// What stands where no sentence is known.
pub(super) const NOT_EXPLAINED: &str = "not explained.";

pub(super) fn section(view: View<'_>) -> String {
    let mut text = String::from("## Where our means differ\n\n");
    let mut any = false;
    for configuration in &CONFIGURATIONS {
        for figure in FIGURES {
            let published = published::accuracy(configuration, figure.0, figure.1);
            let (Some(difference), Some(Published(mean, _))) = (view.far(configuration, figure), published)
            else {
                continue;
            };
            any = true;
            let why = discussion::sentence(configuration.id, figure).unwrap_or(NOT_EXPLAINED);
            let staged = matches!(figure.0, Method::Paper | Method::RandomK);
            let stage = if staged { format!(", stage {}", figure.1) } else { String::new() };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "- Configuration {}, {}{stage}: {:.3} where the paper has {mean:.3} ({difference:+.3}): {why}",
                configuration.id,
                figure.0.title(),
                mean + difference
            );
        }
    }
    if !any {
        text.push_str("Nowhere by more than the mark's threshold.\n");
    }
    text
}
