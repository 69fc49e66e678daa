// SPDX-License-Identifier: MIT
// One opened capture: its engine, and a cache of answers, so that a question is not asked twice.
import type { Draw, Draws, Dump, Found, Info, Tokens } from "../client/documents";
import type { Answer, Engine, Picture } from "../client/engine";
import { commandLine, type Question } from "../client/questions";
import { Store } from "./store";

const CAPTURE = "capture";
const EDITED = "edited.capture";

// Limits of the cache, by weight: pictures take megabytes, most documents kilobytes.
const MOST_WEIGHT = 600;
const weightOf = (question: Question): number => (question.ask === "shot" || question.ask === "levels" ? 12 : question.ask === "resources" ? 3 : 1);

const PATIENCE = 8000; // milliseconds until the second engine starts, whatever the first does

export type Stage = "vertex" | "pixel";

/** A shader whose code is replaced in all frames: its handle in the capture, and the new text. */
export interface ShaderEdit {
    stage: Stage;
    handle: number;
    text: string;
}

/** The message of a dp2 that refused, or that found damage and printed nothing. */
export class Refused extends Error {}

/** The status of a refused question; its document may have been begun. */
const REFUSED = 2;

function check(answer: Answer): Answer {
    if (answer.status === REFUSED || (answer.output === "" && answer.status !== 0))
        throw new Refused(answer.messages.trim() || `dp2 ended with status ${answer.status}`);
    return answer;
}

export class Session {
    private readonly answers = new Map<string, { answer: Promise<Answer>; weight: number }>();
    private weight = 0;
    private readonly drawLists = new Map<number, Promise<Draw[]>>();
    private searching: Promise<Engine> | null = null;
    private searcher: Engine | null = null;
    private file = CAPTURE;
    private lanes = 0;
    /** Incremented by each change of shaders: earlier answers become invalid. */
    readonly edition = new Store(0);
    edits: ShaderEdit[] = [];
    /** Resolved when the picture that the user waits for has arrived or failed; only then the second engine may
     * start. */
    readonly calm: Promise<void>;
    settle: () => void = () => {};

    private constructor(
        readonly engine: Engine,
        /** A second engine, which plays the frames for their thumbnails. */
        readonly player: Engine,
        readonly info: Info,
        readonly name: string,
        /** A third one, made for the first search. */
        private readonly makeSearcher: (() => Engine) | undefined,
    ) {
        this.calm = new Promise((done) => (this.settle = done));
        setTimeout(this.settle, PATIENCE);
    }

    /** Opens a capture. Fails with dp2's message if the file is not a capture. */
    static async open(engine: Engine, player: Engine, data: ArrayBuffer, name: string, makeSearcher?: () => Engine): Promise<Session> {
        void player.put(CAPTURE, data).catch(() => {});
        await engine.put(CAPTURE, data);
        const answer = check(await engine.run(commandLine({ ask: "info" }, CAPTURE), "info"));
        const info = JSON.parse(answer.output) as Info;
        if (info.frames === 0)
            throw new Refused(answer.messages.trim() || "The capture has no frame.");
        return new Session(engine, player, info, name, makeSearcher);
    }

    /** lane: a newer question on a lane replaces an older one; without a lane, every question is answered. */
    ask(question: Question, lane?: string): Promise<Answer> {
        const key = JSON.stringify(question);
        const known = this.answers.get(key);
        if (known) {
            this.answers.delete(key); // the newest are last
            this.answers.set(key, known);
            return known.answer;
        }
        const words = commandLine(question, this.file);
        const answer = this.engine.run(words, lane ?? `once ${++this.lanes}`).then(check);
        this.answers.set(key, { answer, weight: weightOf(question) });
        this.weight += weightOf(question);
        answer.catch(() => this.forget(key, answer));
        for (const [oldest, kept] of this.answers) {
            if (this.weight <= MOST_WEIGHT)
                break;
            this.forget(oldest, kept.answer);
        }
        return answer;
    }

    private forget(key: string, answer: Promise<Answer>): void {
        const kept = this.answers.get(key);
        if (kept?.answer !== answer)
            return;
        this.answers.delete(key);
        this.weight -= kept.weight;
    }

    async document<T>(question: Question, lane?: string): Promise<T> {
        return JSON.parse((await this.ask(question, lane)).output) as T;
    }

    /** A document and its only picture. */
    async pictured<T>(question: Question, lane: string): Promise<{ document: T; picture: Picture }> {
        const answer = await this.ask(question, lane);
        const picture = Object.values(answer.pictures)[0];
        if (!picture)
            throw new Refused(answer.messages.trim() || "There is no picture.");
        return { document: JSON.parse(answer.output) as T, picture };
    }

