// SPDX-License-Identifier: MIT
// One step in two driver interfaces: the calls and tokens of DirectX 8 and 9, each with the calls of the WDDM interface
// that it becomes (`dp2 dump --ddi umd`).
import type { AsmEvent, Command, Dump, DumpEvent, FieldValue, UmdCall } from "../client/documents";
import { fieldText } from "./layout";

/** A call of the older interface, from the driver's log. */
export interface DriverCall {
    text: string;
    /** "DD_OK", or a number. */
    answer: string;
}

/** The text that a capture was assembled from. */
export interface Source {
    /** The lines of all events and commands. */
    lines: readonly AsmEvent[];
    calls: readonly DriverCall[];
}

/** A line of the list: a half may be empty, when the other one has more calls. */
export interface FaceRow {
    /** Rows with the same number are one step. */
    step: number;
    /** The line of the text; 0: not known. */
    line: number;
    event: DumpEvent;
    command: Command | null;
    /** The callback or token, and its arguments. */
    name: string;
    text: string;
    /** The callback's result; null: a token, or not known. */
    answer: string | null;
    call: UmdCall | null;
}

/** The callbacks of each event, as the log names them. */
const CALLBACKS: Record<string, readonly string[]> = {
    surfaces: ["CreateSurface", "CreateExecuteBuffer"],
    announce: ["CreateSurfaceEx"],
    context: ["ContextCreate"],
    memory: ["Lock", "LockExecuteBuffer"],
    draw: ["DrawPrimitives2"],
    blt: ["Blt"],
    clear: ["Clear2", "Clear"],
    target: ["SetRenderTarget"],
    scene: ["SceneCapture"],
    flip: ["Flip"],
    destroy: ["DestroySurface"],
    "color-key": ["SetColorKey"],
    palette: ["CreatePalette", "SetEntries"],
    "palette-gone": ["DestroyPalette"],
    "set-palette": ["SetPalette"],
    "local-gone": ["DestroyDDLocal"],
    "context-gone": ["ContextDestroy"],
};

/** The changes, by the function of the newer interface; docs/umd.md has the whole table. */
const MOVED: Record<string, string> = {
    pfnCreateDevice: "A device has no targets of its own: they became states. Its functions and the runtime's callbacks change hands here.",
    pfnCreateResource: "One call makes all levels and faces, which attach lists and CreateSurfaceEx did before. A level is an index, and the driver chooses the handle.",
    pfnDestroyResource: "The whole resource goes at once. Before, each surface was destroyed by itself.",
    pfnLock: "A lock names a resource, an index and a part; its flags say whether old contents are needed. Any number of locks may be open.",
    pfnUnlock: "Each lock has its own Unlock.",
    pfnSetTexture: "The state TEXTUREMAP with a number became a binding with a handle.",
    pfnSetRenderState: "An entry of a batch became a call: the driver collects calls, where the runtime collected tokens.",
    pfnSetRenderTarget: "Each level had a number of its own; now the index of the level follows the handle.",
    pfnSetDepthStencil: "The depth buffer is set by itself, without a target.",
    pfnCreateVertexShaderDecl: "The runtime chose the number of an object; now the driver chooses its handle.",
    pfnCreateVertexShaderFunc: "The runtime chose the number of an object; now the driver chooses its handle.",
    pfnCreatePixelShader: "The runtime chose the number of an object; now the driver chooses its handle.",
    pfnCreateQuery: "The runtime chose the number of an object; now the driver chooses its handle.",
    pfnIssueQuery: "The bits of begin and end changed places.",
    pfnGetQueryData: "Answers are asked for. Before, the driver wrote them into the command buffer.",
    pfnStateSet: "The driver chooses the handle of the block, and answers it.",
    pfnSetStreamSource: "Vertices from user memory came with the call; here they are put into a buffer first.",
    pfnPresent: "Contents stay with their index, and the runtime counts round. Before, Flip exchanged the memory of surfaces.",
    pfnFlush: "A batch had one result, and the offset of the command that failed. Now each call has a result, and Flush sends what was collected.",
    pfnGetInfo: "A private call of this driver: the newer interface has no function for what the older one says here.",
};

export const movedBy = (call: UmdCall): string => MOVED[call.function] ?? "";

/** Microsoft's page of a function. */
export const pageOf = (call: UmdCall): string =>
    `https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/d3dumddi/nc-d3dumddi-pfnd3dddi_${call.function.replace(/^pfn/, "").toLowerCase()}`;

export const resultOf = (call: UmdCall): string => call.result ?? "S_OK";

const MOST = 4; // elements of a list

/** A value of an argument, as `dp2 dump` prints it. */
export function argumentText(value: unknown): string {
    if (Array.isArray(value))
        return `[${value.slice(0, MOST).map(argumentText).join(" ")}${value.length > MOST ? " …" : ""}]`;
    if (typeof value === "object" && value !== null)
        return `{${argumentsText(value as Record<string, unknown>)}}`;
    return String(value);
}

