// The live panel: inputs in, every gate and neuron out, from the circuit and from the network side by side.

const TABLE_ROWS = 400;
const LISTED = 5000;
const byId = (id) => document.getElementById(id);
const typed = Boolean(byId("columns"));

const x = new Uint8Array(data.inputs);
let values = []; // of the columns, where there are any
let mode = typed ? "values" : "bits";
let current = null;

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// ---- Inputs

const switches = new Map();
const fields = [];

function addSwitch(input, at) {
  const box = make("input", { type: "checkbox" });
  box.setAttribute("role", "switch");
  box.addEventListener("change", () => {
    x[input] = box.checked ? 1 : 0;
    own();
  });
  const name = make("span", { className: "name", textContent: data.names[at] });
  const label = make("label", { className: "switch" }, box, name);
  label.dataset.k = `i${input}`;
  switches.set(input, box);
  byId("inputs").append(label);
}

const MISSING = "\u0000missing", OTHER = "\u0000other";

// A column's control, with a way to read and to write its value.
function addField(column, at) {
  const id = `column-${at}`;
  let control;
  if (column.kind === "number") {
    control = make("input", { type: "number", step: "any", id });
    fields.push({
      read: () => (control.value.trim() === "" || Number.isNaN(control.valueAsNumber) ? null : control.valueAsNumber),
      write: (value) => { control.value = value === null ? "" : String(Number(value)); },
    });
    control.placeholder = "missing";
  } else {
    const options = column.kind === "boolean"
      ? [["true", "yes"], ["false", "no"]]
      : column.levels.map((level, n) => [String(n), level]).concat([[OTHER, "(another)"]]);
    options.push([MISSING, "(missing)"]);
    control = make("select", { id }, ...options.map(([value, text]) => make("option", { value, textContent: text })));
    fields.push({
      read: () => {
        if (control.value === MISSING) return null;
        if (column.kind === "boolean") return control.value === "true";
        return control.value === OTHER ? OTHER : column.levels[Number(control.value)];
      },
      write: (value) => {
        if (value === null) control.value = MISSING;
        else if (column.kind === "boolean") control.value = value === true || value > 0.5 ? "true" : "false";
        else control.value = column.levels.includes(value) ? String(column.levels.indexOf(value)) : OTHER;
      },
    });
  }
  control.addEventListener("input", () => {
    values[at] = fields[at].read();
    own();
  });
  const label = make("label", { className: "field", htmlFor: id }, make("span", { className: "name", textContent: column.name }), control);
  byId("columns").append(label);
}

// A value to begin with: the middle one of a number's cuts.
function firstValue(column, at) {
  if (column.kind === "boolean") return false;
  if (column.kind === "category") return column.levels[0] ?? null;
  const cuts = data.tests.filter(([of, , wanted]) => of === at && typeof wanted === "number").map((test) => test[2]);
  return cuts.length ? cuts.sort((a, b) => a - b)[cuts.length >> 1] : 0;
}

// ---- Rows

function addRows() {
  const groups = new Map();
  data.rows.forEach((row, at) => {
    const name = row.test ? "Test rows" : "Training rows";
    if (!groups.has(name)) groups.set(name, make("optgroup", { label: name }));
    const right = row.label === row.answer ? "" : `, answered ${data.classes[row.answer]}`;
    const text = `row ${row.row}: ${data.target} is ${data.classes[row.label]}${right}`;
    groups.get(name).append(make("option", { value: String(at), textContent: text }));
  });
  byId("row").append(...groups.values());
  if (!data.rows.length) byId("row").parentElement.hidden = true;
  byId("row").addEventListener("change", () => {
    const row = data.rows[Number(byId("row").value)];
    if (byId("row").value === "" || !row) return;
    take(row);
    update();
  });
}

function take(row) {
  if (typed) {
    setMode("values");
    values = row.x.slice();
  } else {
    data.read.forEach((input, at) => { x[input] = row.x[at]; });
  }
}

// The person's own input is no row any more.
function own() {
  byId("row").value = "";
  update();
}

