// "at risk": an XOR of sums of products.

fn stage1(x: &[bool; 4]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut value = age_41 & !smoker;
    value |= input;
    value
}

fn stage2(x: &[bool; 4]) -> bool {
    let smoker = x[1]; // "smoker"
    let x3 = x[2]; // "x3"
    smoker & x3
}

fn stage3(x: &[bool; 4]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut value = !age_41 & !input;
    value |= age_41 & input;
    value
}

fn output(g: &[bool; 4]) -> bool {
    let stage1 = g[0];
    let stage2 = g[1];
    let stage3 = g[2];
    stage1 ^ stage2 ^ stage3
}

/// One row: a value for each input.
pub fn predict(x: &[bool; 4]) -> bool {
    let mut g = [false; 4];
    g[0] = stage1(x);
    g[1] = stage2(x);
    g[2] = stage3(x);
    g[3] = output(&g);
    g[3]
}

fn stage1_64(x: &[u64; 4]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut value = age_41 & !smoker;
    value |= input;
    value
}

fn stage2_64(x: &[u64; 4]) -> u64 {
    let smoker = x[1]; // "smoker"
    let x3 = x[2]; // "x3"
    smoker & x3
}

fn stage3_64(x: &[u64; 4]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut value = !age_41 & !input;
    value |= age_41 & input;
    value
}

fn output_64(g: &[u64; 4]) -> u64 {
    let stage1 = g[0];
    let stage2 = g[1];
    let stage3 = g[2];
    stage1 ^ stage2 ^ stage3
}

/// 64 rows: bit r of `x[i]` is input i of row r, bit r of the answer is row r's.
pub fn predict_64(x: &[u64; 4]) -> u64 {
    let mut g = [0; 4];
    g[0] = stage1_64(x);
    g[1] = stage2_64(x);
    g[2] = stage3_64(x);
    g[3] = output_64(&g);
    g[3]
}
