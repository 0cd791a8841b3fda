// Compares the network's outputs with the circuits' answers on all inputs of the support, or on a million random ones.
//
// The circuits are computed 32 inputs at a time, one in each bit of a word; the network a batch at a time, in numbers. Work is
// done in slices, so that the page stays usable.

const ALL_UP_TO = 20; // inputs: 2^20 is about a million
const RANDOM = 1000000;
const BATCH = 256;
const SLICE = 24; // milliseconds

const checksAll = support.length <= ALL_UP_TO;
const checkTotal = checksAll ? 2 ** support.length : RANDOM;

// A small generator with a fixed seed, so that a check can be repeated.
function randomWords(seed) {
  return () => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = seed;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
}

// The bit words of inputs `from` to `from + BATCH`, by input: its n-th word holds inputs 32n to 32n + 31.
function inputWords(from, random) {
  const words = new Map();
  support.forEach((input, place) => {
    const column = new Int32Array(BATCH / 32);
    for (let w = 0; w < column.length; w++) {
      if (random) {
        column[w] = random();
      } else {
        for (let b = 0; b < 32; b++) column[w] |= ((from + 32 * w + b) >>> place & 1) << b;
      }
    }
    words.set(input, column);
  });
  return words;
}

function circuitWords(words) {
  const size = BATCH / 32;
  return data.circuits.map((circuit) => {
    const own = [];
    const read = (literal, w) => {
      const word = isInput(literal)
        ? words.get(Math.abs(literal) - 1)[w]
        : own[Math.abs(literal) - data.inputs - 1][w];
      return literal > 0 ? word : ~word;
    };
    for (const gate of circuit.gates) {
      const values = new Int32Array(size);
      for (let w = 0; w < size; w++) values[w] = gateWord(gate, (literal) => read(literal, w));
      own.push(values);
    }
    return Int32Array.from({ length: size }, (_, w) => read(circuit.output, w));
  });
}

// One gate on 32 inputs.
function gateWord(gate, read) {
  switch (gate.rule) {
    case "and": return gate.literals.reduce((word, literal) => word & read(literal), -1);
    case "or": return gate.literals.reduce((word, literal) => word | read(literal), 0);
    case "xor": return gate.literals.reduce((word, literal) => word ^ read(literal), 0);
    default: {
      const counts = new Int32Array(32);
      gate.literals.forEach((literal, at) => {
        const word = read(literal), points = worth(gate, at);
        for (let b = 0; b < 32; b++) counts[b] += points * (word >>> b & 1);
      });
      return counts.reduce((word, count, b) => word | gateHolds(gate, count) << b, 0);
    }
  }
}

const zeros = new Float64Array(BATCH);

function networkBatch(words) {
  let before = new Map();
  for (const [input, column] of words) {
    const values = new Float64Array(BATCH);
    for (let i = 0; i < BATCH; i++) values[i] = column[i >> 5] >>> (i & 31) & 1;
    before.set(input, values);
  }
  for (const { relu, bias, rows } of layers) {
    const after = new Map();
    for (let n = 0; n < bias.length; n++) {
      const sums = new Float64Array(BATCH).fill(bias[n]);
      const row = rows[n];
      for (let i = 0; i < row.length; i += 2) {
        const values = before.get(row[i]) ?? zeros, weight = row[i + 1];
        for (let j = 0; j < BATCH; j++) sums[j] += weight * values[j];
      }
      if (relu) for (let j = 0; j < BATCH; j++) if (sums[j] < 0) sums[j] = 0;
      after.set(n, sums);
    }
    before = after;
  }
  return data.circuits.map((_, c) => before.get(c) ?? zeros);
}

// The first of `total` inputs on which they differ, or null; `progress` is told how many are done and may say to stop.
async function compare(progress, total = checkTotal) {
  const random = checksAll ? null : randomWords(1);
  for (let from = 0; from < total;) {
    const until = performance.now() + SLICE;
    do {
      const words = inputWords(from, random);
      const circuit = circuitWords(words), network = networkBatch(words);
      const count = Math.min(BATCH, total - from);
      for (let i = 0; i < count; i++) {
        for (let c = 0; c < circuit.length; c++) {
          const answer = circuit[c][i >> 5] >>> (i & 31) & 1;
          if (network[c][i] !== answer) {
            const x = new Uint8Array(data.inputs);
            for (const [input, column] of words) x[input] = column[i >> 5] >>> (i & 31) & 1;
            return { done: from + i + 1, circuit: c, answer, network: network[c][i], x };
          }
        }
      }
      from += count;
    } while (from < total && performance.now() < until);
    if (progress(from) === false) return { done: from, stopped: true };
    await new Promise((next) => setTimeout(next));
  }
  return null;
}
