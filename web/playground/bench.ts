// SPDX-License-Identifier: MIT
// From text to picture: assembles the text, opens the capture as the debugger does, and asks the driver for its calls.
import type { Asm, Draws, Dump } from "../client/documents";
import { Superseded, type Answer, type Engine } from "../client/engine";
import { commandLine } from "../client/questions";
import type { DriverCall as Call } from "../model/faces";
import { Session } from "../model/session";
import { Store } from "../model/store";
import { View } from "../model/view";
import { START, type PaneName } from "../model/place";
import type { Result } from "./checks";

export interface Mistake {
    line: number;
    column: number;
    text: string;
}

export interface Run {
    /** Messages of the assembler; empty if the stream was drawn. */
    mistakes: Mistake[];
    /** A message that does not belong to a line. */
    trouble: string | null;
    calls: Call[];
    /** The picture of the last frame; null if there is none. */
    result: Result | null;
    /** The text that was drawn. */
    text: string;
    waiting: boolean;
    /** Picture, calls and panes are of an earlier text, because the newest cannot be drawn. */
    outdated: boolean;
}

const MOST_FILE = 4 << 20; // bytes
const MAGIC = "HALCAPT\x1a"; // docs/capture-format.md
const STREAM = "stream.dp2s";
const CAPTURE = "stream.capture";

export const NOTHING: Run = { mistakes: [], trouble: null, calls: [], result: null, text: "", waiting: true, outdated: false };

/** "dp2 asm: stream.dp2s:12:5: no token is called ..." */
function mistakesOf(messages: string): Mistake[] {
    return messages.split("\n").flatMap((line) => {
        const match = /^dp2 asm: [^:]*:(\d+):(\d+): (.*)$/.exec(line);
        return match ? [{ line: Number(match[1]), column: Number(match[2]), text: match[3] as string }] : [];
    });
}

/** The lines since the driver was loaded: earlier lines belong to the engine's previous request. */
function callsOf(messages: string): Call[] {
    const calls = messages.split("\n").flatMap((line) => {
        const match = /debug: DDI: (.*): (\S+)$/.exec(line);
        return match ? [{ text: match[1] as string, answer: match[2] as string }] : [];
    });
    return calls.slice(Math.max(0, calls.map((call) => call.text.startsWith("HalcyonDriverInit")).lastIndexOf(true)));
}

/** Warnings of the driver: the lines of its log that are not calls. */
function warningsOf(messages: string): string[] {
    return messages.split("\n").flatMap((line) => {
        const match = /(?:warn|error): (.*)$/.exec(line);
        return match ? [match[1] as string] : [];
    });
}

/** The last frame of a capture, and its draws. */
async function lastFrame(engine: Engine, file: string, frames: number, lane: string): Promise<Result> {
    const frame = String(frames - 1);
    const drawn = await engine.run(["frames", file, "--frame", frame, "--json"], `${lane} frame`);
    const picture = Object.values(drawn.pictures)[0];
    if (!picture)
        throw new Error(drawn.messages.trim() || "The frame shows no picture.");
    const counted = await engine.run(["draws", file, "--frame", frame, "--json"], `${lane} draws`);
    return { picture, draws: (JSON.parse(counted.output) as Draws).frames[0]?.draws ?? [], calls: [] };
}

/** The same with its calls of the WDDM interface, which another engine may find. */
async function withCalls(result: Result, engine: Engine, file: string, frames: number, lane: string): Promise<Result> {
    const played = await engine.run(commandLine({ ask: "interfaces", frame: frames - 1 }, file), `${lane} calls`);
    const dump = played.output ? (JSON.parse(played.output) as Dump) : null;
    return { ...result, calls: dump?.frames[0]?.events.flatMap((event) => event.calls ?? []) ?? [] };
}

export class Bench {
    readonly run = new Store<Run>(NOTHING);
    readonly view = new Store<View | null>(null);
    private newest = 0;
    private checks = 0;
    private pane: PaneName | null = null; // for the next picture

