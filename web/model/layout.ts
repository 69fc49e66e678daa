// SPDX-License-Identifier: MIT
// The bytes of a command as fields, from the token table: members of the DDI's structure by offset.
import type { Command, FieldValue, Token, TokenField } from "../client/documents";

export interface Field {
    /** In the command, from its header on. */
    offset: number;
    size: number;
    name: string;
    type: string;
    value: string;
    /** Entry it belongs to; -1: the header or the fixed part. */
    entry: number;
}

const SIZES: Record<string, number> = {
    WORD: 2,
    DWORD: 4,
    INT: 4,
    HANDLE: 4,
    COLOR: 4,
    float: 4,
    POINT: 8,
    RECT: 16,
    "float[4]": 16,
    BOX: 24,
    "float[16]": 64,
};

export function bytesOf(hex: string): Uint8Array {
    const bytes = new Uint8Array(hex.length >> 1);
    for (let i = 0; i < bytes.length; i++)
        bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
    return bytes;
}

function raw(view: DataView, at: number, type: string): string {
    switch (type) {
        case "WORD":
            return String(view.getUint16(at, true));
        case "INT":
            return String(view.getInt32(at, true));
        case "float":
            return String(Number(view.getFloat32(at, true).toPrecision(7)));
        case "COLOR":
            return `#${view.getUint32(at, true).toString(16).padStart(8, "0")}`;
        case "DWORD":
        case "HANDLE":
            return String(view.getUint32(at, true));
        default: {
            const element = type.startsWith("float") ? "float" : "INT";
            const count = (SIZES[type] as number) / 4;
            return Array.from({ length: count }, (_, i) => raw(view, at + 4 * i, element)).join(" ");
        }
    }
}

/** A matrix in four lines, a vector in one. */
function numbersText(values: readonly FieldValue[]): string {
    const texts = values.map(fieldText);
    if (values.length !== 16)
        return texts.join(" ");
    return [0, 4, 8, 12].map((row) => texts.slice(row, row + 4).join(" ")).join("\n");
}

/** A field of a dump as text: names stay names. */
export function fieldText(value: FieldValue | undefined): string {
    if (value === undefined || value === null)
        return "";
    if (Array.isArray(value))
        return value.map(fieldText).join(" ");
    if (typeof value === "object")
        return Object.entries(value)
            .map(([name, v]) => `${name}=${fieldText(v)}`)
            .join(" ");
    if (typeof value === "number" && !Number.isInteger(value))
        return String(Number(value.toPrecision(6)));
    return String(value);
}

/** "4 width if flag 1": the value of a term of the table's "bytes" for the fields of an entry. */
function term(text: string, number: (field: string) => number): number {
    const match = /^(\d+)?\s*([a-z_]+)?(?:\s*if (?:(\w+) is (\d+)|flag (\d+)))?$/.exec(text.trim());
    if (!match)
        return 0;
    const [, factor, field, name, wanted, flag] = match;
    if (name !== undefined && number(name) !== Number(wanted))
        return 0;
    if (flag !== undefined && !(number("flags") & Number(flag)))
        return 0;
    return Number(factor ?? 1) * (field === undefined ? 1 : number(field));
}

/** The bytes after the fields of an entry: "each 8 + 16 count" is 16 bytes for each count. */
export function trailingBytes(rule: string, number: (field: string) => number): number {
    const padded = rule.includes("padding to 4");
    const body = rule.replace(/^each /, "").replace(/, (?:whatever n|padding to 4)/g, "");
    const terms = body.split(" + ").slice(1);
    const bytes = terms.reduce((sum, t) => sum + term(t, number), 0);
    return padded ? (bytes + 3) & ~3 : bytes;
}

const HEADER: readonly { name: string; type: string; size: number }[] = [
    { name: "bCommand", type: "BYTE", size: 1 },
    { name: "bReserved", type: "BYTE", size: 1 },
    { name: "wCount", type: "WORD", size: 2 },
];

/** The fields of a command. `bytes`: all of it, with its header. */
export function layout(command: Command, token: Token, bytes: Uint8Array): Field[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const fields: Field[] = [];
    let at = 0;
    for (const { name, type, size } of HEADER) {
        const value = type === "BYTE" ? String(bytes[at]) : raw(view, at, type);
        fields.push({ offset: at, size, name, type, value, entry: -1 });
        at += size;
    }
    const add = (field: TokenField, entry: number, decoded: FieldValue | undefined): boolean => {
        const size = SIZES[field.type] ?? 4;
        if (at + size > bytes.length)
            return false;
        const value = Array.isArray(decoded) ? numbersText(decoded) : fieldText(decoded);
        fields.push({ offset: at, size, name: field.name, type: field.type, value: value || raw(view, at, field.type), entry });
        at += size;
        return true;
    };
    for (const field of token.fixed)
        add(field, -1, command[field.name]);
    if (!token.entry.length || /padding/.test(token.bytes) && !/each/.test(token.bytes)) {
        rest(fields, at, bytes.length, -1);
        return fields;
    }
    for (let entry = 0; at < bytes.length; entry++) {
        const begin = at;
        const numbers = new Map<string, number>();
        for (const field of token.entry) {
            if (!add(field, entry, command.entries?.[entry]?.[field.name]))
                break;
            const offset = at - (SIZES[field.type] ?? 4);
            numbers.set(field.name, SIZES[field.type] === 2 ? view.getUint16(offset, true) : view.getUint32(offset, true));
        }
        if (at === begin)
            break;
        const follows = /^each|whatever|if flag/.test(token.bytes) ? trailingBytes(token.bytes, (name) => numbers.get(name) ?? 0) : 0;
        const end = Math.min(bytes.length, at + follows);
        rest(fields, at, end, entry);
        at = end;
    }
    rest(fields, at, bytes.length, -1);
    return fields;
}

function rest(fields: Field[], at: number, end: number, entry: number): void {
    if (end > at)
        fields.push({ offset: at, size: end - at, name: "data", type: `BYTE[${end - at}]`, value: "", entry });
}
