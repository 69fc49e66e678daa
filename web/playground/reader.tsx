// SPDX-License-Identifier: MIT
// The column of text: the lesson with its task, or a page of the documents.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Lesson, Page } from "./lessons";
import { Markdown, type Links } from "./markdown";

interface LessonTextProps {
    lesson: Lesson;
    number: number;
    count: number;
    solved: boolean;
    /** The result of the checks for the newest picture; null: nothing has been drawn yet. */
    failed: string[] | null;
    /** That picture is of the text as it is now. */
    fresh: boolean;
    links: Links;
    onSolution: () => void;
    onReset: () => void;
    onNext: () => void;
}

export function LessonText(props: LessonTextProps): JSX.Element {
    const { lesson, failed, links } = props;
    const [hint, setHint] = useState(false);
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => {
        setHint(false);
        box.current?.scrollTo(0, 0);
    }, [lesson.id]);
    const passes = props.fresh && failed !== null && failed.length === 0;
    const result = failed === null || !props.fresh ? "waiting" : passes ? "passes" : "fails";
    return (
        <div class="reader scroll" ref={box} tabIndex={-1} data-lesson={lesson.id}>
            <p class="dim">
                {props.number <= props.count && `lesson ${props.number} of ${props.count}`}
                {props.solved && <span class="good"> · solved</span>}
            </p>
            <h1>{lesson.title}</h1>
            <Markdown text={lesson.text} links={links} />
            {lesson.task && <section class={passes ? "task passes" : "task"} aria-label="task">
                <h2>Task</h2>
                <Markdown text={lesson.task} links={links} />
                <div role="status" class={props.fresh ? "" : "earlier"} data-result={result}>
                    {passes && <p class="good">Right.</p>}
                    {failed?.map((said) => (
                        <p class="said" key={said}>
                            {said}
                        </p>
                    ))}
                </div>
                <div class="buttons">
                    <button type="button" data-control="hint" aria-expanded={hint} onClick={() => setHint(!hint)}>
                        hint
                    </button>
                    <button type="button" data-control="reset" onClick={props.onReset}>
                        start over
                    </button>
                    <button type="button" data-control="solution" onClick={props.onSolution}>
                        show a solution
                    </button>
                    {passes && props.number < props.count && (
                        <button type="button" data-control="next" class="primary" onClick={props.onNext}>
                            next lesson
                        </button>
                    )}
                </div>
                {hint && <Markdown text={lesson.hint} links={links} />}
            </section>}
            <h2>See also</h2>
            <Markdown text={lesson.see} links={links} />
        </div>
    );
}

interface PageTextProps {
    page: Page;
    anchor: string;
    links: Links;
    onBack: () => void;
}

export function PageText({ page, anchor, links, onBack }: PageTextProps): JSX.Element {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => {
        const target = anchor ? box.current?.querySelector<HTMLElement>(`[id="${CSS.escape(anchor)}"]`) : null;
        if (target)
            target.scrollIntoView();
        else
            box.current?.scrollTo(0, 0);
    }, [page, anchor]);
    return (
        <div class="reader scroll" ref={box} tabIndex={-1} data-page={page.path}>
            <p>
                <button type="button" class="link" data-control="back" onClick={onBack}>
                    ← to the lesson
                </button>{" "}
                <span class="dim mono">{page.path}</span>
            </p>
            <Markdown text={page.text} links={{ ...links, folder: page.path.replace(/[^/]*$/, "").replace(/\/$/, "") }} />
        </div>
    );
}
