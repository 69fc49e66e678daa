// SPDX-License-Identifier: MIT
// The event tree: frames, calls, passes, markers and actions, with a search.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Draw, Dump, Found, Named } from "../client/documents";
import { useAsked, useNames, type Asked } from "../model/asked";
import { useStore } from "../model/store";
import { searchWords, suggestionOf, type SearchWords } from "../model/search";
import { actionTags, foundRows, lastShown, markersOf, mostCost, rowOf, stateChanges, treeRows, type Cost, type FrameContents, type Row } from "../model/tree";
import type { View } from "../model/view";
import { count, milliseconds, plural } from "../parts/numbers";
import { VirtualList } from "../parts/virtual";

const ROW = 20;

const PAUSE = 250; // milliseconds without a key until a search begins

/** The frames whose contents are known: names immediately, counts and times when they are available. */
function useContents(view: View): Map<number, FrameContents> {
    const { session } = view;
    const { frame } = useStore(view.place);
    const [known, setKnown] = useState(new Map<number, FrameContents>());
    const names = useNames(session, frame);
    const counted = useAsked<Draw[]>(session, `draws ${frame}`, () => session.draws(frame));
    const marked = !!session.info.tokens["MARKER"];
    const dump = useAsked<Dump>(session, marked ? `markers ${frame}` : null, () => session.document<Dump>({ ask: "dump", frame }));

    useEffect(() => {
        const isOf = (list: Draw[] | null) => (list?.[0]?.draw.startsWith(`${frame}.`) ? list : null);
        const draws = isOf(counted.value) ?? isOf(names.value);
        if (!draws)
            return;
        const markers = dump.value?.frames[0]?.frame === frame ? markersOf(dump.value) : [];
        setKnown((old) => new Map(old).set(frame, { draws, markers }));
    }, [frame, names.value, counted.value, dump.value]);
    return known;
}

interface Search {
    /** Rows to show in place of the tree; null: the tree. */
    found: readonly Named[] | null;
    asked: Asked<Found>;
    words: SearchWords;
}

/** The actions that a text finds: while it is looked for, those of the text before; while a word of it is not understood, all. */
function useSearch(view: View, text: string): Search {
    const [settled, setSettled] = useState("");
    const last = useRef<readonly Named[] | null>(null);
    const notes = useStore(view.notes.texts);
    useEffect(() => {
        if (!text.trim())
            setSettled("");
        const timer = setTimeout(() => setSettled(text.trim()), PAUSE);
        return () => clearTimeout(timer);
    }, [text]);
    const words = useMemo(() => searchWords(settled), [settled]);
    const asked = useAsked<Found>(view.session, words.conditions ? `find ${words.conditions}` : null, () => view.session.find(words.conditions));
    const typing = text.trim() !== settled;

    if (!words.conditions)
        last.current = words.noted ? [...notes.keys()].map((draw) => ({ draw, kind: "draw", token: "" })) : null;
    else if (asked.error)
        last.current = null;
    else if (asked.value && !asked.waiting)
        last.current = words.noted ? asked.value.draws.filter(({ draw }) => notes.has(draw)) : asked.value.draws;
    const found = last.current;
    return { found: text.trim() ? found : null, asked: { ...asked, waiting: asked.waiting || typing }, words };
}

