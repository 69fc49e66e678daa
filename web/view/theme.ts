// SPDX-License-Identifier: MIT
// Light, dark, or as in the system; the choice is remembered if the browser allows that.
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

/** Tells the style sheet which of its two sets of colours to use. */
function show(theme: Theme): void {
    document.documentElement.dataset["theme"] = theme !== "auto" ? theme : system.matches ? "dark" : "light";
}

// The content before the first component, perhaps a message, is coloured too.
show(remembered());

function nextTheme(theme: Theme): Theme {
    return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
}

/** The theme, and a function that selects the next one. */
export function useTheme(): [Theme, () => void] {
    const [theme, setTheme] = useState(remembered);
    useLayoutEffect(() => {
        const follow = (): void => show(theme);

        follow();
        system.addEventListener("change", follow);
        try {
            localStorage.setItem(KEY, theme);
        } catch {
            // Then the choice lasts until the page is closed.
        }
        return () => system.removeEventListener("change", follow);
    }, [theme]);
    return [theme, () => setTheme(nextTheme)];
}
