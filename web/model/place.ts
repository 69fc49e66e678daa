// SPDX-License-Identifier: MIT
// The place of the page: a draw, a pixel, a pane, and the picture of the draw. As a link: #2.17/320,240/history/depth/before, #2.17/history/color:1

export const PANES = ["history", "state", "textures", "mesh", "shader", "stream", "capture", "interfaces", "buffers"] as const;
export type PaneName = (typeof PANES)[number];

export interface ShowKind {
    name: string;
    label: string;
    /** The meaning of the colours of the picture. */
    legend: string;
}

/** The rows of INSPECT_SHOWS in inspect/picture/shot.h (tests/cli/test_documents.py compares them). */
export const SHOWS: readonly ShowKind[] = [
    { name: "color", label: "color", legend: "the target after the draw" },
    { name: "before", label: "before", legend: "the target before the draw" },
    { name: "alpha", label: "alpha", legend: "alpha of the target as grey" },
    { name: "depth", label: "depth", legend: "least depth black, greatest white" },
    { name: "stencil", label: "stencil", legend: "0 black, the greatest value white" },
    { name: "touched", label: "touched", legend: "what the draw changed keeps its color; red: covered, but unchanged" },
    { name: "overdraw", label: "overdraw", legend: "fragments up to this draw: black none, blue one, red the most" },
    { name: "quad-overdraw", label: "quad overdraw", legend: "quads shaded, helper pixels included: blue one, red the most" },
    { name: "wireframe", label: "wireframe", legend: "edges of the primitives; red: culled" },
    { name: "depth-fail", label: "depth fail", legend: "green passed; red failed stencil, depth or alpha test; yellow killed" },
    { name: "mip", label: "mip level", legend: "level of the first texture: 0 blue, green, yellow, orange, red" },
    { name: "triangle-size", label: "triangle size", legend: "up to 1 pixel red, 4 orange, 16 yellow, 64 green, more blue" },
    { name: "coverage", label: "coverage", legend: "white: the center is covered; orange: only touched" },
];

export interface Place {
    frame: number;
    /** Action of the frame; -1: the last one that is not a present. */
    draw: number;
    pixel: { x: number; y: number } | null;
    pane: PaneName;
    /** The picture of the draw that the output shows: a name of SHOWS. */
    show: string;
    /** The color target that it is of, from 0. */
    target: number;
    /** It shows alpha, depth or stencil as before the draw; color has a picture of its own for that. */
    before: boolean;
}

/** Pictures of depth buffers, which have no number. */
export const isDepth = (show: string): boolean => show === "depth" || show === "stencil";
/** Pictures that can be taken before the draw. */
const hasBefore = (show: string): boolean => show === "alpha" || isDepth(show);

/** The same place, from after the draw to before it or back. */
export function flipped(place: Place): Place {
    if (hasBefore(place.show))
        return { ...place, before: !place.before };
    return { ...place, show: place.show === "before" ? "color" : "before", before: false };
}

export const START: Place = { frame: 0, draw: -1, pixel: null, pane: "history", show: "color", target: 0, before: false };

const LINK = /^#?(\d{1,9})(?:\.(\d{1,9}))?(?:\/(\d{1,5}),(\d{1,5}))?(?:\/([a-z]+)(?:\/([a-z-]+)(?::([1-3]))?(\/before)?)?)?$/;

/** Parses a link; null: not a link. Parts that it does not name are taken from `base`. */
export function parseLink(text: string, base: Place): Place | null {
    const match = LINK.exec(text);
    if (!match)
        return null;
    const pane = PANES.find((name) => name === match[5]);
    const show = match[6] ?? "color";
    const target = Number(match[7] ?? 0), before = match[8] !== undefined;
    if ((match[5] !== undefined && !pane) || !SHOWS.some((kind) => kind.name === show) || (target && isDepth(show)) || (before && !hasBefore(show)))
        return null;
    return {
        frame: Number(match[1]),
        draw: match[2] === undefined ? -1 : Number(match[2]),
        pixel: match[3] === undefined ? null : { x: Number(match[3]), y: Number(match[4]) },
        pane: pane ?? base.pane,
        show: match[5] === undefined ? base.show : show,
        target: match[5] === undefined ? base.target : target,
        before: match[5] === undefined ? base.before : before,
    };
}

export function formatLink(place: Place): string {
    const draw = place.draw < 0 ? "" : `.${place.draw}`;
    const pixel = place.pixel ? `/${place.pixel.x},${place.pixel.y}` : "";
    const target = place.target && !isDepth(place.show) ? `:${place.target}` : "";
    const before = place.before && hasBefore(place.show) ? "/before" : "";
    const show = place.show === START.show && !target ? "" : `/${place.show}${target}${before}`;
    return `#${place.frame}${draw}${pixel}/${place.pane}${show}`;
}

export function placeName(frame: number, draw: number): string {
    return `${frame}.${draw}`;
}

export function parseName(name: string): { frame: number; draw: number } {
    const [frame, draw] = name.split(".");
    return { frame: Number(frame), draw: Number(draw) };
}
