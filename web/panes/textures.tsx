// SPDX-License-Identifier: MIT
// The surfaces of the frame: textures, targets, depth buffers; each with its levels, faces and slices.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Texture, Textures } from "../client/documents";
import type { Picture } from "../client/engine";
import { useAsked, useDocument } from "../model/asked";
import { parseName } from "../model/place";
import { useStore } from "../model/store";
import type { View } from "../model/view";
import { PLAIN, type Channel, type Look } from "../parts/bitmap";
import { Notice } from "../parts/notice";
import { bytes, hex } from "../parts/numbers";
import { PictureBox, type Point } from "../parts/picture_box";
import { pngOf } from "../parts/png";
import { Range } from "../parts/range";
import { SaveButton, stem } from "../parts/save";
import { VirtualList } from "../parts/virtual";

const ROW = 20;
const CHANNELS: readonly Channel[] = ["rgb", "r", "g", "b", "a"];

/** A part of a texture, named like its picture. */
interface Part {
    face: number;
    level: number;
    slice: number;
}

/** "t/surface-7-face1-level2.png": the engine names face, level and slice only where there are several. */
function partOf(name: string): Part {
    const number = (what: string) => Number(new RegExp(`-${what}(\\d+)`).exec(name)?.[1] ?? 0);
    return { face: number("face"), level: number("level"), slice: number("slice") };
}

export function TexturesPane({ view }: { view: View }): JSX.Element {
    const { frame } = useStore(view.place);
    const wanted = useStore(view.surface);
    const [search, setSearch] = useState("");
    const asked = useDocument<Textures>(view.session, { ask: "textures", frame }, "textures");
    const list = useMemo(() => (asked.value?.textures ?? []).filter((t) => describe(t).includes(search.toLowerCase())), [asked.value, search]);
    const at = list.findIndex((t) => t.surface === wanted);
    const used = list.findIndex((t) => t.uses.length > 0);
    const selected = at >= 0 ? at : Math.max(0, used);
    const texture = list[selected];

    return (
        <div class="textures" data-waiting={asked.waiting}>
            <div class="bar">
                <input type="search" class="search" placeholder="number, format, kind" aria-label="search surfaces" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
                <span class="dim">{list.length}</span>
            </div>
            <Notice asked={asked} />
            <VirtualList
                name="surfaces"
                role="grid"
                count={list.length}
                rowHeight={ROW}
                selected={selected}
                onSelect={(row) => view.surface.set(list[row]?.surface ?? 0)}
                rowAttributes={(row) => ({ "data-surface": list[row]?.surface })}
                render={(row) => <TextureRow texture={list[row] as Texture} />}
            />
            {texture && <TextureView key={texture.surface} view={view} frame={frame} texture={texture} />}
        </div>
    );
}

function sizeOf(t: Texture): string {
    return t.depth > 1 ? `${t.width}×${t.height}×${t.depth}` : `${t.width}×${t.height}`;
}

function describe(t: Texture): string {
    return `#${t.surface} ${t.kind} ${t.format} ${sizeOf(t)} ${t.memory}`.toLowerCase();
}

function TextureRow({ texture: t }: { texture: Texture }): JSX.Element {
    return (
        <div class={`texture-row ${t.uses.length ? "" : "idle"}`}>
            <span class="mono number" role="gridcell">{`#${t.surface}`}</span>
            <span class="label" role="gridcell">
                {t.kind}
            </span>
            <span class="mono" role="gridcell">
                {sizeOf(t)}
            </span>
            <span class="mono dim" role="gridcell">
                {t.format}
            </span>
            <span class="mono dim" role="gridcell" title="levels">
                {t.mips > 1 ? `${t.mips} lv` : ""}
            </span>
            <span class="mono time" role="gridcell" title="uses in the frame">
                {t.uses.length || ""}
            </span>
        </div>
    );
}

