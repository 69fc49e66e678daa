// SPDX-License-Identifier: MIT
// The shaders of the draw as assembly, with their values at the selected pixel; edited code runs in all frames.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { State, StateGroup } from "../client/documents";
import type { Question } from "../client/questions";
import { useDocument, type Asked } from "../model/asked";
import type { Stage } from "../model/session";
import { useStore } from "../model/store";
import { chosenRun, traceNotes, traceText, type Trace, type TraceRun } from "../model/trace";
import { useCurrent, type View } from "../model/view";
import { assembly } from "../parts/assembly";
import { Code, type CodeError } from "../parts/code";
import { Notice } from "../parts/notice";
import { Tabs } from "../parts/tabs";

interface Shader {
    stage: Stage;
    handle: number;
    assembly: string;
}

/** The shader of a stage; null: fixed function. */
function shaderOf(state: State, stage: Stage): Shader | null {
    const group = state.groups.find((g: StateGroup) => g.group === `${stage} shader`);
    const value = (name: string) => group?.values.find((v) => v.name === name);
    const text = value("assembly")?.text;
    const handle = value("function")?.bits || value("shader")?.bits || value("set")?.bits;
    return text && handle ? { stage, handle, assembly: text } : null;
}

/** "dp2 edit: pixel-21.asm:3: no instruction is called ..." and the like: line and column, from 1. */
export function codeErrors(messages: string): CodeError[] {
    return messages.split("\n").flatMap((line) => {
        const match = /(?:\.asm|\.[pv]sa|line)[: ]+(\d+)(?::(\d+))?:? *(.*)/.exec(line);
        return match ? [{ line: Number(match[1]), column: Number(match[2] ?? 0), text: match[3] || line }] : [];
    });
}

const STAGES = [
    { name: "pixel", label: "pixel shader" },
    { name: "vertex", label: "vertex shader" },
] as const;

export function ShaderPane({ view }: { view: View }): JSX.Element {
    const { action } = useCurrent(view);
    const [stage, setStage] = useState<Stage>("pixel");
    const draws = action?.kind === "draw";
    const state = useDocument<State>(view.session, action && (draws ? { ask: "state", draw: action.draw } : null), "state");
    const shader = useMemo(() => state.value && shaderOf(state.value, stage), [state.value, stage]);
    if (action && !draws)
        return <p class="notice">{`${action.draw} is a ${action.kind}: it has no shaders.`}</p>;
    return (
        <div class="shader" data-waiting={state.waiting}>
            <Tabs label="shader" tabs={STAGES} chosen={stage} onChoose={setStage} />
            {!state.value && <Notice asked={state} />}
            {state.value && !shader && <FixedFunction key={stage} view={view} name={action?.draw} stage={stage} />}
            {shader && <Editor key={`${stage} ${shader.handle}`} view={view} name={action?.draw} shader={shader} />}
        </div>
    );
}

interface Traced {
    asked: Asked<Trace>;
    run: TraceRun | null;
    runs: readonly TraceRun[];
    /** The subject of the trace: "pixel 3,4". */
    what: string;
}

/** The program of a stage at the selected pixel or vertex of a draw. name undefined: not known yet. wanted false: not
 * needed now. */
function useTrace(view: View, name: string | undefined, stage: Stage, wanted: boolean): Traced {
    const { pixel } = useStore(view.place);
    const vertex = useStore(view.vertex);
    const primitive = useStore(view.primitive);
    const question = (draw: string): Question | null =>
        stage === "vertex" ? { ask: "trace-vertex", draw, vertex } : pixel ? { ask: "trace", draw, ...pixel } : null;
    const asked = useDocument<Trace>(view.session, wanted ? (name === undefined ? undefined : question(name)) : null, "trace");
    const runs = asked.value?.runs ?? [];
    const what = stage === "vertex" ? `vertex ${vertex}` : pixel ? `pixel ${pixel.x},${pixel.y}` : "";
    return { asked, runs, run: runs[chosenRun(runs, primitive)] ?? null, what };
}

