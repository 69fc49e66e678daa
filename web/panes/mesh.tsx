// SPDX-License-Identifier: MIT
// The primitives of the draw after the vertex stage: as lines, and as a table; each highlights the other's selection.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Corner, Mesh, MeshPrimitive } from "../client/documents";
import { useDocument } from "../model/asked";
import { useStore } from "../model/store";
import { useCurrent, type View } from "../model/view";
import { Notice } from "../parts/notice";
import { count, float, floats } from "../parts/numbers";
import { pick, turnedMesh, UNTURNED, windowMesh, type FlatMesh, type Turn } from "../parts/orbit";
import { VirtualList } from "../parts/virtual";

const ROW = 18;
// A draw may have a hundred thousand primitives. At first only this many are loaded, which takes a second or two; all
// of them on request.
const FIRST = 4000;
const ALL = 0x7fffffff;

interface TableRow {
    primitive: MeshPrimitive;
    index: number;
    corner: Corner;
    number: number;
}

function tableRows(primitives: readonly MeshPrimitive[]): TableRow[] {
    return primitives.flatMap((primitive, index) => primitive.corners.map((corner, number) => ({ primitive, index, corner, number })));
}

export function MeshPane({ view }: { view: View }): JSX.Element {
    const { action } = useCurrent(view);
    const draws = action?.kind === "draw";
    const [most, setMost] = useState(FIRST);
    const asked = useDocument<Mesh>(view.session, action && (draws ? { ask: "mesh", draw: action.draw, most } : null), "mesh");
    useEffect(() => setMost(FIRST), [action?.draw]);
    const pointed = useStore(view.primitive);
    const primitives = useMemo(() => asked.value?.primitives ?? [], [asked.value]);
    const rows = useMemo(() => tableRows(primitives), [primitives]);
    const selected = useMemo(() => rows.findIndex((row) => row.primitive.primitive === pointed), [rows, pointed]);
    const verdicts = useMemo(() => tally(primitives), [primitives]);

    useEffect(() => {
        const found = primitives.find((primitive) => primitive.primitive === pointed);
        view.outline.set(found?.corners.every((corner) => corner.window) ? found.corners.flatMap((corner) => (corner.window as number[]).slice(0, 2)) : []);
        return () => view.outline.set([]);
    }, [view, primitives, pointed]);

    if (action && !draws)
        return <p class="notice">{`${action.draw} is a ${action.kind}: it has no primitives.`}</p>;
    if (!asked.value)
        return <Notice asked={asked} />;
    return (
        <div class="mesh" data-waiting={asked.waiting}>
            <MeshPicture view={view} primitives={primitives} pointed={pointed} />
            <div class="bar">
                <span class="dim">{verdicts}</span>
                <span class="fill" />
                {primitives.length === most && (
                    <button type="button" title="this draw has more primitives" onClick={() => setMost(ALL)}>
                        show all
                    </button>
                )}
            </div>
            <VirtualList
                name="vertices"
                role="grid"
                count={rows.length}
                rowHeight={ROW}
                selected={selected}
                class={(rows[0]?.corner.inputs?.length ?? 0) > 0 ? "wide" : ""}
                onSelect={(row) => {
                    view.primitive.set(rows[row]?.primitive.primitive ?? -1);
                    view.vertex.set(rows[row]?.corner.vertex ?? 0);
                }}
                onOpen={() => view.go({ pane: "shader" })}
                onHover={(row) => row >= 0 && view.primitive.set(rows[row]?.primitive.primitive ?? -1)}
                rowAttributes={(row) => ({ "data-primitive": rows[row]?.primitive.primitive })}
                header={
                    <div class="table-head mono">
                        <span>prim</span>
                        <span>verdict</span>
                        <span>window x, y, z</span>
                        <span>clip x, y, z, w</span>
                        <span>inputs of the pixel program</span>
                    </div>
                }
                render={(row) => <VertexRow row={rows[row] as TableRow} pointed={pointed} />}
            />
        </div>
    );
}

function tally(primitives: readonly MeshPrimitive[]): string {
    const counts = new Map<string, number>();
    for (const { verdict } of primitives)
        counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    return [...counts].map(([verdict, n]) => `${count(n)} ${verdict}`).join(" · ");
}