function TextureView({ view, frame, texture }: { view: View; frame: number; texture: Texture }): JSX.Element {
    const [part, setPart] = useState<Part>({ face: 0, level: 0, slice: 0 });
    const [look, setLook] = useState<Look>(PLAIN);
    const [hover, setHover] = useState<Point | null>(null);
    const question = { ask: "levels" as const, frame, surface: texture.surface };
    const asked = useAsked(view.session, JSON.stringify(question), async () => (await view.session.ask(question, "levels")).pictures);
    useEffect(() => setPart({ face: 0, level: 0, slice: 0 }), [texture.surface]);
    const found = Object.entries(asked.value ?? {}).find(([name]) => {
        const p = partOf(name);
        return p.face === part.face && p.level === part.level && p.slice === part.slice;
    });
    const picture = found?.[1];
    const slices = Math.max(1, texture.depth >> part.level);
    const file = `${stem(view.session.name)}-${frame}-surface${texture.surface}`;
    const choose = (name: keyof Part, count: number, label: string) =>
        count > 1 && (
            <label>
                {label}{" "}
                <select
                    aria-label={label}
                    value={part[name]}
                    onChange={(event) => setPart({ ...part, ...(name === "level" && { slice: 0 }), [name]: Number(event.currentTarget.value) })}
                >
                    {Array.from({ length: count }, (_, i) => (
                        <option key={i} value={i}>
                            {name === "level" ? `${i}: ${Math.max(1, texture.width >> i)}×${Math.max(1, texture.height >> i)}` : i}
                        </option>
                    ))}
                </select>
            </label>
        );

    return (
        <div class="texture-view" data-texture={texture.surface}>
            <div class="bar">
                <span class="choice" role="group" aria-label="channels">
                    {CHANNELS.map((c) => (
                        <button key={c} type="button" aria-pressed={c === look.channel} onClick={() => setLook({ ...look, channel: c })}>
                            {c.toUpperCase()}
                        </button>
                    ))}
                </span>
                {choose("level", texture.mips, "level")}
                {choose("face", texture.faces, "face")}
                {choose("slice", slices, "slice")}
                <span class="fill" />
                <Texel picture={picture} point={hover} />
                {picture && (
                    <SaveButton name="png" title="save this level as PNG, with alpha" make={async () => ({ name: `${file}${suffixOf(texture, part)}.png`, data: await pngOf(picture) })}>
                        .png
                    </SaveButton>
                )}
                <SaveButton
                    name="dds"
                    title="save all levels, faces and slices as DDS"
                    make={async () => {
                        const { data } = await view.session.written(["textures", "{}", "--frame", String(frame), "--surface", String(texture.surface), "--export", "d", "--dds"]);
                        return { name: `${file}.dds`, data: new Blob([data]) };
                    }}
                >
                    .dds
                </SaveButton>
            </div>
            {picture && <Range picture={picture} look={look} onLook={setLook} />}
            {picture ? <PictureBox name="texture" picture={picture} look={look} grid onHover={setHover} /> : <Notice asked={asked} nothing="Its texels cannot be shown." />}
            {texture.colors && <Swatches texture={texture} />}
            <Uses view={view} texture={texture} />
        </div>
    );
}

/** "-face1-level2" */
function suffixOf(texture: Texture, part: Part): string {
    const names = [texture.faces > 1 && `face${part.face}`, texture.mips > 1 && `level${part.level}`, texture.depth > 1 && `slice${part.slice}`];
    return names.filter(Boolean).map((name) => `-${name}`).join("");
}

function Texel({ picture, point }: { picture: Picture | undefined; point: Point | null }): JSX.Element | null {
    if (!picture || !point || point.x >= picture.width || point.y >= picture.height)
        return null;
    const at = (point.y * picture.width + point.x) * 4;
    const texel = [...picture.pixels.slice(at, at + 4)];
    return (
        <span class="mono">
            {point.x},{point.y} #{texel.map((value) => hex(value, 2)).join("")}
        </span>
    );
}

/** The palette that it is seen through, thirty-two entries in a row. */
function Swatches({ texture }: { texture: Texture }): JSX.Element {
    return (
        <div class="swatches" data-palette={texture.palette}>
            <div class="dim">palette {texture.palette}</div>
            <div class="swatch-table" role="img" aria-label={`the 256 colours of palette ${texture.palette}`}>
                {(texture.colors ?? []).map((color, index) => (
                    <i key={index} title={`${index}: ${color}`} data-entry={index} style={{ background: color }} />
                ))}
            </div>
        </div>
    );
}

/** Links to the draws that use it. */
function Uses({ view, texture }: { view: View; texture: Texture }): JSX.Element {
    const most = 24;
    return (
        <div class="uses">
            <span class="dim">
                {texture.handle !== 0 && `handle ${texture.handle} · `}
                {bytes(texture.bytes)} · {texture.memory} memory · {texture.uses.length ? "used by" : "not used in this frame"}
            </span>{" "}
            {texture.uses.slice(0, most).map((use) => (
                <button key={use.draw} type="button" class="link mono" title={use.as.join(", ")} onClick={() => view.go(parseName(use.draw))}>
                    {use.draw}
                </button>
            ))}
            {texture.uses.length > most && <span class="dim">… {texture.uses.length - most} more</span>}
        </div>
    );
}