    constructor(
        /** The engine that answers the panes. */
        private readonly engine: Engine,
        /** The engine that logs each call (HALCYON_LOG_LEVEL=debug), and that draws pictures which are only checked. */
        private readonly caller: Engine,
    ) {}

    /** Shows a pane, now and with the next picture. */
    prefer(pane: PaneName): void {
        this.pane = pane;
        this.view.get()?.go({ pane });
    }

    /** Assembles and draws a text. A newer text replaces an older one. */
    async show(text: string): Promise<void> {
        const number = ++this.newest;
        this.run.update({ waiting: true });
        try {
            const next = await this.draw(text, () => number === this.newest);
            if (next && number === this.newest)
                this.run.set(next);
        } catch (error) {
            if (number === this.newest && !(error instanceof Superseded))
                this.run.set({ ...this.run.get(), mistakes: [], waiting: false, outdated: this.view.get() !== null, trouble: error instanceof Error ? error.message : String(error) });
        }
    }

    private async draw(text: string, wanted: () => boolean): Promise<Run | null> {
        await this.engine.put(STREAM, text);
        const assembled = await this.engine.run(["asm", STREAM, "-o", CAPTURE, "--json"], "bench asm");
        if (!wanted())
            return null;
        if (assembled.status !== 0) {
            const mistakes = mistakesOf(assembled.messages);
            return { ...this.run.get(), mistakes, trouble: mistakes.length ? null : assembled.messages.trim(), waiting: false, outdated: this.view.get() !== null };
        }
        const data = await this.engine.get(CAPTURE);
        if (!data || !wanted())
            return null;
        const session = await Session.open(this.engine, this.caller, data, STREAM);
        const played = await this.caller.run(["replay", "capture", "--hash", "--json"], "bench replay");
        const shown = await lastFrame(this.engine, "capture", session.info.frames, "bench");
        const result = await withCalls(shown, this.caller, "capture", session.info.frames, "bench");
        if (!wanted())
            return null;
        const calls = callsOf(played.messages);
        const old = this.view.get()?.place.get() ?? START;
        const view = new View(session, { ...START, pane: this.pane ?? old.pane, pixel: old.pixel, show: old.show });
        this.pane = null;
        view.source.set({ lines: (JSON.parse(assembled.output) as Asm).events, calls });
        this.view.set(view);
        return { mistakes: [], trouble: this.troubleOf(played, calls), calls, result, text, waiting: false, outdated: false };
    }

    private troubleOf(played: Answer, calls: Call[]): string | null {
        const refused = calls.filter((call) => call.answer !== "DD_OK").map((call) => `${call.text}: ${call.answer}`);
        const said = [...refused.map((call) => `The driver has refused a call: ${call}`), ...warningsOf(played.messages)];
        return said.length ? said.join("\n") : null;
    }

    /** A file as text: a stream as it is, a capture as the notation prints it. Fails with dp2's message. */
    async textOf(data: ArrayBuffer): Promise<string> {
        if (data.byteLength > MOST_FILE)
            throw new Error("The file is too large to be shown as text: dp2 trim makes it smaller.");
        if (new TextDecoder("latin1").decode(data.slice(0, MAGIC.length)) !== MAGIC)
            return new TextDecoder("utf-8", { fatal: true }).decode(data);
        await this.caller.put("opened.capture", data);
        const dumped = await this.caller.run(["dump", "opened.capture", "--asm"], "opened");
        if (dumped.status !== 0)
            throw new Error(dumped.messages.trim());
        return dumped.output;
    }

    /** The picture of a text, only for checks; the panes do not change. */
    async resultOf(text: string): Promise<Result> {
        const name = `check-${++this.checks}`;
        await this.caller.put(`${name}.dp2s`, text);
        const assembled = await this.caller.run(["asm", `${name}.dp2s`, "-o", `${name}.capture`], name);
        if (assembled.status !== 0)
            throw new Error(assembled.messages.trim());
        const info = JSON.parse((await this.caller.run(["info", `${name}.capture`, "--json"], name)).output) as { frames: number };
        const result = await lastFrame(this.caller, `${name}.capture`, info.frames, name);
        return withCalls(result, this.caller, `${name}.capture`, info.frames, name);
    }
}