function VertexRow({ row, pointed }: { row: TableRow; pointed: number }): JSX.Element {
    const { corner, primitive, number } = row;
    const first = number === 0;
    const verdict = primitive.planes.length ? `${primitive.verdict} ${primitive.planes.join(" ")}` : primitive.verdict;
    return (
        <div class={`vertex mono ${first ? "first" : ""} ${primitive.primitive === pointed ? "pointed" : ""}`}>
            <span role="gridcell">{first ? primitive.primitive : ""}</span>
            <span role="gridcell" class={primitive.verdict === "drawn" ? "" : "bad"} title={verdict}>
                {first ? verdict : ""}
            </span>
            <span role="gridcell">{corner.window ? floats(corner.window.slice(0, 3), 5) : "–"}</span>
            <span role="gridcell">{floats(corner.clip, 4)}</span>
            <span role="gridcell">{corner.inputs?.map((input) => `(${input.map((v) => float(v, 3)).join(" ")})`).join(" ")}</span>
        </div>
    );
}

const CLICK = 4; // pixels that the pointer may move in a click

const MODES = [
    { name: "mesh", title: "as drawn, enlarged to fit" },
    { name: "target", title: "in the whole target" },
    { name: "orbit", title: "turned by the mouse or the arrow keys" },
] as const;
type Mode = (typeof MODES)[number]["name"];

interface Rect {
    left: number;
    top: number;
    width: number;
    height: number;
}

/** The rectangle around the mesh, no larger than a few targets: corners near the eye are far away. */
function boundsOf(flat: FlatMesh, primitives: readonly MeshPrimitive[], target: { width: number; height: number }): Rect {
    const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]] as [[number, number], [number, number]];
    for (const [i, { verdict }] of primitives.entries()) {
        if (verdict === "outside" || verdict === "missing")
            continue;
        for (let c = flat.first[i] as number; c < (flat.first[i + 1] as number); c++)
            for (const axis of [0, 1] as const) {
                const value = flat.points[2 * c + axis] as number;
                const size = axis ? target.height : target.width;
                if (Number.isNaN(value))
                    continue;
                low[axis] = Math.min(low[axis], Math.max(value, -size));
                high[axis] = Math.max(high[axis], Math.min(value, 2 * size));
            }
    }
    if (!(high[0] >= low[0]) || !(high[1] >= low[1]))
        return { left: 0, top: 0, ...target };
    return { left: low[0], top: low[1], width: Math.max(1, high[0] - low[0]), height: Math.max(1, high[1] - low[1]) };
}

