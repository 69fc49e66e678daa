// SPDX-License-Identifier: MIT
// Tests of the model, without a screen: links, rows of the tree, verdicts, the layout of commands. DP2 in the
// environment names the program, build/native/dp2 by default.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load, ROOT } from "./load.mjs";

const DP2 = process.env.DP2 ?? join(ROOT, "build/native/dp2");
const dp2 = (...words) => execFileSync(DP2, words, { encoding: "utf8", maxBuffer: 1 << 28, env: { HALCYON_LOG_LEVEL: "none" } });

test("links are read strictly and written as they are read", async () => {
    const { parseLink, formatLink, START } = await load("model/place.ts");
    const place = parseLink("#2.17/320,240/history", START);
    assert.deepEqual(place, { frame: 2, draw: 17, pixel: { x: 320, y: 240 }, pane: "history", show: "color", target: 0, before: false });
    for (const link of ["#2.17/320,240/history", "#0/state", "#12/1,2/mesh", "#3.0/shader", "#2.17/320,240/history/depth-fail", "#4/mesh/overdraw", "#2.17/history/color:1", "#2/state/touched:3", "#2/state/depth/before", "#2/state/alpha:2/before", "#2/buffers"])
        assert.equal(formatLink(parseLink(link, START)), link);
    assert.equal(formatLink(parseLink("#2/history/color", START)), "#2/history");
    assert.deepEqual(parseLink("#7", { ...START, pane: "mesh", show: "depth" }), { ...START, frame: 7, pane: "mesh", show: "depth" });
    for (const wrong of ["", "#", "#x", "#1.", "#1.2/3", "#1.2/3,4/", "#1.2/3,4/nothing", "#1.2/history/nothing", "#1.2/history/", "#1.2/depth", "#1.2/-3,4", "#-1", "#1.2/history/3,4", "#1e3", "#99999999999", "#1/history/color:0", "#1/history/color:4", "#1/history/depth:1", "#1/history/color/before", "#1/history/touched/before", "#1/history/depth/after"])
        assert.equal(parseLink(wrong, START), null, wrong);
});

test("one key goes from after a draw to before it and back, whatever is shown", async () => {
    const { flipped, START } = await load("model/place.ts");
    const twice = (place) => flipped(flipped(place));
    for (const [show, before, wanted] of [["color", false, ["before", false]], ["before", false, ["color", false]], ["depth", false, ["depth", true]], ["stencil", true, ["stencil", false]], ["alpha", false, ["alpha", true]], ["touched", false, ["before", false]]]) {
        const next = flipped({ ...START, target: 1, show, before });
        assert.deepEqual([next.show, next.before, next.target], [...wanted, 1], show);
    }
    for (const show of ["color", "depth", "stencil", "alpha"])
        assert.deepEqual(twice({ ...START, show }), { ...START, show });
});

test("every token has a sentence, and no other name has", async () => {
    const { explainedTokens } = await load("model/explain.ts");
    const tokens = JSON.parse(dp2("tokens", "--json")).tokens.filter((token) => token.bytes !== "not in a command stream");
    assert.deepEqual([...explainedTokens].sort(), tokens.map((token) => token.name).sort());
});

test("bytes after entries follow the rules of the token table", async () => {
    const { trailingBytes } = await load("model/layout.ts");
    const of = (numbers) => (name) => numbers[name] ?? 0;
    assert.equal(trailingBytes("8n", of({})), 0);
    assert.equal(trailingBytes("each 8 + 104 if op is 2", of({ op: 2 })), 104);
    assert.equal(trailingBytes("each 8 + 104 if op is 2", of({ op: 1 })), 0);
    assert.equal(trailingBytes("each 12 + decl_bytes + code_bytes", of({ decl_bytes: 20, code_bytes: 8 })), 28);
    assert.equal(trailingBytes("each 8 + 16 count", of({ count: 3 })), 48);
    assert.equal(trailingBytes("each 8 + 16 if flag 1 + 28 if flag 2", of({ flags: 3 })), 44);
    assert.equal(trailingBytes("8 + 4 entries, whatever n", of({ entries: 5 })), 20);
    assert.equal(trailingBytes("each 12 + text_bytes, padding to 4", of({ text_bytes: 5 })), 8);
});

