// SPDX-License-Identifier: MIT
// The page: finds its capture, opens it, and shows it or an error.
import { render, type JSX } from "preact";
import { WorkerEngine } from "../client/worker_engine";
import { parseLink, START } from "../model/place";
import { Session } from "../model/session";
import { View } from "../model/view";
import { App } from "./app";
import { PageFile } from "../model/page_file";
import { rememberNotes } from "../model/remembered";
import { embeddedCapture, embeddedNotes, engineModule, engineScript, sampleText, savedPage } from "./parts";

const root = document.getElementById("page") as HTMLElement;

function say(text: string, kind: "error" | "" = ""): void {
    show(
        <div class="opening">
            <p class={`notice ${kind}`} role={kind ? "alert" : "status"} data-message={kind || "waiting"}>
                {text}
            </p>
            {kind && <Chooser />}
        </div>,
    );
}

function show(content: JSX.Element): void {
    render(content, root);
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** The reason alone: the page names the file, not the verb that read it. */
function reasonOf(error: unknown): string {
    const reason = messageOf(error).replace(/^dp2 \w+: (?:capture: )?/gm, "");
    if (/^not a capture file/.test(reason))
        return "It is not a capture of Halcyon (a .capture file, or .capture.part).";
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1).trimEnd().replace(/[^.!?]$/, "$&.")}`;
}

let opened: Session | null = null;

async function open(name: string, data: ArrayBuffer, notes = ""): Promise<void> {
    opened?.close();
    opened = null;
    try {
        say(`Opening ${name} …`);
        const module = await engineModule();
        const script = engineScript();
        const session = await Session.open(new WorkerEngine({ script, module }), new WorkerEngine({ script, module }), data, name, () => new WorkerEngine({ script, module }));
        opened = session;
        document.title = `${name} – dp2 view`;
        const view = new View(session, parseLink(location.hash, START) ?? START);
        rememberNotes(view, notes);
        show(
            <PageFile.Provider value={savedPage}>
                <App key={name} view={view} onOpen={(file) => void openFile(file)} />
            </PageFile.Provider>,
        );
    } catch (error) {
        say(`${name} cannot be shown. ${reasonOf(error)}`, "error");
    }
}

/** A capture of the sample's stream. */
async function openSample(): Promise<void> {
    say("Drawing the sample …");
    const engine = new WorkerEngine({ script: engineScript(), module: await engineModule() });
    try {
        await engine.put("sample.dp2s", sampleText());
        const made = await engine.run(["asm", "sample.dp2s", "-o", "sample.capture"], "sample");
        const data = await engine.get("sample.capture");
        if (!data)
            throw new Error(made.messages);
        await open("sample.capture", data);
    } catch (error) {
        say(`The sample cannot be shown. ${reasonOf(error)}`, "error");
    } finally {
        engine.close();
    }
}

async function openFile(file: File | undefined): Promise<void> {
    if (!file)
        return;
    // The address names a place of the capture that was open.
    if (opened)
        history.replaceState(null, "", "#");
    await open(file.name, await file.arrayBuffer());
}

function Chooser(): JSX.Element {
    return (
        <>
            <label class="chooser">
                Choose a capture, or drop one here: <input type="file" data-control="file" onChange={(event) => void openFile(event.currentTarget.files?.[0])} />
            </label>
            <p class="notice">
                Or{" "}
                <button type="button" data-control="sample" onClick={() => void openSample()}>
                    try the sample
                </button>
                , a room with a fault: click the black part of its wall to read why it is black.
            </p>
        </>
    );
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
    event.preventDefault();
    void openFile(event.dataTransfer?.files[0]);
});

try {
    const capture = embeddedCapture();
    if (capture)
        void open(capture.name, capture.data, embeddedNotes());
    else
        show(
            <div class="opening">
                <h1>The frame debugger of Halcyon</h1>
                <p class="notice">It shows captures of Direct3D 8 and 9 programs, drawn again in this page. Nothing leaves it.</p>
                <Chooser />
            </div>,
        );
} catch (error) {
    say(messageOf(error), "error");
}
