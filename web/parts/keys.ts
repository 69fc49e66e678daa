// SPDX-License-Identifier: MIT
// The keys of the page: one table, for the page and its help.

export interface Key {
    /** Values of KeyboardEvent.key; several keys may do the same. */
    keys: string[];
    /** The keys as text for users. */
    shown: string;
    does: string;
    run: () => void;
}

export interface KeyGroup {
    group: string;
    keys: Key[];
}

function isTyping(target: EventTarget | null): boolean {
    const element = target instanceof Element ? target : null;
    return !!element?.closest("input, textarea, select, [contenteditable=true], .cm-editor");
}

/** Runs the function of a key; keys that are typed into a field are ignored. */
export function obey(groups: readonly KeyGroup[], event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
    for (const { keys } of groups)
        for (const key of keys)
            if (key.keys.includes(event.key)) {
                key.run();
                event.preventDefault();
                return;
            }
}
