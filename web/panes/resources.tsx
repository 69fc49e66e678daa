// SPDX-License-Identifier: MIT
// What the draw reads and writes, as small pictures below the output: each output can be shown there, textures and buffers in their panes.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Resource, Resources } from "../client/documents";
import type { Picture } from "../client/engine";
import { useAsked } from "../model/asked";
import { isDepth } from "../model/place";
import { useStore } from "../model/store";
import { useCurrent, type View } from "../model/view";
import { putPicture } from "../parts/bitmap";
import { bytes } from "../parts/numbers";

const SIDE = 44; // pixels of a small picture

interface Thumb {
    key: string;
    label: string;
    title: string;
    picture: Picture | undefined;
    chosen: boolean;
    choose: () => void;
}

export function ResourceStrip({ view }: { view: View }): JSX.Element {
    const { place, action } = useCurrent(view);
    const question = action && { ask: "resources" as const, draw: action.draw, width: SIDE * 2 };
    const asked = useAsked(view.session, question && JSON.stringify(question), async () => {
        const answer = await view.session.ask(question!, "resources");
        return { document: JSON.parse(answer.output) as Resources, pictures: answer.pictures };
    });
    const shown = useStore(view.shown);
    const pictures = asked.value?.pictures ?? {};
    const told = asked.value?.document;

    const outputs = (told?.outputs ?? []).flatMap((resource): Thumb[] => {
        const number = Number(/^color (\d)$/.exec(resource.as)?.[1] ?? 0);
        const show = resource.depth ? "depth" : isDepth(place.show) ? "color" : place.show;
        const thumb = {
            key: resource.as,
            label: resource.as,
            title: `writes ${titleOf(resource)}`,
            picture: pictures[resource.picture ?? ""],
            chosen: resource.depth ? place.show === "depth" : !isDepth(place.show) && shown?.surface === resource.surface,
            choose: () => view.showTarget(show, number),
        };
        if (!resource.stencil)
            return [thumb];
        const stencil = { ...thumb, key: "stencil", label: "stencil", picture: pictures[resource.stencil_picture ?? ""], chosen: place.show === "stencil", choose: () => view.showTarget("stencil") };
        return [thumb, stencil];
    });
    const inputs = (told?.inputs ?? []).map((resource): Thumb => ({
        key: resource.as,
        label: `#${resource.surface}`,
        title: `reads ${titleOf(resource)}`,
        picture: pictures[resource.picture ?? ""],
        chosen: false,
        choose: () => view.showSurface(resource.surface),
    }));
    return (
        <div class="resources" role="group" aria-label="what the draw reads and writes" data-waiting={asked.waiting} data-resources={told?.draw}>
            {asked.error && <span class="bad">{asked.error}</span>}
            {told && <ThumbRow name="out" thumbs={outputs} />}
            {inputs.length > 0 && <ThumbRow name="in" thumbs={inputs} />}
            {told && told.buffers.length > 0 && (
                <span class="buffers-used" role="group" aria-label="buffers">
                    {told.buffers.map((buffer) => (
                        <button
                            key={buffer.as}
                            type="button"
                            class="link mono"
                            data-buffer={buffer.as}
                            disabled={!buffer.bound}
                            title={buffer.bound ? `${buffer.as}: ${buffer.surface ? `surface #${buffer.surface}` : "memory of the call"}, ${buffer.bytes} bytes, from ${buffer.offset} on, every ${buffer.stride}` : `${buffer.as} has no buffer`}
                            onClick={() => view.showBuffer(buffer.as)}
                        >
                            {`${buffer.as} ${buffer.bound ? bytes(buffer.bytes) : "none"}`}
                        </button>
                    ))}
                </span>
            )}
        </div>
    );
}

function titleOf(resource: Resource): string {
    const samples = resource.samples ? `, ${resource.samples} samples` : "";
    return `${resource.as}: surface #${resource.surface}, ${resource.width ?? "?"}×${resource.height ?? "?"} ${resource.format ?? ""}${samples}`;
}

function ThumbRow({ name, thumbs }: { name: string; thumbs: readonly Thumb[] }): JSX.Element {
    return (
        <span class="thumb-row" role="group" aria-label={name === "out" ? "outputs" : "textures"}>
            <span class="dim">{name}</span>
            {thumbs.map((thumb) => (
                <button key={thumb.key} type="button" class="resource" data-resource={thumb.key} title={thumb.title} aria-pressed={thumb.chosen} onClick={thumb.choose}>
                    <Small picture={thumb.picture} />
                    <span class="mono">{thumb.label}</span>
                </button>
            ))}
        </span>
    );
}

function Small({ picture }: { picture: Picture | undefined }): JSX.Element {
    const canvas = useRef<HTMLCanvasElement>(null);
    useEffect(() => {
        if (canvas.current && picture)
            putPicture(canvas.current, picture);
    }, [picture]);
    return <span class="small">{picture ? <canvas ref={canvas} /> : <span class="dim">–</span>}</span>;
}