/** The primitive whose run is shown, and the pixel or vertex that the values belong to. */
function TraceBar({ view, traced, stage }: { view: View; traced: Traced; stage: Stage }): JSX.Element {
    const { asked, run, runs, what } = traced;
    if (!what)
        return <span class="dim">choose a pixel to see its values after each line</span>;
    if (asked.error)
        return <span class="dim" title={asked.error}>{asked.error.replace(/^dp2 trace: \S+: /, "")}</span>;
    return (
        <span class="mono">
            {what}{" "}
            {runs.length > 1 && (
                <select aria-label="primitive" value={run?.primitive} onChange={(event) => view.primitive.set(Number(event.currentTarget.value))}>
                    {runs.map((r) => (
                        <option key={r.primitive} value={r.primitive}>
                            {`△${r.primitive} ${r.fragment?.verdict ?? ""}`}
                        </option>
                    ))}
                </select>
            )}
            {run?.narrow && <span class="dim" title="16-bit fixed point: 32767 is 1">16 bits</span>}
            {stage === "vertex" && (
                <input
                    class="short"
                    type="number"
                    min={0}
                    aria-label="vertex"
                    value={view.vertex.get()}
                    onChange={(event) => view.vertex.set(Math.max(0, Math.floor(Number(event.currentTarget.value)) || 0))}
                />
            )}
        </span>
    );
}

/** The program that the driver has generated from the states, with its values. */
function FixedFunction({ view, name, stage }: { view: View; name: string | undefined; stage: Stage }): JSX.Element {
    const traced = useTrace(view, name, stage, true);
    const program = useMemo(() => traced.run && traceText(traced.run), [traced.run]);
    return (
        <div class="editor" data-waiting={traced.asked.waiting}>
            <div class="bar">
                <span>fixed function</span>
                <span class="fill" />
                <TraceBar view={view} traced={traced} stage={stage} />
            </div>
            {program && <Code label={`${stage} program`} text={program.text} notes={program.notes} extensions={assembly} readOnly />}
            {!program && (
                <p class="notice">
                    No {stage} shader: this draw uses the fixed-function pipeline. {stage === "pixel" ? "Click a pixel that the draw covers to see the driver's program for it." : "The driver's program for it is shown here."}
                </p>
            )}
        </div>
    );
}

function Editor({ view, name, shader }: { view: View; name: string | undefined; shader: Shader }): JSX.Element {
    const { session } = view;
    useStore(session.edition);
    const edit = session.edits.find((e) => e.stage === shader.stage && e.handle === shader.handle);
    const [text, setText] = useState(edit?.text ?? shader.assembly);
    const [error, setError] = useState<string | null>(null);
    const [busy, setBusy] = useState(false);
    const running = edit?.text ?? shader.assembly;
    useEffect(() => setError(null), [text]);
    const traced = useTrace(view, name, shader.stage, text === running);
    const notes = useMemo(() => (traced.run && text === running ? traceNotes(traced.run, text) : new Map<number, string>()), [traced.run, text, running]);

    const run = async (next: string | null) => {
        setBusy(true);
        try {
            await session.editShader(shader.stage, shader.handle, next);
            setError(null);
            if (next === null)
                setText(shader.assembly);
        } catch (failure) {
            setError(failure instanceof Error ? failure.message : String(failure));
        }
        setBusy(false);
    };
    const errors = useMemo(() => codeErrors(error ?? ""), [error]);

    return (
        <div class="editor" data-edited={!!edit} data-busy={busy} data-waiting={traced.asked.waiting}>
            <div class="bar">
                <TraceBar view={view} traced={traced} stage={shader.stage} />
                <span class="fill" />
                <button type="button" data-run="shader" disabled={busy || text === running} title="the edited code in all frames (Ctrl+Enter)" onClick={() => void run(text)}>
                    run
                </button>
                <button type="button" data-run="original" disabled={busy || !edit} onClick={() => void run(null)}>
                    original
                </button>
            </div>
            <Code label={`${shader.stage} shader`} text={text} onChange={setText} onRun={() => void run(text)} errors={errors} notes={notes} extensions={assembly} />
            {error && (
                <p class="notice error" role="alert">
                    {errors.length ? errors.map(({ line, text: said }) => `Line ${line}: ${said}`).join("\n") : error}
                </p>
            )}
            {edit && <p class="notice">The edited code runs in all frames.</p>}
        </div>
    );
}
