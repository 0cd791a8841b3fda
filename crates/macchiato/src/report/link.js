// Ties the parts of the page together: what has the same key is the same gate. Pointing at one, or focusing it, lights it up
// everywhere, its neighbours more softly; a click or Enter keeps it lit. Arrow keys move inside a drawing or a list, which is
// one stop of the Tab key.

const byKey = new Map();
function remember(element) {
  const key = element.dataset.k;
  if (!byKey.has(key)) byKey.set(key, []);
  byKey.get(key).push(element);
}

const names = new Map(data.read.map((input, at) => [input, [data.names[at], data.nots[at]]]));
const literalName = (literal) => {
  const known = names.get(Math.abs(literal) - 1);
  return known ? known[literal > 0 ? 0 : 1] : `${literal > 0 ? "" : "¬"}input ${Math.abs(literal) - 1}`;
};
const termName = (term) => term.map(literalName).join(" ∧ ") || "1";
const stageOf = (key) => stages[parseInt(key.slice(1), 10) - 1];
const stageName = (stage) =>
  `stage ${stage.at}${data.circuits.length > 1 ? ` of ${data.circuits[stage.circuit].target}` : ""}`;

// A gate in words.
function describe(key) {
  const number = parseInt(key.slice(1), 10);
  switch (key[0]) {
    case "i": return names.get(number)?.[0] ?? key;
    case "l": return literalName(key.endsWith("+") ? number + 1 : -number - 1);
    case "t": {
      const stage = stageOf(key), p = Number(key.split(".")[1]);
      return termName(stage.terms[p - 1]);
    }
    case "s": return stageName(stageOf(key));
    case "x": return data.circuits[number - 1].target;
    case "g": return gateOf.get(key)?.words?.[1] ?? key;
    default: return key;
  }
}

function kindOf(key) {
  switch (key[0]) {
    case "i": return "input";
    case "l": return key.endsWith("+") ? "literal" : "negated literal";
    case "t": return `term ${key.split(".")[1]} of ${stageName(stageOf(key))}`;
    case "s": return "OR of a stage’s terms";
    case "x": return data.circuits[parseInt(key.slice(1), 10) - 1].staged ? "XOR of the stages" : "answer";
    case "g": return gateOf.get(key)?.words?.[0] ?? "gate";
    default: return "gate";
  }
}

// The key of what a literal of a circuit reads.
const sourceKey = (literal, circuit) =>
  isInput(literal) ? literalKey(literal) : data.circuits[circuit].gates[Math.abs(literal) - data.inputs - 1].k;

// What a gate reads and what reads it.
function neighbours(key) {
  const number = parseInt(key.slice(1), 10);
  switch (key[0]) {
    case "i": return [`l${number}+`, `l${number}-`];
    case "l": {
      const literal = key.endsWith("+") ? number + 1 : -number - 1;
      const readers = [`i${number}`];
      for (const stage of stages) {
        stage.terms.forEach((term, p) => { if (term.includes(literal)) readers.push(stage.termKeys[p], stage.key); });
      }
      for (const gate of gates) if (gate.k[0] === "g" && gate.literals.includes(literal)) readers.push(gate.k);
      return readers;
    }
    case "t": {
      const stage = stageOf(key);
      return [stage.key, ...stage.terms[Number(key.split(".")[1]) - 1].map(literalKey)];
    }
    case "s": {
      const stage = stageOf(key);
      return [...stage.termKeys, `x${stage.circuit + 1}`];
    }
    case "x": {
      const circuit = data.circuits[number - 1];
      if (!circuit.staged) return [sourceKey(circuit.output, number - 1)];
      return stages.filter((stage) => stage.circuit === number - 1).map((stage) => stage.key);
    }
    case "g": {
      const gate = gateOf.get(key);
      const own = gates.filter((other) => other.circuit === gate.circuit && other.k[0] === "g");
      const readers = own.filter((other) => other.literals.some((l) => !isInput(l) && sourceKey(l, other.circuit) === key));
      return [...gate.literals.map((literal) => sourceKey(literal, gate.circuit)), ...readers.map((other) => other.k)];
    }
    default: return [];
  }
}

const inspector = document.getElementById("inspector");
let lit = [], pinned = null;

function light(key, element) {
  for (const old of lit) old.classList.remove("lit", "near");
  lit = [];
  if (!key) {
    inspector.hidden = true;
    return;
  }
  const mark = (name) => (marked) => { marked.classList.add(name); lit.push(marked); };
  for (const other of neighbours(key)) (byKey.get(other) ?? []).forEach(mark("near"));
  (byKey.get(key) ?? []).forEach(mark("lit"));
  for (const marked of byKey.get(key) ?? []) {
    if (marked.dataset.n) document.querySelectorAll(`[data-e="${marked.dataset.n}"]`).forEach(mark("lit"));
  }
  cellsOf(key).forEach(mark("lit"));
  inspect(key, element);
}

