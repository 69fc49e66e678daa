// SPDX-License-Identifier: MIT
// A picture that can be zoomed and moved, with a grid between its pixels and a mark on one of them.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Picture } from "../client/engine";
import { PLAIN, putPicture, type Look } from "./bitmap";
import { bounded, fit, fits, pixelAt, reveal, zoomAt, zoomed, type Size, type Zoom } from "./zoom";

export interface Point {
    x: number;
    y: number;
}

/** Functions for the page's keys and buttons. */
export interface ZoomCommands {
    fit(): void;
    one(): void;
    by(step: 1 | -1): void;
}

interface PictureBoxProps {
    name: string;
    picture: Picture;
    look?: Look;
    grid?: boolean;
    /** The pixel that is chosen. */
    chosen?: Point | null;
    onChoose?: (point: Point) => void;
    onHover?: (point: Point | null) => void;
    onScale?: (scale: number) => void;
    commands?: { current: ZoomCommands | null };
    /** Drawn on top: lines of a mesh. The context's unit is a pixel of the screen. */
    paint?: (context: CanvasRenderingContext2D, zoom: Zoom, box: Size) => void;
    onKey?: (event: KeyboardEvent) => boolean;
}

const GRID_FROM = 8; // the scale from which on the grid is drawn

export function PictureBox(props: PictureBoxProps): JSX.Element {
    const { picture, look = PLAIN, chosen = null } = props;
    const frame = useRef<HTMLDivElement>(null);
    const canvas = useRef<HTMLCanvasElement>(null);
    const marks = useRef<HTMLCanvasElement>(null);
    const [box, setBox] = useState<Size>({ width: 0, height: 0 });
    // null: the picture is fitted to the box.
    const [free, setFree] = useState<Zoom | null>(null);
    const drag = useRef<{ x: number; y: number; zoom: Zoom; moved: boolean } | null>(null);
    const zoom = free ? bounded(free, picture, box) : fit(picture, box);
    // A picture with room in its box stays where it is: a finger on it scrolls the page.
    const still = fits(zoom, picture, box);

    useLayoutEffect(() => {
        const element = frame.current;
        if (!element)
            return;
        const measure = () => setBox({ width: element.clientWidth, height: element.clientHeight });
        const observer = new ResizeObserver(measure);
        observer.observe(element);
        measure();
        return () => observer.disconnect();
    }, []);
    useLayoutEffect(() => {
        if (canvas.current)
            putPicture(canvas.current, picture, look);
    }, [picture, look]);
    useEffect(() => setFree(null), [picture.width, picture.height]);
    useEffect(() => {
        if (free && chosen)
            setFree(reveal(free, box, chosen.x, chosen.y));
    }, [chosen?.x, chosen?.y]);
    useEffect(() => props.onScale?.(zoom.scale), [zoom.scale]);
    useLayoutEffect(() => paintMarks(marks.current, box, zoom, props));

    const middle = (): Point => (chosen ? { x: zoom.x + (chosen.x + 0.5) * zoom.scale, y: zoom.y + (chosen.y + 0.5) * zoom.scale } : { x: box.width / 2, y: box.height / 2 });
    const scaleTo = (scale: number, at: Point) => setFree(zoomAt(zoom, scale, at.x, at.y));
    if (props.commands)
        props.commands.current = {
            fit: () => setFree(null),
            one: () => scaleTo(1, middle()),
            by: (step) => scaleTo(zoomed(zoom.scale, step), middle()),
        };

    const at = (event: MouseEvent): Point => {
        const rect = (frame.current as HTMLDivElement).getBoundingClientRect();
        return { x: event.clientX - rect.left, y: event.clientY - rect.top };
    };
    const pixel = (event: MouseEvent): Point | null => pixelAt(zoom, picture, at(event).x, at(event).y);

    const onKeyDown = (event: KeyboardEvent) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        const by = event.shiftKey ? 8 : 1;
        const move = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
        if (move && props.onChoose) {
            const from = chosen ?? { x: Math.floor(picture.width / 2) - (move[0] as number), y: Math.floor(picture.height / 2) - (move[1] as number) };
            const clamp = (value: number, size: number) => Math.min(size - 1, Math.max(0, value));
            props.onChoose({ x: clamp(from.x + (move[0] as number), picture.width), y: clamp(from.y + (move[1] as number), picture.height) });
        } else if (!props.onKey?.(event)) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    };

    return (
        <div
            ref={frame}
            class="picture-box"
            data-picture={props.name}
            role="application"
            aria-label={`${props.name}: ${picture.width} by ${picture.height} pixels; arrow keys choose a pixel`}
            tabIndex={0}
            style={{ touchAction: still ? "manipulation" : "none" }}
            onKeyDown={onKeyDown}
            onWheel={(event) => {
                event.preventDefault();
                scaleTo(zoomed(zoom.scale, event.deltaY < 0 ? 1 : -1), at(event));
            }}
            onPointerDown={(event) => {
                if (event.button > 1)
                    return;
                drag.current = { ...at(event), zoom, moved: false };
                event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => {
                const d = drag.current;
                const now = at(event);
                if (d && (d.moved || Math.hypot(now.x - d.x, now.y - d.y) > 4)) {
                    d.moved = true;
                    if (!still)
                        setFree({ ...d.zoom, x: d.zoom.x + now.x - d.x, y: d.zoom.y + now.y - d.y });
                }
                props.onHover?.(pixel(event));
            }}
            onPointerUp={(event) => {
                const was = drag.current;
                drag.current = null;
                const point = pixel(event);
                if (was && !was.moved && event.button === 0 && point)
                    props.onChoose?.(point);
            }}
            onPointerCancel={() => (drag.current = null)}
            onPointerLeave={() => props.onHover?.(null)}
        >
            <canvas
                ref={canvas}
                class={zoom.scale < 1 ? "picture" : "picture sharp"}
                style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
            />
            <canvas ref={marks} class="marks" />
        </div>
    );
}

