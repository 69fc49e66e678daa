// SPDX-License-Identifier: MIT
// The target of the draw, or the effects of the draw on it; a click selects a pixel.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Shot } from "../client/documents";
import type { Picture } from "../client/engine";
import { usePictured } from "../model/asked";
import { isDepth, SHOWS, type Place } from "../model/place";
import { useStore } from "../model/store";
import { useCurrent, type View } from "../model/view";
import { PLAIN, type Channel } from "../parts/bitmap";
import { Notice } from "../parts/notice";
import { count, float, hex } from "../parts/numbers";
import { PictureBox, type Point, type ZoomCommands } from "../parts/picture_box";
import type { Zoom } from "../parts/zoom";
import { NoteField } from "./notes";
import { ResourceStrip } from "./resources";

const MOST_WIDTH = 4096; // that a picture of a frame may have
const CHANNELS: readonly Channel[] = ["rgb", "r", "g", "b"];

export interface OutputCommands extends ZoomCommands {
    nextShow(by: number): void;
    grid(): void;
    strip(): void;
    focus(): void;
}

/** The picture of the output that a place names. */
function shotOf(place: Place, draw: string) {
    const target = isDepth(place.show) ? 0 : place.target;
    return { ask: "shot" as const, draw, show: place.show, ...(target && { target }), ...(place.before && { before: true }) };
}

interface OutputProps {
    view: View;
    commands?: { current: OutputCommands | null };
    /** With the field for notes, and with the small pictures of what the draw reads and writes from the beginning. */
    whole?: boolean;
    /** Says that the picture is not the newest. */
    outdated?: string | undefined;
}

export function Output({ view, commands, whole = false, outdated }: OutputProps): JSX.Element {
    const { place, names, action, missing } = useCurrent(view);
    const { show } = place;
    const outline = useStore(view.outline);
    const [grid, setGrid] = useState(true);
    const [strip, setStrip] = useState(whole);
    const [channel, setChannel] = useState<Channel>("rgb");
    const [hover, setHover] = useState<Point | null>(null);
    const [scale, setScale] = useState(1);
    const zoom = useRef<ZoomCommands | null>(null);
    const pane = useRef<HTMLElement>(null);
    const wanted = usePictured<Shot>(view.session, action && shotOf(place, action.draw), "shot");
    // A draw that has fewer targets shows its first one.
    const lacks = !!action && place.target > 0 && !!wanted.error && !wanted.waiting;
    const instead = usePictured<Shot>(view.session, lacks ? shotOf({ ...place, target: 0 }, action.draw) : null, "shot instead");
    const shot = lacks ? instead : wanted;
    // A frame that draws nothing still shows a surface.
    const bare = usePictured<unknown>(view.session, missing && names.value?.length === 0 ? { ask: "frames", first: place.frame, last: place.frame, width: MOST_WIDTH } : null, "bare");
    const look = useMemo(() => ({ ...PLAIN, channel }), [channel]);
    const shown = shot.value?.document;

    useEffect(() => {
        if (shown || shot.error || missing)
            view.session.settle();
    }, [view, shown, shot.error, missing]);
    useEffect(() => {
        if (shown)
            view.shown.set({ draw: shown.draw, surface: shown.surface, width: shown.width, height: shown.height });
        else if ((shot.error || missing) && !view.shown.get()?.draw.startsWith(`${place.frame}.`))
            view.shown.set(null);
    }, [view, shown, shot.error, missing, place.frame]);
    if (commands)
        commands.current = {
            fit: () => zoom.current?.fit(),
            one: () => zoom.current?.one(),
            by: (step) => zoom.current?.by(step),
            grid: () => setGrid((old) => !old),
            strip: () => setStrip((old) => !old),
            focus: () => (pane.current?.querySelector(".picture-box") as HTMLElement | null)?.focus(),
            nextShow: (by) => {
                const at = SHOWS.findIndex((kind) => kind.name === show);
                view.go({ show: SHOWS[(at + by + SHOWS.length) % SHOWS.length]!.name, before: false });
            },
        };
    const choose = (pixel: Point) => view.go({ pixel });
    const legend = SHOWS.find((kind) => kind.name === show)?.legend;

    return (
        <section class="pane output" aria-label="output" ref={pane} data-waiting={shot.waiting || bare.waiting}>
            <div class="bar">
                <select aria-label="what is shown" data-control="show" value={show} onChange={(event) => view.go({ show: event.currentTarget.value, before: false })}>
                    {SHOWS.map((kind) => (
                        <option key={kind.name} value={kind.name}>
                            {kind.label}
                        </option>
                    ))}
                </select>
                {whole && (
                    <button type="button" data-control="flip" title="before the draw, and after it again (b)" aria-pressed={place.before || show === "before"} onClick={() => view.flip()}>
                        before
                    </button>
                )}
                <span class="choice" role="group" aria-label="channels">
                    {CHANNELS.map((c) => (
                        <button key={c} type="button" aria-pressed={c === channel} onClick={() => setChannel(c)}>
                            {c.toUpperCase()}
                        </button>
                    ))}
                </span>
                <span class="fill" />
                <span class="choice" role="group" aria-label="zoom">
                    <button type="button" title="smaller (-)" aria-label="smaller" onClick={() => zoom.current?.by(-1)}>
                        −
                    </button>
                    <button type="button" class="scale" title="fit (0)" aria-label="fit" onClick={() => zoom.current?.fit()}>
                        {scale >= 1 ? `${scale}×` : `${Math.round(scale * 100)}%`}
                    </button>
                    <button type="button" title="larger (+)" aria-label="larger" onClick={() => zoom.current?.by(1)}>
                        +
                    </button>
                    <button type="button" title="one to one (z)" onClick={() => zoom.current?.one()}>
                        1:1
                    </button>
                </span>
                <button type="button" class="toggle" title="pixel grid, from 8× on (x)" aria-pressed={grid} onClick={() => setGrid(!grid)}>
                    grid
                </button>
                {whole && (
                    <button type="button" class="toggle" data-control="strip" title="what the draw reads and writes (i)" aria-pressed={strip} onClick={() => setStrip(!strip)}>
                        in/out
                    </button>
                )}
            </div>
            {outdated && (
                <p class="outdated-note" role="status" data-message="outdated">
                    {outdated}
                </p>
            )}
            {bare.value && missing ? (
                <>
                    <PictureBox name="output" picture={bare.value.picture} look={look} grid={grid} chosen={null} onChoose={() => {}} onHover={setHover} onScale={setScale} commands={zoom} />
                    <p class="notice" data-message="bare">{missing} This is what its surface holds.</p>
                </>
            ) : shot.value ? (
                <PictureBox
                    name="output"
                    picture={shot.value.picture}
                    look={look}
                    grid={grid}
                    chosen={place.pixel}
                    onChoose={choose}
                    onHover={setHover}
                    onScale={setScale}
                    commands={zoom}
                    paint={(context, at) => paintOutline(context, at, outline)}
                    onKey={(event) => event.key === "Enter" && (view.go({ pane: "history" }), true)}
                />
            ) : (
                <div class="picture-box empty">
                    {missing ? <p class="notice error" role="alert">{missing}</p> : <Notice asked={shot} />}
                </div>
            )}
            {action && (strip || whole) && (
                <div class="output-below">
                    {strip && <ResourceStrip view={view} />}
                    {whole && <NoteField view={view} draw={action.draw} />}
                </div>
            )}
            <div class="bar status">
                <PixelReadout picture={shot.value?.picture ?? null} point={hover ?? place.pixel} />
                <span class="fill" />
                {shown && <span class="mono">{factsOf(shown)}</span>}
            </div>
            <p class="legend dim" title={legend} data-legend={show}>
                {legend}
            </p>
        </section>
    );
}

