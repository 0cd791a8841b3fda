//! Which file of a crate names which: a scan of the sources for paths that begin with `crate` or `super`.
//!
//! Not a parser of Rust: comments and tests are cut away, and then every such path counts, in a `use` or elsewhere. A path
//! means the file of its longest prefix that is one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The path of a module from the crate's root.
pub(crate) type Module = Vec<String>;

/// A crate's files without their tests.
pub(crate) struct Sources {
    files: BTreeMap<Module, String>,
    /// The modules that `lib.rs` declares, in its order.
    pub(crate) declared: Vec<String>,
}

impl Sources {
    /// All files of a folder.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(inside) = folders.pop() {
            for entry in fs::read_dir(&inside).expect("a folder of sources") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let name =
                        path.strip_prefix(folder).expect("inside").to_string_lossy().replace('\\', "/");
                    files.push((name, fs::read_to_string(&path).expect("a source")));
                }
            }
        }
        Self::new(files.into_iter())
    }

    /// Files by their path below `src`.
    pub(crate) fn new(files: impl Iterator<Item = (String, String)>) -> Self {
        let mut sources = Self { files: BTreeMap::new(), declared: Vec::new() };
        for (path, text) in files {
            let module: Module = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            // A program beside a library, or without one, is nobody's neighbour.
            if module == ["main"] || module.iter().any(|name| name == "tests") {
                continue;
            }
            let text = without_tests_and_comments(&text);
            if module == ["lib"] {
                let declaration = |line: &str| Some(line.split_once("mod ")?.1.strip_suffix(';')?.to_owned());
                sources.declared = text.lines().filter_map(declaration).collect();
            } else {
                sources.files.insert(module, text);
            }
        }
        sources
    }

    /// Each file with each other file that it names.
    pub(crate) fn edges(&self) -> BTreeSet<(Module, Module)> {
        let mut edges = BTreeSet::new();
        for (user, text) in &self.files {
            for path in paths(text) {
                let mut full = if path[0] == "crate" { Module::new() } else { user.clone() };
                for segment in path {
                    match segment.as_str() {
                        "crate" => {}
                        "super" => drop(full.pop()),
                        _ => full.push(segment),
                    }
                }
                while !full.is_empty() && !self.files.contains_key(&full) {
                    full.pop();
                }
                if !full.is_empty() && full != *user {
                    edges.insert((user.clone(), full));
                }
            }
        }
        edges
    }
}

fn without_tests_and_comments(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Every path that begins with `crate` or `super`, with the branches of a tree as paths of their own.
fn paths(text: &str) -> Vec<Module> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            // Not the second `super` of `super::super`, nor the end of another word.
            if before.is_none_or(|before| !before.is_alphanumeric() && before != '_' && before != ':') {
                tree(&mut text[at..].chars().peekable(), &[], &mut found);
            }
        }
    }
    found
}

/// One branch: names between `::`, which may end in a list of branches.
fn tree(
    text: &mut std::iter::Peekable<impl Iterator<Item = char>>,
    above: &[String],
    found: &mut Vec<Module>,
) {
    let mut path = above.to_vec();
    loop {
        while text.next_if(|next| next.is_whitespace()).is_some() {}
        if text.next_if_eq(&'{').is_some() {
            while text.peek().is_some_and(|&next| next != '}') {
                tree(text, &path, found);
                // Whatever follows a name in a list, ` as other` say, up to the next branch.
                while text.next_if(|&next| next != ',' && next != '}').is_some() {}
                text.next_if_eq(&',');
                while text.next_if(|next| next.is_whitespace()).is_some() {}
            }
            text.next();
            return;
        }
        let mut name = String::new();
        while let Some(letter) = text.next_if(|next| next.is_alphanumeric() || *next == '_') {
            name.push(letter);
        }
        if name.is_empty() {
            break;
        }
        if name != "self" {
            path.push(name);
        }
        if text.next_if_eq(&':').is_none() || text.next_if_eq(&':').is_none() {
            break;
        }
    }
    if !path.is_empty() {
        found.push(path);
    }
}