function paintMarks(canvas: HTMLCanvasElement | null, box: Size, zoom: Zoom, props: PictureBoxProps): void {
    const context = canvas?.getContext("2d");
    if (!canvas || !context)
        return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (props.grid && zoom.scale >= GRID_FROM)
        paintGrid(context, box, zoom, props.picture);
    props.paint?.(context, zoom, box);
    if (props.chosen)
        paintChosen(context, zoom, props.chosen);
}

function paintGrid(context: CanvasRenderingContext2D, box: Size, zoom: Zoom, picture: Size): void {
    const first = { x: Math.max(0, Math.floor(-zoom.x / zoom.scale)), y: Math.max(0, Math.floor(-zoom.y / zoom.scale)) };
    const last = {
        x: Math.min(picture.width, Math.ceil((box.width - zoom.x) / zoom.scale)),
        y: Math.min(picture.height, Math.ceil((box.height - zoom.y) / zoom.scale)),
    };
    context.fillStyle = "rgba(128, 128, 128, 0.45)";
    for (let x = first.x; x <= last.x; x++)
        context.fillRect(zoom.x + x * zoom.scale, zoom.y + first.y * zoom.scale, 1, (last.y - first.y) * zoom.scale);
    for (let y = first.y; y <= last.y; y++)
        context.fillRect(zoom.x + first.x * zoom.scale, zoom.y + y * zoom.scale, (last.x - first.x) * zoom.scale, 1);
}

/** A frame around the pixel, black inside white so that it is visible on every colour, with arms where the pixel is
 * small. */
function paintChosen(context: CanvasRenderingContext2D, zoom: Zoom, { x, y }: Point): void {
    const size = Math.max(zoom.scale, 5);
    const left = zoom.x + (x + 0.5) * zoom.scale - size / 2;
    const top = zoom.y + (y + 0.5) * zoom.scale - size / 2;
    for (const [color, grow] of [
        ["#fff", 1.5],
        ["#000", 0.5],
    ] as const) {
        context.strokeStyle = color;
        context.lineWidth = 1;
        context.strokeRect(left - grow, top - grow, size + 2 * grow, size + 2 * grow);
    }
    if (zoom.scale >= 16)
        return;
    for (const [color, width] of [
        ["#fff", 3],
        ["#000", 1],
    ] as const) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.beginPath();
        const middle = { x: left + size / 2, y: top + size / 2 };
        const [near, far] = [size / 2 + 3, size / 2 + 10];
        context.moveTo(middle.x - far, middle.y);
        context.lineTo(middle.x - near, middle.y);
        context.moveTo(middle.x + near, middle.y);
        context.lineTo(middle.x + far, middle.y);
        context.moveTo(middle.x, middle.y - far);
        context.lineTo(middle.x, middle.y - near);
        context.moveTo(middle.x, middle.y + near);
        context.lineTo(middle.x, middle.y + far);
        context.stroke();
    }
}
