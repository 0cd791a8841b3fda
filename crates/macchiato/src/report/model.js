// The circuits and the network, each computed from its own part of the page's data; neither looks at the other.

const data = JSON.parse(document.getElementById("data").textContent);

// The network's layers with every neuron's weights spelled out.
const layers = data.layers.map(({ relu, bias, weights }) => {
  const rows = [];
  for (const row of weights) rows.push(typeof row === "number" ? rows[row] : row);
  return { relu, bias, rows };
});

// The stages of all circuits, numbered through from 1, with their terms and keys.
const stages = [];
data.circuits.forEach((circuit, c) => {
  circuit.stages.forEach((terms, at) => {
    const number = stages.length + 1;
    stages.push({
      key: `s${number}`, circuit: c, at: at + 1, terms,
      termKeys: terms.map((_, p) => `t${number}.${p + 1}`),
    });
  });
});

const literalKey = (literal) => `l${Math.abs(literal) - 1}${literal > 0 ? "+" : "-"}`;
const holds = (literal, x) => (literal > 0 ? x[literal - 1] === 1 : x[-literal - 1] === 0);

// The inputs that the circuits or the network read: what the network reads follows from its weights alone.
const support = (() => {
  const read = new Set(data.read);
  if (layers.length) for (const row of layers[0].rows) for (let i = 0; i < row.length; i += 2) read.add(row[i]);
  return [...read].sort((a, b) => a - b);
})();

// Every gate of the circuits at one input: key to 0 or 1, and the answer of each circuit.
function circuitAt(x) {
  const values = new Map();
  const answers = data.circuits.map(() => 0);
  for (const input of data.read) {
    values.set(`i${input}`, x[input]);
    values.set(`l${input}+`, x[input]);
    values.set(`l${input}-`, 1 - x[input]);
  }
  for (const stage of stages) {
    let any = 0;
    stage.terms.forEach((term, p) => {
      const value = term.every((literal) => holds(literal, x)) ? 1 : 0;
      values.set(stage.termKeys[p], value);
      any |= value;
    });
    values.set(stage.key, any);
    answers[stage.circuit] ^= any;
  }
  answers.forEach((answer, c) => values.set(`x${c + 1}`, answer));
  return { values, answers };
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

// What the neurons of a gate carry: a sum of their values.
function carriedBy(parts, neurons) {
  let sum = 0;
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
function classOf(x, answers) {
  if (data.told.length === 1) {
    const told = data.told[0];
    return { answer: answers[0] ? told : 1 - told, probabilities: probabilities(x, answers) };
  }
  const known = probabilities(x, answers);
  if (!known) {
    const only = answers.indexOf(1);
    const alone = only >= 0 && answers.indexOf(1, only + 1) < 0;
    return { answer: alone ? data.told[only] : null, probabilities: null };
  }
  let best = 0;
  known.forEach((p, c) => { if (p > known[best]) best = c; });
  return { answer: best, probabilities: known };
}

// For each circuit, patterns of the first terms that hold and their probabilities.
const patterns = data.cells && data.cells.map((cells) => new Map(cells.patterns));

function probabilities(x, answers) {
  if (!data.cells) return null;
  const all = data.classes.map(() => 0);
  data.told.forEach((told, c) => {
    const pattern = stages.filter((stage) => stage.circuit === c)
      .map((stage) => 1 + stage.terms.findIndex((term) => term.every((literal) => holds(literal, x))));
    const p = patterns[c].get(pattern.join(".")) ?? data.cells[c].answers[answers[c]];
    all[told] = p;
    if (data.told.length === 1) all[1 - told] = 1 - p;
  });
  if (data.told.length === 1) return all;
  const sum = all.reduce((a, b) => a + b, 0);
  return all.map((p) => p / sum);
}
