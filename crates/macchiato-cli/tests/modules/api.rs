//! The public interface of each library as a committed text, so that a change of it is seen: what is `pub`, without documentation, bodies
//! and private fields, file by file in the order of the modules. The compiler's lint `unreachable_pub` sees to it that what is `pub` can be
//! reached from outside; under which name, the lines `pub use` say.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Field, Fields, File, ImplItem, Item, ItemImpl, TraitItem, Type, Visibility, parse_quote,
};

const LIBRARIES: [&str; 4] = ["macchiato", "macchiato-check", "macchiato-minimize", "macchiato-replay"];

#[test]
fn the_public_interface_is_the_committed_one() {
    let mut changed = Vec::new();
    for library in LIBRARIES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(library);
        let (found, path) = (interface(&folder.join("src")), folder.join("api.txt"));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &found).expect("the file can be written");
        }
        let known = fs::read_to_string(&path).unwrap_or_default();
        changed.extend(difference(&known, &found).into_iter().map(|line| format!("{library}: {line}")));
    }
    assert!(
        changed.is_empty(),
        "the public interface is not the one in crates/*/api.txt:\n{}\nIf that is meant, \
         `UPDATE=1 cargo test -p macchiato-cli --test modules interface` writes the files; name the change in CHANGELOG.md",
        changed.join("\n")
    );
}

/// Lines that only one of two texts has, as often as it has them more often.
fn difference(known: &str, found: &str) -> Vec<String> {
    let (mut gone, mut new): (Vec<&str>, Vec<&str>) = (known.lines().collect(), Vec::new());
    for line in found.lines() {
        match gone.iter().position(|known| *known == line) {
            Some(at) => drop(gone.remove(at)),
            None => new.push(line),
        }
    }
    let shown = |sign: char, lines: Vec<&str>| {
        lines.into_iter().map(move |line| format!("{sign} {line}")).collect::<Vec<_>>()
    };
    let mut lines = [shown('-', gone), shown('+', new)].concat();
    if lines.is_empty() && known != found {
        lines.push("the same lines in another order".to_owned());
    }
    lines
}

/// The interface of the crate whose `lib.rs` lies in this folder.
fn interface(folder: &Path) -> String {
    let mut files = Vec::new();
    collect(&folder.join("lib.rs"), folder, "", &mut files);
    let (mut types, mut hidden) = (BTreeSet::new(), BTreeSet::new());
    for (_, file) in &files {
        for item in &file.items {
            let (visibility, name) = match item {
                Item::Struct(item) => (&item.vis, &item.ident),
                Item::Enum(item) => (&item.vis, &item.ident),
                Item::Trait(item) => (&item.vis, &item.ident),
                _ => continue,
            };
            if is_public(visibility) { &mut types } else { &mut hidden }.insert(name.to_string());
        }
    }
    let mut text = String::new();
    for (path, file) in files {
        let items: Vec<Item> =
            file.items.into_iter().filter_map(|item| public(item, &types, &hidden)).collect();
        if !items.is_empty() {
            let file =
                prettyplease::unparse(&File { shebang: None, frontmatter: None, attrs: Vec::new(), items });
            let heading = if path.is_empty() { "the crate itself" } else { &path };
            writeln!(text, "// {heading}\n{file}").expect("a string takes everything");
        }
    }
    text
}

/// A file and the files of its modules, in the order in which they are declared, tests left out.
fn collect(path: &Path, folder: &Path, module: &str, files: &mut Vec<(String, File)>) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let modules: Vec<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Mod(item) if item.content.is_none() && !is_test(&item.attrs) => {
                Some(item.ident.to_string())
            }
            _ => None,
        })
        .collect();
    files.push((module.to_owned(), file));
    for name in modules {
        let path: PathBuf = folder.join(format!("{name}.rs"));
        let module = if module.is_empty() { name.clone() } else { format!("{module}::{name}") };
        collect(&path, &folder.join(name), &module, files);
    }
}

/// What others see of an item.
fn public(mut item: Item, types: &BTreeSet<String>, hidden: &BTreeSet<String>) -> Option<Item> {
    let is_seen = match &mut item {
        Item::Const(item) => seen(&item.vis, &mut item.attrs),
        Item::Enum(item) => {
            for variant in &mut item.variants {
                trim(&mut variant.attrs);
                variant.fields.iter_mut().for_each(|field| trim(&mut field.attrs));
            }
            seen(&item.vis, &mut item.attrs)
        }
        Item::Fn(item) => {
            *item.block = nothing();
            seen(&item.vis, &mut item.attrs)
        }
        Item::Impl(item) => implementation(item, types, hidden),
        Item::Mod(item) => seen(&item.vis, &mut item.attrs),
        Item::Struct(item) => {
            fields(&mut item.fields);
            seen(&item.vis, &mut item.attrs)
        }
        Item::Trait(item) => {
            for item in &mut item.items {
                if let TraitItem::Fn(item) = item {
                    trim(&mut item.attrs);
                    item.default = item.default.as_ref().map(|_| nothing());
                }
            }
            seen(&item.vis, &mut item.attrs)
        }
        Item::Type(item) => seen(&item.vis, &mut item.attrs),
        Item::Use(item) => seen(&item.vis, &mut item.attrs),
        _ => false,
    };
    is_seen.then_some(item)
}

