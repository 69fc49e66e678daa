// SPDX-License-Identifier: MIT
// Why the pixel has its colour: every action that reached it, with a verdict on each primitive.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draw, Fragment, Pixel, PixelRow, Sample } from "../client/documents";
import { useDocument } from "../model/asked";
import { usePixel } from "../model/history";
import { parseName } from "../model/place";
import { useStore } from "../model/store";
import { actionDetail, actionLabel } from "../model/tree";
import { betweenSentence, blitSentence, tone, verdictSentence, whyNot } from "../model/verdict";
import { useCurrent, type View } from "../model/view";
import { Notice } from "../parts/notice";
import { colorHex, count, float, floats, plural } from "../parts/numbers";

export function History({ view }: { view: View }): JSX.Element {
    const { place, action, names } = useCurrent(view);
    const asked = usePixel(view);
    const [failed, setFailed] = useState(true);
    const shown = useStore(view.shown);
    const pixel = asked.value && place.pixel && asked.value.x === place.pixel.x && asked.value.y === place.pixel.y ? asked.value : null;

    if (!place.pixel)
        return <p class="notice">Click a pixel of the output, or press o and move with the arrow keys: its history appears here.</p>;
    if (!pixel)
        return <Notice asked={{ ...asked, value: null, waiting: true }} />;
    const rows = pixel.rows.filter((row) => failed || row.changed);
    return (
        <div class="history" data-waiting={asked.waiting}>
            <div class="bar">
                <span class="mono">
                    {pixel.x},{pixel.y}
                </span>
                <span class="dim" data-history-of={shown?.surface}>
                    {plural(pixel.rows.length, "action")} reached this pixel{shown ? ` of #${shown.surface}` : ""}
                </span>
                <span class="fill" />
                <span class="choice" role="group" aria-label="actions">
                    <button type="button" aria-pressed={failed} title="every action that reached the pixel" onClick={() => setFailed(true)}>
                        all
                    </button>
                    <button type="button" aria-pressed={!failed} title="only actions that changed the pixel" onClick={() => setFailed(false)}>
                        changes
                    </button>
                </span>
            </div>
            <div class="scroll">
                <Boundary label="before the frame" samples={pixel.initial} />
                {rows.map((row, number) => (
                    <Row
                        key={`${number} ${row.draw} ${row.surface}`}
                        row={row}
                        draw={names.value?.find((draw) => draw.draw === row.draw)}
                        view={view}
                        current={!row.between && row.draw === action?.draw}
                    />
                ))}
                {action && !pixel.rows.some((row) => !row.between && row.draw === action.draw) && <WhyNot view={view} pixel={pixel} name={action.draw} />}
                <Boundary label="after the frame" samples={pixel.final} />
            </div>
        </div>
    );
}

function Boundary({ label, samples }: { label: string; samples: Sample[] | undefined }): JSX.Element | null {
    return samples ? (
        <div class="history-row boundary">
            <span class="label">{label}</span>
            <Value sample={samples[0]} />
        </div>
    ) : null;
}

/** The contents of the pixel: colour, depth, stencil. */
function Value({ sample }: { sample: Sample | undefined }): JSX.Element {
    if (!sample)
        return <span class="dim">nothing</span>;
    return (
        <span class="mono value">
            {sample.color && (
                <>
                    <i class="swatch" style={{ background: colorHex(sample.color) }} />
                    {colorHex(sample.color)} <span class="dim">α</span>
                    {float(sample.color[3], 3)}
                </>
            )}
            {sample.index !== undefined && (
                <>
                    {" "}
                    <span class="dim">index</span> {sample.index} <span class="dim">{sample.palette === undefined ? "no palette" : `palette ${sample.palette}`}</span>
                </>
            )}
            {sample.depth !== undefined && (
                <>
                    {" "}
                    <span class="dim">z</span> {float(sample.depth, 6)}
                </>
            )}
            {sample.stencil !== undefined && (
                <>
                    {" "}
                    <span class="dim">s</span> {sample.stencil}
                </>
            )}
        </span>
    );
}

