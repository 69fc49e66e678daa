// SPDX-License-Identifier: MIT
// The playground: text of the lesson, editor and picture above, the panes of the frame debugger below.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Draw } from "../client/documents";
import { lineOfAction } from "../model/lines";
import { Store, useStore } from "../model/store";
import { EventTree } from "../panes/events";
import { Output, type OutputCommands } from "../panes/output";
import { Panes } from "../panes/panes";
import { PANES, START, type PaneName } from "../model/place";
import { chosenRun, type Trace } from "../model/trace";
import { lastShown } from "../model/tree";
import type { View } from "../model/view";
import { Code } from "../parts/code";
import { obey, type KeyGroup } from "../parts/keys";
import { Splitter } from "../parts/splitter";
import { Tabs } from "../parts/tabs";
import { Help } from "../view/help";
import { columnWidth } from "../view/room";
import { useTheme } from "../view/theme";
import type { Bench } from "./bench";
import { Calls } from "./calls";
import { failures, type Result } from "./checks";
import { dp2Completion } from "./completion";
import { dp2Language } from "./language";
import { FREE, freeLesson, type Course, type Lesson } from "./lessons";
import type { Links } from "./markdown";
import { forgetText, isSolved, keepSolved, keepText, keptText } from "./memory";
import { LessonText, PageText } from "./reader";
import { formatRoute, parseRoute, type Route } from "./route";
import { packed, unpacked } from "./share";
import { underLines } from "./under";
import { assemblyIn, valuesIn } from "./values";

const PAUSE = 250; // ms without a key before the text is drawn
const READING = 480; // minimum width of a page

interface Props {
    course: Course;
    bench: Bench;
}

