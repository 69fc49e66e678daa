// SPDX-License-Identifier: MIT
// Light, dark, or as the system has it; what was chosen is remembered where the browser lets a page remember.
import { useLayoutEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "halcyon-theme";

function remembered(): Theme {
    try {
        return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
    } catch {
        return "auto";
    }
}

const system = matchMedia("(prefers-color-scheme: dark)");

/** Tells the style sheet which of its two sets of colours holds. */
function show(theme: Theme): void {
    document.documentElement.dataset["theme"] = theme !== "auto" ? theme : system.matches ? "dark" : "light";
}

// What is there before the first component, a message perhaps, has the colours too.
show(remembered());

function nextTheme(theme: Theme): Theme {
    return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
}

/** The theme, and what chooses the next one, whichever it is by then. */
export function useTheme(): [Theme, () => void] {
    const [theme, setTheme] = useState(remembered);
    useLayoutEffect(() => {
        const follow = (): void => show(theme);

        follow();
        system.addEventListener("change", follow);
        try {
            localStorage.setItem(KEY, theme);
        } catch {
            // It lasts as long as the page.
        }
        return () => system.removeEventListener("change", follow);
    }, [theme]);
    return [theme, () => setTheme(nextTheme)];
}
