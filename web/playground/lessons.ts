// SPDX-License-Identifier: MIT
// The data that build.mjs puts into the page besides the engine: lessons, documents, words.
import type { PaneName } from "../model/place";

export type Area = [number, number, number, number];

/** A check of a lesson: web/lessons/README.md, section "Checks". */
export interface Check {
    pixel?: [number, number];
    area?: Area;
    colors?: Area;
    changed?: Area;
    counter?: string;
    call?: string;
    argument?: string;
    draw?: number;
    is?: string;
    not?: string;
    within?: number;
    least?: number;
    most?: number;
    say: string;
}

export interface Lesson {
    id: string;
    title: string;
    /** Markdown; links begin at the project's folder. */
    text: string;
    task: string;
    hint: string;
    see: string;
    start: string;
    solution: string;
    others: string[];
    checks: Check[];
    /** The pane that the lesson is about. */
    pane?: PaneName;
}

/** The place for streams of one's own, after the lessons. */
export const FREE = "free";

export const freeLesson = (start: string): Lesson => ({
    id: FREE,
    title: "Your own stream",
    text: "A place without a task. The button *open* above reads a stream (`.dp2s`) or a capture, which becomes text; *link* makes a link that brings this stream to somebody else.",
    task: "",
    hint: "",
    see: "- [the notation](docs/dp2-text.md), [all tokens](docs/tokens.md)",
    start,
    solution: start,
    others: [],
    checks: [],
});

/** A document of the project: its path from the project's folder, and its text. */
export interface Page {
    path: string;
    title: string;
    text: string;
}

export interface WordField {
    name: string;
    kind: string;
    values?: string[];
}

/** `dp2 tokens --json --words` (docs/json.md). */
export interface Words {
    short: string[];
    create: string[];
    data: string[];
    events: { name: string; fields: WordField[] }[];
    tokens: { name: string; fields: WordField[] }[];
    render_states: { name: string; values: string[] }[];
    stage_states: { name: string; values: string[] }[];
    formats: string[];
    vertex_formats: string[];
}

export interface Course {
    lessons: Lesson[];
    pages: Page[];
    words: Words;
    /** The purpose of each token, by name: who sends it, and its bytes. */
    tokens: Record<string, string>;
}

export function embeddedCourse(): Course {
    const text = document.getElementById("course")?.textContent;
    if (!text)
        throw new Error('This page lacks its part "course".');
    return JSON.parse(text) as Course;
}
