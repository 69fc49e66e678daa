// SPDX-License-Identifier: MIT
// Measures waiting times of the page of `dp2 view`, in headless Chromium, and prints them without a verdict. The only
// things tested are the pictures that the page shows. tests/run runs this file when nothing else runs, so that the
// figures are meaningful.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assemble, clickPixel, drawn, open, pack, settled, start, stop, view } from "./browser.mjs";
import { ROOT } from "./load.mjs";
import { DEPTH } from "./texts.mjs";

const LANDSCAPE = join(ROOT, "build/demo/landscape.capture");

before(start);
after(stop);

test("of ten thousand draws only the rows in sight are there", async (t) => {
    const entries = Array.from({ length: 10000 }, (_, i) => `{type=TRIANGLELIST start=${3 * (i % 3)} primitives=1}`).join(" ");
    const page = await view(assemble(DEPTH.replace(/DRAWPRIMITIVE .*/, `DRAWPRIMITIVE ${entries}`), "many.capture"));
    await page.waitForFunction(() => document.querySelector(".virtual-all")?.clientHeight > 10000 * 20);
    const frames = await page.$eval("[data-list=events]", async (list) => {
        const times = [];
        let rows = 0;
        for (let i = 0; i < 90; i++) {
            const begin = await new Promise(requestAnimationFrame);
            list.scrollTop = (i * list.scrollHeight) / 90;
            times.push((await new Promise(requestAnimationFrame)) - begin);
            rows = Math.max(rows, list.querySelectorAll("[role=treeitem]").length);
        }
        return { median: times.sort((a, b) => a - b)[45], rows };
    });
    assert.ok(frames.rows < 100, `${frames.rows} rows are there`);
    t.diagnostic(`${frames.median.toFixed(1)} ms for a frame while it scrolls`);
    await page.focus("[data-list=events]");
    await page.keyboard.press("End");
    await drawn(page, "0.10000");
    // A search of them all, the first with the start of its engine.
    for (const which of ["first", "second"]) {
        await page.$eval("[data-search=events]", (element) => element.select());
        await page.focus("[data-search=events]");
        await page.keyboard.type(which === "first" ? "ZENABLE on" : "CULLMODE=CCW draw");
        const begin = performance.now();
        await page.waitForFunction((words) => document.querySelector("[data-found=all]") && document.querySelector("[data-understood]")?.textContent.includes(words), {}, which === "first" ? "ZENABLE" : "CULLMODE");
        t.diagnostic(`${Math.round(performance.now() - begin)} ms for the ${which} search of ten thousand draws, of which 250 wait for the last key`);
    }
    await page.close();
});

test("landscape: forty frames open, and a click answers", { skip: !existsSync(LANDSCAPE) && "no build/demo/landscape.capture: run scripts/demo first" }, async (t) => {
    const address = pack(LANDSCAPE);
    let opening = Infinity, click = Infinity;
    // The best of three, because other programs may use the processor now and then.
    for (let i = 0; i < 3; i++) {
        const begin = performance.now();
        const page = await open(address, { link: "#39/history" });
        await drawn(page);
        opening = Math.min(opening, performance.now() - begin);
        await settled(page);
        const clicked = performance.now();
        await clickPixel(page, 320, 240);
        await page.waitForSelector("[data-history]");
        click = Math.min(click, performance.now() - clicked);
        await page.close();
    }
    t.diagnostic(`${Math.round(opening)} ms to open, ${Math.round(click)} ms for a click`);
});
