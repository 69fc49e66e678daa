// SPDX-License-Identifier: MIT
// The command buffers of the frame: each command decoded and explained, next to its bytes.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Command, Draw, Dump, Token, Tokens } from "../client/documents";
import { useAsked, useDocument } from "../model/asked";
import { explain } from "../model/explain";
import { bytesOf, fieldText, layout, type Field } from "../model/layout";
import { parseName } from "../model/place";
import { useStore } from "../model/store";
import { useCurrent, type View } from "../model/view";
import { Notice } from "../parts/notice";
import { hex } from "../parts/numbers";
import { VirtualList } from "../parts/virtual";

const ROW = 18;

interface CommandRow {
    call: number;
    command: Command;
}

function rowsOf(dump: Dump | null): CommandRow[] {
    let call = -1;
    const rows: CommandRow[] = [];
    for (const event of dump?.frames[0]?.events ?? []) {
        if (event.event !== "draw")
            continue;
        call++;
        for (const command of event.commands ?? [])
            rows.push({ call, command });
    }
    return rows;
}

/** The first field values, in the shortest readable form. */
function brief(command: Command): string {
    const entry = command.entries?.[0];
    if (command.token === "CLEAR")
        return fieldText(command["flags"]);
    if (!entry)
        return "";
    if (entry["state"] !== undefined)
        return `${entry["stage"] === undefined ? "" : `${fieldText(entry["stage"])} `}${fieldText(entry["state"])} = ${fieldText(entry["value"])}`;
    return Object.entries(entry)
        .filter(([name]) => name !== "code" && name !== "decl" && name !== "data")
        .map(([, value]) => fieldText(value))
        .join(" ")
        .slice(0, 120);
}

/** The action of a command is that of its first entry. */
function actionOf(names: readonly Draw[] | null, row: CommandRow): Draw | undefined {
    return names?.find((action) => action.call === row.call && action.offset === row.command.offset);
}

export function StreamPane({ view }: { view: View }): JSX.Element {
    const { action, names } = useCurrent(view);
    const { frame } = useStore(view.place);
    const dump = useDocument<Dump>(view.session, { ask: "dump", frame }, "dump");
    const tokens = useAsked<Tokens>(view.session, "tokens", () => view.session.tokens());
    const rows = useMemo(() => rowsOf(dump.value), [dump.value]);
    const table = useMemo(() => new Map((tokens.value?.tokens ?? []).map((token) => [token.name, token])), [tokens.value]);
    const ofAction = useMemo(
        () => (action ? rows.findIndex((row) => row.call === action.call && row.command.offset === action.offset) : -1),
        [rows, action],
    );
    const [chosen, setChosen] = useState(-1);
    useEffect(() => setChosen(-1), [ofAction, rows]);
    const selected = chosen >= 0 ? chosen : ofAction;
    const row = rows[selected];

    return (
        <div class="stream" data-waiting={dump.waiting}>
            <Notice asked={dump} />
            <VirtualList
                name="commands"
                role="grid"
                count={rows.length}
                rowHeight={ROW}
                selected={selected}
                onSelect={setChosen}
                onOpen={(at) => {
                    const target = rows[at] && actionOf(names.value, rows[at]);
                    if (target)
                        view.go(parseName(target.draw));
                }}
                rowAttributes={(at) => ({ "data-token": rows[at]?.command.token })}
                render={(at) => <CommandLine row={rows[at] as CommandRow} target={actionOf(names.value, rows[at] as CommandRow)} />}
            />
            {row ? <CommandDetail row={row} token={table.get(row.command.token)} /> : <p class="notice">Choose a command.</p>}
        </div>
    );
}

function CommandLine({ row, target }: { row: CommandRow; target: Draw | undefined }): JSX.Element {
    const { command, call } = row;
    const bytes = typeof command["bytes"] === "string" ? command["bytes"] : "";
    return (
        <div class={`command mono ${target ? "draws" : ""}`}>
            <span role="gridcell" class="dim">{`${call}:${hex(command.offset, 5)}`}</span>
            <span role="gridcell" class="bytes dim">
                {bytes.slice(0, 24).replace(/../g, "$& ")}
            </span>
            <span role="gridcell" class="token">
                {command.token}
                {command.n > 1 && <span class="dim"> ×{command.n}</span>}
            </span>
            <span role="gridcell" class="brief">
                {brief(command)}
            </span>
        </div>
    );
}

function CommandDetail({ row, token }: { row: CommandRow; token: Token | undefined }): JSX.Element {
    const { command } = row;
    const bytes = useMemo(() => (typeof command["bytes"] === "string" ? bytesOf(command["bytes"]) : new Uint8Array()), [command]);
    const fields = useMemo(() => (token && bytes.length ? layout(command, token, bytes) : []), [command, token, bytes]);
    return (
        <div class="command-detail" data-command={command.token}>
            <p class="sentence" data-explained>
                {explain(command)}
            </p>
            {token && (
                <p class="dim facts-line">
                    <span class="mono">D3DDP2OP_{token.name}</span> = {token.number} · DirectX {token.directx} · body <span class="mono">{token.bytes}</span> bytes · sent by {token.dlls.join(", ")}
                    {token.dlls.length ? ": " : ""}
                    {token.sent_by}
                </p>
            )}
            <FieldTable fields={fields} bytes={bytes} />
        </div>
    );
}

const MOST_FIELDS = 300;
const MOST_BYTES = 64; // of a field

/** Each field next to its bytes, four per line. */
function FieldTable({ fields, bytes }: { fields: readonly Field[]; bytes: Uint8Array }): JSX.Element {
    return (
        <div class="fields" tabIndex={0} role="region" aria-label="bytes and fields">
            <table class="mono">
                <thead>
                    <tr>
                        <th>at</th>
                        <th>bytes</th>
                        <th>type</th>
                        <th>field</th>
                        <th>value</th>
                    </tr>
                </thead>
                <tbody>
                    {fields.slice(0, MOST_FIELDS).map((field) => (
                        <tr key={field.offset} class={field.entry % 2 === 1 ? "odd" : ""}>
                            <td class="dim">{field.offset}</td>
                            <td>{hexLines(bytes.subarray(field.offset, field.offset + field.size))}</td>
                            <td class="dim">{field.type}</td>
                            <td>{field.entry > 0 ? `${field.name}[${field.entry}]` : field.name}</td>
                            <td class="value">{field.value}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {fields.length > MOST_FIELDS && <p class="dim">… {fields.length - MOST_FIELDS} fields more</p>}
        </div>
    );
}

function hexLines(bytes: Uint8Array): JSX.Element {
    const lines: string[] = [];
    for (let at = 0; at < Math.min(bytes.length, MOST_BYTES); at += 4)
        lines.push(Array.from(bytes.subarray(at, at + 4), (byte) => hex(byte, 2)).join(" "));
    if (bytes.length > MOST_BYTES)
        lines.push(`… ${bytes.length - MOST_BYTES} more`);
    return <span class="hex">{lines.join("\n")}</span>;
}
