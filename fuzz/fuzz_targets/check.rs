//! No bytes make the checker panic, whether they are a certificate, a network or rows; and what it accepts is true: on all
//! points of up to 10 inputs, else on 1,000 random ones, the network gives the circuit's values in float32.
//!
//! The first four bytes say where the certificate and the network end; the rest are training rows, if there is any.
//! Digests and lengths are put right first. What `check_behaviour` calls equal is held to the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use macchiato_check::{Certificate, Circuit, Verdict, check};
use macchiato_fuzz::network::Network;
use macchiato_fuzz::repair::repaired;
use macchiato_replay::{Behaviour, check_behaviour, replay};

fuzz_target!(|bytes: &[u8]| {
    let Some((lengths, rest)) = bytes.split_first_chunk::<4>() else { return };
    let [a, b, c, d] = *lengths;
    let (certificate, rest) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes([a, b]))));
    let (network, rows) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes([c, d]))));
    let certificate = repaired(&repaired(certificate, "network", network), "training data", rows);
    let verdict = check(&certificate, network);
    // Whatever the rows say, reading them must not panic.
    let _ = replay(&certificate, rows);
    let Ok(read) = Certificate::read(&certificate) else {
        assert!(matches!(verdict, Verdict::Unreadable { .. }), "no certificate, yet {verdict}");
        return;
    };
    let Ok(circuit) = Circuit::of(&read) else {
        assert!(!verdict.is_accepted(), "no circuit, yet {verdict}");
        return;
    };
    // In between, every point is evaluated, which takes too long here.
    let behaviour = (!(9..=20).contains(&circuit.inputs)).then(|| check_behaviour(&certificate, network));
    if verdict.is_accepted() {
        compare(&certificate, network, &circuit);
        assert!(
            behaviour
                .is_none_or(|found| matches!(found, Behaviour::Equal { .. } | Behaviour::Undecided { .. })),
            "accepted, yet it behaves otherwise"
        );
    } else if matches!(behaviour, Some(Behaviour::Equal { .. })) {
        compare(&certificate, network, &circuit);
    }
});

/// Panics where the network differs from the circuits.
fn compare(certificate: &[u8], network: &[u8], circuit: &Circuit) {
    let text = std::str::from_utf8(certificate).expect("an accepted certificate is text");
    let onnx = text.lines().any(|line| line.starts_with("network onnx "));
    let last_relu =
        text.lines().rfind(|line| line.starts_with("layer ")).is_some_and(|line| line.ends_with(" relu"));
    let network = Network::read(network, onnx, last_relu).expect("an accepted file is a network");
    let inputs = circuit.inputs;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 63 == 1
    };
    for number in 0..if inputs <= 10 { 1 << inputs } else { 1000 } {
        let bit = |i: usize| if inputs <= 10 { number >> i & 1 == 1 } else { random() };
        let point: Vec<bool> = (0..inputs).map(bit).collect();
        let circuits: Vec<f32> = circuit.at(|input| point[input]).iter().map(|&value| value as f32).collect();
        assert_eq!(network.at(&point), circuits, "at {point:?}");
    }
}
