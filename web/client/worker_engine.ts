// SPDX-License-Identifier: MIT
// An engine in a Worker that is created from the page's own text. If the module is lost (a trap), the next request gets
// a new one with the same files.
import { Superseded, type Answer, type Engine } from "./engine";
import type { Reply, Request } from "./messages";

type Unsent = Request extends infer R ? (R extends unknown ? Omit<R, "id"> : never) : never;

interface Waiting {
    resolve: (reply: Reply) => void;
    reject: (error: Error) => void;
}

/** The parts of a Worker: its script, and the bytes of halcyon.wasm. */
export interface EngineParts {
    script: string;
    module: ArrayBuffer;
    /** Settings of the driver, as environment variables: HALCYON_LOG_LEVEL and others. */
    environment?: Record<string, string>;
}

export class WorkerEngine implements Engine {
    private worker: Worker | null = null;
    private readonly waiting = new Map<number, Waiting>();
    private readonly files = new Map<string, ArrayBuffer | string>();
    private newest = 0;
    private readonly url: string;

    constructor(private readonly parts: EngineParts) {
        this.url = URL.createObjectURL(new Blob([parts.script], { type: "text/javascript" }));
    }

    private start(): Worker {
        const worker = new Worker(this.url);
        this.worker = worker;
        worker.onmessage = (event: MessageEvent<Reply>) => this.answered(event.data);
        worker.onerror = (event) => this.lose(event.message || "the engine could not be started");
        this.post({ module: this.parts.module, environment: this.parts.environment ?? {} }).catch(() => {});
        for (const [put, data] of this.files)
            this.post({ put, data }).catch(() => {});
        return worker;
    }

    private answered(reply: Reply): void {
        const waiting = this.waiting.get(reply.id);
        this.waiting.delete(reply.id);
        if ("lost" in reply) {
            waiting?.reject(new Error(reply.lost));
            this.lose(reply.lost);
        } else {
            waiting?.resolve(reply);
        }
    }

    /** The module can no longer be used: all pending requests fail with the reason. */
    private lose(why: string): void {
        this.worker?.terminate();
        this.worker = null;
        const all = [...this.waiting.values()];
        this.waiting.clear();
        for (const { reject } of all)
            reject(new Error(why));
    }

    private post(request: Unsent): Promise<Reply> {
        const worker = this.worker ?? this.start();
        const id = ++this.newest;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            worker.postMessage({ ...request, id });
        });
    }

    async run(words: string[], lane: string): Promise<Answer> {
        const reply = await this.post({ pane: lane, run: words });
        if (!("answer" in reply) || reply.answer.cancelled)
            throw new Superseded();
        return reply.answer;
    }

    async put(name: string, data: ArrayBuffer | string): Promise<void> {
        const stored = this.post({ put: name, data });
        this.files.set(name, data); // (a Worker that was started with these must not get them twice)
        await stored;
    }

    async get(name: string): Promise<ArrayBuffer | null> {
        const reply = await this.post({ get: name });
        return "data" in reply ? reply.data : null;
    }

    close(): void {
        this.lose("closed");
        URL.revokeObjectURL(this.url);
    }
}
