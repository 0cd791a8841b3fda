//! Whatever is changed: no panic, and `accepted` only where brute force over the cube finds the claim true.

use super::build::{
    Circuit, Compiled, Form, PAPER, Random, Xor, compile, compile_several, cube, small, three,
};
use crate::certificate::Certificate;
use crate::check;
use crate::network::{Network, floats};
use crate::sha256::{hex, sha256};

/// Whether the network computes the certificate's circuit on every point, in float32 and in both orders of summation.
fn brute_force(certificate: &[u8], network: &[u8]) -> bool {
    let certificate = Certificate::read(certificate).expect("what is accepted can be read");
    let network = crate::layers::read(network, &certificate).expect("what is accepted can be read");
    cube(certificate.inputs.len()).all(|x| {
        let wanted: Vec<u32> = certificate
            .circuits(|input| x[input])
            .into_iter()
            .map(|v| f32::from(u8::from(v)).to_bits())
            .collect();
        [false, true].into_iter().all(|backwards| {
            let found = evaluate(&certificate, &network, &x, backwards);
            found.into_iter().map(f32::to_bits).collect::<Vec<u32>>() == wanted
        })
    })
}

fn evaluate(certificate: &Certificate, network: &Network<'_>, x: &[bool], backwards: bool) -> Vec<f32> {
    let mut values: Vec<f32> = x.iter().map(|&bit| f32::from(u8::from(bit))).collect();
    for (layer, claim) in network.layers.iter().zip(&certificate.layers) {
        let one = |(row, bias): (&[u8], f32)| {
            let mut parts: Vec<f32> = floats(row).zip(&values).map(|(w, v)| w * v).collect();
            if backwards {
                parts.reverse();
            }
            let sum = parts.iter().fold(bias, |sum, part| sum + part);
            if claim.relu && sum <= 0.0 { 0.0 } else { sum + 0.0 }
        };
        values = layer.neurons().map(one).collect();
    }
    values
}

/// Checks the pair and, with the digest put right where it can be, the pair again; gives how often it was accepted.
fn try_pair(certificate: &[u8], network: &[u8]) -> usize {
    let mut accepted = 0;
    let mut tried = |certificate: &[u8]| {
        if check(certificate, network, None).is_accepted() {
            accepted += 1;
            assert!(brute_force(certificate, network), "accepted:\n{}", String::from_utf8_lossy(certificate));
        }
    };
    tried(certificate);
    let text = String::from_utf8_lossy(certificate);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let format = lines.get(1).and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let signed = format!("network {format} sha256 {} bytes {}", hex(&sha256(network)), network.len());
    if let Some(line) = lines.get_mut(1).filter(|line| **line != signed) {
        *line = &signed;
        tried(lines.join("\n").as_bytes());
    }
    accepted
}

fn subjects() -> Vec<Compiled> {
    let five =
        Circuit { inputs: 2, stages: (0..3).map(|t| (vec![t % 2], vec![vec![(t % 2, t == 2)]])).collect() };
    let one = Circuit { inputs: 1, stages: vec![(vec![0], vec![vec![(0, false)]])] };
    vec![
        compile(&small(), PAPER),
        compile(
            &small(),
            Form { narrow: true, deep: true, linear: true, prune: true, onnx: false, xor: Xor::Flat },
        ),
        compile(&five, Form { xor: Xor::Triangle, ..PAPER }),
        compile(&five, Form { xor: Xor::Tree(2), prune: true, onnx: false, ..PAPER }),
        compile(&Circuit { inputs: 1, stages: Vec::new() }, PAPER),
        compile_several(&three(), Form { prune: true, ..PAPER }),
        compile_several(&[one.clone(), one], Form { xor: Xor::Triangle, onnx: false, ..PAPER }),
    ]
}

