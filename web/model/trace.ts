// SPDX-License-Identifier: MIT
// The values of a program instruction by instruction (dp2 trace), as notes after the lines of its text.
import type { Fragment } from "../client/documents";
import { float } from "../parts/numbers";

type Vector = (number | string | null)[];

export interface TraceStep {
    ir: string;
    dword?: number;
    assembly?: string;
    active: boolean;
    result?: { register: string; value: Vector };
    killed?: boolean;
    fetch?: { surface: number; bound: boolean; level?: number; texel_count?: number };
}

export interface TraceRun {
    stage: "pixel" | "vertex";
    bytecode: boolean;
    primitive: number;
    vertex?: number;
    killed: boolean;
    narrow?: boolean;
    fragment?: Fragment;
    inputs: { register: string; meaning: string; value: Vector }[];
    outputs: { register: string; meaning: string; value: Vector }[];
    steps: TraceStep[];
}

export interface Trace {
    runs: TraceRun[];
}

function vector(value: Vector): string {
    return value.map((component) => (component === null ? "–" : float(component, 4))).join("  ");
}

/** The effect of an instruction: the new value of its register, and the values that it read. */
function noteOf(step: TraceStep, times: number): string {
    const parts: string[] = [];
    if (!step.active)
        parts.push("not active");
    else if (step.result)
        parts.push(vector(step.result.value));
    if (step.killed)
        parts.push("killed");
    if (step.fetch)
        parts.push(step.fetch.bound ? `#${step.fetch.surface} level ${float(step.fetch.level ?? 0, 3)}` : "no texture");
    if (times > 1)
        parts.push(`×${times}`);
    return parts.join("   ");
}

const spaces = (text: string) => text.trim().replace(/\s+/g, " ");

/**
 * The note of each line of the assembly, from 1. Instructions are in the order of their dwords; each belongs to the
 * next line that has its text. For an instruction that is executed several times, the last execution is shown.
 */
export function traceNotes(run: TraceRun, text: string): Map<number, string> {
    const lines = text.split("\n").map(spaces);
    const byDword = new Map<number, TraceStep[]>();
    for (const step of run.steps)
        if (step.dword !== undefined && step.assembly !== undefined)
            byDword.set(step.dword, [...(byDword.get(step.dword) ?? []), step]);
    const notes = new Map<number, string>();
    let line = 0;
    for (const [, steps] of [...byDword].sort((a, b) => a[0] - b[0])) {
        const wanted = spaces(steps[0]?.assembly ?? "");
        const at = lines.indexOf(wanted, line);
        if (at < 0)
            continue;
        line = at + 1;
        const results = steps.filter((step) => step.result || step.killed || step.fetch || !step.active);
        // When the driver has several instructions for one of the shader, the last of them writes the result.
        const last = results.at(-1);
        if (last)
            notes.set(line, noteOf({ ...last, ...fetchOf(results) }, executions(steps)));
    }
    return notes;
}

function fetchOf(steps: readonly TraceStep[]): Pick<TraceStep, "fetch"> {
    const fetch = steps.findLast((step) => step.fetch)?.fetch;
    return fetch ? { fetch } : {};
}

/** How often an instruction was executed: as often as the first driver instruction for it. */
function executions(steps: readonly TraceStep[]): number {
    return steps.filter((step) => step.ir === steps[0]?.ir).length;
}

/** The program of the fixed function, as the driver runs it, with its notes. */
export function traceText(run: TraceRun): { text: string; notes: Map<number, string> } {
    const notes = new Map<number, string>();
    for (const [i, step] of run.steps.entries())
        notes.set(i + 1, noteOf(step, 1));
    return { text: run.steps.map((step) => step.ir).join("\n"), notes };
}

/** The run to show: that of the highlighted primitive, else the last one that changed the pixel. */
export function chosenRun(runs: readonly TraceRun[], primitive: number): number {
    const pointed = runs.findIndex((run) => run.primitive === primitive);
    if (pointed >= 0)
        return pointed;
    const left = runs.findLastIndex((run) => run.fragment?.verdict === "written" || run.fragment?.verdict === "blended");
    return left >= 0 ? left : runs.length - 1;
}
