//! Whatever is changed: no panic, and `accepted` only where brute force over the cube finds the claim true.

use super::build::{
    Circuit, Compiled, Form, From, Op, PAPER, Random, Xor, compile, cube, g, shared, small, x,
};
use crate::certificate::Certificate;
use crate::check;
use crate::sha256::sha256;

/// Whether the network gives on every point what the gates mean one by one, and what the checker's circuit says: in float32,
/// in both orders of summation.
fn brute_force(compiled: &Compiled, circuit: &crate::Circuit) -> bool {
    cube(compiled.inputs).all(|x| {
        let wanted = circuit.at(|input| x[input]);
        let meant = compiled.meaning(&x).expect("what is accepted means something");
        let float = |value: &u64| (*value as f32).to_bits();
        meant.into_iter().map(|value| value as u64).eq(wanted.iter().copied())
            && [false, true].into_iter().all(|backwards| {
                let found = compiled.at(&x, backwards);
                found.into_iter().map(f32::to_bits).eq(wanted.iter().map(float))
            })
    })
}

/// Checks what was compiled; accepted means true.
fn is_accepted(compiled: &Compiled) -> bool {
    let network = compiled.network();
    let text = compiled.certificate(&network);
    let accepted = check(text.as_bytes(), &network).is_accepted();
    if accepted {
        let certificate = Certificate::read(text.as_bytes()).expect("what is accepted can be read");
        let circuit = crate::Circuit::of(&certificate).expect("what is accepted has a circuit");
        assert!(brute_force(compiled, &circuit), "accepted:\n{text}");
    }
    accepted
}

fn subjects() -> Vec<Compiled> {
    let parity = |inputs: usize| {
        let reads = (0..inputs).map(|i| if i == 1 { !x(i % 3) } else { x(i % 3) }).collect();
        Circuit { inputs: 3, gates: vec![(Op::Xor, reads)], outputs: vec![g(0)] }
    };
    let points = Circuit {
        inputs: 3,
        gates: vec![
            (Op::Least(3), vec![2 * x(0), 2 * !x(1), x(2)]),
            (Op::Sum, vec![g(0), 2 * x(2)]),
            (Op::Counts("1-1", &[1]), vec![g(0), x(1), x(1)]),
        ],
        outputs: vec![g(1), g(2), !g(0)],
    };
    let plain = Form { literals: false, ..PAPER };
    vec![
        compile(&small(), PAPER),
        compile(&small(), Form { narrow: true, deep: true, linear: true, onnx: false, ..plain }),
        compile(&parity(5), Form { xor: Xor::Triangle, ..plain }),
        compile(&parity(4), Form { xor: Xor::Tree(2), onnx: false, ..plain }),
        compile(&points, Form { linear: true, ..plain }),
        compile(&shared(), Form { deep: true, xor: Xor::Tree(3), onnx: false, ..plain }),
        compile(&Circuit { inputs: 1, gates: vec![(Op::Or, vec![])], outputs: vec![g(0)] }, plain),
    ]
}

/// One change to any number, word, operand, layer or place of the certificate.
fn mutate(random: &mut Random, c: &mut Compiled) {
    let at = random.below(c.gates.len());
    let small = [-3, -2, -1, 0, 1, 2, 3, 5, (1 << 24) - 1];
    let (inputs, layers) = (c.inputs, c.widths.len());
    let other = c.gates[random.below(c.gates.len())].clone();
    let gate = &mut c.gates[at];
    let from = |random: &mut Random| match random.below(inputs + at) {
        input if input < inputs => From::X(input),
        gate => From::G(gate - inputs),
    };
    match random.below(16) {
        0..5 if !gate.neurons.is_empty() => {
            let n = random.below(gate.neurons.len());
            let field = &mut gate.neurons[n][random.below(4)];
            *field =
                if random.below(2) == 0 { *field + small[random.below(8)] } else { small[random.below(9)] };
            gate.neurons[n][0] = gate.neurons[n][0].max(0);
        }
        5 => gate.base = small[random.below(9)],
        6 | 7 if !gate.reads.is_empty() => {
            let read = random.below(gate.reads.len());
            match random.below(4) {
                0 => gate.reads[read].from = from(random),
                1 => gate.reads[read].positive ^= true,
                2 => gate.reads[read].weight = 1 + random.below(4) as i64,
                _ => drop(gate.reads.remove(read)),
            }
        }
        8 => {
            let read = super::build::Read { from: from(random), positive: random.below(2) == 0, weight: 1 };
            gate.reads.push(read);
        }
        9 | 10 => {
            let rules = ["and", "or", "xor", "sum", "relay", "nor", "fold", "least 0", "least 1", "least 2"];
            let more = ["least 3", "least 16777216", "counts 0-0", "counts 1-1", "counts 1-2,4-4"];
            let all = [rules.as_slice(), &more].concat();
            gate.rule = all[random.below(all.len())].to_owned();
        }
        11 => gate.layer = 1 + random.below(layers),
        12 if gate.neurons.len() > 1 => drop(gate.neurons.pop()),
        12 | 13 => {
            // As another gate, in its own place.
            (gate.rule, gate.base) = (other.rule, other.base);
            for (to, from) in gate.neurons.iter_mut().zip(other.neurons) {
                to[1..].copy_from_slice(&from[1..]);
            }
        }
        14 => {
            let o = random.below(c.outputs.len());
            match random.below(2) {
                0 => c.outputs[o].1 = at,
                _ => c.outputs[o].2 = random.below(5) as i64,
            }
        }
        _ => {
            let last = c.activations.len() - 1;
            c.activations[last] ^= true;
        }
    }
}