export function App({ course, bench }: Props): JSX.Element {
    const { lessons, pages } = course;
    const places = useMemo(() => [...lessons, freeLesson(lessons[0]?.start ?? "")], [lessons]);
    const [route, setRoute] = useState<Route>(() => parseRoute(location.hash, course));
    const lesson = places.find(({ id }) => id === route.lesson) as Lesson;
    const number = places.indexOf(lesson);
    const [said, setSaid] = useState("");
    const [text, setText] = useState(() => keptText(lesson.id) ?? lesson.start);
    const [theme, chooseNextTheme] = useTheme();
    const [left, setLeft] = useState(() => columnWidth(320, 0.2));
    const [right, setRight] = useState(() => columnWidth(436, 0.36));
    const [list, setList] = useState<"draws" | "calls">("draws");
    const [help, setHelp] = useState(false);
    const run = useStore(bench.run);
    const view = useStore(bench.view);
    const marked = useOfView(view, (v) => v.marked, 0);
    const chosen = useOfView(view, (v) => v.chosenLine, NO_LINE);
    const starts = useStarts(bench, lesson);
    const output = useRef<OutputCommands | null>(null);
    const keys = useMemo(() => keysOf(bench, output), [bench]);
    const under = useMemo(underLines, []);
    const extensions = useMemo(() => [dp2Language(course.words), dp2Completion(course), under.extension], [course, under]);

    useEffect(() => {
        if (route.missing)
            setSaid(`Lesson “${route.missing}” does not exist. This is lesson 1.`);
    }, [route.missing]);
    useEffect(() => {
        const onHash = () => setRoute(parseRoute(location.hash, course));
        addEventListener("hashchange", onHash);
        return () => removeEventListener("hashchange", onHash);
    }, [course]);
    useEffect(() => {
        history.replaceState(null, "", formatRoute(route));
        document.title = `${lesson.title} – Halcyon playground`;
    }, [route]);
    useEffect(() => {
        setText(keptText(lesson.id) ?? lesson.start);
        if (lesson.pane)
            bench.prefer(lesson.pane);
    }, [lesson]);
    useEffect(() => {
        const timer = setTimeout(() => void bench.show(text), run === undefined || run.text === "" ? 0 : PAUSE);
        return () => clearTimeout(timer);
    }, [bench, text]);
    useEffect(() => under.set(run.mistakes), [under, run.mistakes]);
    useEffect(() => {
        if (route.shared === undefined)
            return;
        unpacked(route.shared).then(setText, () => setSaid("The link is damaged: its stream cannot be read."));
    }, [route.shared]);
    useEffect(() => {
        const timer = setTimeout(() => setSaid(""), 6000);
        return () => clearTimeout(timer);
    }, [said]);

    useEffect(() => {
        const onKey = (event: KeyboardEvent) => {
            if (event.key === "Escape")
                setHelp(false);
            obey(keys, event);
        };
        addEventListener("keydown", onKey);
        return () => removeEventListener("keydown", onKey);
    }, [keys]);

    const judged = useMemo(() => (lesson.checks.length && run.result && starts ? failures(lesson.checks, run.result, starts) : null), [lesson, run.result, starts]);
    const fresh = run.text === text;
    const solvesNow = fresh && judged?.length === 0;
    const solved = (id: string) => isSolved(id) || (solvesNow && id === lesson.id);
    useEffect(() => {
        if (solvesNow)
            keepSolved(lesson.id);
    }, [solvesNow, lesson]);

    const change = (next: string) => {
        setText(next);
        if (route.shared !== undefined)
            setRoute({ ...route, shared: undefined });
        if (next === lesson.start)
            forgetText(lesson.id);
        else
            keepText(lesson.id, next);
    };
    const go = (to: number) => {
        const next = places[to];
        if (next)
            setRoute({ lesson: next.id, page: null, anchor: "" });
    };
    const share = async () => {
        const shared = await packed(text);
        setRoute({ lesson: lesson.id, page: null, anchor: "", shared });
        history.replaceState(null, "", formatRoute({ lesson: lesson.id, page: null, anchor: "", shared }));
        await navigator.clipboard?.writeText(location.href).then(
            () => setSaid("Link copied."),
            () => setSaid("The link is in the address bar."),
        );
    };
    const open = async (file: File | undefined) => {
        if (!file)
            return;
        try {
            const next = await bench.textOf(await file.arrayBuffer());
            keepText(FREE, next);
            setRoute({ lesson: FREE, page: null, anchor: "" });
            setText(next);
        } catch (error) {
            setSaid(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
        }
    };
    const notes = useValues(view, fresh ? text : "");
    const actionLine = useActionLine(fresh ? view : null);
    const links: Links = {
        has: (path) => pages.some((page) => page.path === path) || /^web\/lessons\/[^/]+\/lesson\.md$/.test(path),
        open: (path, anchor) => {
            const other = /^web\/lessons\/([^/]+)\/lesson\.md$/.exec(path);
            if (other)
                setRoute({ lesson: other[1] as string, page: null, anchor: "" });
            else
                setRoute({ ...route, page: path || route.page, anchor });
        },
        folder: "",
    };
    const page = pages.find(({ path }) => path === route.page);

    return (
        <div class={run.outdated ? "playground outdated" : "playground"} style={{ "--left": `${page ? Math.max(left, READING) : left}px`, "--right": `${right}px` }} data-waiting={run.waiting}>
            <header class="top bar">
                <b>Halcyon playground</b>
                <select
                    aria-label="lesson"
                    data-control="lesson"
                    value={lesson.id}
                    onChange={(event) => setRoute({ lesson: event.currentTarget.value, page: null, anchor: "" })}
                >
                    {places.map(({ id, title }, i) => (
                        <option key={id} value={id}>{`${i < lessons.length ? `${i + 1}. ` : ""}${title}${solved(id) ? " ✓" : ""}`}</option>
                    ))}
                </select>
                <span class="choice">
                    <button type="button" aria-label="previous lesson" disabled={number === 0} onClick={() => go(number - 1)}>
                        ‹
                    </button>
                    <button type="button" aria-label="next lesson" disabled={number === places.length - 1} onClick={() => go(number + 1)}>
                        ›
                    </button>
                </span>
                <select
                    aria-label="pages"
                    data-control="page"
                    value={route.page ?? ""}
                    onChange={(event) => setRoute({ ...route, page: event.currentTarget.value || null, anchor: "" })}
                >
                    <option value="">pages …</option>
                    {pages.map(({ path, title }) => (
                        <option key={path} value={path}>
                            {title}
                        </option>
                    ))}
                </select>
                <button type="button" data-control="link" title="a link that brings this stream" onClick={() => void share()}>
                    link
                </button>
                <label class="button" title="read a stream (.dp2s) or a capture">
                    open
                    <input type="file" class="hidden" data-control="open" onChange={(event) => void open(event.currentTarget.files?.[0])} />
                </label>
                <span class="said" role="status" data-message="said">
                    {said}
                </span>
                <span class="fill" />
                <span class="dim wide-only">a driver for Direct3D 8 and 9, drawing in this page; nothing leaves it</span>
                <button type="button" title={`colors: ${theme}`} onClick={chooseNextTheme}>
                    theme: {theme}
                </button>
                <button type="button" title="keys" aria-expanded={help} onClick={() => setHelp(!help)}>
                    ?
                </button>
            </header>
            <main class="columns">
                <section class="pane" aria-label="text">
                    {page ? (
                        <PageText page={page} anchor={route.anchor} links={links} onBack={() => setRoute({ ...route, page: null, anchor: "" })} />
                    ) : (
                        <LessonText
                            lesson={lesson}
                            number={number + 1}
                            count={lessons.length}
                            solved={solved(lesson.id)}
                            failed={judged}
                            fresh={fresh}
                            links={links}
                            onReset={() => change(lesson.start)}
                            onSolution={() => change(lesson.solution)}
                            onNext={() => go(number + 1)}
                        />
                    )}
                </section>
                <Splitter label="width of the text" size={left} least={200} most={700} onSize={setLeft} />
                <div class="bench">
                    <div class="work">
                        <section class="pane" aria-label="stream">
                            <Code
                                key={lesson.id}
                                label="stream"
                                text={text}
                                onChange={change}
                                onRun={() => void bench.show(text)}
                                onLine={(line) => bench.view.get()?.cursor.set(line)}
                                marked={marked || actionLine}
                                notes={notes}
                                reveal={chosen}
                                errors={run.mistakes}
                                extensions={extensions}
                            />
                            {run.trouble && (
                                <p class="notice error" role="alert" data-message="trouble">
                                    {run.trouble}
                                </p>
                            )}
                        </section>
                        <Splitter label="width of the picture" size={right} least={200} most={1800} right onSize={setRight} />
                        {view ? <Output view={view} commands={output} outdated={run.outdated ? OUTDATED : undefined} /> : <section class="pane output" />}
                    </div>
                    <section class="below" aria-label="debugger">
                        <section class="pane" aria-label="draws and calls">
                            <Tabs
                                label="lists"
                                tabs={[
                                    { name: "draws", label: "draws" },
                                    { name: "calls", label: `calls (${run.calls.length})` },
                                ]}
                                chosen={list}
                                onChoose={setList}
                            />
                            {list === "calls" ? <Calls calls={run.calls} /> : view && <EventTree view={view} />}
                        </section>
                        {view ? <PanesOf view={view} /> : <section class="pane panes" />}
                    </section>
                </div>
            </main>
            {help && <Help groups={keys} onClose={() => setHelp(false)} />}
        </div>
    );
}

const NO_LINE = { line: 0 };
const OUTDATED = "picture of the last text that could be assembled";

/** A store of the view, which changes with each picture. */
function useOfView<T>(view: View | null, storeOf: (view: View) => Store<T>, otherwise: T): T {
    const none = useMemo(() => new Store(otherwise), []);
    return useStore(view ? storeOf(view) : none);
}

/** The line of the action that was chosen, which is revealed; 0: none. */
function useActionLine(view: View | null): number {
    const { frame, draw } = useOfView(view, (v) => v.place, START);
    const source = useOfView(view, (v) => v.source, null);
    const [line, setLine] = useState(0);
    useEffect(() => {
        let wanted = true;
        setLine(0);
        if (!view || !source || draw < 0)
            return;
        const show = (actions: readonly Draw[]) => {
            const next = lineOfAction(source.lines, frame, actions, draw);
            if (!wanted || next === 0)
                return;
            setLine(next);
            view.chosenLine.set({ line: next });
        };
        view.session.names(frame).then(show, () => {}); // without names, the panes say why
        return () => void (wanted = false);
    }, [view, source, frame, draw]);
    return line;
}

/** Values of the shaders in the text, at the selected pixel. */
function useValues(view: View | null, text: string): ReadonlyMap<number, string> {
    const [values, setValues] = useState<ReadonlyMap<number, string>>(NO_VALUES);
    const place = useOfView(view, (v) => v.place, START);
    useEffect(() => {
        let wanted = true;
        setValues(NO_VALUES);
        const read = async () => {
            if (!view || !place.pixel || assemblyIn(text).length === 0)
                return;
            const names = await view.session.names(place.frame);
            const draw = names[place.draw < 0 ? lastShown(names) : place.draw];
            if (draw?.kind !== "draw")
                return;
            const { runs } = await view.session.document<Trace>({ ask: "trace", draw: draw.draw, ...place.pixel });
            const run = runs[chosenRun(runs, -1)];
            if (wanted && run)
                setValues(valuesIn(text, run));
        };
        read().catch(() => {}); // the draw does not cover the pixel: there are no values
        return () => void (wanted = false);
    }, [view, place, text]);
    return values;
}

const NO_VALUES: ReadonlyMap<number, string> = new Map();

function focus(selector: string): void {
    document.querySelector<HTMLElement>(selector)?.focus();
}

/** Keys outside of the editor; the panes have the keys of `dp2 view`. */
function keysOf(bench: Bench, output: { current: OutputCommands | null }): KeyGroup[] {
    const view = () => bench.view.get();
    const panes = PANES.map((pane, i) => ({ keys: [String(i + 1)], shown: String(i + 1), does: pane, run: () => view()?.go({ pane }) }));
    return [
        {
            group: "text",
            keys: [
                { keys: ["i"], shown: "i", does: "to the stream; Escape leaves it", run: () => focus(".cm-content") },
                { keys: [], shown: "Ctrl-Space", does: "in the stream: complete the word at the cursor", run: () => {} },
                { keys: [], shown: "Ctrl-Enter", does: "in the stream: draw it now", run: () => {} },
                { keys: ["l"], shown: "l", does: "to the lesson or page", run: () => focus(".reader") },
            ],
        },
        {
            group: "picture",
            keys: [
                { keys: ["o"], shown: "o", does: "to the picture: arrows choose a pixel", run: () => output.current?.focus() },
                { keys: [".", "j"], shown: ". or j", does: "next action", run: () => void view()?.drawBy(1) },
                { keys: [",", "k"], shown: ", or k", does: "previous action", run: () => void view()?.drawBy(-1) },
                { keys: ["s"], shown: "s", does: "next picture: before, depth, overdraw …", run: () => output.current?.nextShow(1) },
                { keys: ["c"], shown: "c", does: "back to color", run: () => view()?.go({ show: "color" }) },
                { keys: ["b"], shown: "b", does: "flip between before and after the draw", run: () => view()?.flip() },
            ],
        },
        { group: "panes", keys: panes },
    ];
}

function PanesOf({ view }: { view: View }): JSX.Element {
    const place = useStore(view.place);
    return <Panes view={view} chosen={place.pane} onChoose={(pane: PaneName) => view.go({ pane })} />;
}

/** The picture of the lesson's starting point, which checks compare with. */
function useStarts(bench: Bench, lesson: Lesson): Result | null {
    const [known, setKnown] = useState<{ id: string; result: Result } | null>(null);
    useEffect(() => {
        let wanted = true;
        void bench.resultOf(lesson.start).then((result) => wanted && setKnown({ id: lesson.id, result }));
        return () => void (wanted = false);
    }, [bench, lesson]);
    return known?.id === lesson.id ? known.result : null;
}
