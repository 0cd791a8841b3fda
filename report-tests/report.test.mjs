// The report in a real browser: node --test, with MACCHIATO_COMMAND naming the program.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { desktop, launch, open, phone } from "./browser.mjs";
import * as fixtures from "./fixtures.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const made = {};
let browser;

before(async () => {
  for (const name of ["light", "junta", "wide", "large", "risk", "species"]) made[name] = fixtures[name]();
  browser = await launch();
});
after(() => browser?.close());

/** Runs `body` on the page of a fixture; nothing may be complained about meanwhile. */
async function on(fixture, options, body) {
  const { page, complaints, close } = await open(browser, fixture.file, options);
  try {
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
}

/** The gates that the page has as data, of all circuits. */
const gates = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent).circuits.flatMap((circuit) => circuit.gates));

const answer = (page) => page.locator("#answer").getAttribute("data-answer");

/** Presses the check button and waits for its outcome. */
async function check(page) {
  await page.locator("#check").click();
  await page.waitForFunction(() => document.getElementById("found").dataset.outcome, null, { timeout: 300000 });
  return page.locator("#found").getAttribute("data-outcome");
}

/** What the page itself makes of the verdict. */
async function confirmation(page) {
  await page.waitForFunction(() => document.getElementById("badge").dataset.outcome);
  return page.locator("#badge").getAttribute("data-outcome");
}

