// SPDX-License-Identifier: MIT
// Data kept by the browser, if it allows that: changed texts, and solved lessons.

const TEXT = "halcyon-playground-text-";
const SOLVED = "halcyon-playground-solved-";

function quietly<T>(action: () => T, otherwise: T): T {
    try {
        return action();
    } catch {
        return otherwise; // it lasts until the page is closed
    }
}

const solved = new Set<string>();

export function keptText(lesson: string): string | null {
    return quietly(() => localStorage.getItem(TEXT + lesson), null);
}

export function keepText(lesson: string, text: string): void {
    quietly(() => localStorage.setItem(TEXT + lesson, text), undefined);
}

export function forgetText(lesson: string): void {
    quietly(() => localStorage.removeItem(TEXT + lesson), undefined);
}

export function isSolved(lesson: string): boolean {
    return solved.has(lesson) || quietly(() => localStorage.getItem(SOLVED + lesson) !== null, false);
}

export function keepSolved(lesson: string): void {
    solved.add(lesson);
    quietly(() => localStorage.setItem(SOLVED + lesson, "1"), undefined);
}
