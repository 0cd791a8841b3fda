//! Tables made from results, between two marker lines of a page.

use std::path::Path;

use anyhow::{Context, Result};

/// Puts the tables of the benchmark `name` between its markers, or with `check` only looks whether they are there;
/// `false` if they are not.
pub(crate) fn update(page: &Path, name: &str, tables: &str, check: bool) -> Result<bool> {
    let text = std::fs::read_to_string(page).with_context(|| page.display().to_string())?;
    let fresh = replace(&text, name, tables).with_context(|| {
        format!("{}: the lines {} and {} are missing", page.display(), begin(name), end(name))
    })?;
    if fresh == text {
        return Ok(true);
    }
    if check {
        eprintln!("lab: the tables in {} are stale: run `lab {name} --table-only`", page.display());
        return Ok(false);
    }
    std::fs::write(page, fresh).with_context(|| page.display().to_string())?;
    Ok(true)
}

/// The line before the tables.
fn begin(name: &str) -> String {
    format!("<!-- bench:{name} -->")
}

/// The line after them.
fn end(name: &str) -> String {
    format!("<!-- /bench:{name} -->")
}

/// `text` with `tables` between the two marker lines; `None` if they are not there, in this order.
fn replace(text: &str, name: &str, tables: &str) -> Option<String> {
    let marker = begin(name);
    let begin = text.find(&marker)? + marker.len();
    let end = begin + text[begin..].find(&end(name))?;
    Some(format!("{}\n{tables}{}", &text[..begin], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_go_between_the_markers_and_settle() {
        let page = "# Title\n\n<!-- bench:x -->\nold\n<!-- /bench:x -->\n\nMore.\n";
        let once = replace(page, "x", "| new |\n").unwrap();
        assert_eq!(once, "# Title\n\n<!-- bench:x -->\n| new |\n<!-- /bench:x -->\n\nMore.\n");
        assert_eq!(replace(&once, "x", "| new |\n").unwrap(), once);
        assert_eq!(replace("<!-- /bench:x --> <!-- bench:x -->", "x", ""), None);
        assert_eq!(replace(page, "y", ""), None);
    }
}