function Row({ row, draw, view, current }: { row: PixelRow; draw: Draw | undefined; view: View; current: boolean }): JSX.Element {
    const element = useRef<HTMLDivElement>(null);
    const fragments = row.fragments ?? [];
    useEffect(() => {
        if (current)
            element.current?.scrollIntoView({ block: "nearest" });
    }, [current]);
    const left = row.changed ? "changed" : "unchanged";
    return (
        <div ref={element} class={`history-row ${left} ${current ? "current" : ""}`} data-history={row.between ? undefined : row.draw} data-between={row.between}>
            <div class="history-head">
                {row.between && !draw ? (
                    <span class="mono dim">at the end</span>
                ) : (
                    <button type="button" class="link mono" data-goto={row.draw} onClick={() => view.go(parseName(row.draw))}>
                        {row.between ? `before ${row.draw}` : row.draw}
                    </button>
                )}
                <span class="label">
                    {draw && !row.between ? actionLabel(draw) : row.kind} <span class="dim">{draw && !row.between && actionDetail(draw)}</span>
                </span>
                <span class="fill" />
                {fragments.length > 0 && (
                    <button type="button" class="link" data-shader={row.draw} title="the values of the shader at this pixel" onClick={() => view.go({ ...parseName(row.draw), pane: "shader" })}>
                        shader
                    </button>
                )}
                <Value sample={row.after[0]} />
            </div>
            {row.text && <div class="history-text mono" title={row.text}>{row.text}</div>}
            {row.between && <div class="sentence">{betweenSentence(row)}</div>}
            {row.blit && (
                <div class="sentence" data-blit={row.blit.fate}>
                    {blitSentence(row.blit)}
                </div>
            )}
            {row.blit?.disagrees && <div class="bad">The pixel became something else, as where rectangles of a clip list overlap.</div>}
            {row.from !== undefined && (
                <div class="sentence" data-flip={`${row.from} ${row.surface}`}>
                    From now on #{row.surface} is the memory that was #{row.from}, with what was drawn there.
                </div>
            )}
            {fragments.map((fragment) => (
                <FragmentLine key={`${fragment.primitive}`} fragment={fragment} row={row} view={view} />
            ))}
            {(row.fragment_count ?? 0) > fragments.length && (
                <div class="dim">and {count((row.fragment_count ?? 0) - fragments.length)} more primitives</div>
            )}
            {row.disagrees && <div class="bad">Drawing the primitives one by one gave a different result than the draw itself.</div>}
        </div>
    );
}

function FragmentLine({ fragment, row, view }: { fragment: Fragment; row: PixelRow; view: View }): JSX.Element {
    const show = () => {
        view.go({ ...parseName(row.draw), pane: "mesh" });
        view.primitive.set(fragment.primitive);
    };
    const samples = (fragment.after?.length ?? 1) > 1;
    return (
        <div class={`fragment ${tone(fragment.verdict)}`} data-verdict={fragment.verdict}>
            <button type="button" class="link mono" title="show the primitive in the mesh" onClick={show}>
                {`△${fragment.primitive}`}
            </button>
            <span class="sentence">{verdictSentence(fragment)}</span>
            {fragment.output && (
                <span class="mono dim output-value" title="the program's result: red green blue alpha">
                    out {floats(fragment.output, 4)}
                    {samples && `  samples 0x${fragment.samples.toString(16)}`}
                </span>
            )}
        </div>
    );
}

/** Why the current draw did not reach the pixel. */
function WhyNot({ view, pixel, name }: { view: View; pixel: Pixel; name: string }): JSX.Element {
    const shown = useStore(view.shown);
    const question = { ask: "pixel" as const, frame: pixel.frame, x: pixel.x, y: pixel.y, surface: shown?.surface ?? 0, why: name };
    const asked = useDocument<Pixel>(view.session, question, "why");
    const row = asked.value?.rows[0];
    return (
        <div class="history-row current why" data-why={name}>
            <div class="history-head">
                <span class="mono">{name}</span>
                <span class="label">did not reach the pixel</span>
            </div>
            {row && row.draw === name ? (
                <div class="sentence">
                    {row.fragments?.length ? row.fragments.map((f) => <FragmentLine key={f.primitive} fragment={f} row={row} view={view} />) : row.text ?? whyNot(row)}
                </div>
            ) : (
                <Notice asked={{ ...asked, value: null }} />
            )}
        </div>
    );
}
