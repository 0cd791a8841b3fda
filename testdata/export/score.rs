// "at risk", "points", "low": a circuit of gates.

fn gate0(x: &[bool; 4]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let c = x[2]; // "c"
    let mut count = 0u32;
    count += u32::from(age_41);
    count += u32::from(smoker);
    count += u32::from(!c);
    count >= 2
}

fn gate1(x: &[bool; 4], g: &[bool; 5]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let d = x[3]; // "d"
    let gate0 = g[0];
    let mut count = 0u32;
    count += 3 * u32::from(age_41);
    count += 2 * u32::from(smoker);
    count += u32::from(!gate0);
    count += 4 * u32::from(d);
    count >= 5
}

fn gate2(x: &[bool; 4]) -> bool {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let c = x[2]; // "c"
    let d = x[3]; // "d"
    let mut count = 0u32;
    count += u32::from(age_41);
    count += u32::from(smoker);
    count += u32::from(c);
    count += u32::from(d);
    (1..=1).contains(&count) | (3..=4).contains(&count)
}

fn gate3(g: &[bool; 5]) -> bool {
    let gate1 = g[1];
    let gate2 = g[2];
    gate1 ^ gate2 ^ true
}

fn output1(x: &[bool; 4], g: &[bool; 5]) -> bool {
    let smoker = x[1]; // "smoker"
    let d = x[3]; // "d"
    let gate3 = g[3];
    let mut value = smoker & !d;
    value |= gate3;
    value
}

fn output2(x: &[bool; 4], g: &[bool; 5]) -> u32 {
    let age_41 = x[0]; // "age > 41"
    let c = x[2]; // "c"
    let gate1 = g[1];
    let mut count = 0u32;
    count += 3 * u32::from(age_41);
    count += u32::from(c);
    count += 2 * u32::from(gate1);
    count
}

/// One row: a value for each input; the answers in order.
pub fn predict(x: &[bool; 4]) -> [u32; 3] {
    let mut g = [false; 5];
    g[0] = gate0(x);
    g[1] = gate1(x, &g);
    g[2] = gate2(x);
    g[3] = gate3(&g);
    g[4] = output1(x, &g);
    [u32::from(g[4]), output2(x, &g), u32::from(!g[1])]
}

/// Adds the weight to the 64 counts where the word is 1.
fn add(count: &mut [u64], word: u64, weight: u32) {
    for from in 0..count.len().min(32) {
        let mut carry = if weight >> from & 1 == 1 { word } else { 0 };
        for bit in &mut count[from..] {
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
    }
}

/// Where the 64 counts are at least this.
fn at_least(count: &[u64], least: u64) -> u64 {
    if least >> count.len() != 0 {
        return 0;
    }
    let step = |above, (p, bit): (usize, &u64)| if least >> p & 1 == 1 { above & bit } else { above | bit };
    count.iter().enumerate().fold(u64::MAX, step)
}

fn gate0_64(x: &[u64; 4]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let c = x[2]; // "c"
    let mut count = [0u64; 2];
    add(&mut count, age_41, 1);
    add(&mut count, smoker, 1);
    add(&mut count, !c, 1);
    at_least(&count, 2)
}

fn gate1_64(x: &[u64; 4], g: &[u64; 5]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let d = x[3]; // "d"
    let gate0 = g[0];
    let mut count = [0u64; 4];
    add(&mut count, age_41, 3);
    add(&mut count, smoker, 2);
    add(&mut count, !gate0, 1);
    add(&mut count, d, 4);
    at_least(&count, 5)
}

fn gate2_64(x: &[u64; 4]) -> u64 {
    let age_41 = x[0]; // "age > 41"
    let smoker = x[1]; // "smoker"
    let c = x[2]; // "c"
    let d = x[3]; // "d"
    let mut count = [0u64; 3];
    add(&mut count, age_41, 1);
    add(&mut count, smoker, 1);
    add(&mut count, c, 1);
    add(&mut count, d, 1);
    at_least(&count, 1) & !at_least(&count, 2) | at_least(&count, 3) & !at_least(&count, 5)
}

fn gate3_64(g: &[u64; 5]) -> u64 {
    let gate1 = g[1];
    let gate2 = g[2];
    gate1 ^ gate2 ^ u64::MAX
}

fn output1_64(x: &[u64; 4], g: &[u64; 5]) -> u64 {
    let smoker = x[1]; // "smoker"
    let d = x[3]; // "d"
    let gate3 = g[3];
    let mut value = smoker & !d;
    value |= gate3;
    value
}

fn output2_64(x: &[u64; 4], g: &[u64; 5]) -> [u64; 3] {
    let age_41 = x[0]; // "age > 41"
    let c = x[2]; // "c"
    let gate1 = g[1];
    let mut count = [0u64; 3];
    add(&mut count, age_41, 3);
    add(&mut count, c, 1);
    add(&mut count, gate1, 2);
    count
}

/// 64 rows: bit r of `x[i]` is input i of row r, bit r of the answers is row r's, a word for each bit of each output.
pub fn predict_64(x: &[u64; 4]) -> [u64; 5] {
    let mut g = [0; 5];
    g[0] = gate0_64(x);
    g[1] = gate1_64(x, &g);
    g[2] = gate2_64(x);
    g[3] = gate3_64(&g);
    g[4] = output1_64(x, &g);
    let sum1 = output2_64(x, &g);
    [g[4], sum1[0], sum1[1], sum1[2], !g[1]]
}
