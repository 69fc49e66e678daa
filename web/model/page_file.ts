// SPDX-License-Identifier: MIT
// How the page writes itself as a file; null: it does not, as the playground.
import { createContext } from "preact";

/** capture: its name and bytes; notes: a file of notes. */
export type WritePage = (capture: { name: string; data: ArrayBuffer }, notes: string) => Blob;

export const PageFile = createContext<WritePage | null>(null);
