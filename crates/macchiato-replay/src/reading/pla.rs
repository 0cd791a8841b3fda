//! Rows of a PLA file: type `fr`, one output, and points only: `0` and `1`.

use super::names;
use crate::Refusal;
use crate::rows::{Rows, set};
use macchiato_check::{Fault, reject};

/// Counts the rows in.
pub(super) fn read<'a>(
    rows: &mut Rows,
    lines: impl Iterator<Item = (usize, &'a str)>,
    inputs: &[String],
    wanted: &str,
) -> Result<(), Refusal> {
    let mut names: Vec<String> = (1..=rows.inputs).map(|i| format!("x{i}")).collect();
    let mut target = "y".to_owned();
    let mut typed = false;
    let mut point = vec![0u64; rows.words()];
    for (number, line) in lines {
        let fault =
            |column: usize, why: &str| Refusal::Rows(Fault { line: number, column, why: why.to_owned() });
        let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
        let keyword = words.clone().next().unwrap_or_default();
        if !keyword.starts_with('.') {
            if !keyword.is_empty() {
                if !typed {
                    return Err(fault(1, "a row before `.type fr`: only there do rows say 0"));
                }
                let label = row(rows.inputs, line, &mut point).map_err(|(column, why)| fault(column, why))?;
                rows.add(&point, label, 1);
            }
            continue;
        }
        words.next();
        let argument = words.clone().next().unwrap_or_default();
        match keyword {
            ".i" if argument != rows.inputs.to_string() => {
                return Ok(reject("rows", format!("they have {argument} inputs, not {}", rows.inputs))?);
            }
            ".o" if argument != "1" => return Err(fault(1, "only one output can be the target")),
            ".type" if argument == "fr" => typed = true,
            ".type" => return Err(fault(1, "rows are labelled only in files of `.type fr`")),
            ".ilb" => names = words.map(str::to_owned).collect(),
            ".ob" => argument.clone_into(&mut target),
            ".phase" if argument != "1" => return Err(fault(1, "only positive phase is known")),
            ".i" | ".o" | ".p" | ".phase" => {}
            ".e" | ".end" => break,
            _ => return Err(fault(1, "this keyword is not known")),
        }
    }
    names::check(names.iter().map(String::as_str), inputs)?;
    if target != wanted {
        return Ok(reject("rows", format!("their target is {target:?}, not {wanted:?}"))?);
    }
    Ok(())
}

/// One character for each input, then one for the output; space and `|` may stand between them.
fn row(inputs: usize, line: &str, point: &mut [u64]) -> Result<bool, (usize, &'static str)> {
    point.fill(0);
    let mut label = None;
    let mut read = 0;
    for (at, symbol) in line.bytes().enumerate() {
        let value = match symbol {
            b'0' => false,
            b'1' => true,
            b' ' | b'\t' | b'|' => continue,
            b'#' => break,
            _ => return Err((at + 1, "a row of labelled points has only 0 and 1")),
        };
        if read < inputs {
            set(point, read, value);
        } else if label.replace(value).is_some() {
            return Err((at + 1, "the row goes on after its output"));
        }
        read += 1;
    }
    label.ok_or((line.len() + 1, "the row ends before its output"))
}
