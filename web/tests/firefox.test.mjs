// SPDX-License-Identifier: MIT
// Both pages in headless Firefox: pixels, typing, and the panes. The other tests run in Chromium.
//
// In the environment: FIREFOX (/usr/bin/firefox-esr); without it the tests are skipped. SITE, TEMPLATE and DP2 as in the other tests.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { assemble, canvas, drawn, pack, shot } from "./browser.mjs";
import { ROOT } from "./load.mjs";
import { DEPTH } from "./texts.mjs";

const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const SITE = join(process.env.SITE ?? join(ROOT, "build/web/playground"), "index.html");
const skip = existsSync(FIREFOX) ? false : `no ${FIREFOX}`;

let browser;
before(async () => {
    if (!skip)
        browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true, timeout: 600000, protocolTimeout: 1800000 });
});
after(() => browser?.close());

async function open(address) {
    const page = await browser.newPage();
    page.problems = [];
    page.setDefaultTimeout(600000);
    page.on("pageerror", (error) => page.problems.push(error.message));
    await page.setViewport({ width: 1280, height: 720 });
    await page.goto(address);
    return page;
}

test("the debugger's page shows the pixels of dp2, and why one has its colour", { skip }, async () => {
    const capture = assemble(DEPTH, "firefox.capture");
    const page = await open(`${pack(capture, "firefox.html")}#0.2/10,10/history`);
    await drawn(page);
    const [seen, wanted] = [await canvas(page), shot(capture, "0.2")];
    assert.deepEqual([seen.width, seen.height], [wanted.width, wanted.height]);
    assert.ok(Buffer.from(seen.pixels).equals(Buffer.from(wanted.pixels)));
    await page.waitForSelector("[data-verdict]");
    // The search, small pictures, and a buffer as a table.
    await page.waitForSelector("[data-resource=depth] canvas");
    await page.focus("[data-search=events]");
    await page.keyboard.type("ZENABLE on draw");
    await page.waitForSelector("[data-found=all]");
    assert.deepEqual(await page.$$eval("[data-list=events] [data-row]", (list) => list.map((e) => e.dataset.row)), ["0.1", "0.2", "0.3"]);
    await page.click("[data-tab=buffers]");
    await page.waitForSelector("[data-buffer-row='8']");
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("the playground draws what is typed, names errors, and pairs both interfaces", { skip }, async () => {
    const page = await open(`${pathToFileURL(SITE).href}#31-two-interfaces`);
    await page.waitForSelector(".playground[data-waiting=false] [data-result=fails]");
    await page.waitForSelector("[data-list=interfaces] [data-call=pfnCreateResource]");
    await page.click("[data-control=solution]");
    await page.waitForSelector(".playground[data-waiting=false] [data-result=passes]");
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.type("presnt screen");
    // While the word is typed, messages about its first letters appear.
    await page.waitForFunction(() => /did you mean "present"/.test(document.querySelector(".under-line")?.textContent));
    assert.deepEqual(page.problems, []);
    await page.close();
});
