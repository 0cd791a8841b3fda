//! Everything that a build takes in has a licence of `deny.toml`'s list and comes from crates.io, and the checker takes in nothing.
//! What is published says what it is, where its documentation is, and has its licences beside it.
//!
//! cargo says what a build takes in. What it needs lies on this machine already, or the test would not have been built.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const DENY: &str = include_str!("../../../deny.toml");

/// The quoted texts of a list in `deny.toml`.
fn list(name: &str) -> Vec<&'static str> {
    let (_, rest) = DENY.split_once(&format!("\n{name} = [")).expect("the list is there");
    let (inside, _) = rest.split_once(']').expect("the list ends");
    inside.split('"').skip(1).step_by(2).collect()
}

fn metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let rustc = String::from_utf8(rustc.stdout).expect("text");
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version=1", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    serde_json::from_slice(&cargo.stdout).expect("JSON")
}

/// Whether a licence expression (`A OR B`, `A AND (B OR C)`, and `A/B` as it used to be written) can be met with these.
fn allowed(expression: &str, licences: &[&str]) -> bool {
    let spaced =
        expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "+");
    let mut words = spaced.split_whitespace().peekable();
    let met = either(&mut words, licences);
    met && words.next().is_none()
}

type Words<'a, 'b> = &'a mut std::iter::Peekable<std::str::SplitWhitespace<'b>>;

fn either(words: Words<'_, '_>, licences: &[&str]) -> bool {
    let mut met = both(words, licences);
    while words.next_if_eq(&"OR").is_some() {
        met |= both(words, licences);
    }
    met
}

fn both(words: Words<'_, '_>, licences: &[&str]) -> bool {
    let mut met = one(words, licences);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, licences);
    }
    met
}

fn one(words: Words<'_, '_>, licences: &[&str]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = either(words, licences);
        return words.next_if_eq(&")").is_some() && met;
    }
    words.next().is_some_and(|word| licences.contains(&word.replace('+', " WITH ").as_str()))
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    let licences = ["MIT", "Apache-2.0 WITH LLVM-exception"];
    for good in ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "Apache-2.0 WITH LLVM-exception AND (MIT OR X)"] {
        assert!(allowed(good, &licences), "{good}");
    }
    for bad in ["", "Apache-2.0", "MIT AND GPL-3.0", "MIT AND (X OR Y)", "MIT OR MIT)", "MIT MIT"] {
        assert!(!allowed(bad, &licences), "{bad}");
    }
}

#[test]
fn every_dependency_may_be_used() {
    let (licences, registries) = (list("allow"), list("allow-registry"));
    assert!(licences.contains(&"MIT") && registries.len() == 1);
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let mut seen = 0;
    for package in packages {
        // Of all that the lock file has, what this build takes in.
        let taken = |node: &Value| node["id"] == package["id"];
        if !metadata["resolve"]["nodes"].as_array().is_some_and(|nodes| nodes.iter().any(taken)) {
            continue;
        }
        let (name, licence) = (&package["name"], package["license"].as_str().unwrap_or_default());
        assert!(allowed(licence, &licences), "{name}: {licence:?} is not in deny.toml");
        let source = package["source"].as_str();
        let known =
            |source: &str| registries.iter().any(|known| source.strip_prefix("registry+") == Some(known));
        assert!(source.is_none_or(known), "{name} comes from {source:?}");
        seen += 1;
    }
    assert!(seen > 50, "{seen} packages were found");
}

#[test]
fn the_checker_has_no_dependencies() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let checker = packages.iter().find(|package| package["name"] == "macchiato-check").expect("the checker");
    assert_eq!(checker["dependencies"], Value::Array(Vec::new()));
}

#[test]
fn published_crates_say_what_they_are() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let own = packages.iter().filter(|package| package["source"].is_null());
    let published: Vec<&Value> = own.filter(|package| package["publish"].is_null()).collect();
    let mut names: Vec<&str> = published.iter().filter_map(|package| package["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["macchiato", "macchiato-check", "macchiato-cli", "macchiato-minimize", "macchiato-replay"]
    );
    for package in published {
        let name = package["name"].as_str().expect("a name");
        let text = |key: &str| {
            let text = package[key].as_str().filter(|text| !text.is_empty());
            text.unwrap_or_else(|| panic!("{name}: no {key}"))
        };
        assert!(text("description").len() <= 1000, "{name}");
        assert_eq!(text("license"), "MIT OR Apache-2.0", "{name}");
        assert_eq!(text("documentation"), format!("https://docs.rs/{name}"));
        assert_ne!(text("rust_version"), "", "{name}");
        let folder = Path::new(text("manifest_path")).parent().expect("a folder");
        for file in [text("readme"), "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(folder.join(file).is_file(), "{name}: no {file}");
        }
        // As crates.io takes them.
        let keywords = package["keywords"].as_array().expect("keywords");
        assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
        assert!(keywords.iter().all(|word| word.as_str().is_some_and(|word| word.len() <= 20)), "{name}");
        assert!((1..=5).contains(&package["categories"].as_array().map_or(0, Vec::len)), "{name}");
    }
}
