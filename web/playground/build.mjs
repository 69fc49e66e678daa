// SPDX-License-Identifier: MIT
// Builds the playground: one HTML file with style, script, engine, lessons and documents, which needs nothing else.
//
// node playground/build.mjs ENGINE_FOLDER TOKENS LESSONS OUT_FOLDER
//
// ENGINE_FOLDER: halcyon.js and halcyon.wasm; TOKENS: `dp2 tokens --json --words`; LESSONS: web/lessons/lessons.py. Writes index.html.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineParts, filled, pageScript, project, read, root } from "../bundle.mjs";

const [engineFolder, tokensFile, lessonsFile, outFolder] = process.argv.slice(2);
if (!outFolder)
    throw new Error("usage: node playground/build.mjs ENGINE_FOLDER TOKENS LESSONS OUT_FOLDER");

// Documents that teach, in the order in which the page lists them; then the reference.
const TAUGHT = [
    "playground", "questions", "driver-start", "driver-info", "surfaces", "state-blocks", "presentation", "directx9", "umd", "tutorial", "dp2-text", "tokens", "debugging",
    "texturing", "sampler-feedback", "conservative", "extensions", "shader-ir", "architecture", "limits", "glossary",
];
const REFERENCE = readdirSync(join(project, "docs/reference")).filter((name) => name.endsWith(".md")).sort();

function page(path) {
    const text = read(project, path);
    return { path, title: /^# (.*)/.exec(text)?.[1] ?? path, text };
}

const { words, tokens } = JSON.parse(read(tokensFile));
const course = {
    lessons: JSON.parse(read(lessonsFile)),
    pages: [...TAUGHT.map((name) => `docs/${name}.md`), ...REFERENCE.map((name) => `docs/reference/${name}`)].map(page),
    words,
    tokens: Object.fromEntries(tokens.map((token) => [token.name, token.sent_by])),
};
const parts = {
    ...(await engineParts(engineFolder)),
    style: read(root, "view/style.css") + read(root, "playground/playground.css"),
    course: JSON.stringify(course).replace(/</g, "\\u003c"),
    page: await pageScript("playground/main.tsx"),
};
mkdirSync(outFolder, { recursive: true });
writeFileSync(join(outFolder, "index.html"), filled(read(root, "playground/playground.html"), parts));
