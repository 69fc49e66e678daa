// SPDX-License-Identifier: MIT
// How the columns of a page share the width of its window when it opens.

const WIDE = 1600; // CSS pixels; narrower windows keep the widths that fit 1280

/** A column's width: a part of a wide window, or its own width. */
export const columnWidth = (own: number, part: number): number => (innerWidth >= WIDE ? Math.max(own, Math.round(innerWidth * part)) : own);
