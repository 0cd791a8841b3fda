// The pictures in docs/images: MACCHIATO_COMMAND=... node screenshots.mjs FOLDER

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "./browser.mjs";
import * as fixtures from "./fixtures.mjs";

const folder = process.argv[2] ?? ".";
const { file } = fixtures.light();
const browser = await launch();

async function shoot(name, options, body) {
  const { page, close } = await open(browser, file, options);
  writeFileSync(join(folder, name), await body(page));
  await close();
}

/** Somebody went up in the dark, and asked for the check. */
async function use(page) {
  for (const name of ["upstairs", "dark"]) await page.getByLabel(name, { exact: true }).click();
  await page.locator("#check").click();
  await page.locator("#found.same").waitFor();
}

await shoot("report.png", { viewport: { width: 1120, height: 1150 } }, async (page) => {
  await use(page);
  return page.screenshot();
});

await shoot("report-network.png", { scheme: "dark", viewport: { width: 1120, height: 1180 } }, async (page) => {
  // The term with two literals, kept lit in both drawings.
  for (const name of ["upstairs", "dark", "motion"]) await page.getByLabel(name, { exact: true }).click();
  await page.locator('#neurons [data-k="t3.1"]').first().click();
  await page.locator("#circuit").evaluate((section) => window.scrollTo({ top: section.offsetTop - 48, behavior: "instant" }));
  return page.screenshot();
});

await shoot("report-phone.png", { viewport: { width: 390, height: 1000 } }, async (page) => {
  await use(page);
  await page.locator("#live").evaluate((section) => window.scrollTo({ top: section.offsetTop - 48, behavior: "instant" }));
  return page.screenshot();
});

await browser.close();
