//! The results file: one section for each part, in a fixed order, without dates or names of machines.

use serde::{Deserialize, Serialize};

use super::bar::Bar;
use super::{factored, instructions, juntas, peer, pla, tables};

/// Everything that was measured; a section is `null` until its part has run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) how_to_read: String,
    pub(crate) cpus: usize,
    pub(crate) pla: Option<pla::Section>,
    #[serde(default)]
    pub(crate) factored: Option<factored::Section>,
    pub(crate) tables: Option<tables::Section>,
    pub(crate) peer: Option<peer::Section>,
    pub(crate) juntas: Option<juntas::Section>,
    pub(crate) instructions: Option<instructions::Section>,
}

impl Results {
    /// Says what the figures were taken on.
    pub(crate) fn describe(&mut self) {
        "Terms, bounds and accuracies are the same on every machine. Seconds are wall-clock times of one run: compare \
         them only with others of the same section. The peer's times were taken in turn with ours, so their ratios \
         carry over to other machines."
            .clone_into(&mut self.how_to_read);
        self.cpus = crate::results::cpus();
    }

    /// Every claim, in the order of the sections.
    pub(crate) fn bars(&self) -> impl Iterator<Item = &Bar> {
        let pla = self.pla.iter().flat_map(|section| &section.bars);
        let factored = self.factored.iter().flat_map(|section| &section.bars);
        let tables = self.tables.iter().flat_map(|section| &section.bars);
        let peer = self.peer.iter().flat_map(|section| &section.bars);
        let juntas = self.juntas.iter().flat_map(|section| &section.bars);
        pla.chain(factored).chain(tables).chain(peer).chain(juntas)
    }

    /// Results that are wrong, not merely short of a bar.
    pub(crate) fn defects(&self) -> usize {
        let pla = self.pla.as_ref().map_or(0, |pla| pla.totals.invalid + pla.totals.contradict_reference);
        let unequal = |section: &factored::Section| section.files.iter().filter(|file| !file.equal).count();
        pla + self.factored.as_ref().map_or(0, unequal)
    }
}
