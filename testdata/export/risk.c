/* "at risk": an XOR of sums of products. */
#include <stdint.h>

static int predict_at_risk_stage1(const unsigned char x[4]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int smoker = x[1] != 0; /* "smoker" */
    const int input = x[3] != 0; /* "日本 \"*\/\" <\\>\n%" */
    int value = age_41 && !smoker;
    value |= input;
    return value;
}

static int predict_at_risk_stage2(const unsigned char x[4]) {
    const int smoker = x[1] != 0; /* "smoker" */
    const int x3 = x[2] != 0; /* "x3" */
    return smoker && x3;
}

static int predict_at_risk_stage3(const unsigned char x[4]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int input = x[3] != 0; /* "日本 \"*\/\" <\\>\n%" */
    int value = !age_41 && !input;
    value |= age_41 && input;
    return value;
}

static int predict_at_risk_output(const int g[4]) {
    const int stage1 = g[0];
    const int stage2 = g[1];
    const int stage3 = g[2];
    return stage1 ^ stage2 ^ stage3;
}

/* One row: x holds a byte for each input, 0 or not; the answer is 0 or 1. */
int predict_at_risk(const unsigned char x[4]) {
    int g[4];
    g[0] = predict_at_risk_stage1(x);
    g[1] = predict_at_risk_stage2(x);
    g[2] = predict_at_risk_stage3(x);
    g[3] = predict_at_risk_output(g);
    return g[3];
}

static uint64_t predict_at_risk_stage1_64(const uint64_t x[4]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t input = x[3]; /* "日本 \"*\/\" <\\>\n%" */
    uint64_t value = age_41 & ~smoker;
    value |= input;
    return value;
}

static uint64_t predict_at_risk_stage2_64(const uint64_t x[4]) {
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t x3 = x[2]; /* "x3" */
    return smoker & x3;
}

static uint64_t predict_at_risk_stage3_64(const uint64_t x[4]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t input = x[3]; /* "日本 \"*\/\" <\\>\n%" */
    uint64_t value = ~age_41 & ~input;
    value |= age_41 & input;
    return value;
}

static uint64_t predict_at_risk_output_64(const uint64_t g[4]) {
    const uint64_t stage1 = g[0];
    const uint64_t stage2 = g[1];
    const uint64_t stage3 = g[2];
    return stage1 ^ stage2 ^ stage3;
}

/* 64 rows: bit r of x[i] is input i of row r, bit r of the answer is row r's. */
uint64_t predict_at_risk_64(const uint64_t x[4]) {
    uint64_t g[4];
    g[0] = predict_at_risk_stage1_64(x);
    g[1] = predict_at_risk_stage2_64(x);
    g[2] = predict_at_risk_stage3_64(x);
    g[3] = predict_at_risk_output_64(g);
    return g[3];
}
