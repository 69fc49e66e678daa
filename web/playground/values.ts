// SPDX-License-Identifier: MIT
// Shaders that a stream contains as assembly, asm("..."): where they are, and the values of their instructions.
import { traceNotes, type TraceRun } from "../model/trace";

interface Block {
    /** The first line of the assembly, from 1. */
    line: number;
    text: string;
}

/** The assembly in a stream; comments of the stream are left out. */
export function assemblyIn(stream: string): Block[] {
    const blocks: Block[] = [];
    for (const match of stream.matchAll(/\/\/[^\n]*|\basm\(\s*"([^"]*)"/g))
        if (match[1] !== undefined) {
            const start = (match.index ?? 0) + match[0].indexOf('"') + 1;
            blocks.push({ line: stream.slice(0, start).split("\n").length, text: match[1] });
        }
    return blocks;
}

const withoutComments = (text: string): string => text.replace(/(?:;|\/\/)[^\n]*/g, "");

/** The notes after the lines of the stream: those of the block that has the most instructions of the run. */
export function valuesIn(stream: string, run: TraceRun): Map<number, string> {
    let best = new Map<number, string>();
    for (const { line, text } of assemblyIn(stream)) {
        const notes = traceNotes(run, withoutComments(text));
        if (notes.size > best.size)
            best = new Map([...notes].map(([at, note]) => [at + line - 1, note]));
    }
    return best;
}
