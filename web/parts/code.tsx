// SPDX-License-Identifier: MIT
// The editor: text with a language, messages under lines, and values after them.
import { closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter, lintKeymap, type Diagnostic } from "@codemirror/lint";
import { EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, highlightActiveLine, keymap, lineNumbers, WidgetType, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** An error in a line, counted from 1. column: from 1; 0: the whole line. */
export interface CodeError {
    line: number;
    column: number;
    text: string;
}

interface CodeProps {
    label: string;
    text: string;
    readOnly?: boolean;
    onChange?: (text: string) => void;
    /** Ctrl-Enter. */
    onRun?: () => void;
    /** The line with the cursor, from 1. */
    onLine?: (line: number) => void;
    errors?: readonly CodeError[];
    /** Notes shown after lines, which count from 1. */
    notes?: ReadonlyMap<number, string>;
    extensions?: Extension;
    /** A line that is marked, from 1; 0: none. */
    marked?: number;
    /** A line to scroll to, from 1, whenever the object is another one. */
    reveal?: { line: number };
}

const colors = HighlightStyle.define([
    { tag: tags.keyword, color: "var(--code-keyword)" },
    { tag: tags.variableName, color: "var(--code-name)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.comment, color: "var(--dim)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.heading, color: "var(--text)", fontWeight: "600" },
]);

const look = EditorView.theme({
    "&": { height: "100%", fontSize: "12px", backgroundColor: "var(--field)", color: "var(--text)" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "18px" },
    ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    "&.cm-focused": { outline: "1px solid var(--accent)", outlineOffset: "-1px" },
    ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "var(--selected) !important" },
    ".cm-marked": { backgroundColor: "var(--selected)" },
    ".cm-note": { color: "var(--note)", paddingLeft: "24px", whiteSpace: "pre" },
    ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line-strong)" },
});

class Note extends WidgetType {
    constructor(readonly text: string) {
        super();
    }
    override eq(other: Note): boolean {
        return other.text === this.text;
    }
    override toDOM(): HTMLElement {
        const element = document.createElement("span");
        element.className = "cm-note";
        element.textContent = this.text;
        return element;
    }
}

const setNotes = StateEffect.define<ReadonlyMap<number, string>>();
const notesField = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(notes, transaction) {
        let next = notes.map(transaction.changes);
        for (const effect of transaction.effects)
            if (effect.is(setNotes)) {
                const { doc } = transaction.state;
                const lines = [...effect.value].filter(([line]) => line >= 1 && line <= doc.lines).sort((a, b) => a[0] - b[0]);
                next = Decoration.set(lines.map(([line, text]) => Decoration.widget({ widget: new Note(text), side: 1 }).range(doc.line(line).to)));
            }
        return next;
    },
    provide: (field) => EditorView.decorations.from(field),
});

const setMarked = StateEffect.define<number>();
const markedField = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marked, transaction) {
        let next = marked.map(transaction.changes);
        for (const effect of transaction.effects)
            if (effect.is(setMarked)) {
                const { doc } = transaction.state;
                const there = effect.value >= 1 && effect.value <= doc.lines;
                next = there ? Decoration.set(Decoration.line({ class: "cm-marked" }).range(doc.line(effect.value).from)) : Decoration.none;
            }
        return next;
    },
    provide: (field) => EditorView.decorations.from(field),
});

const setErrors = StateEffect.define<null>();

function diagnostics(view: EditorView, errors: readonly CodeError[]): Diagnostic[] {
    const { doc } = view.state;
    return errors
        .filter((error) => error.line >= 1 && error.line <= doc.lines)
        .map((error) => {
            const line = doc.line(error.line);
            const from = error.column > 0 ? Math.min(line.to, line.from + error.column - 1) : line.from + (line.text.length - line.text.trimStart().length);
            const word = error.column > 0 ? /^(?:[\w#.|+-]+|"[^"]*"?|.)/.exec(line.text.slice(from - line.from)) : null;
            return { from, to: word ? from + word[0].length : Math.max(from, line.to), severity: "error" as const, message: error.text };
        });
}

export function Code(props: CodeProps): JSX.Element {
    const box = useRef<HTMLDivElement>(null);
    const editor = useRef<EditorView | null>(null);
    const newest = useRef(props);
    newest.current = props;
    // Text that has been typed and reported, until the page is rendered with it: the editor then receives its own text,
    // perhaps late.
    const reported = useRef(new Set<string>());

    useEffect(() => {
        const view = new EditorView({
            parent: box.current as HTMLDivElement,
            state: EditorState.create({
                doc: props.text,
                extensions: [
                    lineNumbers(),
                    history(),
                    highlightActiveLine(),
                    closeBrackets(),
                    syntaxHighlighting(colors),
                    look,
                    notesField,
                    markedField,
                    linter((v) => diagnostics(v, newest.current.errors ?? []), {
                        delay: 0,
                        needsRefresh: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(setErrors))),
                    }),
                    // Tab moves to the next pane; Escape leaves the editor, so that the page gets its keys again.
                    keymap.of([
                        { key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (newest.current.onRun?.(), true) },
                        { key: "Escape", run: (v) => (v.contentDOM.blur(), true) },
                        ...defaultKeymap,
                        ...historyKeymap,
                        ...lintKeymap,
                    ]),
                    EditorState.readOnly.of(props.readOnly ?? false),
                    EditorView.contentAttributes.of({ "aria-label": props.label }),
                    EditorView.updateListener.of((update) => {
                        if (update.docChanged) {
                            const text = update.state.doc.toString();
                            reported.current.add(text);
                            newest.current.onChange?.(text);
                        }
                        if (update.selectionSet || update.docChanged)
                            newest.current.onLine?.(update.state.doc.lineAt(update.state.selection.main.head).number);
                    }),
                    props.extensions ?? [],
                ],
            }),
        });
        editor.current = view;
        return () => view.destroy();
    }, [props.readOnly, props.extensions]);

    useEffect(() => {
        const view = editor.current;
        if (!view)
            return;
        const same = view.state.doc.toString() === props.text;
        if (!same && reported.current.has(props.text))
            return;
        if (!same)
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: props.text } });
        reported.current.clear();
    }, [props.text]);
    useEffect(() => editor.current?.dispatch({ effects: setErrors.of(null) }), [props.errors]);
    useEffect(() => editor.current?.dispatch({ effects: setNotes.of(props.notes ?? new Map()) }), [props.notes, props.text]);

    useEffect(() => editor.current?.dispatch({ effects: setMarked.of(props.marked ?? 0) }), [props.marked]);
    useEffect(() => {
        const view = editor.current;
        const line = props.reveal?.line ?? 0;
        if (view && line >= 1 && line <= view.state.doc.lines)
            view.dispatch({ selection: { anchor: view.state.doc.line(line).from }, scrollIntoView: true });
    }, [props.reveal]);

    return <div class="code" ref={box} data-code={props.label} />;
}
