// SPDX-License-Identifier: MIT
// The Worker: keeps the engine and carries out the page's requests. halcyon.js, in front of this script, defines Halcyon.
import type { Answer } from "./engine";
import type { Reply, Request } from "./messages";

interface Module {
    put(name: string, data: Uint8Array | string): boolean;
    get(name: string): Uint8Array | null;
    run(words: string[], signal: AbortSignal): Promise<Answer & { cancelled?: boolean }>;
}
declare const Halcyon: (options: { wasmBinary: ArrayBuffer; environment: Record<string, string> }) => Promise<Module>;

let starting: Promise<Module> | undefined;
const running = new Map<string, AbortController>();

function reply(message: Reply, transfer: Transferable[] = []): void {
    (self as unknown as { postMessage(message: Reply, transfer: Transferable[]): void }).postMessage(message, transfer);
}

async function run(module: Module, request: Extract<Request, { run: string[] }>): Promise<void> {
    running.get(request.pane)?.abort();
    const controller = new AbortController();
    running.set(request.pane, controller);
    const answer = await module.run(request.run, controller.signal);
    if (running.get(request.pane) === controller)
        running.delete(request.pane);
    const buffers = Object.values(answer.pictures ?? {}).map((picture) => picture.pixels.buffer as ArrayBuffer);
    reply({ id: request.id, answer }, buffers);
}

function copyOf(data: Uint8Array): ArrayBuffer {
    return data.slice().buffer;
}

async function carryOut(request: Request): Promise<void> {
    if ("module" in request) {
        starting = Halcyon({ wasmBinary: request.module, environment: request.environment });
        await starting;
        reply({ id: request.id, data: null });
        return;
    }
    const module = await (starting as Promise<Module>);
    if ("run" in request) {
        await run(module, request);
    } else if ("put" in request) {
        const data = typeof request.data === "string" ? request.data : new Uint8Array(request.data);
        if (!module.put(request.put, data))
            throw new Error("out of memory for the capture");
        reply({ id: request.id, data: null });
    } else {
        const data = module.get(request.get);
        const copy = data && copyOf(data);
        reply({ id: request.id, data: copy }, copy ? [copy] : []);
    }
}

self.onmessage = (event: MessageEvent<Request>) => {
    carryOut(event.data).catch((error: unknown) => {
        reply({ id: event.data.id, lost: error instanceof Error ? error.message : String(error) });
    });
};
