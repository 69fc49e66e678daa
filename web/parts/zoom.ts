// SPDX-License-Identifier: MIT
// Position and scale of a picture in its box.

export interface Zoom {
    /** Screen pixels per picture pixel. */
    scale: number;
    /** The position of the picture's upper left corner in the box. */
    x: number;
    y: number;
}

export interface Size {
    width: number;
    height: number;
}

export const LEAST_SCALE = 1 / 16;
export const MOST_SCALE = 64;

/** A whole factor must use this part of the room, in each direction: about half of the area. */
const ENOUGH = 0.75;

/** The whole picture, centred; enlarged only if it is small, by a whole factor, or in quarters if that leaves much room. */
export function fit(picture: Size, box: Size): Zoom {
    const room = Math.min(box.width / picture.width, box.height / picture.height);
    const whole = Math.floor(room);
    const larger = whole / room >= ENOUGH ? whole : Math.floor(room * 4) / 4;
    return center(picture, box, room >= 1 ? Math.min(8, larger) : Math.max(LEAST_SCALE, room));
}

export function center(picture: Size, box: Size, scale: number): Zoom {
    return {
        scale,
        x: Math.round((box.width - picture.width * scale) / 2),
        y: Math.round((box.height - picture.height * scale) / 2),
    };
}

/** The next step: powers of two. */
export function zoomed(scale: number, by: 1 | -1): number {
    const step = Math.log2(scale);
    const next = by > 0 ? Math.floor(step + 1e-6) + 1 : Math.ceil(step - 1e-6) - 1;
    return Math.min(MOST_SCALE, Math.max(LEAST_SCALE, 2 ** next));
}

/** Changes the scale; the point (x, y) of the box stays where it is. */
export function zoomAt(zoom: Zoom, scale: number, x: number, y: number): Zoom {
    const factor = scale / zoom.scale;
    return { scale, x: Math.round(x - (x - zoom.x) * factor), y: Math.round(y - (y - zoom.y) * factor) };
}

/** Moves the picture so that the given pixel is in the box. */
export function reveal(zoom: Zoom, box: Size, x: number, y: number): Zoom {
    const margin = Math.min(24, box.width / 4, box.height / 4);
    const left = zoom.x + x * zoom.scale;
    const top = zoom.y + y * zoom.scale;
    const dx = Math.max(0, margin - left) - Math.max(0, left + zoom.scale - (box.width - margin));
    const dy = Math.max(0, margin - top) - Math.max(0, top + zoom.scale - (box.height - margin));
    return dx || dy ? { ...zoom, x: Math.round(zoom.x + dx), y: Math.round(zoom.y + dy) } : zoom;
}

/** Whether the whole picture has room in the box. */
export function fits(zoom: Zoom, picture: Size, box: Size): boolean {
    return picture.width * zoom.scale <= box.width && picture.height * zoom.scale <= box.height;
}

/** Moves the picture back into sight: all of it where it has room, otherwise so that it covers a quarter of the box's width and height. */
export function bounded(zoom: Zoom, picture: Size, box: Size): Zoom {
    const along = (at: number, size: number, room: number) => (size <= room ? Math.min(Math.max(at, 0), room - size) : Math.min(Math.max(at, room / 4 - size), (room * 3) / 4));
    return { ...zoom, x: Math.round(along(zoom.x, picture.width * zoom.scale, box.width)), y: Math.round(along(zoom.y, picture.height * zoom.scale, box.height)) };
}

/** The pixel of the picture under a point of the box; null: outside. */
export function pixelAt(zoom: Zoom, picture: Size, x: number, y: number): { x: number; y: number } | null {
    const at = { x: Math.floor((x - zoom.x) / zoom.scale), y: Math.floor((y - zoom.y) / zoom.scale) };
    return at.x >= 0 && at.y >= 0 && at.x < picture.width && at.y < picture.height ? at : null;
}
