// A headless Chromium, and pages opened from disk in it with every way out closed.

import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";

const executablePath = process.env.MACCHIATO_CHROMIUM ?? "/usr/bin/chromium";

export const launch = () => chromium.launch({
  executablePath,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});

export const desktop = { width: 1200, height: 900 };
export const phone = { width: 390, height: 844 };

/**
 * Opens a file. `complaints` collects what the console says, errors, dialogs and requests for anything but the file; all
 * requests but the file's own are refused.
 */
export async function open(browser, file, { scheme = "light", viewport = desktop } = {}) {
  const context = await browser.newContext({ colorScheme: scheme, viewport, offline: true });
  // A busy machine may take its time.
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  const complaints = [];
  const url = pathToFileURL(file).href;
  await page.route("**/*", (route) => {
    if (route.request().url() === url) return route.continue();
    complaints.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}
