//! The examples of the README and of the pages in `docs`, those of a page one after the other in one empty folder: what it shows is what is printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

/// A fenced block: what stands behind its fence, and its lines.
struct Block<'a> {
    fence: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Block<'a> {
    /// The file whose contents the block shows.
    fn title(&self) -> Option<&'a str> {
        self.fence.split_once("title=\"")?.1.strip_suffix('"')
    }
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(fence), None) => open = Some(Block { fence, lines: Vec::new() }),
            (None, Some(mut block)) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    blocks
}

/// The commands of a block, each with the lines that it should print.
fn commands<'a>(block: &Block<'a>) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for &line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, printed))) => printed.push(line),
            (None, None) => panic!("a block that begins without a command: {line}"),
        }
    }
    commands
}

/// Standard output and then standard error, as a terminal shows them for the commands here.
fn run(folder: &Path, command: &str) -> String {
    let mut words = command.split(' ');
    let program = match words.next() {
        Some("macchiato") => PathBuf::from(env!("CARGO_BIN_EXE_macchiato")),
        Some("macchiato-check") => CHECKER.clone(),
        other => panic!("no program {other:?}"),
    };
    let ran = Command::new(program).args(words).current_dir(folder).output().expect("the command runs");
    String::from_utf8([ran.stdout, ran.stderr].concat()).expect("text")
}

/// The checker's own program, which is another crate's: built here, since nothing else says that it is there and new. It has
/// no dependencies, so that takes seconds at most.
static CHECKER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checker");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--locked", "--offline", "--package", "macchiato-check", "--target-dir"])
        .arg(&folder)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    folder.join("debug").join(format!("macchiato-check{}", std::env::consts::EXE_SUFFIX))
});

/// Without times: digits before ` s`, and those of `"seconds":`.
fn timeless(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches([':', ',']);
        if unit == "s" && words[at - 1].parse::<f64>().is_ok() {
            "T".clone_into(&mut words[at - 1]);
        }
    }
    let line = words.join(" ");
    match line.split_once("\"seconds\":") {
        Some((before, after)) => {
            format!(
                "{before}\"seconds\":T{}",
                after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
            )
        }
        None => line,
    }
}

/// Runs the commands of a page, in order, and says how many there were; a block with a title is a file that lies beside them.
fn run_page(name: &str, page: &str) -> usize {
    let folder = TempDir::new().expect("a temporary folder");
    let mut ran = 0;
    for block in blocks(page) {
        if let Some(file) = block.title() {
            fs::write(folder.path().join(file), block.lines.join("\n") + "\n").expect("a file");
        }
        if block.fence != "console" {
            continue;
        }
        for (command, shown) in commands(&block) {
            let printed = run(folder.path(), command);
            let mut printed: Vec<String> = printed.lines().map(timeless).collect();
            let mut shown: Vec<String> = shown.iter().map(|line| timeless(line)).collect();
            if shown.last().is_some_and(|line| line == "...") {
                shown.pop();
                printed.truncate(shown.len());
                // An empty line before the dots is theirs.
                while shown.last().is_some_and(String::is_empty) {
                    shown.pop();
                    printed.pop();
                }
            }
            assert_eq!(printed, shown, "{name}\n$ {command}");
            ran += 1;
        }
    }
    ran
}

/// Every page below a folder, in order.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
    found.sort_unstable();
    found
}

/// Its examples are about a model that `learn/explain.rs` makes and asks.
const ELSEWHERE: &str = "explain.md";

#[test]
fn pages_show_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = pages(&root.join("docs"));
    all.push(root.join("README.md"));
    let mut ran = 0;
    for path in all.iter().filter(|path| !path.ends_with(ELSEWHERE)) {
        let page = fs::read_to_string(path).expect("a page");
        ran += run_page(&path.display().to_string(), &page);
    }
    assert!(ran >= 12, "{ran} commands were found");
}

#[test]
fn the_readme_is_short_and_has_a_command() {
    let readme = include_str!("../../../README.md");
    assert!(readme.lines().count() <= 150, "what is long has a page in docs");
    assert!(blocks(readme).iter().any(|block| block.fence == "console"));
}