/// Public functions of a public type, or that it implements a trait.
fn implementation(item: &mut ItemImpl, types: &BTreeSet<String>, hidden: &BTreeSet<String>) -> bool {
    let name =
        |path: &syn::Path| path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    let of_public = match &*item.self_ty {
        Type::Path(path) => types.contains(&name(&path.path)),
        _ => false,
    };
    if !of_public || is_test(&item.attrs) {
        return false;
    }
    trim(&mut item.attrs);
    if let Some(implemented) = &item.trait_ {
        let known = !hidden.contains(&name(&implemented.0));
        item.items.retain(|item| matches!(item, ImplItem::Type(_)));
        return known;
    }
    item.items.retain_mut(|item| match item {
        ImplItem::Fn(item) => {
            item.block = nothing();
            seen(&item.vis, &mut item.attrs)
        }
        ImplItem::Const(item) => seen(&item.vis, &mut item.attrs),
        _ => false,
    });
    !item.items.is_empty()
}

/// Private fields as one, without a type: who has them cannot be made from outside.
fn fields(fields: &mut Fields) {
    let public = |fields: &Punctuated<Field, syn::token::Comma>| {
        let mut seen: Vec<Field> = fields.iter().filter(|field| is_public(&field.vis)).cloned().collect();
        for field in &mut seen {
            trim(&mut field.attrs);
        }
        (seen.len() < fields.len(), seen)
    };
    match fields {
        Fields::Named(named) => {
            let (private, mut shown) = public(&named.named);
            shown.extend(private.then(|| -> Field { parse_quote!(private: _) }));
            named.named = shown.into_iter().collect();
        }
        Fields::Unnamed(unnamed) => {
            let (private, mut shown) = public(&unnamed.unnamed);
            if private {
                let infer: Field =
                    Field { ty: parse_quote!(_), vis: Visibility::Inherited, ..unnamed.unnamed[0].clone() };
                shown.push(infer);
            }
            unnamed.unnamed = shown.into_iter().collect();
        }
        Fields::Unit => {}
    }
}

fn nothing() -> Block {
    parse_quote!({})
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.contains(&parse_quote!(#[cfg(test)]))
}

/// Whether others see an item; if so, with the attributes that they notice.
fn seen(visibility: &Visibility, attributes: &mut Vec<Attribute>) -> bool {
    let seen = is_public(visibility) && !is_test(attributes);
    trim(attributes);
    seen
}

/// Keeps what a user of the item notices of its attributes.
fn trim(attributes: &mut Vec<Attribute>) {
    let kept = ["cfg", "derive", "must_use", "non_exhaustive"];
    attributes.retain(|attribute| kept.iter().any(|name| attribute.path().is_ident(name)));
}

#[test]
fn a_change_of_the_interface_is_seen() {
    let known = "pub fn a() {}\npub fn b() {}\n";
    assert_eq!(difference(known, known), [""; 0]);
    assert_eq!(difference(known, "pub fn b() {}\npub fn c() {}\n"), ["- pub fn a() {}", "+ pub fn c() {}"]);
    assert_eq!(difference(known, "pub fn b() {}\npub fn a() {}\n"), ["the same lines in another order"]);
    let text = |source: &str| {
        let items = syn::parse_file(source).expect("a source").items;
        let types = BTreeSet::from(["S".to_owned()]);
        let items = items.into_iter().filter_map(|item| public(item, &types, &BTreeSet::new())).collect();
        prettyplease::unparse(&File { shebang: None, frontmatter: None, attrs: Vec::new(), items })
    };
    let source = "/// Said.\n#[derive(Debug)]\npub struct S { pub a: u8, b: u8 }\nimpl S { pub fn f(&self) -> u8 { self.b } fn g() {} }\nfn h() {}";
    assert_eq!(
        text(source),
        "#[derive(Debug)]\npub struct S {\n    pub a: u8,\n    private: _,\n}\nimpl S {\n    pub fn f(&self) -> u8 {}\n}\n"
    );
    for (from, to) in [
        ("pub a: u8", "pub a: u16"),
        ("b: u8 }", "}"),
        ("pub fn f(&self)", "pub fn f()"),
        ("fn h", "pub fn h"),
    ] {
        let changed = source.replacen(from, to, 1);
        assert_ne!(text(&changed), text(source), "{to}");
    }
    for (from, to) in [("Said", "Told"), ("self.b", "self.a"), ("b: u8 }", "b: u16 }"), ("fn h", "fn i")] {
        assert_eq!(text(&source.replacen(from, to, 1)), text(source), "{to}");
    }
}
