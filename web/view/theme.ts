// SPDX-License-Identifier: MIT
// Light, dark, or as the system has it; what was chosen is remembered where the browser lets a page remember.
import { useEffect, useState } from "preact/hooks";

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

export function nextTheme(theme: Theme): Theme {
    return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
    const [theme, setTheme] = useState(remembered);
    useEffect(() => {
        document.documentElement.dataset["theme"] = theme;
        try {
            localStorage.setItem(KEY, theme);
        } catch {
            // It lasts as long as the page.
        }
    }, [theme]);
    return [theme, setTheme];
}
