// SPDX-License-Identifier: MIT
// The state of a draw, by groups; changes since the previous action; differences of two draws.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { State, StateDifference, StateGroup, StateValue } from "../client/documents";
import { useDocument } from "../model/asked";
import { useCurrent, type View } from "../model/view";
import { Notice } from "../parts/notice";
import { count, float } from "../parts/numbers";

type Filter = "set" | "changed" | "all";
const FILTERS: readonly { name: Filter; label: string; title: string }[] = [
    { name: "set", label: "non-default", title: "values that differ from the state of a new device" },
    { name: "changed", label: "just changed", title: "values that have changed since the previous action" },
    { name: "all", label: "all", title: "every value" },
];

function isWanted(value: StateValue, filter: Filter): boolean {
    return filter === "all" || (filter === "changed" ? value.changed : !value.default || value.changed);
}

function matches(group: string, value: StateValue, search: string): boolean {
    return `${group} ${value.name} ${value.text ?? ""}`.toLowerCase().includes(search.toLowerCase());
}

/** The groups with the requested values; empty groups are left out. */
function filtered(groups: readonly StateGroup[], filter: Filter, search: string): StateGroup[] {
    return groups
        .map((g) => ({ group: g.group, values: g.values.filter((v) => isWanted(v, filter) && matches(g.group, v, search)) }))
        .filter((g) => g.values.length > 0);
}

export function StatePane({ view }: { view: View }): JSX.Element {
    const { action } = useCurrent(view);
    const name = action?.draw;
    const [filter, setFilter] = useState<Filter>("set");
    const [search, setSearch] = useState("");
    const [other, setOther] = useState("");
    const compares = /^\d+\.\d+$/.test(other) && other !== name;
    const state = useDocument<State>(view.session, action && { ask: "state", draw: action.draw }, "state");
    const groups = useMemo(() => filtered(state.value?.groups ?? [], filter, search), [state.value, filter, search]);

    return (
        <div class="state" data-waiting={state.waiting}>
            <div class="bar">
                <span class="choice" role="group" aria-label="values">
                    {FILTERS.map((f) => (
                        <button key={f.name} type="button" title={f.title} data-filter={f.name} aria-pressed={f.name === filter} onClick={() => setFilter(f.name)}>
                            {f.label}
                        </button>
                    ))}
                </span>
                <input type="search" class="search" placeholder="search" title="by name or value" aria-label="search states" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
                <input
                    class="short mono"
                    placeholder="against 2.1"
                    aria-label="compare with draw"
                    data-control="compare"
                    value={other}
                    onInput={(event) => setOther(event.currentTarget.value.trim())}
                />
            </div>
            <div class="scroll" tabIndex={0} role="region" aria-label="states">
                {compares && name ? (
                    <Differences view={view} name={name} other={other} />
                ) : (
                    <>
                        <Notice asked={state} />
                        {groups.map((group) => (
                            <Group key={group.group} group={group} view={view} />
                        ))}
                        {state.value && groups.length === 0 && <NoValue groups={state.value.groups} filter={filter} search={search} draw={state.value.draw} onAll={() => setFilter("all")} />}
                    </>
                )}
            </div>
        </div>
    );
}

interface NoValueProps {
    groups: readonly StateGroup[];
    filter: Filter;
    search: string;
    draw: string;
    onAll: () => void;
}

/** Why no value is shown, and the way to those that the filter hides. */
function NoValue({ groups, filter, search, draw, onAll }: NoValueProps): JSX.Element {
    const label = FILTERS.find((f) => f.name === filter)?.label;
    const hidden = filtered(groups, "all", search).reduce((sum, group) => sum + group.values.length, 0);
    if (!search)
        return <p class="notice">{filter === "changed" ? `Nothing has changed since the action before ${draw}.` : "Every value is that of a new device."}</p>;
    if (hidden === 0)
        return <p class="notice">{`No value has “${search}” in it or in its name.`}</p>;
    return (
        <p class="notice" data-hidden={hidden}>
            {`No ${label} value matches “${search}”; ${count(hidden)} of all ${hidden === 1 ? "does" : "do"}. `}
            <button type="button" onClick={onAll}>
                show all
            </button>
        </p>
    );
}

function Group({ group, view }: { group: StateGroup; view: View }): JSX.Element {
    const changed = group.values.filter((value) => value.changed).length;
    return (
        <details open class="group">
            <summary>
                {group.group}
                <span class="dim">{changed ? `${changed} changed` : ""}</span>
            </summary>
            {group.values.map((value) => (
                <div key={value.name} class={`state-row ${value.changed ? "changed" : ""} ${value.default ? "default" : ""}`} data-state={value.name}>
                    <span class="mark">{value.changed ? "●" : ""}</span>
                    <span class="name">{value.name}</span>
                    <ValueText value={value} view={view} />
                </div>
            ))}
        </details>
    );
}

const SURFACE = /^#(\d+) /;

export function ValueText({ value, view }: { value: Partial<StateValue>; view: View }): JSX.Element {
    if (value.floats)
        return <Numbers values={value.floats} />;
    if (value.integers)
        return <span class="mono">{value.integers.join("  ")}</span>;
    const text = value.text ?? "–";
    const surface = SURFACE.exec(text);
    if (surface)
        return (
            <button type="button" class="link mono" onClick={() => view.showSurface(Number(surface[1]))}>
                {text}
            </button>
        );
    if (text.includes("\n"))
        return <pre class="mono">{text}</pre>;
    if (/^#[0-9a-f]{8}$/.test(text))
        return (
            <span class="mono">
                <i class="swatch" style={{ background: `#${text.slice(3)}` }} /> {text}
            </span>
        );
    return (
        <span class="mono" title={value.bits === undefined ? undefined : `0x${value.bits.toString(16).padStart(8, "0")}`}>
            {text}
        </span>
    );
}

/** Floats in columns: a vector in one row, a matrix in four. */
function Numbers({ values }: { values: readonly (number | string)[] }): JSX.Element {
    return (
        <span class="mono numbers">
            {values.map((value, i) => (
                <span key={i}>{float(value, 5)}</span>
            ))}
        </span>
    );
}

function Differences({ view, name, other }: { view: View; name: string; other: string }): JSX.Element {
    const asked = useDocument<StateDifference>(view.session, { ask: "state", draw: name, other }, "difference");
    if (!asked.value)
        return <Notice asked={asked} />;
    const list = asked.value.differences;
    return (
        <table class="differences">
            <thead>
                <tr>
                    <th>{list.length} differences</th>
                    <th class="mono">{name}</th>
                    <th class="mono">{other}</th>
                </tr>
            </thead>
            <tbody>
                {list.map((d) => (
                    <tr key={`${d.group} ${d.name}`}>
                        <td>
                            <span class="dim">{d.group}</span> {d.name}
                        </td>
                        <td>
                            <ValueText value={d.a} view={view} />
                        </td>
                        <td>
                            <ValueText value={d.b} view={view} />
                        </td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}