function setMode(wanted) {
  mode = wanted;
  const box = byId("mode")?.querySelector(`[value=${wanted}]`);
  if (box) box.checked = true;
}

// ---- Answers

function update() {
  if (typed && mode === "values") {
    data.tests.forEach((test, at) => { x[data.read[at]] = bitOf(test, values); });
    fields.forEach((field, at) => {
      if (!Object.is(field.read(), values[at])) field.write(values[at]);
    });
  }
  if (typed) {
    byId("columns").disabled = mode !== "values";
    byId("inputs").disabled = mode !== "bits";
  }
  for (const [input, box] of switches) box.checked = x[input] === 1;
  const circuit = circuitAt(x), network = networkAt(x);
  current = { circuit, network };
  showAnswer(circuit, network);
  showGates(circuit, network);
  showDrawings(circuit, network);
}

const outputs = (network) => data.circuits.map((_, c) => network[network.length - 1][c]);

function showAnswer(circuit, network) {
  const { answer, probabilities: known } = classOf(x, circuit);
  const said = answer === null ? "open: the training rows decide" : data.classes[answer];
  const sure = known && answer !== null ? make("small", { textContent: `probability ${known[answer].toFixed(3)}` }) : "";
  byId("answer").replaceChildren(make("span", { textContent: `${data.target} = ` }), make("b", { textContent: said }), " ", sure);
  byId("answer").dataset.answer = answer === null ? "" : data.classes[answer];
  const side = (name, numbers) => make("div", {}, make("span", { textContent: name }), make("b", { textContent: numbers.join(" ") }));
  const same = outputs(network).every((value, c) => value === circuit.answers[c]);
  const verdict = make("div", { className: same ? "same" : "differ" }, make("b", { textContent: same ? "equal" : "different" }));
  byId("sides").replaceChildren(side("circuit", circuit.answers), side("network", outputs(network)), verdict);
}

// ---- Every gate

const gateRows = [];

function addGates() {
  const body = document.querySelector("#gate-values tbody");
  data.gates.slice(0, TABLE_ROWS).forEach(([key, base, parts]) => {
    const gate = make("span", { className: "term" });
    gate.dataset.k = key;
    const icon = { l: "", t: "AND ", s: "OR ", x: "XOR " }[key[0]] ?? "";
    gate.append(make("span", { className: "op", textContent: icon }), describe(key));
    const row = { key, base, parts, own: make("td"), neurons: make("td", { className: "numbers" }), carried: make("td") };
    body.append(make("tr", {}, make("th", { scope: "row" }, gate), row.own, row.neurons, row.carried));
    gateRows.push(row);
  });
  if (data.gates.length > TABLE_ROWS) {
    const rest = `and ${data.gates.length - TABLE_ROWS} more gates, which are computed and compared too`;
    body.append(make("tr", {}, make("td", { colSpan: 4, className: "quiet", textContent: rest })));
  }
}

function showGates(circuit, network) {
  for (const row of gateRows) {
    const own = circuit.values.get(row.key), carried = carriedBy(row.base, row.parts, network);
    const numbers = row.base ? [row.base] : [];
    for (let i = 0; i < row.parts.length; i += 3) {
      const [layer, at, times] = row.parts.slice(i, i + 3);
      numbers.push(`${times < 0 ? "− " : numbers.length ? "+ " : ""}${network[layer][at]}`);
    }
    row.own.textContent = own;
    row.neurons.textContent = numbers.join(" ");
    row.carried.textContent = carried;
    row.own.className = own ? "one" : "zero";
    row.carried.className = carried === own ? row.own.className : "differ";
  }
}

// ---- Drawings

