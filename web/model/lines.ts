// SPDX-License-Identifier: MIT
// The lines of the text in which the actions of a capture begin.
import type { Action, AsmEvent } from "../client/documents";

/** The events of a frame. An event "frame" ends each. */
function eventsOf(lines: readonly AsmEvent[], frame: number): AsmEvent[] {
    let number = 0;
    return lines.filter(({ event }) => (event === "frame" ? number++ : number) === frame);
}

/** The line of an action, from 1; 0: not known. actions: those of its frame. */
export function lineOfAction(lines: readonly AsmEvent[], frame: number, actions: readonly Action[], at: number): number {
    const action = actions[at];
    if (!action)
        return 0;
    const events = eventsOf(lines, frame);
    const { call, offset, token } = action;
    if (call === undefined || offset === undefined) {
        // An event that is an action by itself, and whose name is its token.
        const before = actions.slice(0, at).filter((other) => other.call === undefined && other.token === token).length;
        return events.filter(({ event }) => event === token)[before]?.line ?? 0;
    }
    const batch = events.filter(({ event }) => event === "draw")[call];
    return batch?.commands?.findLast((command) => command.offset <= offset)?.line ?? batch?.line ?? 0;
}
