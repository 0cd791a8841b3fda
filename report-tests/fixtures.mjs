// Models of every kind and their reports, made by the command itself in a temporary folder.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const command = process.env.MACCHIATO_COMMAND;
if (!command) throw new Error("MACCHIATO_COMMAND must name the program `macchiato`");

export const folder = mkdtempSync(join(tmpdir(), "macchiato-report-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name) => join(folder, name);
export const macchiato = (...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** A small generator with a fixed seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

const quoted = (value) => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`);
export const csv = (head, rows) => [head, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
export const write = (name, text) => {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
};

/** The labels that `predict` gives for these rows. */
export function predict(model, head, rows) {
  write("predict.csv", csv(head, rows));
  return macchiato("predict", model, "predict.csv").trim().split("\n");
}

export const NASTY = {
  column: "<script>alert(1)</script>",
  level: "</script><img src=x onerror=alert(2)>",
  target: "\"><svg onload=alert(3)>\u2028",
};

function report(name, ...more) {
  macchiato("report", `${name}.json`, "--out", `${name}.html`, "--quiet", ...more);
  return { name, model: `${name}.json`, file: inFolder(`${name}.html`) };
}

/** Two switches and a motion sensor. */
export function light() {
  macchiato("fit", "--example", "--out", "light.json", "--quiet");
  return report("light");
}

/** A random function of 9 of 14 inputs, with training and test rows. */
export function junta() {
  macchiato("gen", "junta", "--inputs", "14", "--support", "9", "--rows", "6000", "--out", "junta.csv", "--test", "junta_test.csv", "--test-rows", "2000", "--quiet");
  macchiato("fit", "junta.csv", "--out", "junta.json", "--quiet");
  return report("junta", "--rows", "junta.csv", "--test", "junta_test.csv");
}

/** More inputs than can be enumerated. */
export function wide() {
  macchiato("gen", "parity", "--inputs", "30", "--support", "26", "--rows", "400", "--out", "wide.csv", "--quiet");
  macchiato("fit", "wide.csv", "--out", "wide.json", "--quiet");
  return report("wide", "--rows", "wide.csv");
}

/** Twenty stages learned from 100,000 rows. */
export function large() {
  macchiato("gen", "junta", "--inputs", "17", "--support", "14", "--rows", "100000", "--out", "large.csv", "--quiet");
  macchiato("fit", "large.csv", "--method", "paper", "-k", "9", "-m", "20", "--out", "large.json", "--quiet");
  return report("large", "--rows", "large.csv", "--test", "large.csv");
}

/** Numbers, names, gaps, and names that are markup. */
export function risk() {
  const next = random(5);
  const head = ["age", "job", NASTY.column, "income", NASTY.target];
  const jobs = ["clerk", "cook", NASTY.level, "nurse"];
  const rows = [];
  for (let i = 0; i < 900; i++) {
    const age = 18 + Math.floor(next() * 60), job = jobs[Math.floor(next() * 4)];
    const smoker = next() < 0.5 ? "yes" : "no", income = Math.round(next() * 900) / 10;
    const high = (age > 45 && job !== NASTY.level) !== (smoker === "yes" && income < 30);
    rows.push([next() < 0.05 ? null : age, job, smoker, income, high ? "high <b>" : "low"]);
  }
  write("risk.csv", csv(head, rows.slice(0, 600)));
  write("risk_test.csv", csv(head, rows.slice(600)));
  macchiato("fit", "risk.csv", "--out", "risk.json", "--quiet");
  return { ...report("risk", "--rows", "risk.csv", "--test", "risk_test.csv"), head: head.slice(0, 4), jobs };
}

/** Three classes, with noise, so that the circuits do not always agree. */
export function species() {
  const next = random(11);
  const head = ["petal", "sepal", "colour", "species"];
  const colours = ["red", "green", "blue"], names = ["setosa", "versicolor", "virginica"];
  const rows = [];
  for (let i = 0; i < 900; i++) {
    const petal = Math.round(next() * 100) / 10, sepal = Math.round(next() * 100) / 10, colour = colours[Math.floor(next() * 3)];
    let kind = petal < 3 ? 0 : (sepal > 6) !== (colour === "red") ? 2 : 1;
    if (next() < 0.12) kind = Math.floor(next() * 3);
    rows.push([petal, sepal, colour, names[kind]]);
  }
  write("species.csv", csv(head, rows));
  // Few terms in each stage, so that the circuits leave some rows open.
  macchiato("fit", "species.csv", "--method", "paper", "-k", "5", "-m", "4", "--out", "species.json", "--quiet");
  return { ...report("species", "--rows", "species.csv"), head: head.slice(0, 3), colours };
}

/** The page with another first bias in its last hidden layer: it moves the sum of the stages, so that it always shows. */
export function doctored(made, name) {
  const page = readFileSync(made.file, "utf8");
  const data = JSON.parse(page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
  data.layers.at(-2).bias[0] += 1;
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return { name, file: write(name, page.replace(/(id="data">).*?(<\/script>)/s, (_, before, after) => before + text + after)), model: made.model };
}
