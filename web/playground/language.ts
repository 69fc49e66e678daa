// SPDX-License-Identifier: MIT
// The text form of captures (docs/dp2-text.md) for the editor: the kinds of words.
import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Words } from "./lessons";

const NUMBER = /^(?:#[0-9a-fA-F]+|[0-9a-f]{8}|0x[0-9a-fA-F]+|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w])/;

export function dp2Language(words: Words): StreamLanguage<unknown> {
    const events = new Set([...words.short, ...words.events.map((event) => event.name), "user_vertices"]);
    const tokens = new Set(words.tokens.map((token) => token.name));
    const data = new Set(words.data);
    const parser: StreamParser<unknown> = {
        name: "dp2",
        token(stream) {
            if (stream.eatSpace())
                return null;
            if (stream.match("//")) {
                stream.skipToEnd();
                return "comment";
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
