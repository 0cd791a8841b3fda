//! No bytes make a table reader panic, and what one reads survives being written: CSV gives the same table back, and a
//! second writing the same bytes. The first byte chooses the format and whether there are weights.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::table::{self, Compression, Format, ReadOptions, Table};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let format = [Format::Csv, Format::Tsv, Format::Pla, Format::Npy][usize::from(choice & 3)];
    let weight = (choice & 4 != 0).then(|| "x1".to_owned());
    let Ok(table) =
        table::read_from(bytes, "fuzz", format, &ReadOptions { weight, ..ReadOptions::default() })
    else {
        return;
    };
    // The one name that a table with weights cannot use again.
    if table.weights.is_some() && table.names.iter().any(|name| name == "weight") {
        return;
    }
    let text = write(&table);
    let weight = table.weights.as_ref().map(|_| "weight".to_owned());
    let options = ReadOptions { weight, ..ReadOptions::default() };
    let again = table::read_from(text.as_slice(), "fuzz", Format::Csv, &options)
        .expect("what is written can be read");
    assert_eq!(again, table);
    assert_eq!(write(&again), text);
});

fn write(table: &Table) -> Vec<u8> {
    let target = table.names.last().expect("a table has columns");
    let mut text = Vec::new();
    table::write_to(&mut text, table, Format::Csv, Compression::None, target).expect("CSV holds every table");
    text
}