export function EventTree({ view }: { view: View }): JSX.Element {
    const place = useStore(view.place);
    const [search, setSearch] = useState("");
    const contents = useContents(view);
    const { found, asked, words } = useSearch(view, search);
    const notes = useStore(view.notes.texts);
    const [open, setOpen] = useState<ReadonlySet<number>>(new Set([place.frame]));
    const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
    const [folds, setFolds] = useState(false);

    useEffect(() => setOpen((old) => new Set(old).add(place.frame)), [place.frame]);
    const rows = useMemo(
        () => (found ? foundRows(found, contents) : treeRows(view.session.info.frames, contents, open, closed, folds)),
        [view, contents, open, closed, folds, found],
    );
    const most = useMemo(() => mostCost(rows), [rows]);
    const known = contents.get(place.frame);
    const draw = place.draw < 0 && known ? lastShown(known.draws) : place.draw;
    // While the selection moves over rows of levels, it stays on them; a place set elsewhere selects the action there.
    const [level, setLevel] = useState<string | null>(null);
    const selected = useMemo(() => {
        const at = level === null ? -1 : rows.findIndex((row) => row.key === level && row.frame === place.frame);
        return rows[at]?.draw === place.draw ? at : rowOf(rows, place.frame, draw);
    }, [rows, level, place.frame, place.draw, draw]);

    const setRowOpen = (row: Row, wanted: boolean) => {
        if (row.kind === "frame") {
            if (wanted && !contents.has(row.frame))
                view.go({ frame: row.frame, draw: -1 });
            setOpen((old) => toggled(old, row.frame, wanted));
        } else {
            setClosed((old) => toggled(old, row.key, wanted === (row.kind === "group")));
        }
    };
    const select = (at: number) => {
        const row = rows[at];
        if (!row)
            return;
        setLevel(row.kind === "action" ? null : row.key);
        view.go({ frame: row.frame, draw: row.draw });
    };
    const onKey = (event: KeyboardEvent, at: number): boolean => {
        const row = rows[at];
        if (!row || (event.key !== "ArrowLeft" && event.key !== "ArrowRight"))
            return false;
        const opens = event.key === "ArrowRight";
        if (row.open !== undefined && row.open !== opens)
            setRowOpen(row, opens);
        else if (opens)
            select(Math.min(at + 1, rows.length - 1));
        else
            select(parentOf(rows, at));
        return true;
    };

    return (
        <section class="pane events" aria-label="events">
            <div class="bar">
                <input
                    type="search"
                    class="search"
                    data-search="events"
                    placeholder="ZENABLE off, reads #60"
                    aria-label="search events"
                    value={search}
                    onInput={(event) => setSearch(event.currentTarget.value)}
                    onKeyDown={(event) => {
                        if (event.key === "Escape")
                            setSearch("");
                        else if (event.key === "Enter" || event.key === "ArrowDown")
                            select(selected >= 0 && event.key === "Enter" ? (selected + 1) % Math.max(1, rows.length) : 0);
                        else
                            return;
                        event.preventDefault();
                    }}
                />
                {search.trim() && <span class="dim" data-found={asked.waiting ? "more" : asked.error ? "none" : "all"}>{asked.waiting ? "…" : asked.error ? "" : count(rows.length)}</span>}
                <button type="button" class="toggle" data-control="fold" title="equal neighbouring draws as one row" aria-pressed={folds} onClick={() => setFolds(!folds)}>
                    fold
                </button>
            </div>
            {search.trim() && <Understood asked={asked} words={words} onUse={setSearch} text={search} />}
            <VirtualList
                name="events"
                role="tree"
                count={rows.length}
                rowHeight={ROW}
                selected={selected}
                onSelect={select}
                onOpen={(at) => rows[at]?.open !== undefined && setRowOpen(rows[at]!, !rows[at]!.open)}
                onKey={onKey}
                rowAttributes={(at) => {
                    const row = rows[at]!;
                    const level = row.depth + 1;
                    return {
                        "data-row": row.kind === "action" ? row.key : row.kind,
                        "aria-level": level,
                        ...(row.open !== undefined && { "aria-expanded": row.open }),
                    };
                }}
                render={(at) => <EventRow row={rows[at]!} note={rows[at]!.action && notes.get(rows[at]!.action!.draw)} most={most.get(rows[at]!.frame)} onToggle={() => setRowOpen(rows[at]!, !rows[at]!.open)} />}
            />
        </section>
    );
}

