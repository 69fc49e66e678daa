// SPDX-License-Identifier: MIT
// Reads the PNG files that dp2 writes: 8 bits a channel, not interlaced.
import { inflateSync } from "node:zlib";

const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 };

function paeth(a, b, c) {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** {width, height, pixels}: red, green, blue, alpha of each pixel. */
export function readPng(file) {
    const data = [];
    let width = 0, height = 0, kind = 0;
    for (let at = 8; at < file.length; ) {
        const size = file.readUInt32BE(at);
        const type = file.toString("latin1", at + 4, at + 8);
        if (type === "IHDR") {
            [width, height, kind] = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12), file[at + 17]];
            if (file[at + 16] !== 8 || file[at + 20] !== 0)
                throw new Error("not a PNG of dp2");
        } else if (type === "IDAT") {
            data.push(file.subarray(at + 8, at + 8 + size));
        }
        at += size + 12;
    }
    const step = CHANNELS[kind];
    const raw = inflateSync(Buffer.concat(data));
    const line = width * step;
    const rows = Buffer.alloc(line * height);
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (line + 1)];
        for (let x = 0; x < line; x++) {
            const a = x >= step ? rows[y * line + x - step] : 0;
            const b = y ? rows[(y - 1) * line + x] : 0;
            const c = x >= step && y ? rows[(y - 1) * line + x - step] : 0;
            const add = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
            rows[y * line + x] = raw[y * (line + 1) + 1 + x] + add;
        }
    }
    const pixels = Buffer.alloc(width * height * 4);
    for (let i = 0; i < width * height; i++) {
        const from = rows.subarray(i * step, i * step + step);
        const [r, g, b] = step >= 3 ? from : [from[0], from[0], from[0]];
        pixels.set([r, g, b, step % 2 ? 255 : from[step - 1]], i * 4);
    }
    return { width, height, pixels };
}
