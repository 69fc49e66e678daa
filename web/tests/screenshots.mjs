// SPDX-License-Identifier: MIT
// Makes the pictures of the pages that README.md and documents show, 1280x720 in light and dark: docs/images/view-*.png of `dp2 view`
// (docs/debugging.md), playground*.png of the playground (docs/playground.md).
//
// node tests/screenshots.mjs [FOLDER]
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { clickPixel, drawn, open, settled, start, stop, view } from "./browser.mjs";
import { ROOT } from "./load.mjs";

const folder = process.argv[2] ?? join(ROOT, "docs/images");
const SHOTS = [
    { name: "view-history", example: "henge", link: "#3.3/320,240/history", scheme: "light" },
    { name: "view-shader", example: "henge", link: "#3.3/320,240/shader", scheme: "dark" },
    { name: "view-mesh", example: "henge", link: "#3.3/270,400/mesh", scheme: "light", show: "triangle-size" },
    { name: "view-stream", example: "landscape", link: "#2.14/320,240/stream", scheme: "dark" },
    { name: "view-textures", example: "henge", link: "#3.3/320,240/textures", scheme: "light", surface: 27 },
    { name: "view-state", example: "landscape", link: "#2.24/470,380/state", scheme: "dark", show: "overdraw" },
    { name: "view-buffers", example: "landscape", link: "#2.33/320,240/buffers", scheme: "light", search: "ZENABLE off" },
];

await start();
for (const { name, example, link, scheme, show, surface, search } of SHOTS) {
    const page = await view(join(ROOT, `build/demo/${example}.capture`), { link, scheme });
    if (show)
        await page.select("[data-control=show]", show);
    if (surface) {
        await page.focus("[data-list=surfaces]");
        for (let row = 0; row < 40 && !(await page.$(`[data-surface="${surface}"][aria-selected=true]`)); row++)
            await page.keyboard.press("ArrowDown");
    }
    if (search) {
        await page.focus("[data-search=events]");
        await page.keyboard.type(search);
        await page.waitForSelector("[data-found=all]");
    }
    await page.waitForFunction(() => document.querySelectorAll("[data-frame]").length === document.querySelectorAll("[data-frame] canvas").length);
    await drawn(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
}

const playground = pathToFileURL(join(ROOT, "build/web/playground/index.html")).href;
const light = await open(playground, { link: "#16-blend" });
await drawn(light);
await clickPixel(light, 105, 60);
await light.waitForSelector("[data-verdict]");
await settled(light);
await light.screenshot({ path: join(folder, "playground.png") });
const dark = await open(playground, { link: "#23-vertex-shader/docs/driver-start.md#the-steps", scheme: "dark" });
await drawn(dark);
await dark.click("[data-tab=calls]");
await settled(dark);
await dark.screenshot({ path: join(folder, "playground-dark.png") });
const faces = await open(playground, { link: "#31-two-interfaces" });
await drawn(faces);
await (await faces.waitForSelector("[data-list=interfaces] [data-call=pfnCreateResource]")).hover();
await faces.waitForSelector(".cm-marked");
await settled(faces);
await faces.screenshot({ path: join(folder, "playground-interfaces.png") });
await stop();
