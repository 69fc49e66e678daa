// SPDX-License-Identifier: MIT
// Pictures on canvases: unchanged, or with selected channels and range.
import type { Picture } from "../client/engine";

export type Channel = "rgb" | "r" | "g" | "b" | "a";

export interface Look {
    channel: Channel;
    /** The values shown as black and white, 0..1. */
    black: number;
    white: number;
}

export const PLAIN: Look = { channel: "rgb", black: 0, white: 1 };

function table(look: Look): Uint8ClampedArray {
    const map = new Uint8ClampedArray(256);
    const span = look.white - look.black || 1e-6;
    for (let i = 0; i < 256; i++)
        map[i] = ((i / 255 - look.black) / span) * 255;
    return map;
}

/** The pixels to show, made opaque because a canvas loses the colour of transparent pixels. */
export function shownPixels(picture: Picture, look: Look): Uint8ClampedArray<ArrayBuffer> {
    const from = picture.pixels;
    const to = new Uint8ClampedArray(from.length);
    const map = table(look);
    const single = "rgba".indexOf(look.channel);
    for (let i = 0; i < from.length; i += 4) {
        if (look.channel === "rgb") {
            to[i] = map[from[i] as number] as number;
            to[i + 1] = map[from[i + 1] as number] as number;
            to[i + 2] = map[from[i + 2] as number] as number;
        } else {
            to[i] = to[i + 1] = to[i + 2] = map[from[i + single] as number] as number;
        }
        to[i + 3] = 255;
    }
    return to;
}

/** Resizes the canvas to the picture and draws its pixels. */
export function putPicture(canvas: HTMLCanvasElement, picture: Picture, look: Look = PLAIN): void {
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
        canvas.width = picture.width;
        canvas.height = picture.height;
    }
    const context = canvas.getContext("2d");
    if (context && picture.width && picture.height)
        context.putImageData(new ImageData(shownPixels(picture, look), picture.width, picture.height), 0, 0);
}

/** The number of pixels with each of 256 values, of the channel or of all three colours. */
export function histogram(picture: Picture, channel: Channel): Uint32Array {
    const counts = new Uint32Array(256);
    const only = "rgba".indexOf(channel);
    const { pixels } = picture;
    for (let i = 0; i < pixels.length; i += 4) {
        if (channel === "rgb")
            for (let c = 0; c < 3; c++)
                counts[pixels[i + c] as number]!++;
        else
            counts[pixels[i + only] as number]!++;
    }
    return counts;
}
