//! The file: golden bytes, lies that are told apart, and bytes that went wrong.

use super::*;

pub(super) fn text(classifier: &Classifier) -> String {
    let mut bytes = Vec::new();
    classifier.write(&mut bytes).expect("written");
    String::from_utf8(bytes).expect("text")
}

pub(super) fn read(text: &str) -> Result<Classifier, String> {
    Classifier::read(text.as_bytes(), "c.json").map_err(|error| error.to_string())
}
