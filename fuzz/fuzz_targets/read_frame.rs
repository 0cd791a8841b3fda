//! No bytes make a reader of typed columns panic, what one reads can be written, and it becomes bits. The first byte chooses
//! the format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
use macchiato::frame::{self, FrameOptions};
use macchiato::table::{Compression, Format};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let format = [Format::Csv, Format::Tsv, Format::Npy][usize::from(choice % 3)];
    let Ok(frame) = frame::read_from(bytes, "fuzz", format, &FrameOptions::default()) else { return };
    let mut text = Vec::new();
    frame::write_to(&mut text, &frame, Format::Csv, Compression::None).expect("CSV holds every frame");
    let codes: Vec<u32> = (0..frame.rows as u32).map(|row| row % 2).collect();
    let labels = Labels { codes: &codes, classes: 2, weights: None };
    let learned = Binarizer::learn_and_apply(&frame, &labels, &BinarizeOptions::default());
    let (binarizer, bits) = learned.expect("a frame that was read has good columns");
    assert_eq!(binarizer.apply(&frame).expect("the same rows"), bits);
});
