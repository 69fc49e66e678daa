// SPDX-License-Identifier: MIT
// The capture's information, and its contents in numbers.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useStore } from "../model/store";
import type { View } from "../model/view";
import { bytes, count } from "../parts/numbers";
import { saveFile, stem } from "../parts/save";
import { NotesList } from "./notes";

export function CapturePane({ view }: { view: View }): JSX.Element {
    const { info, name } = view.session;
    const most = Object.entries(info.tokens).sort((a, b) => b[1] - a[1]);
    return (
        <div class="capture scroll" tabIndex={0} role="region" aria-label="capture">
            <Facts title="capture" facts={[["file", name], ["size", bytes(info.bytes)], ["frames", count(info.frames)], ["picture", `${info.width}×${info.height}`], ...Object.entries(info.info)]} />
            <FrameText view={view} />
            <NotesList view={view} />
            {info.cut_short && <p class="notice error">The file is cut short: it was read as far as it goes.</p>}
            <Facts title="in all" facts={Object.entries(info.total).map(([key, n]) => [key.replaceAll("_", " "), count(n)])} />
            <Facts title="tokens" facts={most.map(([key, n]) => [key, count(n)])} />
            <Facts title="events" facts={Object.entries(info.events).map(([key, n]) => [key, count(n)])} />
        </div>
    );
}

/** Saves the frame as text, which the playground opens and dp2 asm reads. */
function FrameText({ view }: { view: View }): JSX.Element {
    const { frame } = useStore(view.place);
    const [said, setSaid] = useState("");
    const [busy, setBusy] = useState(false);
    const save = async () => {
        setBusy(true);
        try {
            const text = await view.session.frameText(frame);
            const name = `${stem(view.session.name)}-${frame}.dp2s`;
            saveFile(name, new Blob([text], { type: "text/plain" }));
            setSaid(`${name}: ${count(text.split("\n").length)} lines. The playground opens it.`);
        } catch (error) {
            setSaid(error instanceof Error ? error.message : String(error));
        }
        setBusy(false);
    };
    return (
        <p class="notice" data-busy={busy}>
            <button type="button" data-control="text" disabled={busy} onClick={() => void save()}>
                save frame {frame} as text
            </button>{" "}
            <span role="status" data-message="text">
                {said}
            </span>
        </p>
    );
}

function Facts({ title, facts }: { title: string; facts: readonly (readonly [string, string])[] }): JSX.Element {
    return (
        <details open class="group">
            <summary>{title}</summary>
            <dl class="facts">
                {facts.map(([key, value]) => (
                    <div key={key}>
                        <dt>{key}</dt>
                        <dd class="mono">{value}</dd>
                    </div>
                ))}
            </dl>
        </details>
    );
}