test("the fields of every command cover its bytes without gaps", async (t) => {
    const { layout, bytesOf } = await load("model/layout.ts");
    const tokens = new Map(JSON.parse(dp2("tokens", "--json")).tokens.map((token) => [token.name, token]));
    const folder = mkdtempSync(join(tmpdir(), "halcyon-web-"));
    t.after(() => rmSync(folder, { recursive: true }));
    let seen = 0;
    for (const text of ["examples/dp2/02-triangle.dp2s", "tests/cli/multi.dp2s", "tests/cli/patches.dp2s", "tests/cli/samples.dp2s"]) {
        const capture = join(folder, "a.capture");
        dp2("asm", join(ROOT, text), "-o", capture);
        for (const command of await commandsOf(capture, folder)) {
            const fields = layout(command, tokens.get(command.token), bytesOf(command.bytes));
            let at = 0;
            for (const field of fields) {
                assert.equal(field.offset, at, `${text} ${command.token} ${field.name}`);
                at += field.size;
            }
            assert.equal(at, command.bytes.length / 2, `${text} ${command.token}`);
            seen++;
        }
    }
    assert.ok(seen > 20);
});

/** Commands with their bytes; those of a dp2 without --bytes are skipped. */
async function commandsOf(capture, folder) {
    writeFileSync(join(folder, "empty"), "");
    const dump = JSON.parse(dp2("dump", capture, "--tokens-only", "--bytes", "--json"));
    return dump.frames.flatMap((frame) => frame.events).flatMap((event) => event.commands ?? []);
}

const draw = (name, more = {}) => ({ draw: name, kind: "draw", token: "DRAWPRIMITIVE", refused: false, targets: [1], depth: 0, call: 0, offset: 16, seconds: 0, type: "TRIANGLELIST", primitives: 1, ...more });

test("the tree has levels only where they tell something apart", async () => {
    const { treeRows } = await load("model/tree.ts");
    const rows = (draws, markers = []) => treeRows(1, new Map([[0, { draws, markers }]]), new Set([0]), new Set()).map((row) => `${row.depth} ${row.kind} ${row.label}`);
    assert.deepEqual(rows([draw("0.0"), draw("0.1")]), ["0 frame frame 0", "1 action tri list", "1 action tri list"]);
    assert.deepEqual(rows([draw("0.0"), draw("0.1", { targets: [2], depth: 3 })]), [
        "0 frame frame 0", "1 pass to #1", "2 action tri list", "1 pass to #2 depth #3", "2 action tri list"]);
    assert.deepEqual(rows([draw("0.0"), draw("0.1", { call: 1 })]), [
        "0 frame frame 0", "1 call call 0", "2 action tri list", "1 call call 1", "2 action tri list"]);
    const markers = [
        { kind: "BEGIN", text: "shadows", call: 0, offset: 0 },
        { kind: "END", text: "", call: 0, offset: 20 },
        { kind: "POINT", text: "now", call: 0, offset: 24 }];
    assert.deepEqual(rows([draw("0.0"), draw("0.1", { offset: 32 })], markers), [
        "0 frame frame 0", "1 marker shadows", "2 action tri list", "1 marker now", "1 action tri list"]);
});

const twoCalls = new Map([[0, { draws: [draw("0.0"), draw("0.1", { call: 1 }), draw("0.2", { call: 1 })], markers: [] }]]);

