// The pictures of the site in docs/images: MACCHIATO_SITE=... node site-screenshots.mjs FOLDER

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, phone } from "./browser.mjs";

const site = process.env.MACCHIATO_SITE;
const folder = process.argv[2] ?? ".";
const browser = await launch();

async function shoot(name, page, viewport, scheme, anchor = "") {
  const context = await browser.newContext({ viewport, colorScheme: scheme, offline: true });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(join(site, page)).href + anchor);
  await tab.waitForTimeout(500);
  writeFileSync(join(folder, name), await tab.screenshot());
  await context.close();
}

await shoot("site.png", "index.html", { width: 1280, height: 800 }, "light");
await shoot("site-phone.png", "gallery.html", phone, "dark", "#titanic");
await browser.close();
