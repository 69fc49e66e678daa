// SPDX-License-Identifier: MIT
// Modules of the page for tests in node: TypeScript is translated on the way.
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
export const ROOT = dirname(WEB);

/** All that a module exports. path: from web/. */
export async function load(path) {
    const result = await build({
        entryPoints: [join(WEB, path)],
        absWorkingDir: WEB,
        bundle: true,
        write: false,
        format: "esm",
        platform: "node",
        jsx: "automatic",
        jsxImportSource: "preact",
    });
    return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString("base64")}`);
}
