//! Factored forms of the classical PLA files beside ABC's `fx; strash; dch; map`, judged by ABC.
//!
//! Both start from the same minimized cover, so that neither gains by don't-cares that the other does not see. ABC counts both
//! alike: AND nodes once the network is an AND-inverter graph (`strash`), area once it is mapped (`dch; map`) onto a small library
//! in the usual proportions. It also proves our files equal to the covers (`cec`). Literals are each program's own count.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use macchiato::circuit::Circuit;
use macchiato::export::{self, ExportFormat};
use macchiato::minimize::{Budget, Options, factor, minimize_pla, pla};
use serde::{Deserialize, Serialize};

use super::bar::{Bar, rounded};

/// Inverters, NANDs, NORs and what is made of them, an area of one for each pair of transistors.
const LIBRARY: &str = "\
GATE zero 0 O=CONST0;
GATE one 0 O=CONST1;
GATE buf 2 O=a; PIN * NONINV 1 999 1 0 1 0
GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0
GATE nand2 2 O=!(a*b); PIN * INV 1 999 1 0 1 0
GATE nand3 3 O=!(a*b*c); PIN * INV 1 999 1 0 1 0
GATE nand4 4 O=!(a*b*c*d); PIN * INV 1 999 1 0 1 0
GATE nor2 2 O=!(a+b); PIN * INV 1 999 1 0 1 0
GATE nor3 3 O=!(a+b+c); PIN * INV 1 999 1 0 1 0
GATE nor4 4 O=!(a+b+c+d); PIN * INV 1 999 1 0 1 0
GATE and2 3 O=a*b; PIN * NONINV 1 999 1 0 1 0
GATE or2 3 O=a+b; PIN * NONINV 1 999 1 0 1 0
GATE xor2 5 O=a*!b+!a*b; PIN * UNKNOWN 1 999 1 0 1 0
GATE xnor2 5 O=a*b+!a*!b; PIN * UNKNOWN 1 999 1 0 1 0
GATE aoi21 3 O=!(a*b+c); PIN * INV 1 999 1 0 1 0
GATE aoi22 4 O=!(a*b+c*d); PIN * INV 1 999 1 0 1 0
GATE oai21 3 O=!((a+b)*c); PIN * INV 1 999 1 0 1 0
GATE oai22 4 O=!((a+b)*(c+d)); PIN * INV 1 999 1 0 1 0
";

/// Results of the `factored` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) totals: Totals,
    pub(crate) files: Vec<File>,
}

/// Sums over all files, and the files on which one side's area is smaller.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) files: usize,
    pub(crate) ours: Size,
    pub(crate) abc: Size,
    pub(crate) smaller: usize,
    pub(crate) larger: usize,
    pub(crate) seconds: f64,
}

/// The size of one network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) literals: usize,
    pub(crate) and_nodes: usize,
    pub(crate) area: f64,
}

/// One file.
#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the results file calls a file's name `file`")]
pub(crate) struct File {
    pub(crate) file: String,
    pub(crate) terms: usize,
    pub(crate) literals: usize,
    pub(crate) gates: usize,
    pub(crate) levels: usize,
    pub(crate) ours: Size,
    pub(crate) abc: Size,
    pub(crate) equal: bool,
    pub(crate) seconds: f64,
}

