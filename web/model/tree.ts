// SPDX-License-Identifier: MIT
// The rows of the event tree: frames, their calls, passes with the same targets, markers, actions.
import type { Command, Draw, Dump, Named } from "../client/documents";

export interface Marker {
    kind: "BEGIN" | "END" | "POINT" | "REGION";
    text: string;
    call: number;
    offset: number;
}

export interface Row {
    kind: "frame" | "call" | "pass" | "marker" | "group" | "action";
    /** Identifies a row that can be opened and closed; unique in the tree. */
    key: string;
    depth: number;
    label: string;
    detail: string;
    frame: number;
    /** The action that selecting the row goes to; -1: the action that represents the frame. */
    draw: number;
    action?: Draw;
    /** The cost of the action or of a group, if it is known. */
    cost?: Cost;
    open?: boolean;
    /** The first and the last action of a closed level. */
    hides?: { first: number; last: number };
}

/** Seconds, and pixels written. */
export interface Cost {
    seconds: number;
    written: number;
}

/** The known contents of a frame. */
export interface FrameContents {
    draws: readonly Draw[];
    markers: readonly Marker[];
}

/** The markers of a frame, in order. */
export function markersOf(dump: Dump): Marker[] {
    const markers: Marker[] = [];
    let call = -1;
    for (const event of dump.frames[0]?.events ?? []) {
        if (event.event !== "draw")
            continue;
        call++;
        for (const command of event.commands ?? [])
            if (command.token === "MARKER")
                markers.push(...entriesOf(command, call));
    }
    return markers;
}

function entriesOf(command: Command, call: number): Marker[] {
    return (command.entries ?? []).map((entry) => ({
        kind: String(entry["kind"]).toUpperCase() as Marker["kind"],
        text: String(entry["text"] ?? ""),
        call,
        offset: command.offset,
    }));
}

const SHORT: Record<string, string> = {
    TRIANGLELIST: "tri list",
    TRIANGLESTRIP: "tri strip",
    TRIANGLEFAN: "tri fan",
    LINELIST: "line list",
    LINESTRIP: "line strip",
    POINTLIST: "points",
};

/** "tri list", "clear", "blit": the kind of an action, abbreviated. */
export function actionLabel(action: Draw): string {
    if (action.kind === "draw")
        return action.type ? (SHORT[action.type] ?? action.type.toLowerCase()) : action.token.toLowerCase();
    return action.kind === "present" ? "present" : action.kind;
}

/** After the label: primitives of a draw, flags of a clear. */
export function actionDetail(action: Draw): string {
    if (action.kind === "draw")
        return action.primitives === undefined ? "" : `×${action.primitives}`;
    if (action.kind === "clear")
        return (/flags=([A-Z|]+)/.exec(action.text ?? "")?.[1] ?? "").toLowerCase().replace(/\|/g, " ");
    return "";
}

/** The textures that a draw reads and its shaders, which tell it from its neighbours. */
export function actionTags(action: Draw): string {
    if (action.kind !== "draw")
        return "";
    const textures = [...new Set((action.textures ?? []).map(({ surface }) => `#${surface}`))];
    const shaders = [action.vertex_shader && `vs${action.vertex_shader}`, action.pixel_shader && `ps${action.pixel_shader}`];
    return [...textures, ...shaders].filter(Boolean).join(" ");
}

// Changes of the vertices rather than of what is drawn with them: a model's place, and the buffers that it is in.
const OF_VERTICES = new Set(["world", "view", "projection", "streams", "indices"]);

/** The states that tell a draw from the one before: "ZENABLE=FALSE". */
export function stateChanges(action: Draw): string[] {
    return (action.changes ?? []).filter((change) => !OF_VERTICES.has(change));
}

/** The sum over the actions; undefined: not known yet. */
function costOf(actions: readonly Draw[]): Cost | undefined {
    if (actions.some((action) => action.seconds === undefined))
        return undefined;
    const sum = (of: (action: Draw) => number | undefined) => actions.reduce((all, action) => all + (of(action) ?? 0), 0);
    return { seconds: sum((action) => action.seconds), written: sum((action) => action.written) };
}

/** The highest cost of a row, by frame. */
export function mostCost(rows: readonly Row[]): Map<number, Cost> {
    const most = new Map<number, Cost>();
    for (const { frame, cost } of rows) {
        const old = most.get(frame) ?? { seconds: 0, written: 0 };
        if (cost)
            most.set(frame, { seconds: Math.max(old.seconds, cost.seconds), written: Math.max(old.written, cost.written) });
    }
    return most;
}

