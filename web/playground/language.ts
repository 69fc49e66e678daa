// SPDX-License-Identifier: MIT
// The text form of captures (docs/dp2-text.md) for the editor: the kinds of words.
import { StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";
import type { Words } from "./lessons";

const NUMBER = /^(?:#[0-9a-fA-F]+|[0-9a-f]{8}|0x[0-9a-fA-F]+|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w])/;

/** A word of a shader in asm("..."), up to its last quote. */
function assemblyWord(stream: StringStream, state: { assembly: boolean }): string | null {
    if (stream.eatSpace())
        return null;
    if (stream.match('"')) {
        state.assembly = false;
        return null;
    }
    if (stream.match(/^(?:;|\/\/)[^"]*/))
        return "comment";
    if (stream.match(/^[vp]s_\d_(?:\d|x|sw)/))
        return "heading";
    if (/^\s*$|^\s*[+(]/.test(stream.string.slice(0, stream.start)) && stream.match(/^[a-z]\w*/))
        return "keyword";
    if (stream.match(/^-?(?:0x[0-9a-f]+|\d*\.?\d+(?:e[+-]?\d+)?)(?!\w)/i))
        return "number";
    if (stream.match(/^[\w.]+/))
        return "variableName";
    stream.next();
    return null;
}

export function dp2Language(words: Words): StreamLanguage<{ assembly: boolean }> {
    const events = new Set([...words.short, ...words.events.map((event) => event.name), "user_vertices"]);
    const tokens = new Set(words.tokens.map((token) => token.name));
    const data = new Set(words.data);
    const parser: StreamParser<{ assembly: boolean }> = {
        name: "dp2",
        startState: () => ({ assembly: false }),
        token(stream, state) {
            if (state.assembly)
                return assemblyWord(stream, state);
            if (stream.eatSpace())
                return null;
            if (stream.match("//")) {
                stream.skipToEnd();
                return "comment";
            }
            if (/\basm\(\s*$/.test(stream.string.slice(0, stream.start)) && stream.match('"')) {
                state.assembly = true;
                return null;
            }
            if (stream.match(/^"(?:[^"\\]|\\.)*"?/))
                return "string";
            if (stream.match(NUMBER))
                return "number";
            const word = stream.match(/^[\w.-]+/) as RegExpMatchArray | null;
            if (!word) {
                stream.next();
                return null;
            }
            const text = word[0];
            if (stream.peek() === "=")
                return "propertyName";
            const before = stream.string.slice(0, stream.start);
            if (/[=|]$/.test(before) || stream.peek() === "|")
                return "variableName";
            if (/^\s*create\s+$/.test(before))
                return "heading";
            if (tokens.has(text) || data.has(text))
                return "keyword";
            return events.has(text) ? "heading" : "variableName";
        },
        languageData: { commentTokens: { line: "//" } },
    };
    return StreamLanguage.define(parser);
}
