/* "at risk": an XOR of sums of products. */
#include <stdint.h>

static int predict_at_risk_stage1(const unsigned char x[4]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int smoker = x[1] != 0; /* "smoker" */
    const int input = x[3] != 0; /* "日本 \"*\/\" <\\>\n%" */
    int stage = age_41 && !smoker;
    stage |= input;
    return stage;
}

static int predict_at_risk_stage2(const unsigned char x[4]) {
    const int smoker = x[1] != 0; /* "smoker" */
    const int x3 = x[2] != 0; /* "x3" */
    return smoker && x3;
}

static int predict_at_risk_stage3(const unsigned char x[4]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int input = x[3] != 0; /* "日本 \"*\/\" <\\>\n%" */
    int stage = !age_41 && !input;
    stage |= age_41 && input;
    return stage;
}

/* One row: x holds a byte for each input, 0 or not; the answer is 0 or 1. */
int predict_at_risk(const unsigned char x[4]) {
    int y = 0;
    y ^= predict_at_risk_stage1(x);
    y ^= predict_at_risk_stage2(x);
    y ^= predict_at_risk_stage3(x);
    return y;
}

static uint64_t predict_at_risk_64_stage1(const uint64_t x[4]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t input = x[3]; /* "日本 \"*\/\" <\\>\n%" */
    uint64_t stage = age_41 & ~smoker;
    stage |= input;
    return stage;
}

static uint64_t predict_at_risk_64_stage2(const uint64_t x[4]) {
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t x3 = x[2]; /* "x3" */
    return smoker & x3;
}

static uint64_t predict_at_risk_64_stage3(const uint64_t x[4]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t input = x[3]; /* "日本 \"*\/\" <\\>\n%" */
    uint64_t stage = ~age_41 & ~input;
    stage |= age_41 & input;
    return stage;
}

/* 64 rows: bit r of x[i] is input i of row r, bit r of the answer is row r's. */
uint64_t predict_at_risk_64(const uint64_t x[4]) {
    uint64_t y = 0;
    y ^= predict_at_risk_64_stage1(x);
    y ^= predict_at_risk_64_stage2(x);
    y ^= predict_at_risk_64_stage3(x);
    return y;
}
