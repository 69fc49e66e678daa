// SPDX-License-Identifier: MIT
// The interface of an engine. Panes use this file, whether a Worker or a test implements it.

/** Pixels in memory order red, green, blue, alpha, rows from the top. */
export interface Picture {
    width: number;
    height: number;
    pixels: Uint8ClampedArray;
}

/** The output of a verb. */
export interface Answer {
    /** Exit status of dp2. */
    status: number;
    output: string;
    /** Standard error. */
    messages: string;
    pictures: Record<string, Picture>;
    files: string[];
}

/** The answer is not wanted any more, because a newer request has come on the same lane. */
export class Superseded extends Error {
    constructor() {
        super("superseded");
        this.name = "Superseded";
    }
}

export interface Engine {
    /** Runs a verb. A newer request on the same lane replaces this one, which then fails with Superseded. */
    run(words: string[], lane: string): Promise<Answer>;
    /** Stores a file under a name that verbs can read. */
    put(name: string, data: ArrayBuffer | string): Promise<void>;
    /** The bytes of a file that was stored or written; null if there is none. */
    get(name: string): Promise<ArrayBuffer | null>;
    close(): void;
}
