// The circuits and the network, each computed from its own part of the page's data; neither looks at the other.

const data = JSON.parse(document.getElementById("data").textContent);

// The network's layers with every neuron's weights spelled out.
const layers = data.layers.map(({ relu, bias, weights }) => {
  const rows = [];
  for (const row of weights) rows.push(typeof row === "number" ? rows[row] : row);
  return { relu, bias, rows };
});

// A literal is an input or a gate, counted from 1, the gates after the inputs; negative where it is negated.
const isInput = (literal) => Math.abs(literal) <= data.inputs;

// The gates of all circuits, as they were learned.
const gates = [];
data.circuits.forEach((circuit, c) => {
  circuit.gates.forEach((gate) => gates.push({ ...gate, circuit: c }));
});
const gateOf = new Map(gates.map((gate) => [gate.k, gate]));

// The stages among them, numbered through from 1, with their terms and keys.
const stages = [];
data.circuits.filter((circuit) => circuit.staged).forEach((circuit) => {
  let terms = [], termKeys = [], at = 0;
  for (const gate of circuit.gates) {
    if (gate.k[0] === "t") {
      terms.push(gate.literals);
      termKeys.push(gate.k);
    } else if (gate.k[0] === "s") {
      at += 1;
      stages.push({ key: gate.k, circuit: data.circuits.indexOf(circuit), at, terms, termKeys });
      [terms, termKeys] = [[], []];
    }
  }
});

const literalKey = (literal) => `l${Math.abs(literal) - 1}${literal > 0 ? "+" : "-"}`;
const holds = (literal, x) => (literal > 0 ? x[literal - 1] === 1 : x[-literal - 1] === 0);

// The inputs that the circuits or the network read: what the network reads follows from its weights alone.
const support = (() => {
  const read = new Set(data.read);
  if (layers.length) for (const row of layers[0].rows) for (let i = 0; i < row.length; i += 2) read.add(row[i]);
  return [...read].sort((a, b) => a - b);
})();

// Whether a gate holds, given how many points of its literals do.
function gateHolds(gate, count) {
  switch (gate.rule) {
    case "and": return count === gate.literals.length ? 1 : 0;
    case "or": return count > 0 ? 1 : 0;
    case "xor": return count % 2;
    default: return gate.counts.some(([from, to]) => from <= count && count <= to) ? 1 : 0;
  }
}

// The points of an AND or OR say nothing, so that they count their literals.
const worth = (gate, at) => (gate.rule === "counts" ? gate.points?.[at] ?? 1 : 1);

// What a literal of a circuit is at one input, where `own` are the values of its gates so far.
function literalAt(literal, x, own) {
  if (isInput(literal)) return holds(literal, x) ? 1 : 0;
  const value = own[Math.abs(literal) - data.inputs - 1];
  return literal > 0 ? value : 1 - value;
}

const countAt = (gate, x, own) =>
  gate.literals.reduce((count, literal, at) => count + worth(gate, at) * literalAt(literal, x, own), 0);

// Every gate of the circuits at one input: key to 0 or 1, the answer of each circuit, and the count of its last gate.
function circuitAt(x) {
  const values = new Map(), counts = [];
  for (const input of data.read) {
    values.set(`i${input}`, x[input]);
    values.set(`l${input}+`, x[input]);
    values.set(`l${input}-`, 1 - x[input]);
  }
  const all = data.circuits.map((circuit, c) => {
    const own = [];
    let last = 0;
    circuit.gates.forEach((gate, g) => {
      const count = countAt(gate, x, own);
      own.push(gateHolds(gate, count));
      values.set(gate.k, own[g]);
      if (Math.abs(circuit.output) - data.inputs - 1 === g) {
        last = gate.literals.reduce((sum, literal, at) => sum + (gate.points?.[at] ?? 1) * literalAt(literal, x, own), 0);
      }
    });
    counts[c] = last;
    return literalAt(circuit.output, x, own);
  });
  all.forEach((answer, c) => values.set(`x${c + 1}`, answer));
  return { values, answers: all, counts };
}

// Every neuron of the network at one input, layer by layer; the inputs are layer 0.
function networkAt(x) {
  const values = [Float64Array.from(x)];
  for (const { relu, bias, rows } of layers) {
    const before = values[values.length - 1];
    const after = new Float64Array(bias.length);
    for (let n = 0; n < bias.length; n++) {
      let sum = bias[n];
      const row = rows[n];
      for (let i = 0; i < row.length; i += 2) sum += row[i + 1] * before[row[i]];
      after[n] = relu && sum < 0 ? 0 : sum;
    }
    values.push(after);
  }
  return values;
}

// What the neurons of a gate carry: a constant and a sum of their values.
function carriedBy(base, parts, neurons) {
  let sum = base;
  for (let i = 0; i < parts.length; i += 3) sum += parts[i + 2] * neurons[parts[i]][parts[i + 1]];
  return sum;
}

// The tests of a table's columns, as the binarizer has them: null is a missing value, which fails every test but one.
function bitOf([column, test, wanted], values) {
  const value = values[column];
  if (value === null) return test === "missing" ? 1 : 0;
  switch (test) {
    case "true": return value === true || value > 0.5 ? 1 : 0;
    case "above": return Number(value) > wanted ? 1 : 0;
    case "equals": return Number(value) === wanted ? 1 : 0;
    case "is": return value === wanted ? 1 : 0;
    case "other": return data.columns[column].levels.includes(value) ? 0 : 1;
    default: return 0;
  }
}

// The class that follows from the circuits' answers; where several circuits leave it open, the training rows decide.
function classOf(x, { answers, counts }) {
  if (data.told.length === 1) {
    const told = data.told[0];
    return { answer: answers[0] ? told : 1 - told, probabilities: probabilities(x, answers, counts) };
  }
  const known = probabilities(x, answers, counts);
  if (!known) {
    const only = answers.indexOf(1);
    const alone = only >= 0 && answers.indexOf(1, only + 1) < 0;
    return { answer: alone ? data.told[only] : null, probabilities: null };
  }
  let best = 0;
  known.forEach((p, c) => { if (p > known[best]) best = c; });
  return { answer: best, probabilities: known };
}

// For each circuit, patterns of the first terms that hold, or counts of the last gate, and their probabilities.
const patterns = data.cells && data.cells.map((cells) => new Map(cells.patterns));

function probabilities(x, answers, counts) {
  if (!data.cells) return null;
  const all = data.classes.map(() => 0);
  data.told.forEach((told, c) => {
    const first = (stage) => 1 + stage.terms.findIndex((term) => term.every((literal) => holds(literal, x)));
    const pattern = data.circuits[c].staged
      ? stages.filter((stage) => stage.circuit === c).map(first)
      : [counts[c]];
    const p = patterns[c].get(pattern.join(".")) ?? data.cells[c].answers[answers[c]];
    all[told] = p;
    if (data.told.length === 1) all[1 - told] = 1 - p;
  });
  if (data.told.length === 1) return all;
  const sum = all.reduce((a, b) => a + b, 0);
  return all.map((p) => p / sum);
}
