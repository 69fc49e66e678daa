// SPDX-License-Identifier: MIT
// The frame in two driver interfaces, side by side: the calls and tokens of DirectX 8 and 9, and the calls of the WDDM
// interface that they become.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Dump } from "../client/documents";
import { useAsked } from "../model/asked";
import { explain } from "../model/explain";
import { argumentText, argumentsText, faceRows, movedBy, pageOf, resultOf, rowOfLine, type FaceRow } from "../model/faces";
import { useStore } from "../model/store";
import type { View } from "../model/view";
import { Notice } from "../parts/notice";
import { VirtualList } from "../parts/virtual";

const ROW = 18;

export function InterfacesPane({ view }: { view: View }): JSX.Element {
    const { frame } = useStore(view.place);
    const cursor = useStore(view.cursor);
    const source = useStore(view.source);
    const dump = useAsked<Dump>(view.session, `interfaces ${frame}`, () => view.session.interfaces(frame));
    const before = view.session.info.by_frame.slice(0, frame).reduce((sum, { events }) => sum + events, 0);
    const rows = useMemo(() => (dump.value?.frames[0]?.frame === frame ? faceRows(dump.value, source, before) : []), [dump.value, source, frame, before]);
    const [selected, setSelected] = useState(-1);
    const [hovered, setHovered] = useState(-1);
    useEffect(() => setSelected(cursor > 0 ? rowOfLine(rows, cursor) : -1), [rows, cursor]);
    const shown = hovered >= 0 ? hovered : selected;
    const step = rows[shown]?.step ?? -1;
    useEffect(() => {
        view.marked.set(rows[hovered]?.line ?? 0);
        return () => view.marked.set(0);
    }, [view, rows, hovered]);
    const choose = (at: number) => {
        setSelected(at);
        view.chosenLine.set({ line: rows[at]?.line ?? 0 });
    };

    return (
        <div class="interfaces" data-waiting={dump.waiting}>
            <Notice asked={dump} />
            <VirtualList
                name="interfaces"
                role="grid"
                count={rows.length}
                rowHeight={ROW}
                selected={selected}
                onSelect={choose}
                onHover={setHovered}
                header={
                    <div class="face mono heads" aria-hidden="true">
                        <span>DirectX 8 and 9</span>
                        <span>WDDM</span>
                    </div>
                }
                rowAttributes={(at) => ({ "data-step": rows[at]?.step, "data-same": rows[at]?.step === step })}
                render={(at) => <Line row={rows[at] as FaceRow} />}
            />
            <div class="face-detail" data-detail>
                {rows[shown] ? <Detail row={rows[shown] as FaceRow} /> : <p class="dim">Point at a call to see its counterpart, or choose it to read about it.</p>}
            </div>
        </div>
    );
}

function Line({ row }: { row: FaceRow }): JSX.Element {
    const { call, name, command, answer } = row;
    return (
        <div class="face mono">
            <span role="gridcell" class={command ? "token" : "callback"} title={`${name} ${row.text}`}>
                <b>{name}</b> {row.text}
                {answer !== null && <i class={answer === "DD_OK" ? "dim" : "bad"}> → {answer}</i>}
            </span>
            <span role="gridcell" class={call ? "umd" : "umd dim"} data-call={call?.function}>
                {call && (
                    <>
                        <b>{call.function}</b>({argumentsText(call.arguments)}) <i class={call.result ? "bad" : "dim"}>→ {resultOf(call)}</i>
                    </>
                )}
                {!call && name && "–"}
            </span>
        </div>
    );
}

function Detail({ row }: { row: FaceRow }): JSX.Element {
    const { call, command } = row;
    return (
        <>
            <p class="sentence">{command ? explain(command) : sentenceOf(row)}</p>
            {call && (
                <>
                    <p>
                        <b class="mono">{call.function}</b> {movedBy(call)}{" "}
                        <a href={pageOf(call)} target="_blank" rel="noreferrer">
                            Microsoft's page
                        </a>
                    </p>
                    <table class="mono">
                        <tbody>
                            {Object.entries(call.arguments).map(([name, value]) => (
                                <tr key={name}>
                                    <td class="dim">{name}</td>
                                    <td>{argumentText(value)}</td>
                                </tr>
                            ))}
                            <tr>
                                <td class="dim">result</td>
                                <td>{resultOf(call)}</td>
                            </tr>
                        </tbody>
                    </table>
                </>
            )}
            {!call && !row.event.calls?.length && <p class="dim">The newer interface has no call here.</p>}
        </>
    );
}

const SENTENCES: Record<string, string> = {
    surfaces: "CreateSurface makes the memory of surfaces that belong together.",
    announce: "CreateSurfaceEx tells the driver the handles by which tokens will name these surfaces.",
    context: "ContextCreate makes the driver's side of a device, on a target and a depth buffer.",
    memory: "Lock gives the memory of a surface to the program, which writes; Unlock takes it back.",
    draw: "DrawPrimitives2 hands a command buffer to the driver: all tokens up to the end of the batch.",
    frame: "Here the program shows the surface. The capture marks the place.",
    flip: "Flip exchanges the memory of the shown surface and the next one.",
    blt: "Blt copies between surfaces, or fills one.",
    destroy: "DestroySurface frees a surface.",
};

const sentenceOf = ({ event, name }: FaceRow): string => (name === "end of the batch" ? "The driver has executed the tokens and returns." : (SENTENCES[event.event] ?? event.event));