test("equal neighbouring draws fold into a row with their cost", async () => {
    const { treeRows, rowOf, mostCost } = await load("model/tree.ts");
    const textured = (name, surface, more = {}) => draw(name, { textures: [{ sampler: 0, surface }], seconds: 0.5, written: 10, ...more });
    const draws = [textured("0.0", 7), textured("0.1", 7), textured("0.2", 7, { primitives: 5 }), textured("0.3", 8), textured("0.4", 8), draw("0.5", { kind: "clear" }), textured("0.6", 8), textured("0.7", 8), textured("0.8", 8)];
    const rows = (markers, opened = []) => treeRows(1, new Map([[0, { draws, markers }]]), new Set([0]), new Set(opened), true);
    const told = (list) => list.map((row) => `${row.depth} ${row.key} ${row.label} ${row.detail}`.trim());
    assert.deepEqual(told(rows([])), ["0 frame 0 frame 0 9", "1 0 equal 0 3 × tri list ×7 #7", "1 0.3 tri list ×1", "1 0.4 tri list ×1", "1 0.5 clear", "1 0 equal 6 3 × tri list ×3 #8"]);
    assert.deepEqual(rows([])[1].cost, { seconds: 1.5, written: 30 });
    assert.deepEqual(mostCost(rows([])).get(0), { seconds: 1.5, written: 30 });
    assert.equal(rowOf(rows([]), 0, 1), 1);
    assert.deepEqual(told(rows([], ["0 equal 0"])).slice(1, 5), ["1 0 equal 0 3 × tri list ×7 #7", "2 0.0 tri list ×1", "2 0.1 tri list ×1", "2 0.2 tri list ×5"]);
    // A state that one of them sets divides them; a place or a buffer of its vertices does not.
    draws[1].changes = ["world", "streams"];
    assert.deepEqual(told(rows([]))[1], "1 0 equal 0 3 × tri list ×7 #7");
    draws[1].changes = ["world", "ZENABLE=FALSE"];
    assert.equal(rows([]).filter((row) => row.kind === "group").length, 1);
    delete draws[1].changes;
    // A marker between equal draws divides them.
    draws.forEach((action, i) => (action.offset = 16 * i));
    assert.equal(rows([{ kind: "POINT", text: "now", call: 0, offset: 30 }]).filter((row) => row.kind === "group").length, 1);
    // Without counts there is no cost, and without the fold there are no groups.
    delete draws[1].seconds;
    assert.equal(rows([])[1].cost, undefined);
    assert.ok(treeRows(1, new Map([[0, { draws, markers: [] }]]), new Set([0]), new Set()).every((row) => row.kind !== "group"));
});

test("closed levels hide what is in them", async () => {
    const { treeRows } = await load("model/tree.ts");
    const rows = treeRows(2, twoCalls, new Set([0]), new Set(["0 call 1"]));
    assert.deepEqual(rows.map((row) => row.key), ["frame 0", "0 call 0", "0.0", "0 call 1", "frame 1"]);
    assert.equal(rows[3].draw, 2);
});

test("an action that is not there is selected by what it is in", async () => {
    const { treeRows, rowOf } = await load("model/tree.ts");
    const selected = (open, closed, frame, action) => {
        const rows = treeRows(2, twoCalls, new Set(open), new Set(closed));
        return rows[rowOf(rows, frame, action)].key;
    };
    assert.equal(selected([0], [], 0, 1), "0.1");
    assert.equal(selected([0], ["0 call 1"], 0, 1), "0 call 1");
    assert.equal(selected([0], ["0 call 0", "0 call 1"], 0, 0), "0 call 0");
    assert.equal(selected([0], ["0 call 0", "0 call 1"], 0, 2), "0 call 1");
    assert.equal(selected([], [], 0, 1), "frame 0");
    // A frame whose actions have not arrived yet.
    assert.equal(selected([0, 1], [], 1, -1), "frame 1");
    assert.equal(selected([0, 1], [], 1, 3), "frame 1");
});

test("a search shows what was found, with counts where they are known", async () => {
    const { foundRows, rowOf } = await load("model/tree.ts");
    const contents = new Map([[0, { draws: [draw("0.0"), draw("0.1", { primitives: 7, written: 5, seconds: 1 })], markers: [] }]]);
    const rows = foundRows([{ draw: "0.1", kind: "draw", token: "DRAWPRIMITIVE" }, { draw: "3.2", kind: "clear", token: "CLEAR" }], contents);
    assert.deepEqual(rows.map((row) => [row.key, row.frame, row.draw, row.label, row.detail]), [["0.1", 0, 1, "tri list", "×7"], ["3.2", 3, 2, "clear", ""]]);
    assert.deepEqual(rows.map((row) => row.cost), [{ seconds: 1, written: 5 }, undefined]);
    assert.equal(rowOf(rows, 3, 2), 1);
    assert.equal(rowOf(rows, 0, 0), -1);
});

