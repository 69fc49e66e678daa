// SPDX-License-Identifier: MIT
// Notes on draws. They travel as a file next to the capture, or in a page that was saved with them.
import { Store } from "./store";

const FORMAT = "dp2-notes";
const MOST_TEXT = 2000; // characters of a note
const MOST_NOTES = 10000;
const NAME = /^\d{1,9}\.\d{1,9}$/;

type Texts = ReadonlyMap<string, string>;

/** By frame and draw. */
function inOrder(a: readonly [string, string], b: readonly [string, string]): number {
    const [x, y] = [a[0], b[0]].map((name) => name.split(".").map(Number)) as [number[], number[]];
    return (x[0] as number) - (y[0] as number) || (x[1] as number) - (y[1] as number);
}

export class Notes {
    /** By name of the draw, in order. */
    readonly texts = new Store<Texts>(new Map());

    /** An empty text removes the note. */
    write(draw: string, text: string): void {
        const next = new Map(this.texts.get());
        if (text.trim())
            next.set(draw, text.slice(0, MOST_TEXT));
        else
            next.delete(draw);
        this.texts.set(new Map([...next].sort(inOrder)));
    }

    /** The text of a file; with "<" as an escape, so that a page may contain it. */
    file(capture: string): string {
        const notes = [...this.texts.get()].map(([draw, text]) => ({ draw, text }));
        return `${JSON.stringify({ format: FORMAT, version: 1, capture, notes }, null, 1).replaceAll("<", "\\u003c")}\n`;
    }

    /** Adds the notes of a file to those that are there. Fails with a reason if it is none; returns how many there were. */
    read(text: string): number {
        const read = parseNotes(text);
        const next = new Map(this.texts.get());
        for (const [draw, note] of read)
            next.set(draw, note);
        this.texts.set(new Map([...next].sort(inOrder)));
        return read.length;
    }
}

function parseNotes(text: string): [string, string][] {
    let file: unknown;
    try {
        file = JSON.parse(text);
    } catch {
        throw new Error("This is not a file of notes: it is not JSON.");
    }
    const { format, notes } = (file ?? {}) as { format?: unknown; notes?: unknown };
    if (format !== FORMAT || !Array.isArray(notes))
        throw new Error(`This is not a file of notes: its format is not "${FORMAT}".`);
    if (notes.length > MOST_NOTES)
        throw new Error(`There are more than ${MOST_NOTES} notes.`);
    return notes.map((note: unknown) => {
        const { draw, text: words } = (note ?? {}) as { draw?: unknown; text?: unknown };
        if (typeof draw !== "string" || !NAME.test(draw) || typeof words !== "string")
            throw new Error("A note is not a draw, FRAME.DRAW, and a text.");
        return [draw, words.slice(0, MOST_TEXT)];
    });
}
