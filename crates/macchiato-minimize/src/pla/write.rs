//! Writes a cover as a PLA file of type `f`, spelled as Berkeley's `espresso` spells its results.

use std::io::{self, Write};

use super::PlaType;
use crate::cover::Cover;
use crate::cube::{Literal, Shape};

/// Writes `cover` with its names, where there are some; the same cover gives the same bytes.
///
/// # Errors
/// What `out` reports; names that are not one for each input or output, or that a reader would not take for a name.
///
/// ```
/// use macchiato_minimize::{Cover, Literal, Shape, pla};
///
/// let mut and = Cover::new(Shape::new(3, 1));
/// and.push(&[Literal::Positive, Literal::Free, Literal::Negative], &[true]);
/// let mut text = Vec::new();
/// pla::write(&mut text, &and, None, None)?;
/// assert_eq!(text, b".i 3\n.o 1\n.p 1\n1-0 1\n.e\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(
    out: &mut impl Write,
    cover: &Cover,
    input_names: Option<&[String]>,
    output_names: Option<&[String]>,
) -> io::Result<()> {
    let shape = cover.shape();
    check_names(input_names, shape.inputs(), "input")?;
    check_names(output_names, shape.outputs(), "output")?;
    write!(out, ".i {}\n.o {}\n", shape.inputs(), shape.outputs())?;
    write_names(out, ".ilb", input_names)?;
    write_names(out, ".ob", output_names)?;
    writeln!(out, ".p {}", cover.terms())?;
    let mut row = Vec::with_capacity(shape.inputs() + shape.outputs() + 2);
    for cube in cover.cubes() {
        row.clear();
        spell_row(&mut row, shape, cube);
        out.write_all(&row)?;
    }
    out.write_all(b".e\n")
}

/// Writes the sets of a function that `kind` gives, in Berkeley's spelling: `1`, `2` and `0` for points of the ON-set, the
/// don't-care set and the OFF-set, `~` for no word about an output. Sets that `kind` does not give are left out.
///
/// # Errors
/// As for [`write()`].
///
/// ```
/// use macchiato_minimize::pla::{self, PlaType};
///
/// let text = ".i 2\n.o 1\n11 1\n10 -\n.e\n";
/// let read = pla::read(text.as_bytes(), "a.pla")?;
/// let mut out = Vec::new();
/// pla::write_sets(&mut out, PlaType::Fd, [read.on(), read.dont_care(), read.off()], None, None)?;
/// assert_eq!(out, b".type fd\n.i 2\n.o 1\n.p 2\n11 1\n10 2\n.end\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_sets(
    out: &mut impl Write,
    kind: PlaType,
    [on, dont_care, off]: [&Cover; 3],
    input_names: Option<&[String]>,
    output_names: Option<&[String]>,
) -> io::Result<()> {
    let shape = on.shape();
    check_names(input_names, shape.inputs(), "input")?;
    check_names(output_names, shape.outputs(), "output")?;
    write!(out, ".type {}\n.i {}\n.o {}\n", kind.name(), shape.inputs(), shape.outputs())?;
    write_names(out, ".ilb", input_names)?;
    write_names(out, ".ob", output_names)?;
    let mut sets = vec![(on, b'1')];
    sets.extend(kind.gives_dont_care().then_some((dont_care, b'2')));
    sets.extend(kind.gives_off().then_some((off, b'0')));
    writeln!(out, ".p {}", sets.iter().map(|(set, _)| set.terms()).sum::<usize>())?;
    let mut row = Vec::with_capacity(shape.inputs() + shape.outputs() + 2);
    for (set, asserted) in sets {
        for cube in set.cubes() {
            row.clear();
            spell_inputs(&mut row, shape, cube);
            row.extend((0..shape.outputs()).map(|o| if shape.asserts(cube, o) { asserted } else { b'~' }));
            row.push(b'\n');
            out.write_all(&row)?;
        }
    }
    out.write_all(b".end\n")
}

fn spell_inputs(row: &mut Vec<u8>, shape: Shape, cube: &[u64]) {
    row.extend((0..shape.inputs()).map(|i| match shape.literal(cube, i) {
        Literal::Negative => b'0',
        Literal::Positive => b'1',
        Literal::Free => b'-',
    }));
    row.push(b' ');
}

fn spell_row(row: &mut Vec<u8>, shape: Shape, cube: &[u64]) {
    spell_inputs(row, shape, cube);
    row.extend((0..shape.outputs()).map(|o| if shape.asserts(cube, o) { b'1' } else { b'0' }));
    row.push(b'\n');
}

fn write_names(out: &mut impl Write, keyword: &str, names: Option<&[String]>) -> io::Result<()> {
    let Some(names) = names else { return Ok(()) };
    out.write_all(keyword.as_bytes())?;
    for name in names {
        write!(out, " {name}")?;
    }
    out.write_all(b"\n")
}

fn check_names(names: Option<&[String]>, expected: usize, what: &str) -> io::Result<()> {
    let Some(names) = names else { return Ok(()) };
    let invalid = |message| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    if names.len() != expected {
        return invalid(format!("{} {what} names for {expected} {what}s", names.len()));
    }
    let is_name = |name: &str| {
        !name.is_empty() && !name.starts_with('#') && !name.bytes().any(|b| matches!(b, b' ' | b'\t'..=b'\r'))
    };
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => invalid(format!("{name:?} cannot be the name of an {what} in a PLA file")),
        None => Ok(()),
    }
}
