// SPDX-License-Identifier: MIT
// The page on a capture: frames above, events on the left, the output in the middle, panes on the right.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { followLinks } from "../model/links";
import { formatLink, parseLink, PANES, type PaneName } from "../model/place";
import { useStore } from "../model/store";
import { Thumbnails } from "../model/thumbnails";
import type { View } from "../model/view";
import { EventTree } from "../panes/events";
import { FrameStrip } from "../panes/frames";
import { Output, type OutputCommands } from "../panes/output";
import { Panes } from "../panes/panes";
import { obey, type KeyGroup } from "../parts/keys";
import { Splitter } from "../parts/splitter";
import { Help } from "./help";
import { columnWidth } from "./room";
import { useTheme } from "./theme";

interface AppProps {
    view: View;
    /** Shows another capture. */
    onOpen: (file: File | undefined) => void;
}

export function App({ view, onOpen }: AppProps): JSX.Element {
    const { session } = view;
    const place = useStore(view.place);
    const [left, setLeft] = useState(() => columnWidth(262, 0.17));
    const [right, setRight] = useState(() => columnWidth(440, 0.33));
    const [wide, setWide] = useState(false);
    const [help, setHelp] = useState(false);
    const [theme, chooseNextTheme] = useTheme();
    const output = useRef<OutputCommands | null>(null);
    const thumbnails = useMemo(() => new Thumbnails(session), [session]);

    useEffect(() => followLinks(view), [view]);
    useEffect(() => () => thumbnails.close(), [thumbnails]);
    const keys = useKeys(view, output, { toggleWide: () => setWide((old) => !old), help: () => setHelp((old) => !old), theme: chooseNextTheme });
    useEffect(() => {
        const onKey = (event: KeyboardEvent) => {
            if (event.key === "Escape") {
                setHelp(false);
                setWide(false);
            }
            obey(keys, event);
        };
        addEventListener("keydown", onKey);
        return () => removeEventListener("keydown", onKey);
    }, [keys]);

    return (
        <div class={wide ? "app wide" : "app"} style={{ "--left": `${left}px`, "--right": `${right}px` }}>
            <header class="top bar">
                <b>dp2 view</b>
                <span class="mono name" title={session.name}>
                    {session.name}
                </span>
                <PlaceField view={view} />
                <label class="button" title="another capture; it can also be dropped on the page">
                    open
                    <input type="file" class="hidden" data-control="open" onChange={(event) => onOpen(event.currentTarget.files?.[0])} />
                </label>
                <span class="fill" />
                <span class="dim">{session.info.info["program"]?.replace(/^.*[\\/]/, "")}</span>
                <button type="button" title={`colors: ${theme} (t)`} onClick={chooseNextTheme}>
                    theme: {theme}
                </button>
                <button type="button" title="keys (?)" aria-expanded={help} onClick={() => setHelp(!help)}>
                    ?
                </button>
            </header>
            <FrameStrip view={view} thumbnails={thumbnails} />
            <main>
                <EventTree view={view} />
                <Splitter label="width of events" size={left} least={160} most={600} onSize={setLeft} />
                <Output view={view} commands={output} whole />
                <Splitter label="width of panes" size={right} least={280} most={1800} right onSize={setRight} />
                <Panes view={view} chosen={place.pane} onChoose={(pane) => view.go({ pane })} />
            </main>
            {help && <Help groups={keys} onClose={() => setHelp(false)} />}
        </div>
    );
}

/** The place as text: type 2.17 or 2.17/320,240 to go there. */
function PlaceField({ view }: { view: View }): JSX.Element {
    const place = useStore(view.place);
    const shown = formatLink(place).slice(1);
    const [typed, setTyped] = useState<string | null>(null);
    const wrong = typed !== null && !parseLink(typed, place);
    return (
        <input
            class={wrong ? "place mono wrong" : "place mono"}
            data-control="place"
            aria-label="place: FRAME.DRAW/X,Y/PANE/SHOW"
            aria-invalid={wrong}
            spellcheck={false}
            value={typed ?? shown}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => setTyped(null)}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={(event) => {
                if (event.key === "Escape")
                    event.currentTarget.blur();
                if (event.key !== "Enter")
                    return;
                const next = parseLink(event.currentTarget.value, place);
                if (next) {
                    view.go(next);
                    event.currentTarget.blur();
                }
            }}
        />
    );
}