/** The primitive that is highlighted in the mesh. */
function paintOutline(context: CanvasRenderingContext2D, zoom: Zoom, outline: readonly number[]): void {
    if (!outline.length)
        return;
    context.beginPath();
    for (let i = 0; i < outline.length; i += 2)
        context.lineTo(zoom.x + (outline[i] as number) * zoom.scale, zoom.y + (outline[i + 1] as number) * zoom.scale);
    context.closePath();
    for (const [color, width] of [
        ["#000", 3],
        ["#fff", 1.5],
    ] as const) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
    }
}

function PixelReadout({ picture, point }: { picture: Picture | null; point: Point | null }): JSX.Element {
    if (!picture || !point || point.x >= picture.width || point.y >= picture.height)
        return <span class="dim">click to choose a pixel</span>;
    const at = (point.y * picture.width + point.x) * 4;
    const [r, g, b] = [0, 1, 2].map((c) => picture.pixels[at + c] as number) as [number, number, number];
    const text = `#${hex(r, 2)}${hex(g, 2)}${hex(b, 2)}`;
    return (
        <span class="mono" data-readout="pixel">
            <span class="pair">{`${point.x},${point.y}`}</span> <i class="swatch" style={{ background: text }} /> {text}{" "}
            <span class="dim">{`${r} ${g} ${b}`}</span>
        </span>
    );
}

/** The numbers of a picture. */
function factsOf(shot: Shot): string {
    const facts = [`${shot.before && shot.show !== "before" ? "before: " : ""}#${shot.surface}`, `${shot.width}×${shot.height}`];
    if (shot.black !== undefined && shot.white !== undefined)
        facts.push(`${float(shot.black)} … ${float(shot.white)}`);
    if (shot.most !== undefined)
        facts.push(`most ${shot.most}`);
    if (shot.mean !== undefined)
        facts.push(`mean ${float(shot.mean, 3)}`);
    if (shot.marked !== undefined)
        facts.push(`${count(shot.marked)} px`);
    return facts.join("  ");
}
