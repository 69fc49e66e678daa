// SPDX-License-Identifier: MIT
// A line between two panes that can be dragged, or moved with the arrow keys.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

interface SplitterProps {
    label: string;
    /** Width of the pane next to it in pixels. */
    size: number;
    least: number;
    most: number;
    /** The pane lies to the right of the line. */
    right?: boolean;
    onSize: (size: number) => void;
}

export function Splitter({ label, size, least, most, right, onSize }: SplitterProps): JSX.Element {
    const drag = useRef<{ x: number; size: number } | null>(null);
    const sign = right ? -1 : 1;
    const set = (wanted: number) => onSize(Math.round(Math.min(most, Math.max(least, wanted))));

    return (
        <div
            class="splitter"
            role="separator"
            aria-orientation="vertical"
            aria-label={label}
            aria-valuenow={size}
            aria-valuemin={least}
            aria-valuemax={most}
            tabIndex={0}
            onPointerDown={(event) => {
                drag.current = { x: event.clientX, size };
                event.currentTarget.setPointerCapture(event.pointerId);
                event.preventDefault();
            }}
            onPointerMove={(event) => {
                if (drag.current)
                    set(drag.current.size + sign * (event.clientX - drag.current.x));
            }}
            onPointerUp={() => (drag.current = null)}
            onPointerCancel={() => (drag.current = null)}
            onKeyDown={(event) => {
                const by = event.key === "ArrowLeft" ? -16 : event.key === "ArrowRight" ? 16 : 0;
                if (!by)
                    return;
                set(size + sign * by);
                event.preventDefault();
                event.stopPropagation();
            }}
        />
    );
}
