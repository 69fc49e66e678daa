// SPDX-License-Identifier: MIT
// A list of rows of equal height. Only the visible rows are rendered, so ten thousand cost as much as forty.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const SPARE = 6; // rows above and below the view

export interface VirtualListProps {
    name: string;
    count: number;
    rowHeight: number;
    /** The selected row; -1: none. It is scrolled into view when it changes. */
    selected: number;
    render: (row: number) => ComponentChildren;
    onSelect: (row: number) => void;
    /** Return key, or a double click. */
    onOpen?: (row: number) => void;
    /** Keys that the list does not use itself; true: handled. */
    onKey?: (event: KeyboardEvent, row: number) => boolean;
    onHover?: (row: number) => void;
    /** Rows [first, last) are in sight, or nearly. */
    onShown?: (first: number, last: number) => void;
    rowAttributes?: (row: number) => Record<string, string | number | boolean | undefined>;
    role?: "listbox" | "tree" | "grid";
    header?: ComponentChildren;
    class?: string;
}

const ROW_ROLE = { listbox: "option", tree: "treeitem", grid: "row" } as const;

/** Rows by which a key moves the selection; null: not a key of the list. */
function step(key: string, page: number): number | null {
    switch (key) {
        case "ArrowDown":
            return 1;
        case "ArrowUp":
            return -1;
        case "PageDown":
            return page;
        case "PageUp":
            return -page;
        case "Home":
            return -Infinity;
        case "End":
            return Infinity;
        default:
            return null;
    }
}

export function VirtualList(props: VirtualListProps): JSX.Element {
    const { name, count, rowHeight, selected, role = "listbox" } = props;
    const box = useRef<HTMLDivElement>(null);
    const [view, setView] = useState({ top: 0, height: 600 });
    const id = `list-${name.replace(/\W+/g, "-")}`;

    useLayoutEffect(() => {
        const element = box.current;
        if (!element)
            return;
        const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
        const observer = new ResizeObserver(measure);
        observer.observe(element);
        measure();
        return () => observer.disconnect();
    }, []);

    // Scrolls a row into view; to the middle if it was far away.
    const reveal = (row: number) => {
        const element = box.current;
        if (!element || row < 0 || row >= count)
            return;
        const top = row * rowHeight;
        const height = element.clientHeight;
        if (top < element.scrollTop || top + rowHeight > element.scrollTop + height) {
            const near = Math.abs(top - element.scrollTop) < height + 2 * rowHeight;
            const above = top < element.scrollTop;
            element.scrollTop = near ? (above ? top : top + rowHeight - height) : top - height / 2;
        }
    };
    useEffect(() => reveal(selected), [selected, count, rowHeight]);

    const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE);
    const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + SPARE);

    // After each rendering: rows may have to be loaded even if the same ones are in sight.
    useEffect(() => {
        if (last > first)
            props.onShown?.(first, last);
    });

    const onKeyDown = (event: KeyboardEvent) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
        const by = step(event.key, page);
        if (by !== null && count > 0) {
            const start = selected < 0 ? (by > 0 ? -1 : count) : selected;
            const next = Math.min(count - 1, Math.max(0, start + by));
            props.onSelect(next);
            reveal(next);
        } else if (event.key === "Enter" && selected >= 0) {
            (props.onOpen ?? props.onSelect)(selected);
        } else if (!props.onKey?.(event, selected)) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    };

    const rows: JSX.Element[] = [];
    for (let row = first; row < last; row++)
        rows.push(
            <div
                key={row}
                id={`${id}-${row}`}
                role={ROW_ROLE[role]}
                aria-rowindex={role === "grid" ? row + 1 : undefined}
                aria-posinset={role === "grid" ? undefined : row + 1}
                aria-setsize={role === "grid" ? undefined : count}
                aria-selected={row === selected}
                class={row === selected ? "row selected" : "row"}
                style={{ top: `${row * rowHeight}px`, height: `${rowHeight}px` }}
                onMouseDown={() => props.onSelect(row)}
                onDblClick={() => props.onOpen?.(row)}
                onMouseEnter={props.onHover && (() => props.onHover?.(row))}
                {...props.rowAttributes?.(row)}
            >
                {props.render(row)}
            </div>,
        );

    return (
        <div class={`virtual ${props.class ?? ""}`} style={{ "--rows": `${count * rowHeight}px` }}>
            {props.header}
            <div
                ref={box}
                class="virtual-rows"
                data-list={name}
                role={role}
                tabIndex={0}
                aria-label={name}
                aria-rowcount={role === "grid" ? count : undefined}
                aria-activedescendant={selected >= first && selected < last ? `${id}-${selected}` : undefined}
                onScroll={(event) => setView((v) => ({ ...v, top: event.currentTarget.scrollTop }))}
                onKeyDown={onKeyDown}
                onMouseLeave={props.onHover && (() => props.onHover?.(-1))}
            >
                <div class="virtual-all" style={{ height: `${count * rowHeight}px` }} role="presentation">
                    {rows}
                </div>
            </div>
        </div>
    );
}