// The cells of a Karnaugh map in which a term holds.
function cellsOf(key) {
  if (key[0] !== "t") return [];
  const stage = stageOf(key), term = stage.terms[Number(key.split(".")[1]) - 1];
  const cells = [];
  for (const card of byKey.get(stage.key) ?? []) {
    const table = card.querySelector?.("table[data-vars]");
    if (!table) continue;
    const vars = table.dataset.vars.split(" ").map(Number);
    for (const cell of table.querySelectorAll("td[data-m]")) {
      const value = (literal) => cell.dataset.m[vars.indexOf(Math.abs(literal) - 1)] === (literal > 0 ? "1" : "0");
      if (term.every(value)) cells.push(cell);
    }
  }
  return cells;
}

// The line at the foot of the window.
function inspect(key, element) {
  const parts = [];
  const neuron = element?.dataset?.n;
  if (neuron) parts.push(["neuron", neuronFormula(neuron)]);
  parts.push([kindOf(key), describe(key)]);
  const value = current?.circuit.values.get(key);
  if (value !== undefined) parts.push(["now", String(value)]);
  inspector.replaceChildren(...parts.map(([name, text]) => {
    const part = document.createElement("span"), label = document.createElement("b");
    label.textContent = name;
    part.append(label, ` ${text}`);
    return part;
  }));
  inspector.hidden = false;
}

function neuronFormula(place) {
  const [layer, at] = place.split(".").map(Number);
  const { relu, bias, rows } = layers[layer - 1];
  const row = rows[at];
  let sum = "";
  for (let i = 0; i < Math.min(row.length, 16); i += 2) {
    const weight = row[i + 1], size = Math.abs(weight);
    const from = layer === 1 ? names.get(row[i])?.[0] ?? `input ${row[i]}` : `n${layer - 1}.${row[i]}`;
    sum += `${weight < 0 ? " − " : sum ? " + " : ""}${size === 1 ? "" : `${size} · `}${from}`;
  }
  if (row.length > 16) sum += ` + ${row.length / 2 - 8} more`;
  if (bias[at] !== 0 || !sum) sum += sum ? ` ${bias[at] < 0 ? "−" : "+"} ${Math.abs(bias[at])}` : bias[at];
  const value = current ? ` = ${current.network[layer][at]}` : "";
  return `${place} = ${relu ? `max(0, ${sum.trim()})` : sum.trim()}${value}`;
}

function press(element) {
  if (pinned) pinned.setAttribute("aria-pressed", "false");
  pinned = pinned === element ? null : element;
  if (pinned) pinned.setAttribute("aria-pressed", "true");
  light(element.dataset.k, element);
}

const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

// Makes the gates inside `box` buttons that share one stop of the Tab key.
function rove(box) {
  const items = [...box.querySelectorAll("[data-k]")];
  items.forEach((item, at) => {
    item.setAttribute("role", "button");
    item.setAttribute("tabindex", at === 0 ? "0" : "-1");
    item.setAttribute("aria-pressed", "false");
    if (!(box instanceof SVGElement)) return;
    for (const wire of item.querySelectorAll(".wire")) {
      // Nobody hits a line of one pixel.
      const wide = wire.cloneNode();
      wide.setAttribute("class", "hit");
      item.prepend(wide);
    }
    const neuron = item.dataset.n ? `neuron ${item.dataset.n}, ` : "";
    const whole = `${neuron}${kindOf(item.dataset.k)}: ${describe(item.dataset.k)}`;
    // A name that is cut short in the drawing is still what somebody says to reach it.
    const drawn = item.querySelector("text:not(.value)")?.textContent ?? "";
    item.dataset.label = whole.includes(drawn) ? whole : `${drawn}, ${whole}`;
    item.setAttribute("aria-label", item.dataset.label);
  });
  box.addEventListener("keydown", (event) => {
    const item = event.target.closest("[data-k]"), at = items.indexOf(item);
    if (at < 0) return;
    let to = -1;
    if (event.key in moves) to = Math.min(Math.max(at + moves[event.key], 0), items.length - 1);
    if (event.key === "Home") to = 0;
    if (event.key === "End") to = items.length - 1;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      press(item);
    }
    if (to < 0) return;
    event.preventDefault();
    item.setAttribute("tabindex", "-1");
    items[to].setAttribute("tabindex", "0");
    items[to].focus();
  });
}

// A box that scrolls and has nothing to focus inside must be reachable itself.
function reachScrolled() {
  for (const box of document.querySelectorAll(".kmap .scroll")) {
    if (box.scrollWidth > box.clientWidth) {
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Karnaugh map");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  }
}

function startLinks() {
  reachScrolled();
  window.addEventListener("resize", reachScrolled);
  document.querySelectorAll("[data-k]").forEach(remember);
  document.querySelectorAll("[data-rove]").forEach(rove);
  const gate = (event) => event.target.closest?.("[data-k]");
  document.addEventListener("pointerover", (event) => {
    if (pinned) return;
    const element = gate(event);
    light(element?.dataset.k, element);
  });
  document.addEventListener("focusin", (event) => {
    const element = gate(event);
    if (element && !pinned) light(element.dataset.k, element);
  });
  document.addEventListener("focusout", () => { if (!pinned) light(null); });
  document.addEventListener("click", (event) => {
    const element = gate(event);
    if (element?.getAttribute("role") === "button") press(element);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (pinned) pinned.setAttribute("aria-pressed", "false");
    pinned = null;
    light(null);
  });
}