/// A number of the file is another one.
fn spoil(random: &mut Random, c: &mut Compiled) {
    let values = [-2.0, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, f32::NAN, f32::INFINITY, 1e-40, 16_777_216.0];
    let l = random.below(c.layers.len());
    let layer = &mut c.layers[l];
    let n = random.below(layer.rows.len());
    let w = random.below(layer.rows[n].len() + 1);
    *layer.rows[n].get_mut(w).unwrap_or(&mut layer.biases[n]) = values[random.below(values.len())];
}

/// One to four changes. In most the file follows the certificate, so that nothing but the gates' own truth is left to see.
#[test]
fn a_hundred_thousand_mutations() {
    let rounds = 100_000;
    let mut random = Random(2026);
    let (subjects, mut accepted) = (subjects(), 0);
    for round in 0..rounds {
        let mut changed = subjects[round % subjects.len()].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut random, &mut changed);
        }
        match random.below(8) {
            0 => {}
            1 => {
                changed.derive();
                spoil(&mut random, &mut changed);
            }
            _ => changed.derive(),
        }
        accepted += usize::from(is_accepted(&changed));
    }
    assert!(accepted > rounds / 100, "only {accepted}: true claims should be among them");
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
                        accepted += usize::from(is_accepted(&changed));
                    }
                }
            }
        }
    }
    assert!(accepted > 0, "some values are those that were there");
}

/// Text as bytes, with the digest put right: what is accepted must be the circuit of *its* text, on the file that was not changed.
fn try_text(compiled: &Compiled, text: &str, network: &[u8]) -> usize {
    let mut accepted = 0;
    let mut tried = |text: &str| {
        if check(text.as_bytes(), network).is_accepted() {
            accepted += 1;
            let certificate = Certificate::read(text.as_bytes()).expect("what is accepted can be read");
            let circuit = crate::Circuit::of(&certificate).expect("what is accepted has a circuit");
            for x in cube(compiled.inputs) {
                let wanted = circuit.at(|input| x[input]).into_iter().map(|value| (value as f32).to_bits());
                // safetensors files have the activations that their certificate says.
                let mut file = compiled.clone();
                file.layers.iter_mut().zip(&certificate.layers).for_each(|(to, from)| to.relu = from.relu);
                assert!(file.at(&x, false).into_iter().map(f32::to_bits).eq(wanted), "accepted:\n{text}");
            }
        }
    };
    tried(text);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let format = lines.get(1).and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let signed = format!("network {format} sha256 {} bytes {}", sha256(network), network.len());
    if let Some(line) = lines.get_mut(1).filter(|line| **line != signed) {
        *line = &signed;
        tried(&lines.join("\n"));
    }
    accepted
}

#[test]
fn every_truncation() {
    for compiled in subjects() {
        let network = compiled.network();
        let text = compiled.certificate(&network);
        for length in 0..text.len() {
            assert_eq!(check(&text.as_bytes()[..length], &network).exit_code(), 2);
        }
        for length in 0..network.len() {
            assert_eq!(try_text(&compiled, &text, &network[..length]), 0, "{length} bytes of the network");
        }
    }
}

#[test]
fn every_token() {
    let words = [
        "",
        "0",
        "1",
        "2",
        "-1",
        "+x0",
        "-x1",
        "+g0",
        "2*+x0",
        "relu",
        "linear",
        "and",
        "or",
        "xor",
        "sum",
        "nor",
        "fold",
        "relay",
        "least 1",
        "counts 1-1",
        ":",
        "|",
        "99999999999999999999",
        "16777215",
        "\"x9\"",
    ];
    let mut accepted = 0;
    for compiled in subjects() {
        let network = compiled.network();
        let text = compiled.certificate(&network);
        let tokens: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for (at, token) in tokens.iter().enumerate() {
            let (word, end) = token.split_at(token.len() - 1);
            let mut others: Vec<String> = words.iter().map(|other| format!("{other}{end}")).collect();
            let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
            let head = &word[..word.len() - digits.len()];
            if let Ok(number) = digits.parse::<u64>() {
                others.push(format!("{head}{}{end}", number + 1));
                others.push(format!("{head}{}{end}", number.wrapping_sub(1)));
            }
            others.extend([
                String::new(),
                format!("{token}{token}"),
                format!("{word}\n"),
                format!("{word} "),
            ]);
            for other in others {
                let mut changed = tokens.clone();
                changed[at] = &other;
                accepted += try_text(&compiled, &changed.concat(), &network);
            }
        }
    }
    assert!(accepted > 0, "names may change, and tokens may be replaced by themselves");
}

/// Exchanging or repeating any lines must not make a claim that is false and accepted.
#[test]
fn every_exchange_of_lines() {
    for compiled in subjects() {
        let network = compiled.network();
        let text = compiled.certificate(&network);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for a in 0..lines.len() {
            for b in 0..lines.len() {
                let mut changed = lines.clone();
                changed.swap(a, b);
                try_text(&compiled, &changed.concat(), &network);
                changed = lines.clone();
                changed[a] = lines[b];
                try_text(&compiled, &changed.concat(), &network);
            }
        }
    }
}

/// Bytes of the file and of the text: a changed file that is accepted would have to be the same network.
#[test]
fn random_bytes() {
    let mut random = Random(99);
    for compiled in subjects() {
        let network = compiled.network();
        let text = compiled.certificate(&network).into_bytes();
        for _ in 0..3000 {
            let mut changed = text.clone();
            let mut file = network.clone();
            for _ in 0..=random.below(3) {
                let bytes = if random.below(2) == 0 { &mut file } else { &mut changed };
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => bytes[at] = random.below(256) as u8,
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, random.below(256) as u8),
                }
            }
            try_text(&compiled, &String::from_utf8_lossy(&changed), &file);
        }
    }
}
