//! `macchiato espresso`, also the command itself under the name `espresso`: Berkeley's options, output and exit codes.
//!
//! What Berkeley's program can be asked for and this one cannot is refused by name, never passed over in silence.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Args;
use macchiato::minimize::pla::{self, Pla, PlaType};
use macchiato::minimize::{Cover, Function, Literal, Options, Shape, agrees, minimize_function, off_set};

use crate::memory::MemoryOptions;
use crate::minimize::read;
use crate::output::Output;
use crate::terminal::complain;

const AFTER_HELP: &str = "\
Options, each in one word or with its value in the next:
  -Dexact  -Dqm       search until the minimum is proven
  -Dso                minimize every output on its own
  -Decho  -Dcheck     write the file as it was read (reading checks it)
  -Dverify A B        is B, a cover, right for the function A?
  -o f|fd|fr|fdr      the sets to write: ON, don't-care, OFF
  -e fast|strong|pos  Berkeley's loop once; longer; the complement instead
  -e ness|nirr|nunwrap|onset
                      accepted: such hints change nothing here
  -s  -t              a line about cost and time
  -x                  do not write the result
  -d  -v TYPE  -S N   accepted without effect

Link or copy `macchiato` as `espresso`, and it behaves as `macchiato espresso`.

Exit codes: 0 done, 1 a failure, or a cover that is not right.";

/// Minimize as Berkeley's `espresso` does, with its options
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Berkeley's options, and the file; without a file, standard input
    #[arg(value_name = "OPTION or FILE", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
    #[command(flatten)]
    memory: MemoryOptions,
}

/// The part of the work that `-D` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Minimize,
    EachOutput,
    Echo,
    Verify,
}

/// What the words ask for.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
struct Request {
    task: Task,
    exact: bool,
    effort: u8,
    complement: bool,
    summary: bool,
    silent: bool,
    kind: PlaType,
    files: Vec<String>,
}

/// Berkeley's exit codes: every failure is 1.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let answer = Request::parse(&arguments.words).and_then(|request| request.run(arguments.memory.limit()));
    match answer {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) if crate::output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(1)
        }
    }
}

