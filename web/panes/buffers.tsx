// SPDX-License-Identifier: MIT
// The bytes of a buffer as a table: vertices by the declaration or format of the draw, indices, or any surface by a layout that is typed.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BufferRow, BufferTable, Resources } from "../client/documents";
import { Superseded } from "../client/engine";
import { bufferWords, type BufferOf } from "../client/questions";
import { useAsked, useDocument } from "../model/asked";
import { useStore } from "../model/store";
import { useCurrent, type View } from "../model/view";
import { Notice } from "../parts/notice";
import { bytes, count, float } from "../parts/numbers";
import { SaveButton, stem } from "../parts/save";
import { VirtualList } from "../parts/virtual";

const ROW = 18;
const PORTION = 256; // rows of a question
const MOST_ROWS = 800000; // browsers lay out no taller lists
const THUMB = 88;
const CELL = { D3DCOLOR: 92, HEX: 84 } as Record<string, number>;

export function BuffersPane({ view }: { view: View }): JSX.Element {
    const { action } = useCurrent(view);
    const chosen = useStore(view.buffer);
    const [typed, setTyped] = useState({ surface: "", layout: "", stride: "", offset: "" });
    const draws = action?.kind === "draw";
    const question = action && { ask: "resources" as const, draw: action.draw, width: THUMB };
    const used = useAsked(view.session, question && JSON.stringify(question), async () => JSON.parse((await view.session.ask(question!, "resources")).output) as Resources);
    const names = useMemo(() => (used.value?.buffers ?? []).filter((buffer) => buffer.bound).map((buffer) => buffer.as), [used.value]);
    const other = chosen.startsWith("surface") ? chosen : null;
    const source = other ?? (names.includes(chosen) ? chosen : (names[0] ?? null));
    const of: BufferOf | null = source === null ? null : { source, layout: typed.layout, stride: typed.stride, offset: typed.offset };
    const set = (name: keyof typeof typed) => (event: { currentTarget: HTMLInputElement }) => setTyped({ ...typed, [name]: event.currentTarget.value });

    return (
        <div class="buffers" data-waiting={used.waiting}>
            <div class="bar wrap">
                <select aria-label="buffer" data-control="buffer" value={other ? "surface" : (source ?? "")} onChange={(event) => view.buffer.set(event.currentTarget.value === "surface" ? `surface ${typed.surface || "1"}` : event.currentTarget.value)}>
                    {names.map((name) => (
                        <option key={name} value={name}>
                            {name}
                        </option>
                    ))}
                    <option value="surface">surface …</option>
                </select>
                {other && (
                    <input
                        class="short mono"
                        aria-label="number of the surface"
                        data-control="buffer-surface"
                        inputMode="numeric"
                        value={other.slice("surface ".length)}
                        onInput={(event) => {
                            const number = event.currentTarget.value.replace(/\D/g, "");
                            setTyped({ ...typed, surface: number });
                            if (Number(number) > 0)
                                view.buffer.set(`surface ${Number(number)}`);
                        }}
                    />
                )}
                <input class="search mono" type="search" data-control="layout" aria-label="layout: types with names and offsets" placeholder="layout: FLOAT3 position, D3DCOLOR, FLOAT2 uv @24" value={typed.layout} spellcheck={false} onInput={set("layout")} />
                <input class="tiny mono" data-control="stride" aria-label="bytes from row to row" title="bytes from row to row" placeholder="stride" inputMode="numeric" value={typed.stride} onInput={set("stride")} />
                <input class="tiny mono" data-control="offset" aria-label="bytes before row 0" title="bytes before row 0" placeholder="offset" inputMode="numeric" value={typed.offset} onInput={set("offset")} />
            </div>
            {action && of ? (
                <Table key={`${source}`} view={view} draw={action.draw} of={of} />
            ) : used.error ? (
                <Notice asked={used} />
            ) : (
                <p class="notice">{!action ? "" : used.waiting ? "…" : draws ? "The draw reads no buffer. Choose a surface, to see its bytes." : `${action.draw} is a ${action.kind}: it reads no buffer. Choose a surface, to see its bytes.`}</p>
            )}
        </div>
    );
}

/** Waits until nothing has been typed for a moment. */
function useSettled<T>(value: T, key: string): T {
    const [settled, setSettled] = useState({ key, value });
    useEffect(() => {
        if (settled.key === key)
            return;
        const timer = setTimeout(() => setSettled({ key, value }), 250);
        return () => clearTimeout(timer);
    }, [key]);
    return settled.value;
}

