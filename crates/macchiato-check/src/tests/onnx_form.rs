//! ONNX files that a runtime might run, but that are not of the certified form.

use super::build::{
    Compiled, Graph, Message, PAPER, compile, graph, model, opset, small, tensor, trans_b, value_info,
};
use super::{assert_rejected, verdict};
use crate::{Verdict, check};

fn signed(compiled: &Compiled, network: &[u8]) -> Verdict {
    check(compiled.certificate(network).as_bytes(), network)
}

/// The verdict on the small network after its graph was tampered with.
#[track_caller]
fn forged(reason: &str, tamper: impl FnOnce(&mut Graph)) {
    let compiled = compile(&small(), PAPER);
    let mut graph = graph(3, &compiled.layers);
    tamper(&mut graph);
    assert_rejected(&signed(&compiled, &model(&graph.message()).0), reason);
}

/// The verdict on a model message made from the small network's graph.
fn with_model(make: impl FnOnce(&Message) -> Message) -> Verdict {
    let compiled = compile(&small(), PAPER);
    let message = make(&graph(3, &compiled.layers).message());
    signed(&compiled, &message.0)
}

fn gemm(data: &str, layer: usize, output: &str) -> Message {
    let (w, b) = (format!("W{layer}"), format!("b{layer}"));
    let node = Message::default().bytes(1, data.as_bytes()).bytes(1, w.as_bytes()).bytes(1, b.as_bytes());
    node.bytes(2, output.as_bytes()).bytes(4, b"Gemm")
}

fn unary(operator: &str, data: &str, output: &str) -> Message {
    Message::default().bytes(1, data.as_bytes()).bytes(2, output.as_bytes()).bytes(4, operator.as_bytes())
}

#[test]
fn free_text_and_packed_numbers_change_nothing() {
    let verdict = with_model(|graph| {
        let graph = graph.clone().bytes(10, b"documentation").bytes(16, b"");
        let metadata = Message::default().bytes(1, b"key").bytes(2, b"value").0;
        model(&graph).bytes(3, b"1.0").varint(5, 7).bytes(6, b"hello").bytes(14, &metadata)
    });
    assert!(verdict.is_accepted(), "{verdict}");
    let compiled = compile(&small(), PAPER);
    let mut packed = graph(3, &compiled.layers);
    let numbers: Vec<u8> = compiled.layers[0].rows.concat().iter().flat_map(|w| w.to_le_bytes()).collect();
    packed.initializers[0] = Message::default()
        .bytes(1, &[6, 3])
        .varint(2, 1)
        .bytes(4, &numbers)
        .bytes(8, b"W1")
        .bytes(12, b"doc");
    packed.nodes[0] = gemm("x", 1, "z1")
        .bytes(5, &Message::default().bytes(1, b"alpha").float(2, 1.0).varint(20, 1).0)
        .bytes(5, &trans_b().0)
        .bytes(3, b"name")
        .bytes(7, b"ai.onnx");
    let verdict = signed(&compiled, &model(&packed.message()).0);
    assert!(verdict.is_accepted(), "{verdict}");
}

