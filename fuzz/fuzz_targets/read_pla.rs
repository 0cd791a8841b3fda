//! No bytes make the PLA reader panic, and what it reads survives being written: the ON-set and the names come back
//! equal, and a second writing gives the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato_minimize::Cover;
use macchiato_minimize::pla::{self, Pla};

fuzz_target!(|bytes: &[u8]| {
    let Ok(pla) = pla::read(bytes, "fuzz.pla") else { return };
    let _ = pla.to_function();
    for cover in [pla.on(), pla.dont_care(), pla.off()] {
        let text = write(cover, &pla);
        let again = pla::read(text.as_slice(), "again.pla").expect("what is written can be read");
        assert_eq!(again.on(), cover);
        assert_eq!((again.input_names(), again.output_names()), (pla.input_names(), pla.output_names()));
        assert_eq!(write(again.on(), &again), text);
    }
});

fn write(cover: &Cover, names: &Pla) -> Vec<u8> {
    let mut text = Vec::new();
    pla::write(&mut text, cover, names.input_names(), names.output_names())
        .expect("a vector takes everything");
    text
}
