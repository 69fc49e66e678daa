// SPDX-License-Identifier: MIT
// Judges a picture by the checks of a lesson. The rules are those of web/lessons/lessons.py; tests compare the two.
import type { Draw, UmdCall } from "../client/documents";
import type { Picture } from "../client/engine";
import type { Area, Check } from "./lessons";

export interface Result {
    picture: Picture;
    /** The picture of the last frame. */
    draws: Draw[];
    /** The calls of the WDDM interface that the last frame becomes. */
    calls: UmdCall[];
}

type Color = [number, number, number];

function colorOf(text: string): Color {
    return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) as Color;
}

function* pixelsOf({ width, pixels }: Picture, [left, top, right, bottom]: Area): Generator<Color> {
    for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) {
            const at = 4 * (y * width + x);
            yield [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number];
        }
}

const near = (a: Color, b: Color, within: number): boolean => a.every((value, i) => Math.abs(value - (b[i] as number)) <= within);

/** The number that a check compares with its limits. */
function measure(check: Check, result: Result, start: Result): number {
    if (check.counter !== undefined) {
        const all = result.draws.filter((draw) => draw.kind === "draw");
        const draws = check.draw === undefined ? all : all.slice(check.draw, check.draw + 1);
        return draws.reduce((sum, draw) => sum + Number(draw[check.counter as keyof Draw] ?? 0), 0);
    }
    if (check.call !== undefined) {
        const calls = result.calls.filter((call) => call.function === check.call);
        return check.argument === undefined ? calls.length : calls.reduce((sum, call) => sum + Number(call.arguments[check.argument as string] ?? 0), 0);
    }
    if (check.changed) {
        const before = [...pixelsOf(start.picture, check.changed)];
        let changed = 0;
        let at = 0;
        for (const color of pixelsOf(result.picture, check.changed))
            changed += near(color, before[at++] as Color, 0) ? 0 : 1;
        return changed;
    }
    if (check.colors)
        return new Set([...pixelsOf(result.picture, check.colors)].map((color) => color.join())).size;
    const [x, y] = check.pixel ?? [0, 0];
    const area = check.area ?? [x, y, x + 1, y + 1];
    const wanted = colorOf((check.is ?? check.not) as string);
    let count = 0;
    for (const color of pixelsOf(result.picture, area))
        count += near(color, wanted, check.within ?? 0) === (check.is !== undefined) ? 1 : 0;
    return count;
}

/** The messages of failed checks; empty if the lesson is solved. */
export function failures(checks: readonly Check[], result: Result, start: Result): string[] {
    const { width, height } = start.picture;
    if (result.picture.width !== width || result.picture.height !== height)
        return [`The picture should keep its size of ${width} x ${height} pixels.`];
    return checks
        .filter((check) => {
            const number = measure(check, result, start);
            return number < (check.least ?? (check.pixel ? 1 : 0)) || number > (check.most ?? number);
        })
        .map((check) => check.say);
}