function Table({ view, draw, of: wanted }: { view: View; draw: string; of: BufferOf }): JSX.Element {
    const of = useSettled(wanted, JSON.stringify(wanted));
    const head = useDocument<BufferTable>(view.session, { ask: "buffer", draw, of, first: 0, last: PORTION - 1 }, "buffer");
    const table = head.value;
    const [selected, setSelected] = useState(0);
    const first = table?.first ?? 0;
    const rows = table ? Math.max(0, table.end - first) : 0;
    const portions = usePortions(view, draw, of, head.waiting ? null : table);
    const columns = table?.columns ?? [];
    const widths = ["64px", ...columns.flatMap((column) => Array.from({ length: column.components }, () => `${CELL[column.type] ?? 76}px`))];
    const total = widths.reduce((sum, width) => sum + parseInt(width, 10) + 8, 12);
    const style = { "--columns": widths.join(" "), "--table": `${total}px` };
    const file = (end: string) => async () => {
        const name = `${stem(view.session.name)}-${draw}-${of.source.replace(" ", "")}.${end}`;
        const { data } = await view.session.written([...bufferWords("{}", draw, of), "-o", name]);
        return { name, data: new Blob([data]) };
    };

    if (!table)
        return <Notice asked={head} />;
    return (
        <div class="buffer-table" style={style} data-waiting={head.waiting} data-buffer-table={`${table.draw} ${table.source}`}>
            {head.error && <Notice asked={head} />}
            <div class="bar wrap">
                <span class="dim">
                    {table.surface ? `#${table.surface}` : "of the call"} · {bytes(table.bytes)} · {count(rows)} × {table.stride}
                    {table.offset !== 0 && ` from ${table.offset}`}
                </span>
                <span class="fill" />
                <input
                    class="tiny mono"
                    data-control="row"
                    aria-label="go to row"
                    title="go to row"
                    placeholder="row"
                    inputMode="numeric"
                    onChange={(event) => {
                        const row = Number(event.currentTarget.value) - first;
                        if (row >= 0 && row < rows)
                            setSelected(row);
                    }}
                />
                <SaveButton name="csv" title="save the table, all rows, as CSV" make={file("csv")}>
                    .csv
                </SaveButton>
                <SaveButton name="bin" title="save the bytes of the whole buffer" make={file("bin")}>
                    .bin
                </SaveButton>
            </div>
            {rows > MOST_ROWS && <p class="notice">{`The first ${count(MOST_ROWS)} rows are here: an offset moves on.`}</p>}
            <div class="layout-line mono" title="the layout, as it can be typed">
                {table.layout}
            </div>
            <VirtualList
                name="buffer"
                role="grid"
                count={Math.min(rows, MOST_ROWS)}
                rowHeight={ROW}
                selected={selected}
                onSelect={setSelected}
                onShown={(from, to) => portions.want(from, to)}
                rowAttributes={(row) => ({ "data-buffer-row": first + row })}
                header={<Head columns={columns} />}
                render={(row) => <Cells number={first + row} row={portions.row(row)} columns={columns} />}
            />
        </div>
    );
}

/** The components of a cell; null: bytes of it are missing. */
type Components = (number | string)[] | null;

function Head({ columns }: { columns: BufferTable["columns"] }): JSX.Element {
    return (
        <div class="buffer-row buffer-head mono">
            <span>row</span>
            {columns.flatMap((column) =>
                Array.from({ length: column.components }, (_, i) => (
                    <span key={`${column.offset} ${column.name} ${i}`} title={`${column.name}: ${column.type} at ${column.offset}`}>
                        {column.components > 1 ? `${i === 0 ? column.name : ""}.${"xyzw"[i]}` : column.name}
                    </span>
                )),
            )}
        </div>
    );
}

function Cells({ number, row, columns }: { number: number; row: BufferRow | undefined; columns: BufferTable["columns"] }): JSX.Element {
    return (
        <div class="buffer-row mono">
            <span role="gridcell" class="dim">
                {number}
            </span>
            {columns.flatMap((column, c) =>
                Array.from({ length: column.components }, (_, i) => {
                    const value = (row?.cells[c] as Components | undefined)?.[i];
                    const swatch = column.type === "D3DCOLOR" && typeof value === "string";
                    return (
                        <span key={`${c} ${i}`} role="gridcell" title={value === undefined ? undefined : String(value)}>
                            {swatch && <i class="swatch" style={{ background: `#${value.slice(3)}` }} />}
                            {value === undefined ? (row ? "–" : "") : typeof value === "number" && /FLOAT|N$/.test(column.type) ? float(value, 6) : value}
                        </span>
                    );
                }),
            )}
        </div>
    );
}

interface Portions {
    row(row: number): BufferRow | undefined;
    /** Called when these rows become visible. */
    want(first: number, last: number): void;
}

/** Rows that have been asked for, in portions: those in sight, one portion after the other. */
function usePortions(view: View, draw: string, of: BufferOf, table: BufferTable | null /* null: not known yet */): Portions {
    const key = `${draw} ${JSON.stringify(of)} ${view.session.edition.get()}`;
    const kept = useRef({ key: "", rows: new Map<number, BufferRow[]>(), asked: new Set<number>() });
    const [, redraw] = useState(0);
    if (kept.current.key !== key)
        kept.current = { key, rows: new Map(), asked: new Set() };
    const here = kept.current;
    const first = table?.first ?? 0;
    if (table && !here.rows.has(0) && first === 0) {
        here.rows.set(0, table.rows);
        here.asked.add(0);
    }
    const ask = async (portion: number) => {
        if (here.asked.has(portion) || !table)
            return;
        here.asked.add(portion);
        const from = first + portion * PORTION;
        try {
            const answer = await view.session.document<BufferTable>({ ask: "buffer", draw, of, first: from, last: from + PORTION - 1 }, `buffer rows`);
            here.rows.set(portion, answer.rows);
        } catch (error) {
            here.asked.delete(portion); // asked again when it comes into sight
            if (!(error instanceof Superseded))
                here.rows.set(portion, []);
        }
        if (kept.current === here)
            redraw((n) => n + 1);
    };
    return {
        row: (row) => here.rows.get(Math.floor(row / PORTION))?.[row % PORTION],
        want: (from, to) => {
            for (let portion = Math.floor(from / PORTION); portion <= Math.floor(Math.max(from, to - 1) / PORTION); portion++)
                void ask(portion);
        },
    };
}
