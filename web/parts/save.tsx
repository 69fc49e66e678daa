// SPDX-License-Identifier: MIT
// Files that the page saves.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

/** Hands a file to the browser, which saves it. */
export function saveFile(name: string, data: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(data);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** "game" of "game.capture". */
export function stem(name: string): string {
    return name.replace(/\.[^.]*$/, "");
}

interface SaveProps {
    name: string;
    title: string;
    children: ComponentChildren;
    /** Makes the file; its name. */
    make: () => Promise<{ name: string; data: Blob }>;
}

/** A button that saves a file, and says why if it cannot. */
export function SaveButton({ name, title, children, make }: SaveProps): JSX.Element {
    const [busy, setBusy] = useState(false);
    const [wrong, setWrong] = useState("");
    const save = async () => {
        setBusy(true);
        setWrong("");
        try {
            const file = await make();
            saveFile(file.name, file.data);
        } catch (error) {
            setWrong(error instanceof Error ? error.message : String(error));
        }
        setBusy(false);
    };
    return (
        <>
            <button type="button" data-save={name} data-busy={busy} disabled={busy} title={title} onClick={() => void save()}>
                {children}
            </button>
            {wrong && (
                <span class="bad" role="alert">
                    {wrong}
                </span>
            )}
        </>
    );
}
