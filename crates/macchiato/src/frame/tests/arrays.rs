//! NumPy arrays and archives.

use super::*;

#[test]
fn arrays_of_every_type_and_order_are_read() {
    let expected = ["011", "100"];
    let cells = [0u8, 1, 1, 1, 0, 0];
    let wide = |bytes: fn(u8) -> Vec<u8>| cells.iter().flat_map(|&cell| bytes(cell)).collect::<Vec<_>>();
    let types: [(&str, Vec<u8>); 12] = [
        ("|b1", cells.to_vec()),
        ("|i1", cells.to_vec()),
        ("|u1", cells.to_vec()),
        ("<i2", wide(|cell| i16::from(cell).to_le_bytes().into())),
        (">i2", wide(|cell| i16::from(cell).to_be_bytes().into())),
        ("<u4", wide(|cell| u32::from(cell).to_le_bytes().into())),
        ("<i4", wide(|cell| i32::from(cell).to_le_bytes().into())),
        ("<i8", wide(|cell| i64::from(cell).to_le_bytes().into())),
        (">u8", wide(|cell| u64::from(cell).to_be_bytes().into())),
        ("<f4", wide(|cell| f32::from(cell).to_le_bytes().into())),
        ("<f8", wide(|cell| f64::from(cell).to_le_bytes().into())),
        (">f8", wide(|cell| f64::from(cell).to_be_bytes().into())),
    ];
    for (descr, bytes) in types {
        let table = parse(Format::Npy, npy(descr, false, "(2, 3)", &bytes)).unwrap();
        assert_eq!(rows(&table), expected, "{descr}");
        assert_eq!(table.names, ["x1", "x2", "y"]);
    }
    let columns = parse(Format::Npy, npy("|u1", true, "(2, 3)", &[0, 1, 1, 0, 1, 0])).unwrap();
    assert_eq!(rows(&columns), expected);
    let tall: Vec<u8> = (0..200).map(|row| u8::from(row % 3 == 0)).collect();
    let by_row = parse(Format::Npy, npy("|u1", false, "(200, 1)", &tall)).unwrap();
    assert_eq!(parse(Format::Npy, npy("|u1", true, "(200, 1)", &tall)).unwrap(), by_row);
}

#[test]
fn faults_of_arrays_are_named() {
    let array = |descr: &str, shape: &str, bytes: &[u8]| npy(descr, false, shape, bytes);
    let faults: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "t:1:1: the file is empty: expected a NumPy array"),
        (b"\x93NUM".to_vec(), "t:1:1: the file ends early: it was cut off, so get it again"),
        (b"a,b,c\n0,1,1\n".to_vec(), "t: this is no NumPy array: save it with `numpy.save`"),
        (array("|u1", "(2, 2)", &[0, 1, 1]), "t:2:1: the file ends early: it was cut off, so get it again"),
        (array("|u1", "(0, 2)", &[]), "t:1:1: there are no rows: add at least one"),
        (array("|u1", "(2, 0)", &[]), "t:1:1: there are no columns of values: add at least one"),
        (
            array("|u1", "(4,)", &[0; 4]),
            "t: the array's shape is (4): expected two dimensions, rows and columns",
        ),
        (
            array("<f2", "(1, 1)", &[0; 2]),
            "t: arrays of \"<f2\" are not read: convert it with `astype(\"uint8\")`",
        ),
        (
            raw_npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,), }", b""),
            "t: arrays of \"records\" are not read: convert it with `astype(\"uint8\")`",
        ),
        (
            raw_npy("{'descr': '|u1', 'fortran_order': Maybe}", b""),
            "t: the array's header is damaged at \"Maybe}\": save it again with `numpy.save`",
        ),
        (
            array("|u1", "(99999999999999999999, 2)", b""),
            "t: the array's header is damaged at \"99999999999999999999, 2), }\": save it again with `numpy.save`",
        ),
        (
            b"\x93NUMPY\x02\x00\xff\xff\xff\x7f".to_vec(),
            "t: the array's header is damaged at \"2147483647 bytes\": save it again with `numpy.save`",
        ),
        // A claim of more rows than any file has costs nothing.
        (
            array("|u1", "(18446744073709551615, 2)", &[0, 1]),
            "t:2:1: the file ends early: it was cut off, so get it again",
        ),
    ];
    for (bytes, expected) in faults {
        assert_eq!(message(Format::Npy, &bytes), expected);
    }
}

#[test]
fn archives_hold_x_and_y_or_one_array() {
    let x = npy("|u1", false, "(2, 2)", &[0, 1, 1, 1]);
    let y = |shape: &str| npy("<i8", false, shape, &[1i64, 0].map(i64::to_le_bytes).concat());
    let table = |arrays: &[(&str, Vec<u8>)]| {
        let (_folder, path) = file("t.npz", &npz(arrays));
        read(&path, &FrameOptions::default()).unwrap()
    };
    let both = table(&[("other", x.clone()), ("X", x.clone()), ("y", y("(2,)"))]);
    assert_eq!((both.names.concat(), rows(&both)), ("x1x2y".into(), vec!["011".into(), "110".into()]));
    let fortran = npy("|u1", true, "(2, 2)", &[0, 1, 1, 1]);
    assert_eq!(rows(&table(&[("y", y("(2, 1)")), ("x", fortran)])), rows(&both));
    let one = table(&[("arr_0", x.clone())]);
    assert_eq!((one.names.concat(), rows(&one)), ("x1y".into(), vec!["01".into(), "11".into()]));

    let fault = |arrays: &[(&str, Vec<u8>)]| file_message("t.npz", &npz(arrays), &FrameOptions::default());
    assert_eq!(
        fault(&[("a", x.clone()), ("b", x.clone())]),
        "t.npz: expected the arrays X and y, or a single one: there are \"a\", \"b\""
    );
    assert_eq!(
        fault(&[("X", x.clone()), ("y", npy("|u1", false, "(3,)", &[0; 3]))]),
        "t.npz: the array \"y\" has 3 rows where X has 2: save them again together"
    );
    let message = fault(&[("X", x.clone()), ("y", x.clone())]);
    assert!(
        message.ends_with("t.npz/y.npy: the array's shape is (2, 2): expected one dimension"),
        "{message}"
    );
    let whole = npz(&[("X", x), ("y", y("(2,)"))]);
    let message = file_message("t.npz", &whole[..whole.len() - 30], &FrameOptions::default());
    assert!(message.starts_with("t.npz: this archive is damaged or ends early: "), "{message}");
    assert!(message.lines().count() == 1);
}