#[test]
fn the_model() {
    let ok = |graph: &Message| model(graph);
    assert!(with_model(ok).is_accepted());
    let twice = |graph: &Message| model(graph).bytes(7, &graph.0);
    assert_rejected(&with_model(twice), "field 7 comes a second time");
    assert_rejected(
        &with_model(|g| model(g).bytes(25, b"")),
        "field 25 of the model is not part of a certified network",
    );
    assert_rejected(&with_model(|g| model(g).bytes(20, b"")), "field 20 of the model");
    assert_rejected(&with_model(|g| model(g).bytes(99, b"")), "field 99 of the model");
    assert_rejected(
        &with_model(|g| Message::default().bytes(7, &g.0).bytes(8, &opset(17))),
        "lacks its ir_version",
    );
    let old = |g: &Message| Message::default().varint(1, 3).bytes(7, &g.0).bytes(8, &opset(17));
    assert_rejected(&with_model(old), "the model's ir_version is not known");
    let other = |g: &Message| Message::default().varint(1, 8).bytes(7, &g.0).bytes(8, &opset(6));
    assert_rejected(&with_model(other), "the version of the operator set is not known");
    let domain = Message::default().bytes(1, b"com.example").varint(2, 17).0;
    let foreign = |g: &Message| Message::default().varint(1, 8).bytes(7, &g.0).bytes(8, &domain);
    assert_rejected(&with_model(foreign), "operators of another domain, \"com.example\"");
    let both = |g: &Message| model(g).bytes(8, &domain);
    assert_rejected(&with_model(both), "field 8 comes a second time");
    let trailing = |g: &Message| Message([model(g).0, vec![0]].concat());
    assert_rejected(&with_model(trailing), "this is no field");
    let group = |g: &Message| Message([model(g).0, vec![0x33]].concat());
    assert_rejected(&with_model(group), "a field of wire type 3");
    let huge = |g: &Message| Message([model(g).0, vec![0x32, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat());
    assert_rejected(&with_model(huge), "a length of 4294967295 where only 0 bytes are left");
    let long = |g: &Message| Message([model(g).0, vec![0x28], vec![0xff; 10]].concat());
    assert_rejected(&with_model(long), "a number of more than 64 bits");
    let cut = |g: &Message| Message([model(g).0, vec![0x28, 0x80]].concat());
    assert_rejected(&with_model(cut), "the message ends within a number");
}

#[test]
fn nodes() {
    let chain = "here is not Gemm, Relu, Gemm, ... in a chain";
    forged(chain, |g| g.nodes[1] = unary("Sigmoid", "z1", "a1"));
    forged(chain, |g| g.nodes[1] = unary("LeakyRelu", "z1", "a1"));
    // A layer without its ReLU, a ReLU too many, a layer left out, a layer that reads past its neighbour.
    forged(chain, |g| drop(g.nodes.remove(1)));
    forged(chain, |g| g.nodes.insert(0, unary("Relu", "x", "a0")));
    forged(chain, |g| g.nodes.insert(2, unary("Relu", "a1", "b")));
    forged(chain, |g| drop(g.nodes.drain(0..2)));
    forged(chain, |g| g.nodes[2] = gemm("z1", 2, "z2").bytes(5, &trans_b().0));
    forged(chain, |g| g.nodes.swap(0, 2));
    forged("it is not what the last node gives", |g| g.nodes.truncate(2));
    forged("it is not what the last node gives", |g| g.output = value_info("z5", 1));
    forged("node 1: Gemm needs transB = 1", |g| g.nodes[0] = gemm("x", 1, "z1"));
    let attribute =
        |name: &str, value: f32| Message::default().bytes(1, name.as_bytes()).float(2, value).varint(20, 1).0;
    forged("attribute \"alpha\" is none of", |g| {
        g.nodes[0] = g.nodes[0].clone().bytes(5, &attribute("alpha", 2.0));
    });
    forged("attribute \"gamma\" is none of", |g| {
        g.nodes[0] = g.nodes[0].clone().bytes(5, &attribute("gamma", 1.0));
    });
    forged("attribute \"transB\" is none of", |g| g.nodes[0] = g.nodes[0].clone().bytes(5, &trans_b().0));
    forged("field 8 of a node", |g| g.nodes[0] = g.nodes[0].clone().bytes(8, b"overload"));
    forged("operators of another domain", |g| g.nodes[0] = g.nodes[0].clone().bytes(7, b"custom"));
    forged("node 2: it must give one value, under a name of its own", |g| {
        g.nodes[1] = unary("Relu", "z1", "x");
    });
    forged("it must give one value", |g| g.nodes[1] = unary("Relu", "z1", "W2"));
    forged("it must give one value", |g| g.nodes[1] = g.nodes[1].clone().bytes(2, b"more"));
}

#[test]
fn initializers() {
    let unused = "1 initializers are not used";
    forged(unused, |g| g.initializers.push(tensor("extra", &[1], &[0.0])));
    forged("two initializers are named \"W1\"", |g| g.initializers.push(g.initializers[0].clone()));
    forged("node 3: its weights or biases are no initializers, or used twice", |g| {
        g.nodes[2] = Message::default()
            .bytes(1, b"a1")
            .bytes(1, b"W1")
            .bytes(1, b"b2")
            .bytes(2, b"z2")
            .bytes(4, b"Gemm")
            .bytes(5, &trans_b().0);
    });
    let forms = "an initializer needs a name, type float32";
    let base = || Message::default().varint(1, 6).varint(1, 3);
    let bytes = [0; 72];
    forged(forms, |g| g.initializers[0] = base().varint(2, 11).bytes(8, b"W1").bytes(9, &bytes));
    forged("field 13 of a tensor", |g| g.initializers[0] = g.initializers[0].clone().bytes(13, b""));
    forged("field 14 of a tensor", |g| g.initializers[0] = g.initializers[0].clone().varint(14, 1));
    forged("field 9 of a tensor", |g| g.initializers[0] = g.initializers[0].clone().bytes(9, &bytes));
    forged("field 3 of a tensor", |g| g.initializers[0] = g.initializers[0].clone().bytes(3, b""));
    forged(forms, |g| g.initializers[0] = base().varint(1, 1).varint(2, 1).bytes(8, b"W1").bytes(9, &bytes));
    forged("layer 1: the file holds another number of bytes than the shapes need", |g| {
        g.initializers[0] = base().varint(2, 1).bytes(8, b"W1").bytes(9, &bytes[1..]);
    });
    forged("layer 1: the file holds another number of bytes", |g| {
        let vast = Message::default().varint(1, 6).varint(1, 1 << 62);
        g.initializers[0] = vast.varint(2, 1).bytes(8, b"W1").bytes(9, &bytes);
    });
    forged("layer 1: 5 biases for weights of shape 6 by 3", |g| {
        g.initializers[1] = tensor("b1", &[5], &[0.0; 5]);
    });
    forged("layer 1: the weights must have two dimensions", |g| {
        g.initializers[0] = tensor("W1", &[18], &[0.0; 18]);
    });
}

#[test]
fn input_and_output() {
    forged("network input: it has 4 columns, the certificate 3 inputs", |g| g.input = value_info("x", 4));
    forged("network output: it has 2 columns, not 1", |g| g.output = value_info("y", 2));
    forged("network input: an initializer has its name", |g| {
        g.input = value_info("W1", 3);
    });
    let compiled = compile(&small(), PAPER);
    let two = graph(3, &compiled.layers).message().bytes(11, &value_info("W1", 3));
    assert_rejected(&signed(&compiled, &model(&two).0), "field 11 of the graph");
    let sparse = graph(3, &compiled.layers).message().bytes(15, b"");
    assert_rejected(&signed(&compiled, &model(&sparse).0), "field 15 of the graph");
    let fixed = |element: u64| {
        let dim = Message::default().varint(1, 3).0;
        let first = if element == 1 { dim.clone() } else { Vec::new() };
        let shape = Message::default().bytes(1, &first).bytes(1, &dim).0;
        let kind = Message::default().bytes(1, &Message::default().varint(1, element).bytes(2, &shape).0).0;
        Message::default().bytes(1, b"x").bytes(2, &kind).0
    };
    forged("float32 of shape [N, number], with N left open", |g| g.input = fixed(1));
    forged("float32 of shape [N, number], with N left open", |g| g.input = fixed(11));
    assert!(verdict(&compiled).is_accepted());
}
