// SPDX-License-Identifier: MIT
// A search of the events: conditions of `dp2 find`, and the word "noted", which the page answers.

export interface SearchWords {
    /** For dp2 find; "": none. */
    conditions: string;
    /** Only actions with a note. */
    noted: boolean;
}

export function searchWords(text: string): SearchWords {
    const words = text.trim().split(/\s+/).filter(Boolean);
    const conditions = words.filter((word) => word.toLowerCase() !== "noted");
    return { conditions: conditions.join(" "), noted: conditions.length < words.length };
}

/** The mistyped word of a message of dp2 find, and what it may have been; null: the message names none. */
export function suggestionOf(message: string): { word: string; better: string } | null {
    const match = /'([^']+)'[^']*did you mean '([^']+)'\?/.exec(message);
    return match ? { word: match[1] as string, better: match[2] as string } : null;
}