function MeshPicture({ view, primitives, pointed }: { view: View; primitives: readonly MeshPrimitive[]; pointed: number }): JSX.Element {
    const shown = useStore(view.shown);
    const [mode, setMode] = useState<Mode>("mesh");
    const [turn, setTurn] = useState<Turn>(UNTURNED);
    const canvas = useRef<HTMLCanvasElement>(null);
    const [box, setBox] = useState({ width: 0, height: 0 });
    const drag = useRef<{ x: number; y: number; turn: Turn; moved: boolean } | null>(null);
    const target = shown ?? { width: 640, height: 480 };
    const flat = useMemo(
        () => (mode !== "orbit" ? windowMesh(primitives) : turnedMesh(primitives, target.width / target.height, turn)),
        [primitives, mode, turn, target.width, target.height],
    );
    // From the mesh's unit to the screen's.
    const place = useMemo(() => {
        const whole = { left: 0, top: 0, width: target.width, height: target.height };
        const rect = mode === "mesh" ? boundsOf(flat, primitives, target) : mode === "target" ? whole : { left: -1, top: -1, width: 2, height: 2 };
        const scale = Math.min((box.width - 16) / rect.width, (box.height - 16) / rect.height) * (mode === "orbit" ? 1 : turn.zoom);
        return { scale, x: box.width / 2 - (rect.left + rect.width / 2) * scale, y: box.height / 2 - (rect.top + rect.height / 2) * scale };
    }, [mode, box, flat, primitives, target.width, target.height, turn.zoom]);

    useLayoutEffect(() => {
        const element = canvas.current;
        if (!element)
            return;
        const measure = () => setBox({ width: element.clientWidth, height: element.clientHeight });
        const observer = new ResizeObserver(measure);
        observer.observe(element);
        measure();
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        paint(canvas.current, box, flat, place, primitives, pointed, mode === "orbit" ? null : target);
    }, [box, flat, place, primitives, pointed, mode]);

    const onKeyDown = (event: KeyboardEvent) => {
        const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
        if (by && mode === "orbit")
            setTurn({ ...turn, yaw: turn.yaw + (by[0] as number), pitch: turn.pitch + (by[1] as number) });
        else if (event.key === "+" || event.key === "-")
            setTurn({ ...turn, zoom: turn.zoom * (event.key === "+" ? 1.25 : 0.8) });
        else
            return;
        event.preventDefault();
        event.stopPropagation();
    };

    const choose = (event: MouseEvent) => {
        const rect = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
        const at = pick(flat, (event.clientX - rect.left - place.x) / place.scale, (event.clientY - rect.top - place.y) / place.scale, 6 / place.scale);
        view.primitive.set(primitives[at]?.primitive ?? -1);
    };

    return (
        <div class="mesh-picture">
            <canvas
                ref={canvas}
                data-picture="mesh"
                role="application"
                aria-label="primitives as lines; arrow keys turn them, plus and minus zoom"
                tabIndex={0}
                onKeyDown={onKeyDown}
                onWheel={(event) => {
                    event.preventDefault();
                    setTurn({ ...turn, zoom: Math.min(50, Math.max(0.2, turn.zoom * (event.deltaY < 0 ? 1.25 : 0.8))) });
                }}
                style={{ touchAction: mode === "orbit" ? "none" : "manipulation" }}
                onPointerDown={(event) => {
                    drag.current = { x: event.clientX, y: event.clientY, turn, moved: false };
                    event.currentTarget.setPointerCapture(event.pointerId);
                }}
                onPointerMove={(event) => {
                    const d = drag.current;
                    if (!d) {
                        if (mode !== "orbit")
                            choose(event);
                        return;
                    }
                    const [dx, dy] = [event.clientX - d.x, event.clientY - d.y];
                    d.moved ||= Math.hypot(dx, dy) > CLICK;
                    if (d.moved && mode === "orbit")
                        setTurn({ ...d.turn, yaw: d.turn.yaw + dx / 100, pitch: d.turn.pitch + dy / 100 });
                }}
                onPointerUp={(event) => {
                    if (drag.current && !drag.current.moved)
                        choose(event);
                    drag.current = null;
                }}
                onPointerCancel={() => (drag.current = null)}
            />
            <span class="choice floating" role="group" aria-label="view of the mesh">
                {MODES.map((m) => (
                    <button key={m.name} type="button" title={m.title} aria-pressed={mode === m.name} onClick={() => setMode(m.name)}>
                        {m.name}
                    </button>
                ))}
            </span>
        </div>
    );
}

interface Placed {
    scale: number;
    x: number;
    y: number;
}

function trace(context: CanvasRenderingContext2D, flat: FlatMesh, place: Placed, primitive: number): void {
    const begin = flat.first[primitive] as number;
    const end = flat.first[primitive + 1] as number;
    for (let c = begin; c < end; c++) {
        const x = (flat.points[2 * c] as number) * place.scale + place.x;
        const y = (flat.points[2 * c + 1] as number) * place.scale + place.y;
        if (end - begin === 1)
            context.rect(x - 1, y - 1, 2, 2);
        else if (c === begin)
            context.moveTo(x, y);
        else
            context.lineTo(x, y);
    }
    if (end - begin > 2)
        context.closePath();
}

function paint(
    canvas: HTMLCanvasElement | null,
    box: { width: number; height: number },
    flat: FlatMesh,
    place: Placed,
    primitives: readonly MeshPrimitive[],
    pointed: number,
    target: { width: number; height: number } | null,
): void {
    const context = canvas?.getContext("2d");
    if (!canvas || !context)
        return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(canvas);
    const color = (name: string) => style.getPropertyValue(name);
    if (target) {
        context.strokeStyle = color("--line-strong");
        context.strokeRect(place.x + 0.5, place.y + 0.5, target.width * place.scale, target.height * place.scale);
    }
    const layers = [
        { verdicts: ["outside", "missing", "no-data", "no-area"], color: color("--line-strong") },
        { verdicts: ["culled"], color: color("--culled") },
        { verdicts: ["drawn", "clipped"], color: color("--wire") },
    ];
    context.lineWidth = 0.6;
    for (const layer of layers) {
        context.strokeStyle = layer.color;
        context.beginPath();
        for (const [i, primitive] of primitives.entries())
            if (layer.verdicts.includes(primitive.verdict))
                trace(context, flat, place, i);
        context.stroke();
    }
    const at = primitives.findIndex((primitive) => primitive.primitive === pointed);
    if (at < 0)
        return;
    context.beginPath();
    trace(context, flat, place, at);
    context.fillStyle = color("--pointed");
    context.fill();
    context.strokeStyle = color("--accent");
    context.lineWidth = 1.5;
    context.stroke();
}
