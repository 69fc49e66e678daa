// SPDX-License-Identifier: MIT
// Notes on draws: the field below the output, and the list in the pane of the capture, which saves and loads them.
import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { PageFile } from "../model/page_file";
import { useStore } from "../model/store";
import type { View } from "../model/view";
import { plural } from "../parts/numbers";
import { SaveButton, stem } from "../parts/save";

export function NoteField({ view, draw }: { view: View; draw: string }): JSX.Element {
    const notes = useStore(view.notes.texts);
    return (
        <input
            class="note-field"
            data-control="note"
            aria-label={`note on ${draw}`}
            placeholder={`note on ${draw} (n)`}
            maxLength={2000}
            value={notes.get(draw) ?? ""}
            onInput={(event) => view.notes.write(draw, event.currentTarget.value)}
            onKeyDown={(event) => (event.key === "Escape" || event.key === "Enter") && event.currentTarget.blur()}
        />
    );
}

/** All notes, with links, and the ways in which they travel. */
export function NotesList({ view }: { view: View }): JSX.Element {
    const notes = useStore(view.notes.texts);
    const savePage = useContext(PageFile);
    const [said, setSaid] = useState("");
    const { name } = view.session;
    const load = async (file: File | undefined) => {
        if (!file)
            return;
        try {
            setSaid(`${plural(view.notes.read(await file.text()), "note")} read from ${file.name}.`);
        } catch (error) {
            setSaid(error instanceof Error ? error.message : String(error));
        }
    };
    return (
        <details open class="group" data-notes={notes.size}>
            <summary>
                notes<span class="dim">{notes.size || "none: n writes one on the draw"}</span>
            </summary>
            {[...notes].map(([draw, text]) => (
                <div key={draw} class="note-row" data-note={draw}>
                    <button type="button" class="link mono" onClick={() => view.goTo(draw)}>
                        {draw}
                    </button>
                    <span>{text}</span>
                    <button type="button" class="link" aria-label={`remove the note on ${draw}`} title="remove" onClick={() => view.notes.write(draw, "")}>
                        ×
                    </button>
                </div>
            ))}
            <div class="bar wrap">
                {savePage && (
                    <SaveButton
                        name="page"
                        title="a page with the capture and these notes in it"
                        make={async () => ({ name: `${stem(name)}.html`, data: savePage({ name, data: await view.session.bytes() }, view.notes.file(name)) })}
                    >
                        save page with notes
                    </SaveButton>
                )}
                <SaveButton
                    name="notes"
                    title="a file that dp2 view puts into a page if it lies next to the capture"
                    make={async () => ({ name: `${name}.notes.json`, data: new Blob([view.notes.file(name)], { type: "application/json" }) })}
                >
                    save notes
                </SaveButton>
                <label class="file-button">
                    load notes <input type="file" accept=".json" data-control="notes-file" onChange={(event) => void load(event.currentTarget.files?.[0])} />
                </label>
                <span role="status" class="dim" data-message="notes">
                    {said}
                </span>
            </div>
        </details>
    );
}