export function argumentsText(values: Record<string, unknown>): string {
    return Object.entries(values)
        .map(([name, value]) => `${name}=${argumentText(value)}`)
        .join(" ");
}

const LONG = new Set(["code", "decl", "data", "vertices", "padding"]);

function fieldsText(fields: Record<string, FieldValue | undefined>): string {
    return Object.entries(fields)
        .filter(([name, value]) => value !== undefined && !LONG.has(name))
        .map(([name, value]) => `${name}=${fieldText(value)}`)
        .join(" ");
}

/** The arguments of an event in a few words. */
function eventText(event: DumpEvent): string {
    const list = (name: string) => (event[name] ?? []) as Record<string, unknown>[];
    const first = list("parts")[0] ?? {};
    switch (event.event) {
        case "surfaces":
            return `${first["bytes"] ? `${first["bytes"]} bytes` : `${first["width"]}x${first["height"]} ${first["format"]}`}${list("parts").length > 1 ? `, ${list("parts").length} surfaces` : ""}`;
        case "announce":
            return `handle ${list("names").map(({ handle }) => handle).join(", ")}`;
        case "context":
            return `level=${event["level"]} target=${event["target"]} depth=${event["depth"]}`;
        case "memory":
            return `surface ${event["id"]}: ${Number(event["row_count"]) * Number(event["slice_count"])} × ${event["row_bytes"]} bytes`;
        case "draw":
            return `context ${event["context"]}`;
        case "frame":
            return "the end of the frame, which is not a call";
        default:
            return fieldsText(Object.fromEntries(Object.entries(event).filter(([name]) => name !== "event" && name !== "calls")) as Record<string, FieldValue>);
    }
}

/** The entries of a command, one text each; a command without entries is one text. */
function entriesOf(command: Command): string[] {
    const { offset: _offset, token: _token, n: _n, entries, bytes: _bytes, ...head } = command;
    const fixed = fieldsText(head);
    const all = (entries ?? []).map(fieldsText);
    return [[fixed, all[0] ?? ""].filter(Boolean).join(" "), ...all.slice(1)];
}

/** Finds the calls of events in the log, in their order. */
class Log {
    private at = 0;

    constructor(private readonly calls: readonly DriverCall[]) {}

    take(event: DumpEvent): DriverCall | null {
        const names = CALLBACKS[event.event] ?? [];
        const handle = event.event === "memory" ? ` handle ${event["id"]}` : "";
        for (let i = this.at; i < this.calls.length; i++) {
            const call = this.calls[i] as DriverCall;
            const [name = ""] = call.text.split(" ");
            if (names.includes(name) && (!handle || `${call.text},`.includes(`${handle},`))) {
                this.at = i + 1;
                return call;
            }
        }
        return null;
    }
}

/** The rows of a frame. before: the number of events of earlier frames, which the text's lines count too. */
export function faceRows(dump: Dump, source: Source | null, before: number): FaceRow[] {
    const rows: FaceRow[] = [];
    const log = new Log(before === 0 ? (source?.calls ?? []) : []);
    let step = 0;

    for (const [number, event] of (dump.frames[0]?.events ?? []).entries()) {
        const lines = source?.lines[before + number];
        const calls = event.calls ?? [];
        const found = log.take(event);
        const add = (part: { command: Command | null; line: number; names: string[]; texts: string[]; answer: string | null; calls: UmdCall[] }) => {
            const { command, line, names, texts, answer } = part;
            for (let i = 0; i < Math.max(texts.length, part.calls.length); i++)
                rows.push({ step, line, event, command, name: names[i] ?? "", text: texts[i] ?? "", answer: i === 0 ? answer : null, call: part.calls[i] ?? null });
            step++;
        };
        const own = calls.filter((call) => call.command === undefined);
        const isDraw = event.event === "draw";
        const name = found?.text.split(" ")[0] ?? CALLBACKS[event.event]?.[0] ?? "";
        const line = lines?.line ?? 0;
        add({ command: null, line, names: [name], texts: [eventText(event)], answer: found?.answer ?? null, calls: isDraw ? [] : own });
        for (const command of event.commands ?? []) {
            const texts = entriesOf(command);
            const commandLine = lines?.commands?.findLast(({ offset }) => offset <= command.offset)?.line ?? line;
            const made = calls.filter((call) => call.command === command.offset);
            add({ command, line: commandLine, names: [command.token], texts, answer: null, calls: made });
        }
        if (isDraw && own.length)
            add({ command: null, line, names: ["end of the batch"], texts: [""], answer: null, calls: own });
    }
    return rows;
}

/** The row that belongs to a line of the text; -1: none. The step is the last one that begins on or before the line. */
export function rowOfLine(rows: readonly FaceRow[], line: number): number {
    let found = -1;
    for (const [i, row] of rows.entries())
        if (row.line > 0 && row.line <= line && row.name && (found < 0 || row.line > (rows[found] as FaceRow).line))
            found = i;
    return found;
}
