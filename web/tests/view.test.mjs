// SPDX-License-Identifier: MIT
// The page of `dp2 view` in headless Chromium, on captures made of text.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, assemble, canvas, choose, clickPixel, dp2, drawn, hold, open, pack, path, release, settled, shot, start, stop, text, view } from "./browser.mjs";
import { ROOT } from "./load.mjs";
import { DEPTH, SHADER_TWICE } from "./texts.mjs";

const MULTI = join(ROOT, "tests/cli/multi.dp2s");
const SPRITES = join(ROOT, "tests/cli/sprites.dp2s");
const SHADER = join(ROOT, "examples/dp2/11-shader.dp2s");
const SHOWS = ["color", "before", "alpha", "depth", "stencil", "touched", "overdraw", "quad-overdraw", "wireframe", "depth-fail", "mip", "triangle-size", "coverage"];

before(start);
after(stop);

function same(shown, wanted, what) {
    assert.equal(`${shown.width}x${shown.height}`, `${wanted.width}x${wanted.height}`, what);
    const at = shown.pixels.findIndex((value, i) => i % 4 !== 3 && value !== wanted.pixels[i]);
    assert.equal(at, -1, `${what}: pixel ${at >> 2} differs`);
}

test("a capture opens, asks the network for nothing, and nothing goes wrong", async () => {
    const page = await view(assemble(MULTI));
    assert.match(await page.title(), /^scene\.capture/);
    assert.equal((await page.$$("[data-frame]")).length, 6);
    await page.waitForFunction(() => document.querySelectorAll("[data-frame] canvas").length === 6);
    assert.deepEqual(page.requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
    assert.equal(page.requests.filter((url) => url.startsWith("file:")).length, 1);
    const refused = await page.evaluate(() => fetch("https://example.org/").then(() => "answered", () => "refused"));
    assert.equal(refused, "refused");
    assert.deepEqual(page.problems.filter((problem) => !/Content Security Policy/.test(problem)), []);
    await page.close();
});

test("the canvas has the pixels of dp2 shot, whatever it shows", async () => {
    const capture = assemble(MULTI);
    const page = await view(capture);
    for (const draw of ["1.0", "2.0", "4.0", "5.1"]) {
        await choose(page, draw);
        for (const show of SHOWS) {
            await page.select("[data-control=show]", show);
            await settled(page);
            let wanted;
            try {
                wanted = shot(capture, draw, show);
            } catch {
                assert.ok(await page.$(".output .notice.error"), `${draw} ${show}: dp2 refuses, the page shows it`);
                continue;
            }
            same(await canvas(page), wanted, `${draw} ${show}`);
        }
        await page.select("[data-control=show]", "color");
        await settled(page);
    }
    await page.close();
});

test("a click on a pixel tells its history in words, with links to draws", async () => {
    const page = await view(assemble(DEPTH));
    await clickPixel(page, 10, 10);
    await page.waitForSelector("[data-history]");
    await settled(page);
    const verdicts = await page.$$eval("[data-verdict]", (list) => list.map((e) => `${e.closest("[data-history]").dataset.history} ${e.dataset.verdict}`));
    assert.deepEqual(verdicts, ["0.1 written", "0.2 depth-failed", "0.3 culled"]);
    assert.match(await text(page, "[data-history='0.2'] [data-verdict]"), /Depth test failed: 0\.75\d* ≤ 0\.25\d* is false/);
    await page.click("[data-goto='0.1']");
    await drawn(page, "0.1");
    assert.equal(await page.evaluate(() => location.hash), "#0.1/10,10/history");
    // The reason why the draw does not reach a pixel.
    await clickPixel(page, 60, 40);
    await page.waitForSelector("[data-why='0.1'] .sentence");
    assert.match(await text(page, "[data-why='0.1']"), /Nearest: primitive 0, .* pixels away/);
    await page.close();
});

test("a program of DirectDraw: keys, clip lists, locks and palettes in the history, a surface in the colours of its palette", async () => {
    const capture = assemble(SPRITES);
    const page = await view(capture, { link: "#0.6" });
    same(await canvas(page), shot(capture, "0.6"), "0.6");
    await clickPixel(page, 11, 6); // yellow in the end, and without the destination key
    await page.waitForSelector("[data-history]");
    await settled(page);
    const rows = () => page.$$eval("[data-history], [data-between]", (list) => list.map((e) => `${e.dataset.history ?? e.dataset.between} ${e.querySelector("[data-blit]")?.dataset.blit ?? ""}`.trim()));
    assert.deepEqual(await rows(), ["0.1 filled", "0.5 filled", "0.6 clipped", "0.7"]);
    await clickPixel(page, 13, 6);
    await page.waitForSelector("[data-blit=destination-keyed]");
    assert.match(await text(page, "[data-blit=destination-keyed]"), /does not have the destination key 0x2/);
    await clickPixel(page, 2, 8);
    await page.waitForSelector("[data-history='0.4'] [data-blit=copied]");
    assert.match(await text(page, "[data-history='0.4'] [data-blit=copied]"), /^Copied: texel 0x05 of #3 at 0,2, stretched\.$/);
    await choose(page, "1.0");
    await clickPixel(page, 11, 5);
    await page.waitForSelector("[data-between=palette-entry]");
    await settled(page);
    assert.deepEqual(await rows(), ["palette-entry", "1.0 shown"]);
    assert.match(await text(page, "[data-between=palette-entry]"), /entry 4 of palette 7 has another colour/);
    // The surface, and its palette.
    await page.click("[data-tab=textures]");
    await page.waitForSelector("[data-surface='1']");
    await page.click("[data-surface='1']");
    await page.waitForSelector("[data-palette='7'] [data-entry='4']");
    await settled(page);
    assert.equal((await page.$$("[data-palette='7'] [data-entry]")).length, 256);
    assert.equal(await page.$eval("[data-palette='7'] [data-entry='4']", (e) => e.title), "4: #f0e040");
    same(await canvas(page, "[data-texture='1'] canvas.picture"), shot(capture, "1.0"), "the surface");
    await page.click("[data-tab=state]");
    await settled(page);
    assert.match(await text(page, "[data-pane=state]"), /primary surface, front buffer/);
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("an edited shader runs, an error is shown at its line, and the original comes back", async () => {
    const capture = assemble(SHADER);
    const page = await view(capture, { link: "#0/80,60/shader" });
    await page.waitForSelector("[data-code='pixel shader'] .cm-line");
    const original = await canvas(page);
    const group = ask("state", capture, "0.1").groups.find((g) => g.group === "pixel shader");
    const lines = group.values.find((value) => value.name === "assembly").text.split("\n");
    assert.equal(await text(page, ".cm-line"), lines[0]);

    const last = lines.findLastIndex((line) => line.includes("mov oC0"));
    const code = lines.map((line, i) => (i === last ? "    mov r0, c0.y\n    mov oC0, r0" : line)).join("\n");
    await setCode(page, code);
    await page.click("[data-run=shader]");
    await page.waitForSelector("[data-edited=true]");
    await settled(page);
    writeFileSync(path("new.psa"), code);
    dp2("edit", capture, "--pixel-shader", "1=" + path("new.psa"), "-o", path("edited.capture"));
    const wanted = shot(path("edited.capture"), "0.1");
    same(await canvas(page), wanted, "edited");
    assert.notDeepEqual(wanted.pixels, original.pixels);

    await setCode(page, code.replace("mov r0, c0.y", "nonsense r0"));
    await page.click("[data-run=shader]");
    await page.waitForSelector(".editor .notice.error");
    await page.waitForSelector(".cm-lintRange-error");
    assert.match(await text(page, ".editor .notice.error"), /nonsense/);
    same(await canvas(page), wanted, "still the one that ran");

    await page.click("[data-run=original]");
    await page.waitForSelector("[data-edited=false]");
    await settled(page);
    same(await canvas(page), original, "original");
    await page.close();
});

test("the values of the chosen pixel appear after the instructions", async () => {
    const capture = assemble(SHADER);
    const page = await view(capture, { link: "#0.1/80,60/shader" });
    await page.waitForSelector(".cm-note");
    const notes = await page.$$eval(".cm-note", (list) => list.map((note) => [note.closest(".cm-line").firstChild.textContent + note.closest(".cm-line").textContent, note.textContent]));
    const [run] = ask("trace", capture, "0.1", "80,60").runs;
    assert.equal(notes.length, new Set(run.steps.flatMap((step) => step.dword ?? [])).size);
    const out = run.steps.findLast((step) => step.result).result.value.map((value) => String(Number(value.toPrecision(4)))).join("  ");
    assert.equal(notes.at(-1)[1], out);
    // The vertex stage has no shader here, so the driver's own program is shown.
    await page.click("[data-tab=vertex]");
    await page.waitForSelector(".editor .bar");
    await page.close();
});

async function setCode(page, code) {
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.evaluate((t) => document.execCommand("insertText", false, t), code);
}

test("a link leads to a draw, a pixel and a pane; the address follows, and anything that is not a place is refused", async () => {
    const page = await view(assemble(MULTI), { link: "#5.1/5,6/state" });
    await drawn(page, "5.1");
    await page.waitForSelector("[data-pane=state] [data-state]");
    assert.match(await text(page, "[data-readout=pixel]"), /^5,6 /);
    await page.evaluate(() => (location.hash = "#4.0/history"));
    await drawn(page, "4.0");
    await page.keyboard.press(",");
    await page.waitForFunction(() => location.hash.startsWith("#3/") || location.hash.startsWith("#3."));
    await page.evaluate(() => (location.hash = "#9.9.9/nothing"));
    await page.waitForFunction(() => location.hash.startsWith("#3"));
    await page.evaluate(() => (location.hash = "#3/state/depth"));
    await page.waitForFunction(() => document.querySelector("[data-control=show]").value === "depth");
    await page.select("[data-control=show]", "overdraw");
    await page.waitForFunction(() => location.hash === "#3/state/overdraw");
    await page.evaluate(() => (location.hash = "#3.77/history"));
    await page.waitForSelector(".output .notice.error");
    assert.match(await text(page, ".output .notice.error"), /there is no 3\.77/);
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("panes show the state with its changes, textures, meshes, commands with their bytes", async () => {
    const page = await view(assemble(MULTI), { link: "#1.0/state" });
    await page.waitForSelector("[data-state=CULLMODE]");
    assert.match(await text(page, "[data-state=CULLMODE]"), /NONE/);
    await page.click("[data-filter=changed]");
    await page.waitForSelector(".state-row.changed");

    await page.keyboard.press("3");
    await page.waitForSelector("[data-list=surfaces] [data-surface]");
    await page.waitForSelector("[data-picture=texture] canvas.picture");
    const surfaces = ask("textures", path("scene.capture"), "--frame", "1").textures;
    assert.equal((await page.$$("[data-surface]")).length, surfaces.length);

    await page.keyboard.press("4");
    await page.waitForSelector("[data-list=vertices] [data-primitive='1']");
    await page.hover("[data-list=vertices] [data-primitive='1']");
    await page.waitForSelector("[data-primitive='1'] .pointed");

    await page.keyboard.press("6");
    await page.waitForSelector("[data-command=DRAWPRIMITIVE] [data-explained]");
    assert.match(await text(page, "[data-explained]"), /^Draws 2 primitives, TRIANGLESTRIP, from vertex 0 on\.$/);
    const bytes = await page.$$eval(".fields .hex", (list) => list.map((e) => e.textContent).join(" "));
    const command = ask("dump", path("scene.capture"), "--frame", "1", "--bytes").frames[0].events.flatMap((e) => e.commands ?? []).find((c) => c.token === "DRAWPRIMITIVE");
    assert.equal(bytes.replaceAll(/\s/g, ""), command.bytes);
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("a search finds draws of frames that have not been opened", async () => {
    const page = await view(assemble(MULTI), { link: "#1/history" });
    await drawn(page);
    await page.focus("[data-search=events]");
    await page.keyboard.type("5.1");
    await page.waitForSelector("[data-found=all]");
    await page.waitForSelector('[data-list=events] [data-row="5.1"]');
    await page.keyboard.press("ArrowDown");
    await drawn(page, "5.1");
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("equal draws fold, open by the keyboard, and have bars for time and pixels", async () => {
    const triangle = "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n";
    const page = await view(assemble(readFileSync(join(ROOT, "examples/dp2/02-triangle.dp2s"), "utf8").replace(/^\s*DRAWPRIMITIVE .*\n/m, triangle.repeat(5))), { link: "#0/history" });
    await drawn(page);
    const rows = () => page.$$eval("[data-list=events] [data-row]", (list) => list.map((e) => e.dataset.row));
    const whole = await rows();
    assert.equal(whole.filter((name) => name === "group").length, 0);
    await page.waitForSelector("[data-list=events] [data-cost]");
    await page.click("[data-control=fold]");
    await page.waitForSelector("[data-list=events] [data-row=group]");
    assert.equal((await rows()).length, whole.length - 4);
    const sum = await page.$eval("[data-row=group] [data-cost]", (e) => Number(e.dataset.cost));
    assert.equal(sum, ask("draws", path("scene.capture")).frames[0].draws.reduce((all, { kind, written }) => all + (kind === "draw" ? written : 0), 0));
    await page.click("[data-row=group]");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((count) => document.querySelectorAll("[data-list=events] [data-row]").length === count, {}, whole.length + 1);
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("a keyboard alone reaches everything", async () => {
    const page = await view(assemble(MULTI), { link: "#1.0/history" });
    const stops = new Set();
    for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        stops.add(await page.evaluate(() => {
            const e = document.activeElement;
            return e.dataset.list ?? e.dataset.picture ?? e.dataset.control ?? e.dataset.tab ?? e.dataset.search ?? e.getAttribute("role") ?? e.tagName;
        }));
    }
    for (const stop of ["place", "frames", "events", "show", "output", "history", "separator"])
        assert.ok(stops.has(stop), `Tab reaches ${stop}: ${[...stops]}`);

    await page.keyboard.press("f");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => location.hash.startsWith("#2/"));
    await page.keyboard.press("e");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => location.hash.startsWith("#3/"));
    await page.waitForSelector('[data-list=events] [data-row="3.0"]');
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => location.hash.startsWith("#3.0/"));
    await page.keyboard.press("o");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => location.hash.includes("/32,25/"));
    await page.waitForSelector("[data-history], [data-why]");
    await page.keyboard.press("s");
    await page.waitForFunction(() => document.querySelector("[data-control=show]").value === "before");
    for (const [key, pane] of [["2", "state"], ["3", "textures"], ["4", "mesh"], ["5", "shader"], ["6", "stream"], ["7", "capture"], ["8", "interfaces"], ["1", "history"]]) {
        await page.keyboard.press(key);
        await page.waitForSelector(`[data-pane=${pane}]`);
        await page.keyboard.press("p");
        assert.ok(await page.evaluate(() => document.activeElement.closest("[role=tabpanel]")), pane);
    }
    await page.keyboard.press("?");
    await page.waitForSelector("[role=dialog]");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("[role=dialog]"));
    await page.keyboard.press("/");
    await page.keyboard.type("clear");
    await page.waitForFunction(() => [...document.querySelectorAll("[data-list=events] [role=treeitem]")].every((row) => row.textContent.includes("clear")));
    // Everything that can be clicked is a control that Tab reaches, or belongs to a list that Tab reaches.
    const unreachable = await page.$$eval("button, a, select, input, summary", (list) => list.filter((e) => e.tabIndex < 0 && e.getAttribute("role") !== "tab").map((e) => e.outerHTML));
    assert.deepEqual(unreachable, []);
    await page.close();
});

test("keys that come before the answers do what they do after them", async () => {
    const page = await view(assemble(MULTI), { link: "#1/history" });
    const selected = () => page.$eval("[data-list=events] [aria-selected=true]", (row) => /frame \d+/.exec(row.innerText)?.[0]);
    // Among frames whose actions have not arrived yet, the down key goes to the next frame, not to the top of the tree.
    await hold(page);
    await page.keyboard.press("f");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("e");
    assert.equal(await selected(), "frame 2");
    await page.keyboard.press("ArrowDown");
    assert.equal(await selected(), "frame 3");
    assert.match(await page.evaluate(() => location.hash), /^#3\//);
    // Moves by actions wait for the names, each for the one before it.
    for (let i = 0; i < 2; i++)
        await page.keyboard.press(".");
    await release(page);
    await page.waitForFunction(() => location.hash.startsWith("#5.0/"));
    await drawn(page, "5.0");
    // The output keeps its picture and the keyboard while it waits.
    await page.keyboard.press("o");
    await hold(page);
    await page.evaluate(() => (location.hash = "#0/history"));
    await page.waitForSelector(".output[data-waiting=true]");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.picture), "output");
    await release(page);
    await drawn(page, "0.0");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.picture), "output");
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("code that has been typed outlives the way to another frame", async () => {
    const page = await view(assemble(SHADER_TWICE), { link: "#0/shader" });
    await page.waitForSelector("[data-code='pixel shader'] .cm-line");
    await setCode(page, "ps_2_0\n// typed\n");
    await hold(page);
    await page.evaluate(() => (location.hash = "#1/shader"));
    await page.waitForSelector(".output[data-waiting=true]");
    await release(page);
    await drawn(page, "1.0");
    assert.match(await text(page, ".cm-content"), /typed/);
    await page.close();
});

test("light and dark: as in the system, or as selected", async () => {
    const luminance = async (page) => Number(/\d+/.exec(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))[0]);
    const system = async (page, scheme) => {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await settled(page);
    };
    const page = await view(assemble(DEPTH), { scheme: "dark" });

    assert.ok((await luminance(page)) < 50);
    await system(page, "light");
    assert.ok((await luminance(page)) > 200);
    for (const [told, is] of [["light", (value) => value > 200], ["dark", (value) => value < 50]]) {
        await page.keyboard.press("t");
        await page.waitForSelector(`button[title^="colors: ${told}"]`);
        for (const scheme of ["light", "dark"]) {
            await system(page, scheme);
            assert.ok(is(await luminance(page)), `${told} where the system is ${scheme}`);
        }
    }
    await page.close();

    const message = await open(packBytes(Buffer.from("no capture at all")), { scheme: "dark" });
    await message.waitForSelector("[data-message=error]");
    await message.evaluate(() => localStorage.clear());
    await message.reload();
    await message.waitForSelector("[data-message=error]");
    assert.ok((await luminance(message)) < 50);
    await message.close();
});

/** The page with arbitrary bytes in place of the capture. */
function packBytes(bytes) {
    const address = pack(assemble(DEPTH));
    const file = address.slice("file://".length);
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, whole.replace(/(id="capture" data-name="[^"]*">)[^<]*/, (_, head) => head + Buffer.from(bytes).toString("base64")));
    return address;
}

test("without a capture there is a sample; a frame is saved as text; b flips before and after", async () => {
    dp2("view", "--template", process.env.TEMPLATE ?? join(ROOT, "build/web/view.html"), "-o", path("empty.html"));
    const page = await open(`file://${path("empty.html")}`);
    await page.click("[data-control=sample]");
    await drawn(page);
    const native = assemble(join(ROOT, "examples/dp2/10-patch.dp2s"), "sample.capture");
    const [last] = ask("draws", native).frames[0].draws.filter(({ kind }) => kind === "draw").slice(-1);
    assert.ok(Buffer.from((await canvas(page)).pixels).equals(Buffer.from(shot(native, last.draw).pixels)));
    await page.keyboard.press("b");
    await drawn(page);
    assert.ok(Buffer.from((await canvas(page)).pixels).equals(Buffer.from(shot(native, last.draw, "before").pixels)));
    await page.keyboard.press("b");
    await drawn(page);
    assert.equal(await page.$eval("[data-control=show]", (select) => select.value), "color");
    // The text that is saved is a stream with the same picture.
    await page.evaluate(() => {
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => ((window.savedBlob = blob), make.call(URL, blob));
    });
    await page.click("[data-tab=capture]");
    await page.click("[data-control=text]");
    await page.waitForFunction(() => /sample-0\.dp2s/.test(document.querySelector("[data-message=text]").textContent));
    const saved = await page.evaluate(() => window.savedBlob.text());
    assert.deepEqual(ask("replay", assemble(saved, "saved.capture"), "--hash").frames.map(({ hash }) => hash), ask("replay", native, "--hash").frames.map(({ hash }) => hash));
    assert.deepEqual(page.problems.filter((problem) => !/willReadFrequently/.test(problem)), []);
    await page.close();
});

test("a hostile capture ends in a message", async () => {
    const good = readFileSync(assemble(MULTI));
    const broken = [Buffer.from("no capture at all"), Buffer.alloc(100000, 0xff), good.subarray(0, 70), Buffer.concat([good.subarray(0, 40), Buffer.alloc(500)])];
    for (const [i, bytes] of broken.entries()) {
        const page = await open(packBytes(bytes));
        await page.waitForSelector("[data-message=error]");
        assert.match(await text(page, "[data-message=error]"), /cannot be shown\. ./, `broken ${i}`);
        assert.doesNotMatch(await text(page, "[data-message=error]"), /dp2 /, `broken ${i}`);
        assert.deepEqual(page.problems, []);
        await page.close();
    }
    // Cut short or damaged farther on: the page shows either a message, or everything before the damage.
    for (const at of [0.3, 0.5, 0.7, 0.9]) {
        const flipped = Buffer.from(good);
        flipped[Math.floor(good.length * at)] ^= 0x10;
        const page = await open(packBytes(flipped));
        await page.waitForSelector("[data-message=error], .output[data-waiting=false] canvas.picture, .output .notice.error");
        assert.deepEqual(page.problems, []);
        await page.close();
    }
});

test("without a capture the page asks for one", async () => {
    const capture = assemble(MULTI);
    dp2("view", "--template", process.env.TEMPLATE ?? join(ROOT, "build/web/view.html"), "-o", path("empty.html"));
    const page = await open(`file://${path("empty.html")}`);
    const input = await page.waitForSelector("[data-control=file]");
    await input.uploadFile(capture);
    await drawn(page);
    assert.equal((await page.$$("[data-frame]")).length, 6);
    await page.close();
});
