//! The order of the modules, and the absence of circles between files, read from the sources themselves.
//!
//! The declarations in a crate's `lib.rs` are the one place where the order stands: a module uses only modules that are declared
//! above it. Below that, the files of a module use each other without a circle. What counts is a path that names a file
//! (`crate::a::b`, `super::b`); a name that a parent hands on belongs to the parent. Tests may use everything.

mod api;
mod scan;

use scan::{Module, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn sources(krate: &str) -> Sources {
    Sources::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src"))
}

/// Uses of a module that is declared below its user.
fn against_the_order(sources: &Sources) -> Vec<String> {
    let place = |name: &String| sources.declared.iter().position(|module| module == name);
    let mut found = BTreeSet::new();
    for (user, used) in sources.edges() {
        if let (Some(a), Some(b)) = (user.first(), used.first())
            && place(a) < place(b)
        {
            found.insert(format!(
                "{} uses {}, which is declared below {a}",
                user.join("::"),
                used.join("::")
            ));
        }
    }
    found.into_iter().collect()
}

/// Files side by side in one folder that use each other in a circle, or lie between two circles.
fn circles(sources: &Sources) -> Vec<String> {
    let mut folders: BTreeMap<Module, BTreeSet<(String, String)>> = BTreeMap::new();
    for (user, used) in sources.edges() {
        let common = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (user.get(common), used.get(common)) {
            folders.entry(user[..common].to_vec()).or_default().insert((a.clone(), b.clone()));
        }
    }
    let mut found = Vec::new();
    for (folder, mut edges) in folders {
        // Who uses nothing or is used by nobody is in no circle, nor is who is left alone with such.
        loop {
            let (users, used): (BTreeSet<String>, BTreeSet<String>) = edges.iter().cloned().unzip();
            let before = edges.len();
            edges.retain(|(a, b)| used.contains(a) && users.contains(b));
            if edges.len() == before {
                break;
            }
        }
        found.extend(edges.into_iter().map(|(a, b)| format!("{}: {a} uses {b}", folder.join("::"))));
    }
    found
}

#[test]
fn a_module_uses_only_modules_above_it() {
    for krate in ["macchiato-minimize", "macchiato-check", "macchiato-replay", "macchiato"] {
        let sources = sources(krate);
        assert!(sources.declared.len() > 6, "{krate} declares {:?}", sources.declared);
        assert!(sources.edges().len() > 12, "{krate} has {} uses", sources.edges().len());
        assert_eq!(against_the_order(&sources), [""; 0], "{krate}");
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    for krate in ["macchiato-minimize", "macchiato-check", "macchiato-replay", "macchiato", "macchiato-cli"] {
        assert_eq!(circles(&sources(krate)), [""; 0], "{krate}");
    }
}

fn example(files: &[(&str, &str)]) -> Sources {
    Sources::new(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())))
}

#[test]
fn a_use_from_above_is_found() {
    let lib = ("lib.rs", "mod low;\n\npub mod high;\n#[cfg(test)]\nmod tests;\n");
    let good = example(&[lib, ("low.rs", "// crate::high\n"), ("high.rs", "use crate::low::Low;")]);
    assert_eq!(against_the_order(&good), [""; 0]);
    let bad =
        example(&[lib, ("low/deep.rs", "fn f() { crate::high::g() }"), ("low.rs", ""), ("high.rs", "")]);
    assert_eq!(against_the_order(&bad), ["low::deep uses high, which is declared below low"]);
}

#[test]
fn a_circle_is_found_in_every_spelling() {
    for back in [
        "use super::{c::{self, C}, b::B};",
        "use crate::a::b;",
        "use super::{\n    b as other,\n};",
        "type T = super::b::B;",
    ] {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "mod b;\nmod c;\n"),
            ("a/b.rs", "use super::c::C;\n#[cfg(test)]\nmod tests {\n    use super::super::c::D;\n}\n"),
            ("a/c.rs", back),
        ];
        assert_eq!(circles(&example(&files)), ["a: b uses c", "a: c uses b"], "{back}");
        let files = [files[0], files[1], files[2], ("a/c.rs", "use super::Thing;")];
        assert_eq!(circles(&example(&files)), [""; 0]);
    }
}
