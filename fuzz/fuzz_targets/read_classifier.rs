//! No bytes make the reader of classifier files panic, and a classifier that is read survives being written: the same one comes
//! back, and a second writing gives the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::classifier::Classifier;

fuzz_target!(|bytes: &[u8]| {
    let Ok(classifier) = Classifier::read(bytes, "fuzz.json") else { return };
    assert!(Classifier::is_classifier(bytes), "a classifier that does not call itself one was read");
    let text = write(&classifier);
    let again = Classifier::read(text.as_slice(), "again.json").expect("what is written can be read");
    assert_eq!(again, classifier);
    assert_eq!(write(&again), text);
});

fn write(classifier: &Classifier) -> Vec<u8> {
    let mut text = Vec::new();
    classifier.write(&mut text).expect("a vector takes everything");
    text
}
