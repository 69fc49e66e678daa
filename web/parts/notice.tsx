// SPDX-License-Identifier: MIT
// The text of a pane that has nothing to show: it is waiting, it failed, or it is empty.
import type { JSX } from "preact";
import type { Asked } from "../model/asked";

export function Notice({ asked, nothing }: { asked: Asked<unknown>; nothing?: string }): JSX.Element | null {
    if (asked.error)
        return (
            <p class="notice error" role="alert">
                {asked.error}
            </p>
        );
    if (asked.value === null && asked.waiting)
        return <p class="notice" data-waiting="true">…</p>;
    return nothing ? <p class="notice">{nothing}</p> : null;
}