    /** The actions of a frame, without counts and times. */
    names(frame: number): Promise<Draw[]> {
        let list = this.drawLists.get(frame);
        if (!list) {
            list = this.document<Draws>({ ask: "names", frame }).then((document) => document.frames[0]?.draws ?? []);
            list.catch(() => this.drawLists.delete(frame));
            this.drawLists.set(frame, list);
        }
        return list;
    }

    /**
     * The actions of all frames that meet the conditions of `dp2 find`; edited shaders do not change states. A third engine searches,
     * because a search plays the capture from its beginning and would end the sessions of the others; where there is none, the second.
     */
    async find(text: string): Promise<Found> {
        this.searching ??= this.startSearcher();
        const engine = await this.searching;
        return JSON.parse(check(await engine.run(commandLine({ ask: "find", text }, CAPTURE), "find")).output) as Found;
    }

    private async startSearcher(): Promise<Engine> {
        const data = this.makeSearcher && (await this.engine.get(CAPTURE));
        if (!this.makeSearcher || !data)
            return this.player;
        const engine = this.makeSearcher();
        this.searcher = engine;
        await engine.put(CAPTURE, data);
        return engine;
    }

    /** The file that a verb writes. words: its command line, from the verb on, with the capture's name in place of `{}`. */
    async written(words: readonly string[]): Promise<{ name: string; data: ArrayBuffer }> {
        const answer = await this.engine.run(words.map((word) => (word === "{}" ? this.file : word)), `once ${++this.lanes}`);
        const name = answer.files[0];
        const data = name === undefined ? null : await this.engine.get(name);
        if (name === undefined || !data)
            throw new Refused(answer.messages.trim() || "Nothing was written.");
        return { name, data };
    }

    /**
     * The actions of a frame with their counts and times. They take as long as drawing each action by itself and come
     * from the second engine, so that the page need not wait; that engine does not have edited shaders.
     */
    async draws(frame: number): Promise<Draw[]> {
        const question = { ask: "draws" as const, frame };
        await this.calm;
        const answer = this.file === CAPTURE ? await this.player.run(commandLine(question, CAPTURE), "draws") : await this.ask(question, "draws");
        return (JSON.parse(check(answer).output) as Draws).frames[0]?.draws ?? [];
    }

    /** A frame as a stream of its own, in the notation of docs/dp2-text.md. */
    async frameText(frame: number): Promise<string> {
        const one = "frame.capture";
        const trimmed = await this.player.run(["trim", CAPTURE, "--frame", String(frame), "-o", one], "text");
        if (trimmed.status !== 0)
            throw new Refused(trimmed.messages.trim());
        return check(await this.player.run(["dump", one, "--asm"], "text")).output;
    }

    /** The events of a frame with the calls of the WDDM interface. They are played from the capture's beginning, so the second engine does it. */
    async interfaces(frame: number): Promise<Dump> {
        const question = { ask: "interfaces" as const, frame };
        await this.calm;
        const answer = this.file === CAPTURE ? await this.player.run(commandLine(question, CAPTURE), "interfaces") : await this.ask(question, "interfaces");
        return JSON.parse(check(answer).output) as Dump;
    }

    tokens(): Promise<Tokens> {
        return this.document<Tokens>({ ask: "tokens" });
    }

    /** Replaces the code of a shader, or with text null restores its own. Fails with the assembler's message. */
    async editShader(stage: Stage, handle: number, text: string | null): Promise<void> {
        const others = this.edits.filter((e) => e.stage !== stage || e.handle !== handle);
        const edits = text === null ? others : [...others, { stage, handle, text }];
        if (edits.length)
            await this.writeEdited(edits);
        this.file = edits.length ? EDITED : CAPTURE;
        this.edits = edits;
        this.answers.clear();
        this.weight = 0;
        this.drawLists.clear();
        this.edition.set(this.edition.get() + 1);
    }

    private async writeEdited(edits: ShaderEdit[]): Promise<void> {
        const options: string[] = [];
        for (const { stage, handle, text } of edits) {
            const name = `${stage}-${handle}.asm`;
            await this.engine.put(name, text);
            options.push(`--${stage}-shader`, `${handle}=${name}`);
        }
        const answer = await this.engine.run(["edit", CAPTURE, ...options, "-o", EDITED, "--json"], "edit");
        if (answer.status !== 0)
            throw new Refused(answer.messages.trim());
    }

    /** The capture with the edited shaders, which questions are about. */
    async bytes(): Promise<ArrayBuffer> {
        const data = await this.engine.get(this.file);
        if (!data)
            throw new Refused("The capture is no longer loaded.");
        return data;
    }

    close(): void {
        this.engine.close();
        this.player.close();
        this.searcher?.close();
    }
}
