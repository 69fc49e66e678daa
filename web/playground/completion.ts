// SPDX-License-Identifier: MIT
// Completes the text form of captures at the cursor, with the tables of the assembler (`dp2 tokens --json --words`).
import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { Prec, type Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { Course, WordField } from "./lessons";

/** Where the cursor is. */
export interface Place {
    /** Words of the open braces, outermost first: event, "draw", token. */
    within: string[];
    /** The token or event whose fields belong here; null: a new statement may begin. */
    of: string | null;
    /** The fields that this entry has already, with their values as text. */
    given: Map<string, string>;
    /** The field whose value belongs here. */
    field: string | null;
    /** The words since the statement began. */
    line: string[];
    /** Inside of fvf(. */
    fvf: boolean;
    comment: boolean;
    /** Nothing is before the word on its line, or in its braces. */
    begins: boolean;
}

const WORD = /\/\/[^\n]*|"(?:[^"\\]|\\.)*"?|[{}()\[\]=]|[^\s,{}()\[\]="]+/g;

/** Reads the text before the cursor; the words of the tables tell statements from entries. */
export function placeOf(before: string, isToken: (word: string) => boolean, isEvent: (word: string) => boolean): Place {
    const stack: { word: string; of: string | null }[] = [];
    let of: string | null = null;
    let given = new Map<string, string>();
    let field: string | null = null;
    let last = "";
    let line: string[] = [];
    let round = "";
    const partial = /[^\s,{}()\[\]="]*$/.exec(before)?.[0] ?? "";
    const whole = before.slice(0, before.length - partial.length);
    let end = 0;
    for (const match of whole.matchAll(WORD)) {
        const word = match[0];
        end = (match.index ?? 0) + word.length;
        if (word.startsWith("//"))
            continue;
        // A statement begins on a new line, or after a brace.
        const begins = /(?:^|[\n{}])\s*$/.test(whole.slice(0, match.index));
        if (word === "{") {
            stack.push({ word: of ?? last, of });
            if (!(of !== null && isToken(of)))
                of = null;
            given = new Map();
            field = null;
            line = [];
        } else if (word === "}") {
            of = stack.pop()?.of ?? null;
            given = new Map();
            field = null;
        } else if (word === "(") {
            round = last;
        } else if (word === ")") {
            round = "";
            field = null;
        } else if (word === "=") {
            field = last;
        } else if (field !== null && !round) {
            given.set(field, word);
            field = null;
        } else if (!round && begins && ((stack.length === 0 && isEvent(word)) || (stack.length === 1 && (isToken(word) || word === "user_vertices" || word === "raw")))) {
            of = word;
            given = new Map();
            line = [word];
        } else if (!round) {
            line.push(word);
        }
        last = word;
    }
    const lastLine = before.slice(before.lastIndexOf("\n") + 1);
    return {
        within: stack.map(({ word }) => word),
        of,
        given,
        field: whole.slice(end).trim() === "" && last === "=" ? field : null,
        line,
        fvf: round === "fvf",
        comment: lastLine.includes("//"),
        begins: /(?:^|[\n{}])[^\S\n]*$/.test(whole),
    };
}

const NAMED = /^\s*(?:create\s+[\w-]+|context)\s+([A-Za-z_]\w*)/gm;

/** The names that the text has defined for handles and numbers. */
function namesIn(text: string): string[] {
    return [...new Set([...text.matchAll(NAMED)].map((match) => match[1] as string))];
}

const option = (label: string, type: string, detail?: string): Completion => ({ label, type, ...(detail !== undefined && { detail }) });

export function dp2Completion(course: Course): Extension {
    const { words } = course;
    const tokens = new Map(words.tokens.map((token) => [token.name, token.fields]));
    const events = new Map(words.events.map((event) => [event.name, event.fields]));
    const renderStates = new Map(words.render_states.map((state) => [state.name, state.values]));
    const stageStates = new Map(words.stage_states.map((state) => [state.name, state.values]));

    function values(place: Place, field: WordField, text: string): Completion[] {
        const enums = (list: readonly string[]) => list.map((name) => option(name, "enum"));
        switch (field.kind) {
            case "render_state":
                return enums([...renderStates.keys()]);
            case "stage_state":
                return enums([...stageStates.keys()]);
            case "state_value": {
                const state = place.given.get("state") ?? "";
                const known = (place.of === "TEXTURESTAGESTATE" ? stageStates : renderStates).get(state) ?? [];
                return state === "TEXTUREMAP" ? namesIn(text).map((name) => option(name, "variable")) : enums(known);
            }
            case "format":
                return enums(words.formats);
            case "vertex_format":
                return enums(words.vertex_formats);
            case "handle":
                return namesIn(text).map((name) => option(name, "variable"));
            default:
                return field.values ? enums(field.values) : namesIn(text).map((name) => option(name, "variable"));
        }
    }

    const statements = () => [...words.short, ...events.keys()].map((name) => option(name, "keyword"));

    function options(place: Place, text: string): Completion[] {
        const fields = place.of === null ? undefined : (tokens.get(place.of) ?? events.get(place.of));
        if (place.fvf)
            return words.vertex_formats.map((name) => option(name, "enum"));
        if (place.field !== null) {
            const field = fields?.find(({ name }) => name === place.field);
            return field ? values(place, field, text) : [];
        }
        const depth = place.within.length;
        if (depth === 0 && place.begins && (place.of === "create" || place.of === "present" || place.of === "info"))
            return statements();
        if (place.of === "create" && place.line.length <= 1)
            return words.create.map((name) => option(name, "keyword"));
        if (place.of === "create" && place.line.length === 4 - 1)
            return [];
        if (place.of === "create" && place.line.length >= 3)
            return [...words.formats.map((name) => option(name, "enum")), option("levels=", "property"), option("samples=", "property")];
        if (place.of === "present")
            return namesIn(text).map((name) => option(name, "variable"));
        const found: Completion[] = [];
        for (const field of fields ?? [])
            if (!place.given.has(field.name))
                found.push(option(`${field.name}=`, "property", field.kind));
        // A statement may begin wherever no value is expected.
        if (depth === 0)
            found.push(...statements());
        else if (depth === 1 && place.within[0] === "draw")
            found.push(...[...tokens.keys(), "user_vertices"].map((name) => option(name, "function", course.tokens[name])));
        else if (depth >= 1)
            found.push(...words.data.map((name) => option(`${name}(`, "function")));
        if (depth === 2 && place.within[1] === "user_vertices")
            return words.data.map((name) => option(`${name}(`, "function"));
        return found;
    }

    function complete(context: CompletionContext): CompletionResult | null {
        const word = context.matchBefore(/[\w.-]*/);
        const from = word ? word.from : context.pos;
        const before = context.state.sliceDoc(0, context.pos);
        const mark = before[from - 1];
        if (from === context.pos && !context.explicit && mark !== "=" && mark !== "|")
            return null;
        // "XYZ|DIFFUSE|": each flag is completed like the first.
        const start = before.slice(0, from).replace(/=[\w|]*\|$/, "=").replace(/\([\w|]*\|$/, "(");
        const place = placeOf(start, (name) => tokens.has(name), (name) => events.has(name) || words.short.includes(name));
        if (place.comment)
            return null;
        const found = options(place, context.state.doc.toString());
        return found.length ? { from, options: found, validFor: /^[\w.-]*$/ } : null;
    }

    return [autocompletion({ override: [complete], icons: false, defaultKeymap: false }), Prec.highest(keymap.of(completionKeymap))];
}
