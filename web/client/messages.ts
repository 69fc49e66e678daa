// SPDX-License-Identifier: MIT
// The messages between page and Worker (engine/README.md, "In a Worker").
import type { Answer } from "./engine";

export type Request =
    | { id: number; module: ArrayBuffer; environment: Record<string, string> } // the first: halcyon.wasm, and the driver's settings
    | { id: number; pane: string; run: string[] }
    | { id: number; put: string; data: ArrayBuffer | string }
    | { id: number; get: string };

export type Reply =
    | { id: number; answer: Answer & { cancelled?: boolean } }
    | { id: number; data: ArrayBuffer | null }
    | { id: number; lost: string };
