// The badge: what the checker said when the page was made is text, so the page first sees for itself what it can.
//
// From the weights that it computes with it writes the network's file again, byte by byte as the compiler does, and compares
// the file's SHA-256 with the one that the certificate speaks of; then it compares network and circuit on points. Only then is the badge
// confirmed. Dense weights grow with width times width: past FILE_LIMIT the file is left to the command.

const FILE_LIMIT = 64 << 20; // bytes
const CONFIRMED_ON = 4096; // points, which take less than a second
const utf8 = new TextEncoder();

// ---- The network's file: ONNX, a protobuf message of tags, lengths and bytes

function varintBytes(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  bytes.push(value);
  return Uint8Array.from(bytes);
}

const joined = (parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
};
const numberField = (field, value) => joined([varintBytes(field * 8), varintBytes(value)]);
const bytesField = (field, bytes) => joined([varintBytes(field * 8 + 2), varintBytes(bytes.length), bytes]);
const textField = (field, text) => bytesField(field, utf8.encode(text));
const messageField = (field, ...parts) => bytesField(field, joined(parts));

function operation(name, inputs, output, ...more) {
  return messageField(1, ...inputs.map((input) => textField(1, input)), textField(2, output), textField(4, name), ...more);
}

function tensor(name, shape, floats) {
  const bytes = new Uint8Array(4 * floats.length), view = new DataView(bytes.buffer);
  floats.forEach((value, at) => view.setFloat32(4 * at, value, true));
  return messageField(5, ...shape.map((length) => numberField(1, length)), numberField(2, 1), textField(8, name), bytesField(9, bytes));
}

const valueInfo = (field, name, width) => messageField(field, textField(1, name), messageField(2, messageField(1, numberField(1, 1),
  messageField(2, messageField(1, textField(2, "N")), messageField(1, numberField(1, width))))));

// Null where the file is too large to be written here.
function networkFile() {
  let width = data.inputs, weights = 0;
  for (const { bias } of layers) { weights += width * bias.length; width = bias.length; }
  if (4 * weights > FILE_LIMIT) return null;
  const operations = [], tensors = [];
  let from = "x";
  width = data.inputs;
  layers.forEach(({ relu, bias, rows }, at) => {
    const number = at + 1, value = number === layers.length ? "y" : `a${number}`, sum = relu ? `z${number}` : value;
    const transposed = messageField(5, textField(1, "transB"), numberField(3, 1), numberField(20, 2));
    operations.push(operation("Gemm", [from, `W${number}`, `b${number}`], sum, transposed));
    if (relu) operations.push(operation("Relu", [sum], value));
    const dense = new Float32Array(width * bias.length);
    rows.forEach((row, n) => { for (let i = 0; i < row.length; i += 2) dense[n * width + row[i]] = row[i + 1]; });
    tensors.push(tensor(`W${number}`, [bias.length, width], dense), tensor(`b${number}`, [bias.length], Float32Array.from(bias)));
    width = bias.length;
    from = value;
  });
  const graph = messageField(7, ...operations, textField(2, "macchiato"), ...tensors,
    valueInfo(11, "x", data.inputs), valueInfo(12, "y", width));
  return joined([numberField(1, 8), textField(2, "macchiato"), messageField(8, textField(1, ""), numberField(2, 13)), graph]);
}

// ---- SHA-256 (FIPS 180-4); a page that is opened from disk may have no other

function sha256(message) {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 4294967296) | 0;
  const constants = primes.map((p) => fraction(Math.cbrt(p)));
  const state = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64), view = new DataView(padded.buffer);
  padded.set(message);
  padded[message.length] = 128;
  view.setUint32(padded.length - 8, Math.floor(message.length / 536870912));
  view.setUint32(padded.length - 4, message.length * 8 >>> 0);
  const w = new Int32Array(64), turn = (value, by) => value >>> by | value << 32 - by;
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = view.getInt32(block + 4 * i);
      } else {
        const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >>> 3;
        const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >>> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
      }
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + constants[i] + w[i] | 0;
      const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + t1 | 0, c, b, a, t1 + t2 | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

// ---- The badge

(async () => {
  const badge = document.getElementById("badge"), confirmed = document.getElementById("confirmed");
  if (!badge || !confirmed || badge.dataset.said !== "accepted") return;
  const show = (outcome, word, sentence) => {
    badge.textContent = word;
    confirmed.textContent = sentence;
    confirmed.className = outcome === "refuted" ? "note bad" : "note";
    badge.dataset.outcome = confirmed.dataset.outcome = outcome;
  };
  const file = networkFile(), digest = file && sha256(file);
  if (file && digest !== data.network) {
    show("refuted", "not confirmed", `This page’s weights are not the network that was checked: their file has the SHA-256 ${digest}.`);
    return;
  }
  const points = Math.min(CONFIRMED_ON, checkTotal), differs = await compare(() => true, points);
  if (differs) {
    show("refuted", "not confirmed", "On some input this page’s network and circuit differ, so this is not what was checked: press “Check” above.");
    return;
  }
  const compared = `the network equals the circuit on ${points === checkTotal && checksAll ? "all " : ""}${points.toLocaleString("en")} inputs tried here`;
  if (file) {
    show("confirmed", "accepted, confirmed", `Confirmed by this page: its weights make the file whose SHA-256 the certificate names, and ${compared}.`);
  } else {
    show("partly", "accepted", `The network’s file is too large to be made here, so its digest is not confirmed; ${compared}.`);
  }
})();
