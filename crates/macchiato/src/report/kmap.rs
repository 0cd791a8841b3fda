//! The Karnaugh map of a stage of at most six inputs: neighbouring cells differ in one input.
//!
//! With training rows each cell says how many of them lie in it; a cell without any is what the learner filled in itself.

use std::fmt::Write as _;

use super::escape::{Text, thousands};
use super::table::{Squares, gray};
use crate::stage::Signed;

/// The most inputs of a map; more go into a heat map.
pub(super) const INPUTS: usize = 6;

/// The map of these cells; `name` says a literal in words.
pub(super) fn kmap(out: &mut String, cells: &Squares, name: impl Fn(Signed) -> String) {
    let (rows, columns) = cells.shape();
    let named = |inputs: &[usize]| -> String {
        let names: Vec<String> =
            inputs.iter().map(|&input| format!("<b>{}</b>", Text(&name((input, true))))).collect();
        names.join(", ")
    };
    let (down, across) = cells.inputs.split_at(rows);
    out.push_str("<figure class=\"kmap\"><figcaption>Karnaugh map. ");
    if !down.is_empty() {
        let _ = write!(out, "Down: {}. ", named(down));
    }
    let _ = write!(out, "Across: {}.", named(across));
    let vars: Vec<String> = cells.inputs.iter().map(ToString::to_string).collect();
    let _ = write!(
        out,
        "</figcaption><div class=\"scroll\"><table data-vars=\"{}\"><thead><tr><td></td>",
        vars.join(" ")
    );
    for column in 0..1usize << columns {
        let _ = write!(out, "<th scope=\"col\">{}</th>", bits(gray(column), columns));
    }
    out.push_str("</tr></thead><tbody>");
    for row in 0..1usize << rows {
        let _ = match rows {
            0 => write!(out, "<tr><td class=\"none\"></td>"),
            _ => write!(out, "<tr><th scope=\"row\">{}</th>", bits(gray(row), rows)),
        };
        for column in 0..1usize << columns {
            let at = gray(row) << columns | gray(column);
            let one = cells.ones[at] > 0;
            let seen = cells.rows.as_ref().map(|rows| rows[at]);
            let class = match (one, seen) {
                (true, Some(0)) => "one unseen",
                (false, Some(0)) => "unseen",
                (true, _) => "one",
                (false, _) => "zero",
            };
            let _ = write!(
                out,
                "<td class=\"{class}\" data-m=\"{}\">{}",
                bits(at, rows + columns),
                u8::from(one)
            );
            match seen {
                Some(0) | None => {}
                Some(seen) => {
                    let _ = write!(out, "<small>{}</small>", thousands(seen));
                }
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></figure>");
}

/// A number as `width` binary digits; none where there are no inputs on this side.
fn bits(number: usize, width: usize) -> String {
    (0..width).rev().map(|bit| if number >> bit & 1 == 1 { '1' } else { '0' }).collect()
}
