// SPDX-License-Identifier: MIT
// Starts the playground's two engines and shows it.
import { render } from "preact";
import { WorkerEngine } from "../client/worker_engine";
import { engineModule, engineScript } from "../view/parts";
import { App } from "./app";
import { Bench } from "./bench";
import { failures } from "./checks";
import { embeddedCourse } from "./lessons";

const root = document.getElementById("page") as HTMLElement;

async function start(): Promise<void> {
    const course = embeddedCourse();
    const module = await engineModule();
    const script = engineScript();
    // The second engine's driver logs its calls.
    const bench = new Bench(new WorkerEngine({ script, module }), new WorkerEngine({ script, module, environment: { HALCYON_LOG_LEVEL: "debug" } }));
    render(<App course={course} bench={bench} />, root);
    // For tests: the result of a lesson's checks for a stream, from the page's own engine.
    Object.assign(globalThis, {
        playground: {
            lessons: course.lessons,
            judge: async (id: string, text: string) => {
                const lesson = course.lessons.find((l) => l.id === id);
                if (!lesson)
                    throw new Error(`no lesson ${id}`);
                return failures(lesson.checks, await bench.resultOf(text), await bench.resultOf(lesson.start));
            },
        },
    });
}

start().catch((error: unknown) => {
    render(
        <p class="notice error" role="alert">
            {error instanceof Error ? error.message : String(error)}
        </p>,
        root,
    );
});
