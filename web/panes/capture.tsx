// SPDX-License-Identifier: MIT
// The capture's information, and its contents in numbers.
import type { JSX } from "preact";
import type { View } from "../model/view";
import { bytes, count } from "../parts/numbers";

export function CapturePane({ view }: { view: View }): JSX.Element {
    const { info, name } = view.session;
    const most = Object.entries(info.tokens).sort((a, b) => b[1] - a[1]);
    return (
        <div class="capture scroll" tabIndex={0} role="region" aria-label="capture">
            <Facts title="capture" facts={[["file", name], ["size", bytes(info.bytes)], ["frames", count(info.frames)], ["picture", `${info.width}×${info.height}`], ...Object.entries(info.info)]} />
            {info.cut_short && <p class="notice error">The file is cut short: it was read as far as it goes.</p>}
            <Facts title="in all" facts={Object.entries(info.total).map(([key, n]) => [key.replaceAll("_", " "), count(n)])} />
            <Facts title="tokens" facts={most.map(([key, n]) => [key, count(n)])} />
            <Facts title="events" facts={Object.entries(info.events).map(([key, n]) => [key, count(n)])} />
        </div>
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