test("the words of a search, and the suggestion of a message", async () => {
    const { searchWords, suggestionOf } = await load("model/search.ts");
    assert.deepEqual(searchWords("  ZENABLE off "), { conditions: "ZENABLE off", noted: false });
    assert.deepEqual(searchWords("Noted reads #3"), { conditions: "reads #3", noted: true });
    assert.deepEqual(searchWords("noted"), { conditions: "", noted: true });
    assert.deepEqual(suggestionOf("dp2 find: 'ZENABEL' means nothing here; did you mean 'ZENABLE'?"), { word: "ZENABEL", better: "ZENABLE" });
    assert.deepEqual(suggestionOf("FILLMODE has no value 'WIRE'; did you mean 'WIREFRAME'?"), { word: "WIRE", better: "WIREFRAME" });
    assert.equal(suggestionOf("'xyzzy' means nothing here"), null);
    // The program's own messages have the form that is read here.
    for (const [text, word, better] of [["ZENABEL off", "ZENABEL", "ZENABLE"], ["FILLMODE=WIREFRAM", "WIREFRAM", "WIREFRAME"]]) {
        let message = "";
        try {
            execFileSync(DP2, ["find", "/dev/null", text], { encoding: "utf8", stdio: "pipe" });
        } catch (error) {
            message = error.stderr;
        }
        assert.deepEqual(suggestionOf(message), { word, better }, message);
    }
});

test("notes are written, ordered, saved and read; other files are refused", async () => {
    const { Notes } = await load("model/notes.ts");
    const notes = new Notes();
    notes.write("2.10", "later </script> <b>");
    notes.write("2.9", "earlier");
    notes.write("10.0", "last");
    notes.write("2.11", "gone");
    notes.write("2.11", "  ");
    assert.deepEqual([...notes.texts.get().keys()], ["2.9", "2.10", "10.0"]);
    const file = notes.file("a.capture");
    assert.ok(!file.includes("<"));
    const other = new Notes();
    other.write("2.9", "kept until it is read");
    assert.equal(other.read(file), 3);
    assert.deepEqual([...other.texts.get()], [...notes.texts.get()]);
    assert.equal(JSON.parse(file).capture, "a.capture");
    for (const wrong of ["", "{", "null", "[]", "{}", '{"format":"dp2-notes"}', '{"format":"dp2-notes","notes":[{"draw":"x","text":"y"}]}', '{"format":"dp2-notes","notes":[{"draw":"1.2","text":3}]}', '{"format":"dp2-notes","notes":[null]}'])
        assert.throws(() => other.read(wrong), /not|note/i, wrong);
    assert.equal(other.texts.get().size, 3);
});

test("the command line of a buffer", async () => {
    const { commandLine } = await load("client/questions.ts");
    const of = { source: "stream 1", layout: "", stride: "", offset: "" };
    assert.deepEqual(commandLine({ ask: "buffer", draw: "2.1", of, first: 0, last: 9 }, "f"), ["buffer", "f", "2.1", "--stream", "1", "--rows", "0-9", "--json"]);
    assert.deepEqual(commandLine({ ask: "buffer", draw: "2.1", of: { source: "indices", layout: " UINT ", stride: "8", offset: "4" }, first: 5, last: 6 }, "f"),
        ["buffer", "f", "2.1", "--indices", "--layout", "UINT", "--stride", "8", "--offset", "4", "--rows", "5-6", "--json"]);
    assert.deepEqual(commandLine({ ask: "shot", draw: "2.1", show: "depth", before: true }, "f"), ["shot", "f", "2.1", "--show", "depth", "--before", "-o", "shot", "--json"]);
    assert.deepEqual(commandLine({ ask: "shot", draw: "2.1", show: "color", target: 1 }, "f"), ["shot", "f", "2.1", "--show", "color", "--target", "1", "-o", "shot", "--json"]);
});

test("a frame is represented by its last action that is not a present", async () => {
    const { lastShown } = await load("model/tree.ts");
    assert.equal(lastShown([draw("0.0"), draw("0.1", { kind: "present" })]), 0);
    assert.equal(lastShown([draw("0.0", { kind: "present" })]), 0);
    assert.equal(lastShown([]), -1);
});

