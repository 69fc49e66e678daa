// SPDX-License-Identifier: MIT
// A picture as a PNG file. A canvas would lose the colours of transparent pixels.
import type { Picture } from "../client/engine";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let bit = 0; bit < 8; bit++)
        c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
});

function crc(bytes: Uint8Array): number {
    let c = 0xffffffff;
    for (const byte of bytes)
        c = (TABLE[(c ^ byte) & 255] as number) ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
}

/** A chunk: length, name, data, checksum. */
function chunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(data.length + 12);
    const view = new DataView(whole.buffer);
    view.setUint32(0, data.length);
    whole.set(new TextEncoder().encode(name), 4);
    whole.set(data, 8);
    view.setUint32(data.length + 8, crc(whole.subarray(4, data.length + 8)));
    return whole;
}

async function deflated(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const stream = new Blob([data]).stream().pipeThrough(new CompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** RGBA, 8 bits each. */
export async function pngOf({ width, height, pixels }: Picture): Promise<Blob> {
    const header = new Uint8Array(13);
    const view = new DataView(header.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    header.set([8, 6, 0, 0, 0], 8);
    const rows = new Uint8Array(height * (4 * width + 1)); // each begins with its filter: none
    for (let y = 0; y < height; y++)
        rows.set(pixels.subarray(4 * width * y, 4 * width * (y + 1)), y * (4 * width + 1) + 1);
    return new Blob([new Uint8Array(SIGNATURE), chunk("IHDR", header), chunk("IDAT", await deflated(rows)) as Uint8Array<ArrayBuffer>, chunk("IEND", new Uint8Array(0))], { type: "image/png" });
}
