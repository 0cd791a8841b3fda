//! The README's examples, run one after the other in one empty folder: what it shows is what is printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const README: &str = include_str!("../../../README.md");

/// A fenced block: its language and its lines.
struct Block<'a> {
    language: &'a str,
    lines: Vec<&'a str>,
}

fn blocks() -> Vec<Block<'static>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'static>> = None;
    for line in README.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => open = Some(Block { language, lines: Vec::new() }),
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
        Some("macchiato-check") => checker(),
        other => panic!("no program {other:?}"),
    };
    let ran = Command::new(program).args(words).current_dir(folder).output().expect("the command runs");
    String::from_utf8([ran.stdout, ran.stderr].concat()).expect("text")
}

/// The checker's own program, which is another crate's: built here, since nothing else says that it is there and new. It has
/// no dependencies, so that takes seconds at most.
fn checker() -> PathBuf {
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
}

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

#[test]
fn the_readme_shows_what_is_printed() {
    let folder = TempDir::new().expect("a temporary folder");
    let (mut ran, mut checked) = (0, 0);
    for block in blocks() {
        if block.language == "text" && block.lines.first() == Some(&".i 4") {
            fs::write(folder.path().join("prime.pla"), block.lines.join("\n") + "\n").expect("a file");
        }
        if block.language != "console" {
            continue;
        }
        for (command, shown) in commands(&block) {
            let contradiction = shown.iter().any(|line| line.contains("prime.pla:16:1"));
            let prime = folder.path().join("prime.pla");
            if contradiction {
                // The row that the text beside it adds.
                let file = fs::read_to_string(&prime).expect("the file of the block before");
                fs::write(&prime, file.replace(".e\n", "0-11 0\n.e\n")).expect("a file");
            }
            let printed = run(folder.path(), command);
            if contradiction {
                let file = fs::read_to_string(&prime).expect("the file");
                fs::write(&prime, file.replace("0-11 0\n", "")).expect("a file");
            }
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
            assert_eq!(printed, shown, "$ {command}");
            ran += 1;
            checked += usize::from(command.starts_with("macchiato-check "));
        }
    }
    assert!(ran >= 10 && checked > 0, "{ran} commands were found, {checked} of them of the checker");
}
