//! No bytes make the reader of model files panic, and a model that is read survives being written: the same model comes back,
//! and a second writing gives the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::model::Model;

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = Model::read(bytes, "fuzz.json") else { return };
    let text = write(&model);
    let again = Model::read(text.as_slice(), "again.json").expect("what is written can be read");
    assert_eq!(again, model);
    assert_eq!(write(&again), text);
});

fn write(model: &Model) -> Vec<u8> {
    let mut text = Vec::new();
    model.write(&mut text).expect("a vector takes everything");
    text
}
