// SPDX-License-Identifier: MIT
// Builds the template of `dp2 view`: one HTML file with style, script and engine, and a place for the capture.
//
// node build.mjs ENGINE_FOLDER OUT_FOLDER     halcyon.js and halcyon.wasm are in the first; view.html is written to the second
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineParts, filled, inScript, pageScript, project, read, root } from "./bundle.mjs";

const [engineFolder, outFolder] = process.argv.slice(2);
if (!engineFolder || !outFolder)
    throw new Error("usage: node build.mjs ENGINE_FOLDER OUT_FOLDER");

const parts = {
    ...(await engineParts(engineFolder)),
    style: read(root, "view/style.css"),
    page: await pageScript("view/main.tsx"),
    sample: inScript(read(root, "view/sample.dp2s")),
    // dp2 view inserts these; without them the page asks for a file.
    notes: "",
    "capture-name": "",
    capture: "",
};
mkdirSync(outFolder, { recursive: true });
writeFileSync(join(outFolder, "view.html"), filled(read(root, "view/view.html"), parts));