interface PageCommands {
    toggleWide(): void;
    help(): void;
    theme(): void;
}

function focus(selector: string): void {
    const element = document.querySelector<HTMLElement>(selector);
    element?.focus();
    if (element instanceof HTMLInputElement)
        element.select();
}

const PANE_HELP: Record<PaneName, string> = {
    history: "why the pixel has its color",
    state: "state of the draw",
    textures: "textures and surfaces",
    mesh: "primitives and vertices",
    shader: "shaders, values, edit",
    stream: "commands and bytes",
    interfaces: "calls of both driver interfaces",
    capture: "facts of the capture, notes",
    buffers: "vertices, indices, bytes",
};

function useKeys(view: View, output: { current: OutputCommands | null }, page: PageCommands): KeyGroup[] {
    return useMemo(() => {
        const panes = PANES.map((pane, i) => ({ keys: [String(i + 1)], shown: String(i + 1), does: `${pane}: ${PANE_HELP[pane]}`, run: () => view.go({ pane }) }));
        return [
            {
                group: "where",
                keys: [
                    { keys: [".", "j"], shown: ". or j", does: "next action", run: () => void view.drawBy(1) },
                    { keys: [",", "k"], shown: ", or k", does: "previous action", run: () => void view.drawBy(-1) },
                    { keys: ["]"], shown: "]", does: "next frame", run: () => view.frameBy(1) },
                    { keys: ["["], shown: "[", does: "previous frame", run: () => view.frameBy(-1) },
                    { keys: ["g"], shown: "g", does: "go to FRAME.DRAW/X,Y", run: () => focus("[data-control=place]") },
                    { keys: ["/"], shown: "/", does: "search events by state, surface, kind", run: () => focus("[data-search=events]") },
                    { keys: ["n"], shown: "n", does: "note on the draw", run: () => focus("[data-control=note]") },
                ],
            },
            {
                group: "output",
                keys: [
                    { keys: ["o"], shown: "o", does: "to the output: arrows choose a pixel, with Shift by 8", run: () => output.current?.focus() },
                    { keys: ["s"], shown: "s", does: "next picture: before, depth, overdraw …", run: () => output.current?.nextShow(1) },
                    { keys: ["S"], shown: "S", does: "previous picture", run: () => output.current?.nextShow(-1) },
                    { keys: ["c"], shown: "c", does: "back to color", run: () => view.showTarget("color") },
                    { keys: ["b"], shown: "b", does: "flip between before and after the draw", run: () => view.flip() },
                    { keys: ["+", "="], shown: "+", does: "larger", run: () => output.current?.by(1) },
                    { keys: ["-"], shown: "-", does: "smaller", run: () => output.current?.by(-1) },
                    { keys: ["0"], shown: "0", does: "fit", run: () => output.current?.fit() },
                    { keys: ["z"], shown: "z", does: "one to one", run: () => output.current?.one() },
                    { keys: ["x"], shown: "x", does: "pixel grid", run: () => output.current?.grid() },
                    { keys: ["i"], shown: "i", does: "what the draw reads and writes, or not", run: () => output.current?.strip() },
                ],
            },
            {
                group: "panes",
                keys: [
                    ...panes,
                    { keys: ["e"], shown: "e", does: "to the events", run: () => focus("[data-list=events]") },
                    { keys: ["f"], shown: "f", does: "to the frames", run: () => focus("[data-list=frames]") },
                    { keys: ["p"], shown: "p", does: "to the pane", run: () => focus(".panes [role=tabpanel]") },
                    { keys: ["m"], shown: "m", does: "pane over the whole width, and back", run: page.toggleWide },
                    { keys: ["t"], shown: "t", does: "colors: as the system, light, dark", run: page.theme },
                    { keys: ["?"], shown: "?", does: "this list", run: page.help },
                ],
            },
        ];
    }, [view]);
}
