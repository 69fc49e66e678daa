// SPDX-License-Identifier: MIT
// The histogram of a picture, with the values that are shown as black and white.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Picture } from "../client/engine";
import { histogram, type Look } from "./bitmap";

interface RangeProps {
    picture: Picture;
    look: Look;
    onLook: (look: Look) => void;
}

/** The least and the greatest value. */
function ends(counts: Uint32Array): [number, number] {
    const least = counts.findIndex((n) => n > 0);
    let most = 255;
    while (most > 0 && !counts[most])
        most--;
    return [Math.max(0, least) / 255, most / 255];
}

export function Range({ picture, look, onLook }: RangeProps): JSX.Element {
    const canvas = useRef<HTMLCanvasElement>(null);
    const counts = useMemo(() => histogram(picture, look.channel), [picture, look.channel]);
    useEffect(() => paint(canvas.current, counts, look), [counts, look]);
    const set = (part: "black" | "white") => (event: Event) => onLook({ ...look, [part]: Number((event.currentTarget as HTMLInputElement).value) / 255 });
    return (
        <div class="range">
            <canvas ref={canvas} width={256} height={32} aria-hidden="true" />
            <div class="range-ends">
                <input type="range" min={0} max={255} aria-label="black" value={Math.round(look.black * 255)} onInput={set("black")} />
                <input type="range" min={0} max={255} aria-label="white" value={Math.round(look.white * 255)} onInput={set("white")} />
            </div>
            <span class="mono dim">
                {Math.round(look.black * 255)}…{Math.round(look.white * 255)}
            </span>
            <button
                type="button"
                title="from the least to the greatest value"
                onClick={() => {
                    const [black, white] = ends(counts);
                    onLook({ ...look, black, white });
                }}
            >
                auto
            </button>
            <button type="button" title="0 to 255" onClick={() => onLook({ ...look, black: 0, white: 1 })}>
                reset
            </button>
        </div>
    );
}

function paint(canvas: HTMLCanvasElement | null, counts: Uint32Array, look: Look): void {
    const context = canvas?.getContext("2d");
    if (!canvas || !context)
        return;
    const style = getComputedStyle(canvas);
    const most = Math.log1p(counts.reduce((a, b) => Math.max(a, b), 1));
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < 256; i++) {
        const height = (Math.log1p(counts[i] as number) / most) * canvas.height;
        const inside = i >= look.black * 255 && i <= look.white * 255;
        context.fillStyle = style.getPropertyValue(inside ? "--accent" : "--line-strong");
        context.fillRect(i, canvas.height - height, 1, height);
    }
}
