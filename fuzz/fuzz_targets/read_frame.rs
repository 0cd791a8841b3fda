//! No bytes make a reader of tables panic, what one reads survives being written, and it becomes bits: CSV gives the same columns back.
//! The first byte chooses the format and whether there are weights.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
use macchiato::frame::{self, Compression, Format, Frame, FrameOptions, Values};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let format = [Format::Csv, Format::Tsv, Format::Pla, Format::Npy][usize::from(choice & 3)];
    let weight = (choice & 4 != 0).then(|| "x1".to_owned());
    let mut options = FrameOptions::default();
    options.weight = weight;
    let Ok(frame) = frame::read_from(bytes, "fuzz", format, &options) else { return };
    // The one name that a table with weights cannot use again.
    if frame.weights.is_none() || !frame.names.iter().any(|name| name == "weight") {
        let text = write(&frame);
        let types = frame.names.iter().cloned().zip(frame.columns.iter().map(Values::kind)).collect();
        let weight = frame.weights.as_ref().map(|_| "weight".to_owned());
        let mut options = FrameOptions::default();
        (options.weight, options.types) = (weight, types);
        let again = frame::read_from(text.as_slice(), "fuzz", Format::Csv, &options);
        let again = again.expect("what is written can be read");
        assert_eq!((&again.names, again.rows, &again.weights), (&frame.names, frame.rows, &frame.weights));
        assert_eq!(write(&again), text);
    }
    let codes: Vec<u32> = (0..frame.rows as u32).map(|row| row % 2).collect();
    let labels = Labels { codes: &codes, classes: 2, weights: None };
    let learned = Binarizer::learn_and_apply(&frame, &labels, &BinarizeOptions::default());
    let (binarizer, bits) = learned.expect("a frame that was read has good columns");
    assert_eq!(binarizer.apply(&frame).expect("the same rows"), bits);
});

fn write(frame: &Frame) -> Vec<u8> {
    let mut text = Vec::new();
    frame::write_to(&mut text, frame, Format::Csv, Compression::None, None).expect("CSV holds every frame");
    text
}
