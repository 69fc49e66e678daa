// SPDX-License-Identifier: MIT
// The verdict on a primitive at a pixel, in words, with the values behind it.
import type { Blit, Fragment, Nearest, PixelRow } from "../client/documents";
import { float } from "../parts/numbers";

const COMPARE: Record<string, string> = {
    NEVER: "never",
    LESS: "<",
    EQUAL: "=",
    LESSEQUAL: "≤",
    GREATER: ">",
    NOTEQUAL: "≠",
    GREATEREQUAL: "≥",
    ALWAYS: "always",
};

function compare(func: string | undefined): string {
    return func === undefined ? "?" : (COMPARE[func] ?? func);
}

export type Tone = "good" | "bad" | "none";

/** Did the primitive change the pixel? */
export function tone(verdict: string): Tone {
    if (verdict === "written" || verdict === "blended")
        return "good";
    return verdict === "uncovered" || verdict === "outside" ? "none" : "bad";
}

function passedDepth(f: Fragment): string {
    const stored = f.before?.[0]?.depth;
    if (!f.depth_test || f.depth === undefined || stored === undefined)
        return "";
    return `; depth ${float(f.depth[0] ?? 0, 9)} ${compare(f.depth_test.func)} ${float(stored, 9)}`;
}

/** A sentence about a primitive that covers the pixel. */
export function verdictSentence(f: Fragment): string {
    const side = f.front_facing ? "front" : "back";
    const stored = f.before?.[0];
    const by = f.state ? ` (${f.state})` : "";
    switch (f.verdict) {
        case "culled":
            return `Culled${by}: its ${side} faces the eye.`;
        case "scissored":
            return `Cut by the scissor rectangle${by}: the pixel lies outside of it.`;
        case "sample-masked":
            return `Masked${by}: the sample mask leaves out all samples that it covers.`;
        case "killed":
            return f.killed_by ? `Killed by the pixel program, instruction ${f.killed_by} of ${f.kills} that may kill.` : "Killed by the pixel program.";
        case "alpha-failed":
            return `Alpha test failed${by}: ${f.alpha_test?.alpha} ${compare(f.alpha_test?.func)} ${f.alpha_test?.ref} is false.`;
        case "bounds-failed":
            return `Depth bounds test failed: the stored depth ${float(stored?.depth ?? 0, 9)} lies outside of the bounds.`;
        case "stencil-failed": {
            const test = f.stencil_test;
            const mask = test?.mask ?? 0;
            return `Stencil test failed${by}: ${(test?.ref ?? 0) & mask} ${compare(test?.func)} ${(stored?.stencil ?? 0) & mask} is false (mask 0x${mask.toString(16)}).`;
        }
        case "depth-failed":
            return `Depth test failed${by}: ${float(f.depth?.[0] ?? 0, 9)} ${compare(f.depth_test?.func)} ${float(stored?.depth ?? 0, 9)} is false.`;
        case "write-masked":
            return `Passed, but ${f.state ?? "the write mask"} lets no channel of the target through${passedDepth(f)}.`;
        case "blended":
            return `Blended with what was there${passedDepth(f)}.`;
        case "written":
            return `Written${passedDepth(f)}.`;
        default:
            return absence(f.verdict, [], undefined);
    }
}

function absence(verdict: string, planes: readonly string[], distance: number | undefined): string {
    const which = planes.length ? ` (${planes.join(", ")})` : "";
    switch (verdict) {
        case "outside":
            return `outside of the view: all corners lie beyond one plane${which}`;
        case "missing":
            return "a corner is not a number";
        case "no-data":
            return "data of a corner are missing";
        case "no-area": {
            const where = distance === undefined || distance >= 1e9 ? "" : `, ${float(distance, 3)} pixels away from the centre`;
            return `it has no area${where}`;
        }
        case "clipped":
            return `clipped${which}: the part at the pixel is cut off`;
        case "culled":
            return "culled: it faces away";
        case "off-viewport":
            return "off the viewport";
        case "uncovered":
            return distance === undefined || distance >= 1e9 ? "next to the pixel" : `${float(distance, 3)} pixels away from its centre`;
        default:
            return verdict;
    }
}

/** Why a draw did not reach the pixel. */
export function whyNot(row: PixelRow): string {
    if (row.refused)
        return "The driver refused the call.";
    if (!row.reaches)
        return `It does not draw to surface #${row.surface}.`;
    const nearest: Nearest | undefined = row.nearest;
    const lacks = (row.lacks ?? []).map(({ text }) => `${text[0]?.toUpperCase()}${text.slice(1)}.`).join(" ");
    if (!nearest)
        return lacks || "It has no primitives.";
    return `${lacks ? `${lacks} ` : ""}Nearest: primitive ${nearest.primitive}, ${absence(nearest.verdict, nearest.planes ?? [], nearest.distance)}.`;
}

function hex(value: number | undefined): string {
    return `0x${(value ?? 0).toString(16)}`;
}

/** Bytes of a texel as a number. */
function texelHex(bytes: string): string {
    return `0x${(bytes.match(/../g) ?? []).reverse().join("")}`;
}

/** The fate of the pixel in a Blt. */
export function blitSentence(blit: Blit): string {
    const texel = blit.texel ? ` ${texelHex(blit.texel)}` : "";
    const how = `${blit.stretched ? ", stretched" : ""}${blit.mirrored_x || blit.mirrored_y ? ", mirrored" : ""}`;
    const source = `texel${texel} of #${blit.source} at ${blit.x},${blit.y}${how}`;
    switch (blit.fate) {
        case "copied":
            return `Copied: ${source}.`;
        case "source-keyed":
            return `Left out: ${source} has the source key ${hex(blit.source_key)}.`;
        case "destination-keyed":
            return `Left as it was: the pixel does not have the destination key ${hex(blit.destination_key)}; ${source}.`;
        case "clipped":
            return "Left as it was: the pixel lies outside of the clip list.";
        case "filled":
            return `Filled with ${hex(blit.fill)}.`;
        case "shown":
            return "Shown as it is: nothing is copied.";
        case "outside":
            return "The pixel lies outside of the rectangle.";
    }
}

/** The change of the pixel between two actions. */
export function betweenSentence(row: PixelRow): string {
    const index = row.after[0]?.index;
    const entry = index === undefined ? "" : `entry ${index}`;
    const palette = row.after[0]?.palette;
    switch (row.between) {
        case "lock":
            return "Written by the CPU in a lock.";
        case "memory":
            return "Written by the CPU in system memory.";
        case "samples":
            return "Restored at the beginning of a range.";
        case "palette-entry":
            return `The palette was changed: ${entry} of palette ${palette ?? "?"} has another colour.`;
        case "other-palette":
            return palette === undefined ? "It is seen through no palette from now on, as a grey." : `It is seen through palette ${palette} from now on, ${entry}.`;
        default:
            return "";
    }
}