const LEAST_GROUP = 3; // draws

/** Equal draws have the same text here: everything that their rows show, except for the primitives and states, which must be those of
 * the draw before. */
function likeness(action: Draw): string {
    return [action.call, actionLabel(action), action.targets, action.depth, actionTags(action)].join(" ");
}

export function drawNumber(action: Named): number {
    return Number(action.draw.slice(action.draw.indexOf(".") + 1));
}

/** The action that represents a frame: the last one that draws, because a present changes the surface. */
export function lastShown(draws: readonly Draw[]): number {
    const last = draws.findLastIndex((action) => action.kind !== "present");
    return last >= 0 ? last : draws.length - 1;
}

/** The targets of a draw or clear; null: it is neither. */
function targetsLabel(action: Draw): string | null {
    if (!action.targets || (action.kind !== "draw" && action.kind !== "clear"))
        return null;
    const colors = action.targets.filter((surface) => surface).map((surface) => `#${surface}`);
    const depth = action.depth ? ` depth #${action.depth}` : "";
    return `${colors.join(" ") || "no color"}${depth}`;
}

/** Adds the rows of a frame; levels that would contain the whole frame are left out. */
class Builder {
    readonly rows: Row[] = [];
    private depth = 1;
    private hidden = 0; // closed levels around the next row
    private closedRow: Row | null = null; // the outermost of them
    private levels: { key: string; closed: boolean }[] = [];
    private nextMarker = 0;

    constructor(
        private readonly frame: number,
        private readonly contents: FrameContents,
        private readonly closed: ReadonlySet<string>,
        private readonly folds: boolean,
    ) {}

    private add(row: Omit<Row, "depth" | "frame">): void {
        if (!this.hidden)
            this.rows.push({ ...row, depth: this.depth, frame: this.frame });
        else if (this.closedRow && row.kind === "action")
            this.closedRow.hides = { first: this.closedRow.hides?.first ?? row.draw, last: row.draw };
    }

    private enter(row: Omit<Row, "depth" | "frame" | "open">): void {
        const closed = this.closed.has(row.key) !== (row.kind === "group");
        this.add({ ...row, open: !closed });
        this.levels.push({ key: row.key, closed });
        this.depth++;
        if (closed && !this.hidden++)
            this.closedRow = this.rows.at(-1) ?? null;
    }

    private leave(): void {
        if (this.levels.pop()?.closed)
            this.hidden--;
        this.depth--;
    }

    private markersBefore(action: Draw, draw: number): void {
        const { markers } = this.contents;
        for (; this.nextMarker < markers.length; this.nextMarker++) {
            const marker = markers[this.nextMarker] as Marker;
            const call = action.call ?? Infinity;
            if (marker.call > call || (marker.call === call && marker.offset > (action.offset ?? 0)))
                break;
            const key = `${this.frame} marker ${this.nextMarker}`;
            if (marker.kind === "BEGIN")
                this.enter({ kind: "marker", key, label: marker.text, detail: "", draw });
            else if (marker.kind === "END" && this.levels.at(-1)?.key.includes("marker"))
                this.leave();
            else if (marker.kind !== "END")
                this.add({ kind: "marker", key, label: marker.text, detail: "", draw });
        }
    }

    /** The draws from `at` on that are equal, if they are to be folded; else none. */
    private equalDraws(at: number): Draw[] {
        const { draws, markers } = this.contents;
        const first = draws[at] as Draw;
        if (!this.folds || first.kind !== "draw")
            return [];
        const marker = markers[this.nextMarker];
        const isBefore = (action: Draw) =>
            !marker || (action.call ?? Infinity) < marker.call || (action.call === marker.call && (action.offset ?? 0) < marker.offset);
        const wanted = likeness(first);
        let end = at + 1;
        while (end < draws.length && draws[end]!.kind === "draw" && likeness(draws[end]!) === wanted && !stateChanges(draws[end]!).length && isBefore(draws[end]!))
            end++;
        return end - at < LEAST_GROUP ? [] : draws.slice(at, end);
    }

    private enterGroup(equal: readonly Draw[]): void {
        const first = equal[0] as Draw, last = equal.at(-1) as Draw;
        const primitives = equal.reduce((sum, action) => sum + (action.primitives ?? 0), 0);
        const cost = costOf(equal);
        this.enter({
            kind: "group",
            key: `${this.frame} equal ${drawNumber(first)}`,
            label: `${equal.length} × ${actionLabel(first)}`,
            detail: `×${primitives} ${actionTags(first)}`,
            draw: drawNumber(last),
            ...(cost && { cost }),
        });
    }