function showDrawings(circuit, network) {
  for (const [key, elements] of byKey) {
    const on = circuit.values.get(key) === 1;
    for (const element of elements) element.classList.toggle("on", on);
  }
  for (const element of document.querySelectorAll("#neurons [data-n]")) {
    const [layer, at] = element.dataset.n.split(".").map(Number);
    const value = network[layer][at];
    showValue(element, value);
    element.classList.toggle("on", value !== 0);
  }
  for (const element of document.querySelectorAll("#neurons .input")) showValue(element, x[element.dataset.k.slice(1)]);
  for (const table of document.querySelectorAll("table[data-vars]")) {
    const cell = table.dataset.vars.split(" ").map((input) => x[input]).join("");
    table.querySelector(".now")?.classList.remove("now");
    table.querySelector(`[data-m="${cell}"]`)?.classList.add("now");
  }
  for (const picture of document.querySelectorAll("svg[data-vars]")) {
    const bits = picture.dataset.vars.split(" ").map((input) => x[input]);
    const down = bits.length >> 1, now = picture.querySelector(".now");
    now.setAttribute("y", placeOf(bits.slice(0, down)));
    now.setAttribute("x", placeOf(bits.slice(down)));
  }
  listValues();
}

function showValue(element, value) {
  element.querySelector(".value").textContent = value;
  element.setAttribute("aria-label", `${element.dataset.label}, now ${value}`);
}

// Where a Gray code stands in its order.
function placeOf(bits) {
  let place = 0, last = 0;
  for (const bit of bits) {
    last ^= bit;
    place = place * 2 + last;
  }
  return place;
}

// All neurons as text, once somebody opens the list.
function listValues() {
  const details = byId("values");
  if (!details?.open) return;
  details.querySelector("div").replaceChildren(...current.network.slice(1).map((layer, at) => {
    const some = layer.length > LISTED ? ` (the first ${LISTED} of ${layer.length})` : "";
    return make("p", {}, make("b", { textContent: `layer ${at + 1}${some} ` }), [...layer.slice(0, LISTED)].join(" "));
  }));
}

// ---- The check

function startCheck() {
  const button = byId("check"), stop = byId("stop"), progress = byId("progress"), found = byId("found"), show = byId("show");
  const what = checksAll
    ? `all ${checkTotal.toLocaleString("en")} inputs`
    : `${checkTotal.toLocaleString("en")} random inputs`;
  button.textContent = `Check network against circuit on ${what}`;
  let wanted = true, differing = null;
  stop.addEventListener("click", () => { wanted = false; });
  show.addEventListener("click", () => {
    if (typed) setMode("bits");
    x.set(differing);
    own();
    byId("answer").scrollIntoView({ block: "center" });
  });
  button.addEventListener("click", async () => {
    wanted = true;
    button.disabled = true;
    stop.hidden = progress.hidden = false;
    show.hidden = true;
    found.className = "";
    found.textContent = "Checking …";
    const outcome = await compare((done) => {
      progress.value = done / checkTotal;
      return wanted;
    });
    button.disabled = false;
    stop.hidden = progress.hidden = true;
    if (!outcome) {
      const read = support.length === 1 ? "the one that is" : `the ${support.length} that are`;
      found.textContent = `No difference on ${what}${checksAll ? `: every combination of ${read} read` : ""}.`;
      found.className = "same";
    } else if (outcome.stopped) {
      found.textContent = `Stopped after ${outcome.done.toLocaleString("en")} inputs; no difference among them.`;
    } else {
      const { circuit, answer, network, done } = outcome;
      const where = data.circuits.length > 1 ? ` for ${data.circuits[circuit].target}` : "";
      found.textContent = `Different${where} on input number ${done.toLocaleString("en")}: the circuit says ${answer}, the network ${network}.`;
      found.className = "differ";
      differing = outcome.x;
      show.hidden = false;
    }
    found.dataset.outcome = !outcome ? "equal" : outcome.stopped ? "stopped" : "different";
  });
}

// ---- Begin

data.read.forEach(addSwitch);
data.columns.forEach(addField);
values = data.columns.map(firstValue);
addRows();
addGates();
if (data.rows.length) {
  byId("row").value = "0";
  take(data.rows[0]);
}
byId("mode")?.addEventListener("change", (event) => {
  mode = event.target.value;
  own();
});
byId("values")?.addEventListener("toggle", listValues);
document.querySelector(".live").hidden = false;
startLinks();
startCheck();
update();
