// SPDX-License-Identifier: MIT
// The list of keys.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { KeyGroup } from "../parts/keys";
import { LICENCES } from "./licences";

export function Help({ groups, onClose }: { groups: readonly KeyGroup[]; onClose: () => void }): JSX.Element {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => box.current?.focus(), []);
    return (
        <div class="help" role="dialog" aria-label="keys" tabIndex={-1} ref={box}>
            <div class="bar">
                <b>Keys</b>
                <span class="dim">Tab moves from pane to pane, arrow keys move inside a pane, Escape closes this help.</span>
                <span class="fill" />
                <button type="button" onClick={onClose}>
                    close
                </button>
            </div>
            <div class="help-columns">
                {groups.map(({ group, keys }) => (
                    <section key={group}>
                        <h2>{group}</h2>
                        <dl>
                            {keys.map((key) => (
                                <div key={key.shown}>
                                    <dt class="mono">{key.shown}</dt>
                                    <dd>{key.does}</dd>
                                </div>
                            ))}
                        </dl>
                    </section>
                ))}
            </div>
            <details>
                <summary>Licences of this page's components</summary>
                <pre class="licences">{LICENCES}</pre>
            </details>
        </div>
    );
}
