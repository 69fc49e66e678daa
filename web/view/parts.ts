// SPDX-License-Identifier: MIT
// The data that build.mjs and dp2 view put into the page: the engine, and the capture.

function embedded(id: string): HTMLElement {
    const element = document.getElementById(id);
    if (!element)
        throw new Error(`This page lacks its part "${id}".`);
    return element;
}

/** Base64, as text of an element that is not drawn. */
function decode(text: string): ArrayBuffer {
    const binary = atob(text);
    const data = new Uint8Array(binary.length);
    for (let i = 0; i < data.length; i++)
        data[i] = binary.charCodeAt(i);
    return data.buffer;
}

async function unpack(data: ArrayBuffer): Promise<ArrayBuffer> {
    const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

/** Bytes of halcyon.wasm. */
export function engineModule(): Promise<ArrayBuffer> {
    return unpack(decode((embedded("engine").textContent ?? "").trim()));
}

/** The script of the Worker. */
export function engineScript(): string {
    return embedded("worker").textContent ?? "";
}

/** The stream of the sample, which the engine assembles. */
export function sampleText(): string {
    return embedded("sample").textContent ?? "";
}

/** The notes that dp2 view or a saved page contains; "": none. */
export function embeddedNotes(): string {
    return (document.getElementById("notes")?.textContent ?? "").trim();
}

function encode(data: ArrayBuffer): string {
    const bytes = new Uint8Array(data);
    let binary = "";
    for (let at = 0; at < bytes.length; at += 32766) // a multiple of three
        binary += btoa(String.fromCharCode(...bytes.subarray(at, at + 32766)));
    return binary;
}

/** This page with the capture and notes in it, as a file. */
export function savedPage(capture: Embedded, notes: string): Blob {
    const whole = document.documentElement.cloneNode(true) as HTMLElement;
    const part = (id: string) => whole.querySelector(`#${id}`) as HTMLElement;
    part("page").textContent = "";
    part("notes").textContent = notes;
    part("capture").textContent = encode(capture.data);
    part("capture").dataset["name"] = capture.name;
    delete whole.dataset["theme"];
    return new Blob([`<!doctype html>\n${whole.outerHTML}\n`], { type: "text/html" });
}

export interface Embedded {
    name: string;
    data: ArrayBuffer;
}

/** The capture that dp2 view has inserted; null: none, so the page asks for a file. The text is dropped afterwards,
 * because it takes much memory. */
export function embeddedCapture(): Embedded | null {
    const element = embedded("capture");
    const text = (element.textContent ?? "").trim();
    if (!text)
        return null;
    element.textContent = "";
    return { name: element.dataset["name"] ?? "capture", data: decode(text) };
}
