// SPDX-License-Identifier: MIT
// Notes that the browser remembers for a capture until they are saved with the page or as a file.
import type { View } from "./view";

/** Reads the notes that the browser has kept for this page, or else those of the page; keeps what is written from now on. */
export function rememberNotes(view: View, embedded: string): void {
    const { name, info } = view.session;
    const key = `halcyon-notes ${name} ${info.bytes} ${embedded.length}`;
    let kept: string | null = null;
    try {
        kept = localStorage.getItem(key);
    } catch {
        // Then notes last until the page is closed.
    }
    try {
        if (kept ?? embedded)
            view.notes.read(kept ?? embedded);
    } catch (error) {
        console.info(`notes are left out: ${String(error)}`);
    }
    view.notes.texts.watch(() => {
        try {
            localStorage.setItem(key, view.notes.file(name));
        } catch {
            // As above.
        }
    });
}
