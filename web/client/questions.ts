// SPDX-License-Identifier: MIT
// The page's questions about a capture: each is the command line of a verb of dp2 (engine/README.md).

export type Question =
    | { ask: "info" }
    | { ask: "frames"; first: number; last: number; width: number }
    | { ask: "names"; frame: number } // the draws of a frame without counts and times, which takes no time
    | { ask: "draws"; frame: number }
    | { ask: "find"; text: string } // the actions of all frames that meet conditions
    | { ask: "shot"; draw: string; show: string; target?: number; before?: boolean; range?: [number, number] }
    | { ask: "resources"; draw: string; width: number } // what a draw reads and writes, with pictures
    | { ask: "buffer"; draw: string; of: BufferOf; first: number; last: number } // rows of a table
    | { ask: "state"; draw: string; other?: string }
    | { ask: "pixel"; frame: number; x: number; y: number; surface: number; why?: string }
    | { ask: "mesh"; draw: string; most: number } // the first primitives of a draw
    | { ask: "textures"; frame: number }
    | { ask: "levels"; frame: number; surface: number }
    | { ask: "dump"; frame: number }
    | { ask: "interfaces"; frame: number } // the events of a frame, with the calls of the WDDM interface
    | { ask: "tokens" }
    | { ask: "trace"; draw: string; x: number; y: number }
    | { ask: "trace-vertex"; draw: string; vertex: number };

/** A buffer, and how its bytes are read: "stream 0", "indices" or "surface 7"; empty texts: as the draw reads them. */
export interface BufferOf {
    source: string;
    layout: string;
    stride: string;
    offset: string;
}

/** The command line of dp2 buffer without rows and output. */
export function bufferWords(file: string, draw: string, of: BufferOf): string[] {
    const [kind, number] = of.source.split(" ");
    const option = (name: string, value: string) => (value.trim() ? [name, value.trim()] : []);
    return [
        "buffer",
        file,
        draw,
        ...(kind === "indices" ? ["--indices"] : [`--${kind}`, number ?? "0"]),
        ...option("--layout", of.layout),
        ...option("--stride", of.stride),
        ...option("--offset", of.offset),
    ];
}

/** The arguments of dp2. `file` is the name of the capture in the engine. */
export function commandLine(question: Question, file: string): string[] {
    return [...words(question, file), "--json"];
}

function words(q: Question, file: string): string[] {
    switch (q.ask) {
        case "info":
            return ["info", file];
        case "frames":
            return ["frames", file, "--frame", `${q.first}-${q.last}`, "--width", String(q.width)];
        case "names":
            return ["draws", file, "--frame", String(q.frame), "--names"];
        case "find":
            return ["find", file, q.text];
        case "resources":
            return ["resources", file, q.draw, "--export", "t", "--width", String(q.width)];
        case "buffer":
            return [...bufferWords(file, q.draw, q.of), "--rows", `${q.first}-${q.last}`];
        case "draws":
            return ["draws", file, "--frame", String(q.frame)];
        case "shot": {
            const range = q.range ? ["--depth-range", `${q.range[0]}:${q.range[1]}`] : [];
            const target = q.target ? ["--target", String(q.target)] : [];
            const before = q.before ? ["--before"] : [];
            return ["shot", file, q.draw, "--show", q.show, ...target, ...before, ...range, "-o", "shot"];
        }
        case "state":
            return ["state", file, q.draw, ...(q.other === undefined ? [] : [q.other])];
        case "pixel": {
            const surface = q.surface ? ["--surface", String(q.surface)] : [];
            const which = q.why === undefined ? ["--frame", String(q.frame)] : ["--why", q.why];
            return ["pixel", file, `${q.x},${q.y}`, ...which, ...surface];
        }
        case "mesh":
            return ["mesh", file, q.draw, "--primitives", `0-${q.most - 1}`];
        case "textures":
            return ["textures", file, "--frame", String(q.frame)];
        case "levels":
            return ["textures", file, "--frame", String(q.frame), "--surface", String(q.surface), "--export", "t"];
        case "dump":
            return ["dump", file, "--frame", String(q.frame), "--tokens-only", "--bytes"];
        case "interfaces":
            return ["dump", file, "--frame", String(q.frame), "--ddi", "umd"];
        case "tokens":
            return ["tokens"];
        case "trace":
            return ["trace", file, q.draw, `${q.x},${q.y}`];
        case "trace-vertex":
            return ["trace", file, q.draw, "--vertex", String(q.vertex)];
    }
}
