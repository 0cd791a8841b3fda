//! safetensors files that are not of the certified form.

use super::assert_rejected;
use super::build::{Compiled, Form, PAPER, compile, safetensors_file, safetensors_parts, small};
use crate::{Verdict, check};

fn compiled() -> Compiled {
    compile(&small(), Form { onnx: false, ..PAPER })
}

fn signed(network: &[u8]) -> Verdict {
    check(compiled().certificate(network).as_bytes(), network)
}

/// The verdict after header and data were tampered with.
fn forge(tamper: impl FnOnce(String, &mut Vec<u8>) -> String) -> Verdict {
    let (entries, mut data) = safetensors_parts(&compiled().layers);
    let header = tamper(format!("{{{}}}", entries.join(",")), &mut data);
    signed(&safetensors_file(&header, &data))
}

#[track_caller]
fn replaced(reason: &str, from: &str, to: &str) {
    let verdict = forge(|header, _| {
        assert!(header.contains(from), "{header}");
        header.replacen(from, to, 1)
    });
    assert_rejected(&verdict, reason);
}

#[test]
fn space_metadata_and_order_change_nothing() {
    let accepted = forge(|header, _| {
        header
            .replacen('{', "{ \"__metadata__\" : {\"format\":\"pt\", \"a\\\"b\":\"\\u0041\"}, ", 1)
            .replace(',', " ,\n")
            + "   "
    });
    assert!(accepted.is_accepted(), "{accepted}");
    let (mut entries, data) = safetensors_parts(&compiled().layers);
    entries.reverse();
    let accepted = signed(&safetensors_file(&format!("{{{}}}", entries.join(",")), &data));
    assert!(accepted.is_accepted(), "{accepted}");
}

#[test]
fn the_file() {
    assert_rejected(&signed(b"1234567"), "too short for the length of its header");
    assert_rejected(&signed(&u64::MAX.to_le_bytes()), "a header of 18446744073709551615 bytes: 0 are left");
    assert_rejected(&signed(&[100, 0, 0, 0, 0, 0, 0, 0, b'{', b'}']), "a header of 100 bytes: 2 are left");
    assert_rejected(
        &forge(|header, data| {
            data.push(0);
            header
        }),
        "1 bytes of the file belong to no tensor",
    );
    assert_rejected(
        &forge(|header, data| {
            data.truncate(400);
            header
        }),
        "ends where it cannot",
    );
    assert_rejected(
        &forge(|_, data| {
            data.clear();
            "{}".to_owned()
        }),
        "the file has 0 layers, the certificate 5",
    );
}

#[test]
fn the_header() {
    replaced("the header must begin with `{`", "{", " {");
    replaced("this key comes a second time", "\"0.bias\"", "\"0.weight\"");
    replaced("this key comes a second time", "\"dtype\":\"F32\"", "\"dtype\":\"F32\",\"dtype\":\"F32\"");
    replaced("a tensor has no such key", "\"dtype\"", "\"stride\"");
    replaced("a tensor needs dtype F32", "\"F32\"", "\"F16\"");
    replaced("a tensor needs dtype F32", ",\"data_offsets\":[0,72]", "");
    replaced("leaves a hole, overlaps, or ends where it cannot", "[0,72]", "[4,72]");
    replaced("leaves a hole, overlaps, or ends where it cannot", "[72,96]", "[68,92]");
    replaced("leaves a hole, overlaps, or ends where it cannot", "[72,96]", "[72,18446744073709551615]");
    replaced("this is no whole number", "[0,72]", "[00,72]");
    replaced("this is no whole number", "[0,72]", "[-0,72]");
    replaced("this is no whole number", "[0,72]", "[0,99999999999999999999]");
    replaced("`]` is missing", "[0,72]", "[0,7e2]");
    replaced("more than two numbers", "[6,3]", "[6,3,1]");
    replaced("layer 1: 6 biases for weights of shape 3 by 6", "[6,3]", "[3,6]");
    replaced("layer 1: the file holds another number of bytes", "[6,3]", "[6,4294967296]");
    replaced("0.weight or .bias is missing, or a tensor has another name", "0.bias", "0.scale");
    replaced("2.weight or .bias is missing", "\"2.weight\"", "\"1.weight\"");
    replaced("0.weight or .bias is missing", "0.weight", "\\u0030.weight");
    replaced("a control character within a string", "0.weight", "0.\nweight");
    replaced("`:` is missing", "\"0.weight\":", "\"0.weight\"");
    assert_rejected(&forge(|header, _| header + "x"), "there is text after the header's object");
    assert_rejected(&forge(|header, _| header + "{}"), "there is text after the header's object");
    assert_rejected(&signed(&safetensors_file("{\"a", b"")), "a string without end");
    assert_rejected(&signed(&safetensors_file("{\"a\\", b"")), "a string without end");
    let nested = "{\"__metadata__\":".to_owned() + &"[".repeat(100_000);
    assert_rejected(&signed(&safetensors_file(&nested, b"")), "`{` is missing");
}

#[test]
fn activations_are_the_certificates_word() {
    let mut linear = compiled();
    linear.activations[4] = false;
    let network = linear.network();
    assert!(check(linear.certificate(&network).as_bytes(), &network).is_accepted());
}