/** What axe-core has to say, with everything unfolded. */
async function violations(page) {
  await page.evaluate(axe);
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

describe("every page", () => {
  for (const name of ["light", "junta", "wide", "large", "risk", "species"]) {
    test(`${name} opens from disk with the network blocked and nothing on the console`, async () => {
      await on(made[name], {}, async (page) => {
        for (const id of ["live", "accuracy", "circuit", "network", "influence", "certificate"]) {
          assert.equal(await page.locator(`section#${id}`).count(), 1, id);
        }
        // Circuits of other gates than stages have no story of stages to tell.
        const stages = (await gates(page)).some((gate) => /^s\d+$/.test(gate.k));
        assert.equal(stages, name !== "risk", "which fixtures are made of stages");
        assert.equal(await page.locator("section#stages").count(), stages ? 1 : 0, "stages");
        assert.equal(await page.locator(".live").isVisible(), true);
        assert.match(await page.locator("#certificate").innerText(), /said: accepted/);
        assert.equal(await confirmation(page), "confirmed", await page.locator("#confirmed").innerText());
        assert.equal(await page.locator("#badge").innerText(), "accepted, confirmed");
        assert.equal(await page.locator("#sides .same").count(), 1);
        assert.notEqual(await answer(page), null);
      });
    });

    test(`${name} does not scroll sideways on a phone`, async () => {
      await on(made[name], { viewport: phone }, async (page) => {
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(over <= 0, `${over} pixels too wide`);
      });
    });

    for (const scheme of ["light", "dark"]) {
      test(`${name} passes axe-core, ${scheme}`, async () => {
        // The large page takes long: on a desktop when light, on a phone when dark.
        const viewports = name === "large" ? [scheme === "light" ? desktop : phone] : [desktop, phone];
        for (const viewport of viewports) {
          await on(made[name], { scheme, viewport }, async (page) => assert.deepEqual(await violations(page), []));
        }
      });
    }

    test(`${name}: the network's weights and the circuit say the same`, async () => {
      await on(made[name], {}, async (page) => assert.equal(await check(page), "equal"));
    });
  }

  test("twenty stages and 100,000 rows take less than a megabyte", () => {
    assert.ok(statSync(made.large.file).size < 1e6, `${statSync(made.large.file).size} bytes`);
  });

  test("prints", async () => {
    const { page, close } = await open(browser, made.junta.file);
    const pdf = await page.pdf({ format: "A4" });
    await close();
    assert.ok(pdf.length > 10000);
  });
});

describe("the live panel answers as `macchiato predict` does on 200 random inputs", () => {
  test("of a model, by its switches", async () => {
    const next = fixtures.random(1);
    const head = Array.from({ length: 14 }, (_, i) => `x${i + 1}`);
    const rows = Array.from({ length: 200 }, () => head.map(() => (next() < 0.5 ? 0 : 1)));
    const expected = fixtures.predict(made.junta.model, head, rows);
    assert.ok(new Set(expected).size === 2);
    await on(made.junta, {}, async (page) => {
      const told = await page.evaluate(([head, rows]) => {
        const switches = [...document.querySelectorAll("#inputs label")]
          .map((label) => [head.indexOf(label.textContent.trim()), label.querySelector("input")]);
        return rows.map((row) => {
          for (const [at, input] of switches) if (input.checked !== (row[at] === 1)) input.click();
          return [document.getElementById("answer").dataset.answer, document.querySelector("#sides .same") !== null];
        });
      }, [head, rows]);
      assert.deepEqual(told, expected.map((label) => [label, true]));
    });
  });

  for (const name of ["risk", "species"]) {
    test(`of the classifier ${name}, by the values of columns`, async () => {
      const next = fixtures.random(2);
      const pick = (list) => list[Math.floor(next() * list.length)];
      const { head, jobs, colours } = made[name];
      const draw = {
        age: () => (next() < 0.1 ? null : Math.round(next() * 900) / 10),
        job: () => pick([...jobs, "unseen", null]),
        [fixtures.NASTY.column]: () => pick(["yes", "no"]),
        income: () => Math.round(next() * 1000) / 10,
        petal: () => Math.round(next() * 1000) / 100,
        sepal: () => Math.round(next() * 1000) / 100,
        colour: () => pick([...(colours ?? []), "unseen"]),
      };
      const rows = Array.from({ length: 200 }, () => head.map((column) => draw[column]()));
      const expected = fixtures.predict(made[name].model, head, rows);
      assert.ok(new Set(expected).size > 1);
      await on(made[name], {}, async (page) => {
        const told = await page.evaluate(([head, rows]) => {
          const fields = [...document.querySelectorAll("#columns label")]
            .map((label) => [head.indexOf(label.querySelector(".name").textContent), label.querySelector("input, select")]);
          return rows.map((row) => {
            for (const [at, field] of fields) {
              const value = row[at];
              if (field.tagName === "INPUT") {
                field.value = value ?? "";
              } else {
                const wanted = value === null ? "(missing)" : value;
                const option = [...field.options].find((one) => one.textContent === wanted) ??
                  [...field.options].find((one) => one.textContent === "(another)");
                field.value = option.value;
              }
              field.dispatchEvent(new Event("input", { bubbles: true }));
            }
            return [document.getElementById("answer").dataset.answer, document.querySelector("#sides .same") !== null];
          });
        }, [head, rows]);
        assert.deepEqual(told, expected.map((label) => [label, true]));
      });
    });
  }

  test("where the circuits of several classes leave it open, too", async () => {
    // Every row on the page is labelled with what `predict` said.
    await on(made.species, {}, async (page) => {
      const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
      assert.ok(data.rows.length > 20);
      for (const [at, row] of data.rows.entries()) {
        await page.locator("#row").selectOption(String(at));
        assert.equal(await answer(page), data.classes[row.answer]);
      }
    });
  });
});

describe("the check", () => {
  test("finds a bias that was changed, and shows the input", async () => {
    for (const name of ["light", "risk", "species", "wide"]) {
      await on(fixtures.doctored(made[name], `${name}-doctored.html`), {}, async (page) => {
        assert.equal(await confirmation(page), "refuted");
        assert.equal(await page.locator("#badge").innerText(), "not confirmed");
        assert.equal(await check(page), "different", name);
        await page.locator("#show").click();
        assert.equal(await page.locator("#sides .differ").count(), 1, name);
        assert.ok(await page.locator("#gate-values td.differ").count() > 0, name);
      });
    }
  });

  test("leaves the page usable, and stops when asked to", async () => {
    await on(made.wide, {}, async (page) => {
      await page.locator("#check").click();
      await page.waitForFunction(() => document.getElementById("progress").value > 0);
      const before = await answer(page);
      await page.locator("#inputs input").first().click();
      assert.notEqual(await answer(page), before);
      await page.locator("#stop").click();
      await page.waitForFunction(() => document.getElementById("found").dataset.outcome === "stopped");
    });
  });
});

describe("parts of the page find each other", () => {
  test("a neuron lights up its gate, its term and its stage", async () => {
    await on(made.light, {}, async (page) => {
      const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
      const term = data.circuits[0].gates.find((gate) => /^t\d+\.1$/.test(gate.k) && gate.literals.length === 2);
      const stage = parseInt(term.k.slice(1), 10);
      await page.locator(`#neurons [data-k="t${stage}.1"]`).first().hover();
      for (const part of ["#gates", "#neurons", "#stages", "#gate-values"]) {
        assert.ok(await page.locator(`${part} [data-k="t${stage}.1"].lit`).count() > 0, part);
      }
      assert.equal(await page.locator(`#stages [data-k="s${stage}"].near`).count(), 1);
      assert.ok(await page.locator("#stages td.lit").count() > 0);
      assert.match(await page.locator("#inspector").innerText(), /neuron 1\.\d+ = max\(0, .*term 1 of stage \d/s);
    });
  });

  test("what is lit has enough contrast", async () => {
    for (const scheme of ["light", "dark"]) {
      await on(made.light, { scheme }, async (page) => {
        await page.locator("#gates [data-k^=t]").last().click();
        assert.deepEqual(await violations(page), []);
      });
    }
  });

  test("every neuron belongs to a gate", async () => {
    for (const name of ["light", "risk"]) {
      await on(made[name], {}, async (page) => {
        const known = new Set((await gates(page)).map((gate) => gate.k));
        const keys = await page.locator("#neurons [data-n]").evaluateAll((all) => all.map((one) => one.dataset.k));
        assert.ok(keys.length > 0 && keys.every((key) => /^(l\d+[+-]|x\d+)$/.test(key) || known.has(key)), keys.join(" "));
      });
    }
  });
});

describe("the front", () => {
  test("a point leads to its rule, and only that is shown", async () => {
    await on(made.risk, {}, async (page) => {
      const shown = () => page.locator(".sizes .one:visible").evaluateAll((all) => all.map((one) => one.id));
      const own = await page.locator(".sizes .one.taken").getAttribute("id");
      assert.deepEqual(await shown(), [own]);
      const points = page.locator(".front a");
      assert.ok(await points.count() > 2);
      await points.first().focus();
      await page.keyboard.press("Enter");
      assert.deepEqual(await shown(), ["size-1-1"]);
      assert.match(await page.locator("#size-1-1").innerText(), /0 conditions, right on \d/);
      await points.nth(1).click();
      assert.deepEqual(await shown(), ["size-1-2"]);
    });
  });
});

describe("the keyboard alone", () => {
  /** Presses Tab until `selector` has the focus. */
  async function tabTo(page, selector) {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    }
    assert.fail(`Tab does not reach ${selector}`);
  }

  test("changes inputs, checks, and goes through gates and neurons", async () => {
    await on(made.light, {}, async (page) => {
      const before = await answer(page);
      await tabTo(page, "#inputs input");
      await page.keyboard.press("Space");
      assert.notEqual(await answer(page), before);
      await tabTo(page, "#check");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.getElementById("found").dataset.outcome === "equal");
      for (const drawing of ["#gates", "#neurons"]) {
        await tabTo(page, `${drawing} [data-k]`);
        const first = await page.evaluate(() => document.activeElement.dataset.k);
        await page.keyboard.press("End");
        const last = await page.evaluate(() => document.activeElement.dataset.k);
        assert.notEqual(last, first);
        assert.equal(await page.locator("#inspector").isVisible(), true);
        assert.equal(await page.evaluate(() => document.activeElement.classList.contains("lit")), true);
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-pressed")), "true");
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("#inspector").isVisible(), false);
      }
    });
  });

  test("sets the columns of a table, or its bits", async () => {
    await on(made.risk, {}, async (page) => {
      await tabTo(page, "#mode input");
      await page.keyboard.press("ArrowRight");
      assert.equal(await page.locator("#inputs").isDisabled(), false);
      await tabTo(page, "#inputs input");
      const value = await page.evaluate(() => document.activeElement.checked);
      await page.keyboard.press("Space");
      assert.equal(await page.evaluate(() => document.activeElement.checked), !value);
    });
  });
});

describe("names that are markup", () => {
  test("are only ever text", async () => {
    await on(made.risk, {}, async (page) => {
      assert.equal(await page.locator("script").count(), 2);
      assert.equal(await page.locator("img, [onload], [onerror], main b:empty").count(), 0);
      const text = await page.evaluate(() => document.body.innerText);
      for (const name of [fixtures.NASTY.column, fixtures.NASTY.level]) assert.ok(text.includes(name), name);
      // Pointing at every gate writes every name somewhere.
      for (const gate of await page.locator("#gates [data-k]").all()) await gate.dispatchEvent("pointerover");
      assert.equal(await page.locator("script").count(), 2);
      assert.equal(await page.locator("img, [onload], [onerror]").count(), 0);
    });
  });
});
