// SPDX-License-Identifier: MIT
// A stream as a part of a link: compressed, in the letters that an address may have.

const MOST = 1 << 20; // characters of a text from a link

async function read(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
    const reader = stream.getReader();
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            break;
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new Error("The link has more text than a stream may have.");
        }
        parts.push(value);
    }
    const all = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

const through = (data: Uint8Array, by: GenericTransformStream): ReadableStream<Uint8Array> =>
    new Blob([data as BlobPart]).stream().pipeThrough(by as ReadableWritablePair<Uint8Array, Uint8Array>);

/** The text as letters, digits, - and _. */
export async function packed(text: string): Promise<string> {
    const data = await read(through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")), 4 * MOST);
    let binary = "";
    for (const byte of data)
        binary += String.fromCharCode(byte);
    return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The text of a link. Fails if it is damaged or too long. */
export async function unpacked(link: string): Promise<string> {
    const binary = atob(link.replace(/-/g, "+").replace(/_/g, "/"));
    const data = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await read(through(data, new DecompressionStream("deflate-raw")), MOST));
}