function toggled<T>(set: ReadonlySet<T>, member: T, wanted: boolean): Set<T> {
    const next = new Set(set);
    if (wanted)
        next.add(member);
    else
        next.delete(member);
    return next;
}

function parentOf(rows: readonly Row[], at: number): number {
    const depth = rows[at]!.depth;
    let parent = at - 1;
    while (parent > 0 && rows[parent]!.depth >= depth)
        parent--;
    return Math.max(0, parent);
}

/** Bars for time and pixels, as shares of the largest of the frame's rows. */
function CostBars({ cost, most }: { cost: Cost; most: Cost }): JSX.Element {
    const share = (of: keyof Cost) => `${most[of] ? (100 * cost[of]) / most[of] : 0}%`;
    return (
        <span class="cost" data-cost={cost.written} title={`${milliseconds(cost.seconds)} ms; ${plural(cost.written, "pixel")} written`}>
            <i class="seconds" style={{ width: share("seconds") }} />
            <i class="written" style={{ width: share("written") }} />
        </span>
    );
}

/** The conditions as the search has understood them, with how many actions meet each condition alone; or the word that means nothing, with a similar one. */
function Understood({ asked, words, onUse, text }: { asked: Asked<Found>; words: SearchWords; onUse: (text: string) => void; text: string }): JSX.Element | null {
    const suggestion = asked.error ? suggestionOf(asked.error) : null;
    if (asked.error)
        return (
            <div class="understood bad" role="alert" data-search-error="true">
                {asked.error.replace(/^dp2 find: /, "")}{" "}
                {suggestion && (
                    <button type="button" data-control="suggestion" onClick={() => onUse(text.replace(suggestion.word, suggestion.better))}>
                        {suggestion.better}
                    </button>
                )}
            </div>
        );
    if (!asked.value && !words.noted)
        return null;
    return (
        <div class="understood dim" role="status" data-understood={asked.value?.understood.length ?? 0}>
            {words.noted && <span>has a note</span>}
            {asked.value?.understood.map((condition, i) => (
                <span key={i} title={condition.words}>
                    {condition.meaning} <b>{count(condition.met)}</b>
                </span>
            ))}
            {asked.value && <span>of {plural(asked.value.tested, "action")}</span>}
        </div>
    );
}

function EventRow({ row, note, most, onToggle }: { row: Row; note: string | undefined; most: Cost | undefined; onToggle: () => void }): JSX.Element {
    const { action } = row;
    const idle = action?.kind === "draw" && action.written === 0;
    const tags = action ? actionTags(action) : "";
    const changes = action ? stateChanges(action) : [];
    return (
        <div class={`event ${row.kind} ${action?.kind ?? ""} ${idle ? "idle" : ""}`} style={{ paddingLeft: `${row.depth * 10 + 4}px` }}>
            {row.open !== undefined ? (
                <span
                    class="fold"
                    aria-hidden="true"
                    onMouseDown={(event) => {
                        event.stopPropagation();
                        onToggle();
                    }}
                >
                    {row.open ? "▾" : "▸"}
                </span>
            ) : (
                <span class="fold" />
            )}
            {action && <span class="number">{row.depth ? row.draw : row.key /* found in any frame */}</span>}
            <span class="label">{row.label}</span>
            <span class="detail" title={[tags, ...(action?.changes ?? [])].filter(Boolean).join("\n")}>
                {note && (
                    <span class="note" data-noted={action?.draw}>
                        {note}{" "}
                    </span>
                )}
                {action?.refused && "refused "}
                {tags && <span class="tags">{tags} </span>}
                {changes.length > 0 && <span class="changes" data-changes={changes.length}>{changes.join(" ")} </span>}
                {row.detail}
            </span>
            {row.cost && most && <CostBars cost={row.cost} most={most} />}
            {row.cost && <span class="time" title="milliseconds, drawn by itself">{milliseconds(row.cost.seconds)}</span>}
        </div>
    );
}
