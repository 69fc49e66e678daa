// SPDX-License-Identifier: MIT
// Numbers as text.

/** A float in few digits, enough to distinguish it on screen. Strings in the documents are the bits of nonfinite
 * numbers. */
export function float(value: number | string, digits = 6): string {
    if (typeof value === "string")
        return value;
    if (value === 0)
        return Object.is(value, -0) ? "-0" : "0";
    return String(Number(value.toPrecision(digits)));
}

export function floats(values: readonly (number | string | null)[], digits = 4): string {
    return values.map((value) => (value === null ? "–" : float(value, digits))).join(" ");
}

/** Browsers give a page no more than tenths of milliseconds. */
export function milliseconds(seconds: number): string {
    const ms = seconds * 1000;
    return ms.toFixed(ms < 100 ? 1 : 0);
}

/** 12345 as 12,345. */
export function count(value: number): string {
    return value.toLocaleString("en-US");
}

export function bytes(value: number): string {
    if (value < 1024)
        return `${value} B`;
    if (value < 1024 * 1024)
        return `${(value / 1024).toFixed(1)} KiB`;
    return `${(value / 1024 / 1024).toFixed(1)} MiB`;
}

export function hex(value: number, digits: number): string {
    return value.toString(16).padStart(digits, "0");
}

export function plural(number: number, one: string, many = `${one}s`): string {
    return `${count(number)} ${number === 1 ? one : many}`;
}

/** Red, green, blue, alpha of 0..1 as #rrggbb and as 8-bit numbers. */
export function colorHex(color: readonly number[]): string {
    return `#${color
        .slice(0, 3)
        .map((c) => hex(Math.round(Math.min(1, Math.max(0, c)) * 255), 2))
        .join("")}`;
}
