//! The results file: one section for each part, in a fixed order, without dates or names of machines.

use serde::{Deserialize, Serialize};

use super::{configurations, contest, search};
use crate::bar::Bar;

/// Everything that was measured; a section is `null` until its part has run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) how_to_read: String,
    pub(crate) cpus: usize,
    pub(crate) configurations: Option<configurations::Section>,
    pub(crate) capped: Option<configurations::Section>,
    pub(crate) search: Option<search::Section>,
    pub(crate) contest: Option<contest::Section>,
}

impl Results {
    /// Says what the figures were taken on.
    pub(crate) fn describe(&mut self) {
        "Accuracies are the same on every machine; the paper's are means over targets and samples of its own. The limit is \
         the accuracy that the training rows allow: a cell of the inputs that matter is known if a row shows it, and a \
         coin toss if none does. Seconds are wall-clock times of the fits on this many CPUs."
            .clone_into(&mut self.how_to_read);
        self.cpus = crate::results::cpus();
    }

    /// Every claim, in the order of the sections.
    pub(crate) fn bars(&self) -> impl Iterator<Item = &Bar> {
        let configurations = self.configurations.iter().flat_map(|section| &section.bars);
        let capped = self.capped.iter().flat_map(|section| &section.bars);
        let search = self.search.iter().flat_map(|section| &section.bars);
        let contest = self.contest.iter().flat_map(|section| &section.bars);
        configurations.chain(capped).chain(search).chain(contest)
    }
}
