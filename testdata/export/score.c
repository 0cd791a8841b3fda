/* "at risk", "points", "low": a circuit of gates. */
#include <stdint.h>

static int predict_gate0(const unsigned char x[4]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int smoker = x[1] != 0; /* "smoker" */
    const int c = x[2] != 0; /* "c" */
    int count = 0;
    count += age_41;
    count += smoker;
    count += !c;
    return count >= 2;
}

static int predict_gate1(const unsigned char x[4], const int g[5]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int smoker = x[1] != 0; /* "smoker" */
    const int d = x[3] != 0; /* "d" */
    const int gate0 = g[0];
    int count = 0;
    count += 3 * age_41;
    count += 2 * smoker;
    count += !gate0;
    count += 4 * d;
    return count >= 5;
}

static int predict_gate2(const unsigned char x[4]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int smoker = x[1] != 0; /* "smoker" */
    const int c = x[2] != 0; /* "c" */
    const int d = x[3] != 0; /* "d" */
    int count = 0;
    count += age_41;
    count += smoker;
    count += c;
    count += d;
    return (count == 1) | (count >= 3 && count <= 4);
}

static int predict_gate3(const int g[5]) {
    const int gate1 = g[1];
    const int gate2 = g[2];
    return gate1 ^ gate2 ^ 1;
}

static int predict_output1(const unsigned char x[4], const int g[5]) {
    const int smoker = x[1] != 0; /* "smoker" */
    const int d = x[3] != 0; /* "d" */
    const int gate3 = g[3];
    int value = smoker && !d;
    value |= gate3;
    return value;
}

static int predict_output2(const unsigned char x[4], const int g[5]) {
    const int age_41 = x[0] != 0; /* "age > 41" */
    const int c = x[2] != 0; /* "c" */
    const int gate1 = g[1];
    int count = 0;
    count += 3 * age_41;
    count += c;
    count += 2 * gate1;
    return count;
}

/* One row: x holds a byte for each input, 0 or not; y gets the 3 answers in order. */
void predict(const unsigned char x[4], int y[3]) {
    int g[5];
    g[0] = predict_gate0(x);
    g[1] = predict_gate1(x, g);
    g[2] = predict_gate2(x);
    g[3] = predict_gate3(g);
    g[4] = predict_output1(x, g);
    y[0] = g[4];
    y[1] = predict_output2(x, g);
    y[2] = !g[1];
}

/* Adds the weight to the 64 counts where the word is 1. */
static void predict_Add(uint64_t count[], int bits, uint64_t word, unsigned weight) {
    for (int from = 0; from < bits; from++) {
        uint64_t carry = weight >> from & 1 ? word : 0;
        for (int p = from; carry != 0 && p < bits; p++) {
            const uint64_t sum = count[p] ^ carry;
            carry &= count[p];
            count[p] = sum;
        }
    }
}

/* Where the 64 counts are at least this. */
static uint64_t predict_AtLeast(const uint64_t count[], int bits, uint64_t least) {
    uint64_t above = ~(uint64_t)0;
    for (int p = 0; p < bits; p++)
        above = least >> p & 1 ? above & count[p] : above | count[p];
    return least >> bits ? 0 : above;
}

static uint64_t predict_gate0_64(const uint64_t x[4]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t c = x[2]; /* "c" */
    uint64_t count[2] = {0};
    predict_Add(count, 2, age_41, 1);
    predict_Add(count, 2, smoker, 1);
    predict_Add(count, 2, ~c, 1);
    return predict_AtLeast(count, 2, 2);
}

static uint64_t predict_gate1_64(const uint64_t x[4], const uint64_t g[5]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t d = x[3]; /* "d" */
    const uint64_t gate0 = g[0];
    uint64_t count[4] = {0};
    predict_Add(count, 4, age_41, 3);
    predict_Add(count, 4, smoker, 2);
    predict_Add(count, 4, ~gate0, 1);
    predict_Add(count, 4, d, 4);
    return predict_AtLeast(count, 4, 5);
}

static uint64_t predict_gate2_64(const uint64_t x[4]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t c = x[2]; /* "c" */
    const uint64_t d = x[3]; /* "d" */
    uint64_t count[3] = {0};
    predict_Add(count, 3, age_41, 1);
    predict_Add(count, 3, smoker, 1);
    predict_Add(count, 3, c, 1);
    predict_Add(count, 3, d, 1);
    return (predict_AtLeast(count, 3, 1) & ~predict_AtLeast(count, 3, 2)) | (predict_AtLeast(count, 3, 3) & ~predict_AtLeast(count, 3, 5));
}

static uint64_t predict_gate3_64(const uint64_t g[5]) {
    const uint64_t gate1 = g[1];
    const uint64_t gate2 = g[2];
    return gate1 ^ gate2 ^ ~(uint64_t)0;
}

static uint64_t predict_output1_64(const uint64_t x[4], const uint64_t g[5]) {
    const uint64_t smoker = x[1]; /* "smoker" */
    const uint64_t d = x[3]; /* "d" */
    const uint64_t gate3 = g[3];
    uint64_t value = smoker & ~d;
    value |= gate3;
    return value;
}

static void predict_output2_64(const uint64_t x[4], const uint64_t g[5], uint64_t y[3]) {
    const uint64_t age_41 = x[0]; /* "age > 41" */
    const uint64_t c = x[2]; /* "c" */
    const uint64_t gate1 = g[1];
    uint64_t count[3] = {0};
    predict_Add(count, 3, age_41, 3);
    predict_Add(count, 3, c, 1);
    predict_Add(count, 3, gate1, 2);
    for (unsigned p = 0; p < sizeof count / sizeof *count; p++) y[p] = count[p];
}

/* 64 rows: bit r of x[i] is input i of row r, bit r of y is row r's, a word for each bit of each output, 5 in all. */
void predict_64(const uint64_t x[4], uint64_t y[5]) {
    uint64_t g[5];
    g[0] = predict_gate0_64(x);
    g[1] = predict_gate1_64(x, g);
    g[2] = predict_gate2_64(x);
    g[3] = predict_gate3_64(g);
    g[4] = predict_output1_64(x, g);
    y[0] = g[4];
    predict_output2_64(x, g, y + 1);
    y[4] = ~g[1];
}
