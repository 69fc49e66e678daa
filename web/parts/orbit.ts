// SPDX-License-Identifier: MIT
// Points of a mesh on the screen: as drawn, or rotated around their middle.
import type { MeshPrimitive } from "../client/documents";

export interface Turn {
    yaw: number;
    pitch: number;
    zoom: number;
}

export const UNTURNED: Turn = { yaw: 0.6, pitch: 0.4, zoom: 1 };

/** Two numbers for each corner, corner after corner; NaN: no position. `first`: index of a primitive's first corner. */
export interface FlatMesh {
    points: Float32Array;
    first: Uint32Array;
}

/** Nonfinite numbers come as the string of their bits. */
function isFinitePoint(values: readonly (number | string)[]): values is number[] {
    return values.every((value) => typeof value === "number");
}

function cornersOf(primitives: readonly MeshPrimitive[]): Uint32Array {
    const first = new Uint32Array(primitives.length + 1);
    for (const [i, primitive] of primitives.entries())
        first[i + 1] = (first[i] as number) + primitive.corners.length;
    return first;
}

/** Window coordinates: pixels of the target. */
export function windowMesh(primitives: readonly MeshPrimitive[]): FlatMesh {
    const first = cornersOf(primitives);
    const points = new Float32Array(2 * (first[primitives.length] as number)).fill(NaN);
    let at = 0;
    for (const primitive of primitives)
        for (const corner of primitive.corners) {
            if (corner.window)
                points.set([corner.window[0] as number, corner.window[1] as number], at);
            at += 2;
        }
    return { points, first };
}

/**
 * Clip space before the division is view space except for the scale of its axes: x and y are unchanged, w is the
 * distance. aspect: width of the viewport over its height. The result lies in -1..1.
 */
export function turnedMesh(primitives: readonly MeshPrimitive[], aspect: number, turn: Turn): FlatMesh {
    const first = cornersOf(primitives);
    const total = first[primitives.length] as number;
    const space = new Float32Array(3 * total).fill(NaN);
    const least = [Infinity, Infinity, Infinity];
    const most = [-Infinity, -Infinity, -Infinity];
    let at = 0;
    for (const { corners } of primitives)
        for (const { clip } of corners) {
            if (isFinitePoint(clip)) {
                const [x, y, z, w] = clip as [number, number, number, number];
                const point = [x * aspect, y, w === 1 ? z : w];
                space.set(point, at);
                for (let axis = 0; axis < 3; axis++) {
                    least[axis] = Math.min(least[axis] as number, point[axis] as number);
                    most[axis] = Math.max(most[axis] as number, point[axis] as number);
                }
            }
            at += 3;
        }
    const middle = least.map((low, axis) => (low + (most[axis] as number)) / 2);
    const radius = Math.hypot(...least.map((low, axis) => (most[axis] as number) - low)) / 2 || 1;
    const [cy, sy, cp, sp] = [Math.cos(turn.yaw), Math.sin(turn.yaw), Math.cos(turn.pitch), Math.sin(turn.pitch)];
    const points = new Float32Array(2 * total);
    for (let i = 0; i < total; i++) {
        const x = ((space[3 * i] as number) - (middle[0] as number)) / radius;
        const y = ((space[3 * i + 1] as number) - (middle[1] as number)) / radius;
        const z = ((space[3 * i + 2] as number) - (middle[2] as number)) / radius;
        points[2 * i] = (x * cy + z * sy) * turn.zoom;
        points[2 * i + 1] = -(y * cp + (z * cy - x * sy) * sp) * turn.zoom;
    }
    return { points, first };
}

/** The primitive under a point, or the one whose outline is nearest, at most `reach` away; -1: none. The last one that is hit wins. */
export function pick(mesh: FlatMesh, x: number, y: number, reach: number): number {
    const { points, first } = mesh;
    let best = -1;
    let nearest = reach;
    for (let i = 0; i + 1 < first.length; i++) {
        const begin = first[i] as number;
        const corners = (first[i + 1] as number) - begin;
        let inside = corners >= 3;
        let sign = 0;
        for (let c = 0; c < corners; c++) {
            const a = 2 * (begin + c);
            const b = 2 * (begin + ((c + 1) % corners));
            const [ax, ay, bx, by] = [points[a], points[a + 1], points[b], points[b + 1]] as [number, number, number, number];
            const area = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
            if (sign !== 0 && area * sign < 0)
                inside = false;
            sign = sign || Math.sign(area);
            const length = Math.hypot(bx - ax, by - ay) || 1;
            const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length ** 2));
            const distance = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
            if (distance < nearest) {
                nearest = distance;
                best = i;
            }
        }
        if (inside && sign !== 0) {
            best = i;
            nearest = 0.001;
        }
    }
    return best;
}