test("verdicts say both values", async () => {
    const { verdictSentence, whyNot } = await load("model/verdict.ts");
    const fragment = { primitive: 1, front_facing: true, samples: 1, depth: [0.75], depth_test: { func: "LESSEQUAL" }, before: [{ depth: 0.5 }] };
    assert.equal(verdictSentence({ ...fragment, verdict: "depth-failed", state: "ZFUNC" }), "Depth test failed (ZFUNC): 0.75 ≤ 0.5 is false.");
    assert.match(verdictSentence({ ...fragment, verdict: "alpha-failed", alpha_test: { func: "GREATER", alpha: 3, ref: 8 } }), /3 > 8 is false/);
    assert.match(verdictSentence({ ...fragment, verdict: "stencil-failed", stencil_test: { func: "EQUAL", ref: 3, mask: 2 }, before: [{ stencil: 1 }] }), /2 = 0 is false \(mask 0x2\)/);
    assert.match(verdictSentence({ ...fragment, verdict: "killed", kills: 3, killed_by: 2 }), /2 of 3/);
    assert.match(whyNot({ reaches: true, refused: false, surface: 1, nearest: { primitive: 4, verdict: "uncovered", distance: 2.5 } }), /primitive 4, 2.5 pixels away/);
    assert.equal(whyNot({ reaches: true, refused: false, surface: 1, nearest: { primitive: 0, verdict: "no-area", distance: 2.5 } }),
        "Nearest: primitive 0, it has no area, 2.5 pixels away from the centre.");
    const lacks = [{ lack: "stream", stream: 0, text: "stream 0 has no buffer" }];
    assert.equal(whyNot({ reaches: true, refused: false, surface: 1, lacks }), "Stream 0 has no buffer.");
    assert.equal(whyNot({ reaches: true, refused: false, surface: 1, lacks, nearest: { primitive: 0, verdict: "no-data" } }),
        "Stream 0 has no buffer. Nearest: primitive 0, data of a corner are missing.");
    assert.match(whyNot({ reaches: false, refused: false, surface: 7 }), /#7/);
});

test("pictures fit their box and keep the point under the mouse", async () => {
    const { fit, zoomAt, pixelAt, zoomed } = await load("parts/zoom.ts");
    assert.deepEqual(fit({ width: 640, height: 480 }, { width: 640, height: 500 }), { scale: 1, x: 0, y: 10 });
    assert.equal(fit({ width: 16, height: 16 }, { width: 100, height: 100 }).scale, 6);
    assert.equal(fit({ width: 640, height: 480 }, { width: 1280, height: 900 }).scale, 1.75);
    assert.equal(fit({ width: 640, height: 480 }, { width: 800, height: 900 }).scale, 1);
    assert.ok(fit({ width: 640, height: 480 }, { width: 320, height: 500 }).scale === 0.5);
    const zoom = zoomAt({ scale: 1, x: 0, y: 0 }, 8, 100, 50);
    assert.deepEqual(pixelAt(zoom, { width: 640, height: 480 }, 100, 50), { x: 100, y: 50 });
    assert.equal(pixelAt(zoom, { width: 640, height: 480 }, -1e6, 0), null);
    assert.equal(zoomed(1, 1), 2);
    assert.equal(zoomed(0.87, 1), 1);
    assert.equal(zoomed(0.87, -1), 0.5);
});

test("a picture cannot leave its box", async () => {
    const { bounded, fits } = await load("parts/zoom.ts");
    const box = { width: 400, height: 200 };
    const small = { width: 100, height: 50 };
    for (const [x, y, wanted] of [[-900, -900, [0, 0]], [900, 900, [300, 150]], [30, 40, [30, 40]]])
        assert.deepEqual(bounded({ scale: 1, x, y }, small, box), { scale: 1, x: wanted[0], y: wanted[1] });
    assert.deepEqual(bounded({ scale: 8, x: -9000, y: 9000 }, small, box), { scale: 8, x: 100 - 800, y: 150 });
    assert.deepEqual(bounded({ scale: 8, x: 9000, y: -9000 }, small, box), { scale: 8, x: 300, y: 50 - 400 });
    assert.ok(fits({ scale: 4, x: 0, y: 0 }, small, box));
    assert.ok(!fits({ scale: 5, x: 0, y: 0 }, small, box));
});

test("values appear after the lines of their instructions", async () => {
    const { traceNotes, chosenRun } = await load("model/trace.ts");
    const step = (dword, assembly, value, more = {}) => ({ dword, assembly, ir: `ir of ${assembly}`, active: true, ...(value && { result: { register: "r0", value } }), ...more });
    const text = "ps_2_0\n    def c0, 1, 0, 0, 0\n    mov r0,  c0\n    mov r0, c0\n    nrm r1.xyz, r0\n    texkill r1\n    mov oC0, r0\n";
    const run = { steps: [
        step(7, "mov r0, c0", [1, 0, 0, 0]), step(10, "mov r0, c0", [2, null, 0, 0]),
        { ...step(13, "nrm r1.xyz, r0", [9, null, null, null]), ir: "dp3" }, { ...step(13, "nrm r1.xyz, r0", [0.5, 0.25, 0, null]), ir: "mul" },
        step(16, "texkill r1", null, { killed: true }), step(18, "mov oC0, r0", null, { active: false })] };
    assert.deepEqual([...traceNotes(run, text)], [[3, "1  0  0  0"], [4, "2  –  0  0"], [5, "0.5  0.25  0  –"], [6, "killed"], [7, "not active"]]);
    const loop = { steps: [step(7, "mov r0, c0", [1, 0, 0, 0]), step(7, "mov r0, c0", [3, 0, 0, 0])] };
    assert.deepEqual([...traceNotes(loop, text)], [[3, "3  0  0  0   ×2"]]);
    const runs = [{ primitive: 3, fragment: { verdict: "written" } }, { primitive: 5, fragment: { verdict: "culled" } }];
    assert.equal(chosenRun(runs, -1), 0);
    assert.equal(chosenRun(runs, 5), 1);
    assert.equal(chosenRun([], 5), -1);
});

test("draws are told apart by textures and shaders", async () => {
    const { actionTags } = await load("model/tree.ts");
    const draw = { kind: "draw", textures: [{ sampler: 0, surface: 5 }, { sampler: 1, surface: 7 }, { sampler: 2, surface: 5 }], vertex_shader: 0, pixel_shader: 3 };
    assert.equal(actionTags(draw), "#5 #7 ps3");
    assert.equal(actionTags({ ...draw, textures: [], vertex_shader: 9 }), "vs9 ps3");
    assert.equal(actionTags({ kind: "clear" }), "");
});

test("events and commands pair with the calls of the newer interface, and with lines of the text", async () => {
    const { faceRows, rowOfLine } = await load("model/faces.ts");
    const call = (name, command, args = {}) => ({ function: name, arguments: args, ...(command !== undefined && { command }) });
    const dump = { frames: [{ frame: 0, offset: 0, events: [
        { event: "surfaces", parts: [{ width: 4, height: 2, format: "L8", bytes: 0 }], calls: [call("pfnCreateResource")] },
        { event: "memory", id: 1, row_count: 2, slice_count: 1, row_bytes: 4, calls: [call("pfnLock"), call("pfnUnlock")] },
        { event: "draw", context: 1, calls: [call("pfnSetRenderState", 0), call("pfnSetRenderState", 0), call("pfnClear", 20), call("pfnFlush")], commands: [
            { offset: 0, token: "RENDERSTATE", n: 2, entries: [{ state: "ZENABLE", value: "TRUE" }, { state: "FOGENABLE", value: "FALSE" }] },
            { offset: 20, token: "CLEAR", n: 1, flags: "TARGET", entries: [] }] }] }] };
    const source = {
        lines: [{ event: "surfaces", line: 1 }, { event: "memory", line: 2 }, { event: "draw", line: 4, commands: [{ offset: 0, line: 5 }, { offset: 20, line: 7 }] }],
        calls: [{ text: "CreateSurface of 1 part, 4x2", answer: "DD_OK" }, { text: "Lock handle 9, flags 0", answer: "DD_OK" }, { text: "Lock handle 1, flags 0", answer: "0x88760bb8" }, { text: "DrawPrimitives2 context 1", answer: "DD_OK" }],
    };
    const rows = faceRows(dump, source, 0);
    assert.deepEqual(rows.map(({ step, line, name, answer, call: made }) => [step, line, name, answer, made?.function]), [
        [0, 1, "CreateSurface", "DD_OK", "pfnCreateResource"],
        [1, 2, "Lock", "0x88760bb8", "pfnLock"], [1, 2, "", null, "pfnUnlock"],
        [2, 4, "DrawPrimitives2", "DD_OK", undefined],
        [3, 5, "RENDERSTATE", null, "pfnSetRenderState"], [3, 5, "", null, "pfnSetRenderState"],
        [4, 7, "CLEAR", null, "pfnClear"],
        [5, 4, "end of the batch", null, "pfnFlush"]]);
    assert.equal(rows[5].text, "state=FOGENABLE value=FALSE");
    assert.deepEqual([1, 3, 6, 9].map((line) => rows[rowOfLine(rows, line)].name), ["CreateSurface", "Lock", "RENDERSTATE", "CLEAR"]);
    assert.equal(rowOfLine(faceRows(dump, null, 0), 3), -1);
});

test("actions have the lines of the text in which they begin", async () => {
    const { lineOfAction } = await load("model/lines.ts");
    const folder = mkdtempSync(join(tmpdir(), "halcyon-web-"));
    const linesOf = (text) => {
        const capture = join(folder, "a.capture");
        const { events } = JSON.parse(dp2("asm", join(ROOT, text), "-o", capture, "--json"));
        const source = readFileSync(join(ROOT, text), "utf8").split("\n");
        return JSON.parse(dp2("draws", capture, "--names", "--json")).frames.flatMap(({ frame, draws }) =>
            draws.map((action, at) => {
                const line = lineOfAction(events, frame, draws, at);
                return { action, place: `${text}:${line}`, said: source[line - 1].trim() };
            }));
    };
    try {
        const actions = [...linesOf("tests/cli/multi.dp2s"), ...linesOf("tests/cli/sprites.dp2s"), ...linesOf("examples/dp2/05-depth.dp2s")];
        assert.ok(actions.length > 15);
        for (const { action, place, said } of actions)
            assert.ok(said.startsWith(action.token) || said.startsWith(`draw c { ${action.token}`) || said.includes(`} ${action.token}`), `${place} ${action.draw} ${action.token}: ${said}`);
        assert.equal(new Set(actions.map(({ place }) => place)).size, actions.length, "no two actions of these texts begin in one line");
    } finally {
        rmSync(folder, { recursive: true });
    }
    assert.equal(lineOfAction([], 0, [draw("0.0")], 0), 0);
});

test("streams are packed into links and back", async () => {
    const { packed, unpacked } = await load("playground/share.ts");
    const text = "create target s 8x8 X8R8G8B8 // ü\n".repeat(50);
    const link = await packed(text);
    assert.match(link, /^[\w-]+$/);
    assert.ok(link.length < 120, `${link.length}`);
    assert.equal(await unpacked(link), text);
    await assert.rejects(unpacked("AAAA"));
    await assert.rejects(unpacked(await packed("x".repeat((1 << 20) + 1))), /more text/);
});

test("the assembly of a stream gets the values of its lines", async () => {
    const { assemblyIn, valuesIn } = await load("playground/values.ts");
    const stream = 'draw c {\n // asm("none")\n A {code=asm("\n vs_1_1\n mov oPos, v0\n")}\n B {code=asm("ps_2_0\n mov r0, c0 ; red\n mov oC0, r0")}\n}\n';
    assert.deepEqual(assemblyIn(stream).map(({ line }) => line), [3, 7]);
    const step = (dword, assembly, value) => ({ dword, assembly, ir: assembly, active: true, result: { register: "r0", value } });
    assert.deepEqual([...valuesIn(stream, { steps: [step(1, "mov r0, c0", [1, 0, 0, 1]), step(4, "mov oC0, r0", [1, 0, 0, 1])] })], [[8, "1  0  0  1"], [9, "1  0  0  1"]]);
});

test("messages of the assembler name their lines", async () => {
    const { codeErrors } = await load("panes/shader.tsx");
    assert.deepEqual(codeErrors('dp2 edit: pixel-1.asm:3:5: no instruction is called "mvo"; did you mean "mov"?'), [{ line: 3, column: 5, text: 'no instruction is called "mvo"; did you mean "mov"?' }]);
    assert.deepEqual(codeErrors("dp2 edit: out of memory"), []);
});

test("a mesh that is turned has all corners that are numbers, whatever the others are", async () => {
    const { turnedMesh, UNTURNED } = await load("parts/orbit.ts");
    const triangle = (corners) => [{ primitive: 0, verdict: "drawn", planes: [], corners }];
    const corner = (clip, missing = false) => ({ vertex: 0, missing, clip });
    const whole = [corner([0, 0, 0, 2]), corner([1, 0, 0, 2]), corner([0, 1, 0, 2])];
    const expected = turnedMesh(triangle(whole), 1, UNTURNED).points;
    assert.ok([...expected].every(Number.isFinite));
    /* a vertex that reaches beyond its streams is drawn; a vertex that is not a number is given as bits and has no
     * position */
    const beyond = whole.map(({ clip }) => corner(clip, true));
    assert.deepEqual([...turnedMesh(triangle(beyond), 1, UNTURNED).points], [...expected]);
    const odd = [...whole, corner([0, "0x7fc00000", 0, 2])];
    assert.deepEqual([...turnedMesh(triangle(odd), 1, UNTURNED).points], [...expected, NaN, NaN]);
});