/// `None` where there is no ABC.
pub(crate) fn run(data: &Path, abc: &Path, quick: bool) -> Result<Option<Section>> {
    let found = Command::new(abc).args(["-q", "quit"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    let abc = Abc { program: abc.to_owned(), folder: folder.path().to_owned() };
    fs::write(abc.folder.join("gates.genlib"), LIBRARY)?;
    let mut files = Vec::new();
    for path in super::pla::files(data, quick)? {
        let file = measure(&abc, &path).with_context(|| path.display().to_string())?;
        eprintln!(
            "factored: {:<13}{:>5} literals, ABC {:>5}; {:>5} AND nodes, ABC {:>5}; area {:>6}, ABC {:>6}{}",
            file.file,
            file.ours.literals,
            file.abc.literals,
            file.ours.and_nodes,
            file.abc.and_nodes,
            file.ours.area,
            file.abc.area,
            if file.equal { "" } else { "  NOT EQUAL" }
        );
        files.push(file);
    }
    let totals = totals(&files);
    Ok(Some(Section { bars: bars(&files, &totals), totals, files }))
}

fn measure(abc: &Abc, path: &Path) -> Result<File> {
    let bytes = fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let pla = pla::read(bytes.as_slice(), &name)?;
    let cover = minimize_pla(&pla, &Options::default())?.cover;
    let start = Instant::now();
    let factored = factor(&cover, &Budget::unlimited())?;
    let seconds = start.elapsed().as_secs_f64();
    let mut text = Vec::new();
    pla::write(&mut text, &cover, None, None)?;
    fs::write(abc.folder.join("cover.pla"), text)?;
    let mut text = Vec::new();
    export::write(&Circuit::from_factored(&factored, &[], &[]), ExportFormat::Blif, &mut text)?;
    fs::write(abc.folder.join("ours.blif"), text)?;
    let mut ours = abc.size("read_blif ours.blif")?;
    ours.literals = factored.literals();
    let said = abc.ask("cec -n cover.pla ours.blif")?;
    Ok(File {
        file: name,
        terms: cover.terms(),
        literals: cover.literals(),
        gates: factored.gates().len(),
        levels: factored.levels(),
        ours,
        abc: abc.size("read_pla cover.pla; fx")?,
        equal: said.contains("Networks are equivalent"),
        seconds: rounded(seconds),
    })
}

/// ABC's executable and the folder that it runs in.
struct Abc {
    program: PathBuf,
    folder: PathBuf,
}

impl Abc {
    fn ask(&self, commands: &str) -> Result<String> {
        let output = Command::new(&self.program).args(["-q", commands]).current_dir(&self.folder).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The size of the network that the commands read.
    fn size(&self, read: &str) -> Result<Size> {
        let steps = "print_stats -f; strash; print_stats; dch; map; print_stats";
        let said = self.ask(&format!("read_library gates.genlib; {read}; {steps}"))?;
        let word = |label: &str| -> Result<&str> {
            let (_, after) =
                said.split_once(label).with_context(|| format!("ABC names no {label}: {said}"))?;
            Ok(after.split_whitespace().next().unwrap_or_default())
        };
        let size = Size {
            literals: word("lit(fac) =")?.parse()?,
            and_nodes: word("and =")?.parse()?,
            area: word("area =")?.parse()?,
        };
        ensure!(size.area >= 0.0, "an area below 0: {said}");
        Ok(size)
    }
}

fn totals(files: &[File]) -> Totals {
    let mut totals = Totals { files: files.len(), ..Totals::default() };
    for file in files {
        for (sum, one) in [(&mut totals.ours, file.ours), (&mut totals.abc, file.abc)] {
            sum.literals += one.literals;
            sum.and_nodes += one.and_nodes;
            sum.area += one.area;
        }
        totals.smaller += usize::from(file.ours.area < file.abc.area);
        totals.larger += usize::from(file.ours.area > file.abc.area);
        totals.seconds = rounded(totals.seconds + file.seconds);
    }
    totals
}

fn bars(files: &[File], totals: &Totals) -> Vec<Bar> {
    let unequal = files.iter().filter(|file| !file.equal).count();
    vec![
        Bar::at_most("factored forms that ABC does not prove equal", 0.0, unequal as f64),
        Bar::at_most(
            "AND nodes of the factored forms",
            totals.abc.and_nodes as f64,
            totals.ours.and_nodes as f64,
        ),
        Bar::at_most("area of the factored forms", totals.abc.area, totals.ours.area),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_up_and_count_the_files() {
        let size = |area: f64| Size { literals: 5, and_nodes: 4, area };
        let file = |ours: f64, abc: f64| File {
            file: String::new(),
            terms: 2,
            literals: 6,
            gates: 3,
            levels: 2,
            ours: size(ours),
            abc: size(abc),
            equal: ours < 9.0,
            seconds: 0.5,
        };
        let files = [file(7.0, 8.0), file(8.0, 8.0), file(9.0, 8.0)];
        let found = totals(&files);
        assert_eq!((found.smaller, found.larger, found.ours.area, found.abc.literals), (1, 1, 24.0, 15));
        let bars = bars(&files, &found);
        assert!(!bars[0].met, "one is not equal");
        assert!(bars[1].met && bars[2].met);
    }
}