    build(): Row[] {
        const { draws, markers } = this.contents;
        const calls = new Set(draws.map((action) => action.call)).size;
        const passes = new Set(draws.map(targetsLabel).filter((label) => label !== null)).size;
        // Markers nest as the program's calls say; without markers, calls and targets make the levels.
        const byCall = !markers.length && calls > 1;
        const byPass = !markers.length && passes > 1;
        let call: number | undefined | null = null;
        let pass: string | null | undefined;
        let groupEnd = 0; // of the open group: the action after it

        const leaveAll = () => {
            while (this.levels.length)
                this.leave();
        };
        for (const [at, action] of draws.entries()) {
            const draw = drawNumber(action);
            const targets = targetsLabel(action);
            if (byCall && (call === null || action.call !== call)) {
                leaveAll();
                pass = undefined;
                call = action.call;
                if (call !== undefined) {
                    const last = lastOf(draws, at, (next) => next.call === call);
                    const label = `call ${call}`;
                    this.enter({ kind: "call", key: `${this.frame} call ${call}`, label, detail: "", draw: drawNumber(last) });
                }
            }
            if (byPass && targets !== pass && targets !== null) {
                if (this.levels.at(-1)?.key.includes("pass"))
                    this.leave();
                pass = targets;
                const last = lastOf(draws, at, (next) => (targetsLabel(next) ?? targets) === targets && next.call === action.call);
                this.enter({ kind: "pass", key: `${this.frame} pass ${draw}`, label: `to ${targets}`, detail: "", draw: drawNumber(last) });
            }
            this.markersBefore(action, draw);
            const equal = at < groupEnd ? [] : this.equalDraws(at);
            if (equal.length) {
                this.enterGroup(equal);
                groupEnd = at + equal.length;
            }
            this.add(actionRow(action));
            if (at + 1 === groupEnd)
                this.leave();
        }
        return this.rows;
    }
}

function actionRow(action: Draw): Omit<Row, "depth" | "frame"> {
    const cost = costOf([action]);
    return { kind: "action", key: action.draw, label: actionLabel(action), detail: actionDetail(action), draw: drawNumber(action), action, ...(cost && { cost }) };
}

/** The last of the actions from `at` on that belong together. */
function lastOf(draws: readonly Draw[], at: number, same: (action: Draw) => boolean): Draw {
    let end = at;
    while (end + 1 < draws.length && same(draws[end + 1] as Draw))
        end++;
    return draws[end] as Draw;
}

/** All rows. `frames`: the contents of the known frames; `open`: open frames; `closed`: closed levels in open frames;
 * `folds`: equal neighbouring draws are one row, whose key in `closed` opens it. */
export function treeRows(
    frameCount: number,
    frames: ReadonlyMap<number, FrameContents>,
    open: ReadonlySet<number>,
    closed: ReadonlySet<string>,
    folds = false,
): Row[] {
    const rows: Row[] = [];
    for (let frame = 0; frame < frameCount; frame++) {
        const contents = frames.get(frame);
        const detail = contents ? `${contents.draws.length}` : "";
        rows.push({ kind: "frame", key: `frame ${frame}`, depth: 0, label: `frame ${frame}`, detail, frame, draw: -1, open: open.has(frame) });
        if (contents && open.has(frame))
            rows.push(...new Builder(frame, contents, closed, folds).build());
    }
    return rows;
}

/** The row of an action, or of the closed level or frame that contains it; -1 if there is none, as during a search. */
export function rowOf(rows: readonly Row[], frame: number, draw: number): number {
    const of = (is: (row: Row) => boolean | undefined) => rows.findIndex((row) => row.frame === frame && is(row));
    const action = of((row) => row.kind === "action" && row.draw === draw);
    if (action >= 0)
        return action;
    const level = of((row) => row.hides && row.hides.first <= draw && draw <= row.hides.last);
    return level >= 0 ? level : of((row) => row.kind === "frame");
}

/** The rows of a search: the actions that were found, with their counts where these are known. */
export function foundRows(found: readonly Named[], frames: ReadonlyMap<number, FrameContents>): Row[] {
    return found.map((named) => {
        const frame = Number(named.draw.slice(0, named.draw.indexOf(".")));
        const known = frames.get(frame)?.draws[drawNumber(named)];
        const action = known?.draw === named.draw ? known : unknownDraw(named);
        return { ...actionRow(action), depth: 0, frame };
    });
}

/** An action of which no more than the name is known. */
export function unknownDraw(named: Named): Draw {
    return named as Draw;
}
