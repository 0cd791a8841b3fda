//! The results file: one section for each part, in a fixed order, without dates or names of machines.

use serde::{Deserialize, Serialize};

use super::{accuracy, peer, scaling, speed};
use crate::bar::Bar;

/// Everything that was measured; a section is `null` until its part has run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) how_to_read: String,
    pub(crate) cpus: usize,
    pub(crate) accuracy: Option<accuracy::Section>,
    pub(crate) speed: Option<speed::Section>,
    pub(crate) peer: Option<peer::Section>,
    pub(crate) scaling: Option<scaling::Section>,
}

impl Results {
    /// Says what the figures were taken on.
    pub(crate) fn describe(&mut self) {
        "Accuracies are the same on every machine; the paper's are means over targets and samples of its own. Seconds are \
         wall-clock times on this many CPUs. The peer's times were taken in turn with ours, so their ratio carries over \
         to other machines."
            .clone_into(&mut self.how_to_read);
        self.cpus = crate::results::cpus();
    }

    /// Every claim, in the order of the sections.
    pub(crate) fn bars(&self) -> impl Iterator<Item = &Bar> {
        let accuracy = self.accuracy.iter().flat_map(|section| &section.bars);
        let speed = self.speed.iter().flat_map(|section| &section.bars);
        let peer = self.peer.iter().flat_map(|section| &section.bars);
        let scaling = self.scaling.iter().flat_map(|section| &section.bars);
        accuracy.chain(speed).chain(peer).chain(scaling)
    }
}
