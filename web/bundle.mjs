// SPDX-License-Identifier: MIT
// Shared by the builds of the pages: bundles scripts, with the licences of their contents, as text to be inserted into
// a page.
import { build } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The folder web/, and the root of the project. */
export const root = dirname(fileURLToPath(import.meta.url));
export const project = dirname(root);

export const read = (...path) => readFileSync(join(...path), "utf8");

/** Text that is safe in a script element. */
export const inScript = (text) => text.replace(/<(?=\/script|!--)/gi, "\\x3c");

/** The text of a bundle, and the packages that it contains. */
async function bundle(entry, define = {}) {
    const result = await build({
        entryPoints: [join(root, entry)],
        absWorkingDir: root,
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        format: "iife",
        target: "es2023",
        charset: "utf8",
        legalComments: "none",
        jsx: "automatic",
        jsxImportSource: "preact",
        define,
    });
    const packages = Object.keys(result.metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
    return { text: result.outputFiles[0].text, packages: [...new Set(packages)].sort() };
}

function licence(name) {
    const folder = join(root, "node_modules", name);
    const { version, license } = JSON.parse(read(folder, "package.json"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE"].map((n) => join(folder, n)).find(existsSync);
    if (!file)
        throw new Error(`${name} has no text of its licence`);
    return `${name} ${version}, ${license}\n\n${read(file).trim()}\n`;
}

/** The script of a page, with the licences of everything in it as LICENCE_TEXTS. */
export async function pageScript(entry) {
    const { packages } = await bundle(entry, { LICENCE_TEXTS: '""' });
    const own = `Halcyon, MIT\n\n${read(project, "LICENSE").trim()}\n`;
    const licences = [own, ...packages.map(licence)].join(`\n${"-".repeat(72)}\n\n`);
    return inScript((await bundle(entry, { LICENCE_TEXTS: JSON.stringify(licences) })).text);
}

/** The engine's parts of every page: the module, and the script of the Worker that runs it. */
export async function engineParts(folder) {
    const { text } = await bundle("client/worker.ts");
    return {
        engine: gzipSync(readFileSync(join(folder, "halcyon.wasm")), { level: 9 }).toString("base64"),
        worker: inScript(`${read(folder, "halcyon.js")}\n${text}`),
    };
}

/** A template with its parts: {{name}} stands for the part of that name. */
export const filled = (template, parts) => template.replace(/\{\{([a-z-]+)\}\}/g, (_, name) => parts[name]);