impl Request {
    fn parse(words: &[String]) -> anyhow::Result<Self> {
        let mut request = Self {
            task: Task::Minimize,
            exact: false,
            effort: 5,
            complement: false,
            summary: false,
            silent: false,
            kind: PlaType::F,
            files: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) else {
                request.files.push(word.clone());
                continue;
            };
            let (letter, attached) = option.split_at(option.chars().next().map_or(0, char::len_utf8));
            let mut value = || -> anyhow::Result<&str> {
                if !attached.is_empty() {
                    return Ok(attached);
                }
                words.next().map(String::as_str).with_context(|| format!("-{letter} needs a value"))
            };
            match letter {
                "D" => request.task(value()?)?,
                "o" => request.kind = kind(value()?)?,
                "e" => request.hint(value()?)?,
                "s" | "t" if attached.is_empty() => request.summary = true,
                "x" if attached.is_empty() => request.silent = true,
                "d" if attached.is_empty() => {}
                "v" | "S" => drop(value()?),
                _ => bail!("-{option}: there is no such option of espresso, or none that is supported"),
            }
        }
        let most = if request.task == Task::Verify { 2 } else { 1 };
        ensure!(request.files.len() <= most, "{}: too many files", request.files[most]);
        Ok(request)
    }

    fn task(&mut self, name: &str) -> anyhow::Result<()> {
        match name {
            "ESPRESSO" => self.task = Task::Minimize,
            "exact" | "qm" | "signature" => self.exact = true,
            "so" | "single_output" => self.task = Task::EachOutput,
            "echo" | "check" => self.task = Task::Echo,
            "verify" | "PLAverify" => self.task = Task::Verify,
            _ => bail!("-D{name} is not supported"),
        }
        Ok(())
    }

    fn hint(&mut self, name: &str) -> anyhow::Result<()> {
        match name {
            "fast" => self.effort = 1,
            "strong" => self.effort = 7,
            "pos" => self.complement = true,
            "ness" | "nirr" | "nunwrap" | "onset" => {}
            _ => bail!("-e{name} is not supported"),
        }
        Ok(())
    }

    fn options(&self) -> Options {
        let mut options = Options::default();
        options.exact = self.exact;
        options.effort = self.effort;
        options
    }

    /// Whether all is well: only `-Dverify` can say no.
    fn run(&self, limit: u64) -> anyhow::Result<bool> {
        let start = Instant::now();
        let first = self.files.first().map_or("-", String::as_str);
        let pla = read(Path::new(first), limit)?;
        if self.task == Task::Verify {
            let [_, second] = self.files.as_slice() else { bail!("-Dverify needs two files") };
            let cover = read(Path::new(second), limit)?;
            let right = agrees(&pla.to_function(), cover.on());
            if !right {
                complain(&anyhow::anyhow!("{second}: this cover is not right for the function of {first}"));
            }
            return Ok(right);
        }
        let mut text = Vec::new();
        let (function, cover) = self.answer(&pla)?;
        if self.summary {
            let outputs = connections(&cover);
            let (terms, literals) = (cover.terms(), cover.literals());
            writeln!(
                text,
                "# ESPRESSO\tTime was {:.2} sec, cost is c={terms}({terms}) in={literals} out={outputs} tot={}",
                start.elapsed().as_secs_f64(),
                literals + outputs
            )?;
        }
        if !self.silent {
            self.write(&mut text, &pla, &function, &cover)?;
        }
        Output::Stdout.write(&text)?;
        Ok(true)
    }

    /// The function that was minimized, and its cover.
    fn answer(&self, pla: &Pla) -> anyhow::Result<(Function, Cover)> {
        let options = self.options();
        let mut function = pla.to_function();
        if self.complement {
            let off = off_set(&function, &options).context("-epos: the complement is too large to list")?;
            function = match function.off() {
                Some(_) => Function::on_dont_care_off(off, pla.dont_care().clone(), pla.on().clone())?,
                None => Function::on_dont_care(off, pla.dont_care().clone())?,
            };
        }
        let cover = match self.task {
            Task::Echo | Task::Verify => function.on().clone(),
            Task::Minimize => {
                minimize_function(&function, &options).with_context(|| pla.file().to_owned())?.cover
            }
            Task::EachOutput => each_output(&function, &options)?,
        };
        Ok((function, cover))
    }

    fn write(&self, text: &mut Vec<u8>, pla: &Pla, function: &Function, cover: &Cover) -> anyhow::Result<()> {
        let names = (pla.input_names(), pla.output_names());
        if self.kind == PlaType::F {
            let start = text.len();
            pla::write(text, cover, names.0, names.1)?;
            if self.complement {
                // Where Berkeley's program says that the outputs are complements: in a comment before the rows.
                let at = text[start..].windows(3).position(|word| word == b".p ").unwrap_or_default();
                let phase = format!("#.phase {}\n", "0".repeat(pla.shape().outputs()));
                text.splice(start + at..start + at, phase.into_bytes());
            }
            return Ok(());
        }
        let none = Cover::new(pla.shape());
        let off = if self.kind.gives_off() {
            off_set(function, &self.options()).context("the OFF-set is too large to list: use -o fd")?
        } else {
            none.clone()
        };
        let dont_care = function.dont_care().unwrap_or(&none);
        pla::write_sets(text, self.kind, [cover, dont_care, &off], names.0, names.1)?;
        Ok(())
    }
}

fn kind(name: &str) -> anyhow::Result<PlaType> {
    Ok(match name {
        "f" => PlaType::F,
        "fd" => PlaType::Fd,
        "fr" => PlaType::Fr,
        "fdr" => PlaType::Fdr,
        _ => bail!("-o{name} is not supported: f, fd, fr and fdr are"),
    })
}

fn connections(cover: &Cover) -> usize {
    let outputs = cover.shape().outputs();
    (0..cover.terms()).map(|term| (0..outputs).filter(|&output| cover.asserts(term, output)).count()).sum()
}

/// Every output minimized on its own, its terms not shared with others.
fn each_output(function: &Function, options: &Options) -> anyhow::Result<Cover> {
    let shape = function.shape();
    let mut cover = Cover::new(shape);
    for output in 0..shape.outputs() {
        let part = |cover: &Cover| single(cover, output);
        let one = match (function.dont_care(), function.off()) {
            (Some(dont_care), Some(off)) => {
                Function::on_dont_care_off(part(function.on()), part(dont_care), part(off))?
            }
            (None, Some(off)) => Function::on_off(part(function.on()), part(off))?,
            (dont_care, None) => {
                let none = Cover::new(shape);
                Function::on_dont_care(part(function.on()), part(dont_care.unwrap_or(&none)))?
            }
        };
        let answer = minimize_function(&one, options)?.cover;
        let asserted: Vec<bool> = (0..shape.outputs()).map(|o| o == output).collect();
        for term in 0..answer.terms() {
            cover.push(&literals(&answer, term), &asserted);
        }
    }
    Ok(cover)
}

/// The terms of one output, as a cover of one output.
fn single(cover: &Cover, output: usize) -> Cover {
    let mut part = Cover::new(Shape::new(cover.shape().inputs(), 1));
    for term in (0..cover.terms()).filter(|&term| cover.asserts(term, output)) {
        part.push(&literals(cover, term), &[true]);
    }
    part
}

fn literals(cover: &Cover, term: usize) -> Vec<Literal> {
    (0..cover.shape().inputs()).map(|input| cover.literal(term, input)).collect()
}
