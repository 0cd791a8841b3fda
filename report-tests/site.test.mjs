// The site as it opens from disk: every page passes axe-core at phone and desktop width and loads nothing from elsewhere, and search finds pages.
// MACCHIATO_SITE names the folder that scripts/site has built.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { desktop, launch, phone } from "./browser.mjs";

const site = process.env.MACCHIATO_SITE;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const skip = site && existsSync(join(site, "index.html")) ? false : "MACCHIATO_SITE names no site";
// The page for what is not found is a server's: its links begin at the root. Reports have tests of their own.
const isPage = (name) => name.endsWith(".html") && name !== "404.html" && !name.startsWith("gallery/");
const pages = skip ? [] : readdirSync(site, { recursive: true }).filter(isPage).sort();

let browser;
before(async () => { browser = skip ? undefined : await launch(); });
after(() => browser?.close());

/** Opens a page; requests outside of the site are refused and kept. */
async function open(name, viewport, scheme = "light") {
  const context = await browser.newContext({ viewport, colorScheme: scheme, offline: true });
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  const complaints = [];
  await page.route("**/*", (route) => {
    if (route.request().url().startsWith(pathToFileURL(site).href)) return route.continue();
    complaints.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  await page.goto(pathToFileURL(join(site, name)).href);
  return { page, complaints, close: () => context.close() };
}

/** What axe-core finds, one line for each rule. */
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, first ${nodes[0].html.slice(0, 200)}`);
}

test("there are pages", { skip }, () => assert.ok(pages.length > 30, `${pages.length} pages`));

for (const name of pages) {
  test(`${name} passes axe-core and stays within its width`, async () => {
    for (const [viewport, scheme] of [[desktop, "light"], [phone, "dark"]]) {
      const { page, complaints, close } = await open(name, viewport, scheme);
      // The theme has brought everything into its place.
      await page.locator("[data-md-component=search] input").waitFor({ state: "attached" });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      assert.deepEqual(await violations(page), [], `${viewport.width} wide, ${scheme}`);
      const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(wide <= width, `${wide} wide on a screen of ${width}`);
      assert.deepEqual(complaints, []);
      await close();
    }
  });
}

test("search finds a page from disk", { skip }, async () => {
  const { page, complaints, close } = await open("index.html", desktop);
  await page.locator("input.md-search__input").click();
  await page.keyboard.type("lower bound");
  await page.locator(".md-search-result__item").first().waitFor();
  assert.match(await page.locator(".md-search-result__list").innerText(), /logic designer/i);
  assert.deepEqual(complaints, []);
  await close();
});
