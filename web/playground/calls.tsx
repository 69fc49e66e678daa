// SPDX-License-Identifier: MIT
// The calls of the driver interface that the stream makes, from the driver's log, starting with the loading of the
// driver.
import type { JSX } from "preact";
import type { DriverCall as Call } from "../model/faces";

/** Consecutive questions about formats become one line. */
function folded(calls: readonly Call[]): (Call & { times: number })[] {
    const out: (Call & { times: number })[] = [];
    for (const call of calls) {
        const kind = call.text.replace(/GETFORMAT \d+/, "GETFORMAT");
        const last = out[out.length - 1];
        if (last && kind !== call.text && last.text === kind && last.answer === call.answer)
            last.times++;
        else
            out.push({ text: kind, answer: call.answer, times: 1 });
    }
    return out;
}

export function Calls({ calls }: { calls: readonly Call[] }): JSX.Element {
    return (
        <ol class="calls scroll mono" data-list="calls" tabIndex={0} aria-label="calls of the driver interface">
            {folded(calls).map((call, i) => {
                const [name = "", ...rest] = call.text.split(" ");
                return (
                    <li key={i} class={call.answer === "DD_OK" ? "" : "bad"}>
                        <b>{name}</b> {rest.join(" ")}
                        {call.times > 1 && <span class="dim"> × {call.times}</span>}
                        {call.answer !== "DD_OK" && <span> → {call.answer}</span>}
                    </li>
                );
            })}
        </ol>
    );
}
