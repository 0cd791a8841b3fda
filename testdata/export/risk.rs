// "at risk": an XOR of sums of products.

fn stage1(x: &[bool; 4]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut stage = age_41 & !smoker;
    stage |= input;
    stage
}

fn stage2(x: &[bool; 4]) -> bool {
    let smoker = x[1]; // "smoker"
    let x3 = x[2]; // "x3"
    smoker & x3
}

fn stage3(x: &[bool; 4]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut stage = !age_41 & !input;
    stage |= age_41 & input;
    stage
}

/// One row: a value for each input.
pub fn predict(x: &[bool; 4]) -> bool {
    let mut y = false;
    y ^= stage1(x);
    y ^= stage2(x);
    y ^= stage3(x);
    y
}

fn stage_64_1(x: &[u64; 4]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut stage = age_41 & !smoker;
    stage |= input;
    stage
}

fn stage_64_2(x: &[u64; 4]) -> u64 {
    let smoker = x[1]; // "smoker"
    let x3 = x[2]; // "x3"
    smoker & x3
}

fn stage_64_3(x: &[u64; 4]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let input = x[3]; // "日本 \"*\/\" <\\>\n%"
    let mut stage = !age_41 & !input;
    stage |= age_41 & input;
    stage
}

/// 64 rows: bit r of `x[i]` is input i of row r, bit r of the answer is row r's.
pub fn predict_64(x: &[u64; 4]) -> u64 {
    let mut y = 0;
    y ^= stage_64_1(x);
    y ^= stage_64_2(x);
    y ^= stage_64_3(x);
    y
}