#[test]
fn every_truncation() {
    for compiled in subjects() {
        let network = compiled.network();
        let certificate = compiled.certificate(&network);
        for length in 0..certificate.len() {
            assert_eq!(check(&certificate.as_bytes()[..length], &network, None).exit_code(), 2);
        }
        for length in 0..network.len() {
            assert_eq!(
                try_pair(certificate.as_bytes(), &network[..length]),
                0,
                "{length} bytes of the network"
            );
        }
    }
}

#[test]
fn every_token() {
    let mut accepted = 0;
    for compiled in subjects() {
        let network = compiled.network();
        let certificate = compiled.certificate(&network);
        let tokens: Vec<&str> = certificate.split_inclusive([' ', '\n']).collect();
        for (at, token) in tokens.iter().enumerate() {
            let (word, end) = token.split_at(token.len() - 1);
            let mut others: Vec<String> =
                ["", "0", "1", "2", "+0", "-1", "s1", "v1", "relu", "linear", "two", "narrow", "deep"]
                    .into_iter()
                    .chain([
                        "flat",
                        "fold 1",
                        "1.0",
                        "2.1",
                        "99999999999999999999",
                        "and",
                        "or",
                        ":",
                        ">",
                        "\"x9\"",
                    ])
                    .map(|other| format!("{other}{end}"))
                    .collect();
            let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
            let head = &word[..word.len() - digits.len()];
            if let Ok(number) = digits.parse::<u64>() {
                others.push(format!("{head}{}{end}", number + 1));
                others.push(format!("{head}{}{end}", number.wrapping_sub(1)));
            }
            others.extend([
                String::new(),
                format!("{token}{token}"),
                word.to_owned() + "\n",
                word.to_owned() + " ",
            ]);
            for other in others {
                let mut changed = tokens.clone();
                changed[at] = &other;
                accepted += try_pair(changed.concat().as_bytes(), &network);
            }
        }
    }
    assert!(accepted > 0, "names may change, and tokens may be replaced by themselves");
}

#[test]
fn every_weight() {
    let values = [-2.0, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, f32::NAN, f32::INFINITY, 1e-40, 16_777_216.0];
    let mut accepted = 0;
    for compiled in subjects() {
        for (l, layer) in compiled.layers.iter().enumerate() {
            for n in 0..layer.rows.len() {
                for w in 0..=layer.rows[n].len() {
                    for value in values {
                        let mut changed = compiled.clone();
                        let layer = &mut changed.layers[l];
                        *layer.rows[n].get_mut(w).unwrap_or(&mut layer.biases[n]) = value;
                        let network = changed.network();
                        accepted += try_pair(changed.certificate(&network).as_bytes(), &network);
                    }
                }
            }
        }
    }
    assert!(accepted > 0, "some values are those that were there");
}

#[test]
fn random_bytes() {
    let mut random = Random(99);
    for compiled in subjects() {
        let network = compiled.network();
        let certificate = compiled.certificate(&network).into_bytes();
        for _ in 0..4000 {
            let (mut certificate, mut network) = (certificate.clone(), network.clone());
            for _ in 0..=random.below(3) {
                let in_network = random.below(2) == 0;
                let bytes = if in_network { &mut network } else { &mut certificate };
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => bytes[at] = random.below(256) as u8,
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, random.below(256) as u8),
                }
            }
            try_pair(&certificate, &network);
        }
    }
}

/// Exchanging any two lines, or neurons of two gates, must not make a true claim false and accepted.
#[test]
fn every_exchange_of_lines() {
    for compiled in subjects() {
        let network = compiled.network();
        let certificate = compiled.certificate(&network);
        let lines: Vec<&str> = certificate.split_inclusive('\n').collect();
        for a in 0..lines.len() {
            for b in 0..lines.len() {
                let mut changed = lines.clone();
                changed.swap(a, b);
                try_pair(changed.concat().as_bytes(), &network);
                changed = lines.clone();
                changed[a] = lines[b];
                try_pair(changed.concat().as_bytes(), &network);
            }
        }
    }
}
