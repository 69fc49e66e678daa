// SPDX-License-Identifier: MIT
// The page of `dp2 view` in headless Chromium, on captures made of text.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, assemble, canvas, choose, clickPixel, dp2, drawn, hold, open, pack, path, release, settled, shot, start, stop, text, view } from "./browser.mjs";
import { ROOT } from "./load.mjs";
import { readPng } from "./png.mjs";
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
    assert.match(await text(page, "[data-history='0.2'] [data-verdict]"), /Depth test failed \(ZFUNC\): 0\.75\d* ≤ 0\.25\d* is false/);
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

test("a drag cannot move the picture out of sight; a finger on a picture with room in its box scrolls the page", async () => {
    const page = await view(assemble(DEPTH));
    const rects = () => page.$eval("[data-picture=output]", (box) => [box, box.querySelector("canvas.picture")].map((e) => { const { left, top, right, bottom } = e.getBoundingClientRect(); return { left, top, right, bottom }; }));
    const drag = async (by) => {
        const [box] = await rects();
        await page.mouse.move((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        await page.mouse.down();
        await page.mouse.move((box.left + box.right) / 2 + by, (box.top + box.bottom) / 2 + by, { steps: 3 });
        await page.mouse.up();
        await settled(page);
        return rects();
    };
    const [box, fitted] = await rects();
    assert.deepEqual((await drag(3000))[1], fitted);
    for (let i = 0; i < 2; i++)
        await page.keyboard.press("+");
    await settled(page);
    for (const by of [3000, -3000]) {
        const [, picture] = await drag(by);
        const seen = [Math.min(box.right, picture.right) - Math.max(box.left, picture.left), Math.min(box.bottom, picture.bottom) - Math.max(box.top, picture.top)];
        assert.ok(Math.abs(seen[0] - (box.right - box.left) / 4) <= 1 && Math.abs(seen[1] - (box.bottom - box.top) / 4) <= 1, `${by}: ${seen}`);
    }
    await page.close();
    const phone = await view(assemble(DEPTH));
    await phone.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await drawn(phone);
    const swipe = async () => {
        const { left, top } = await phone.$eval("[data-picture=output]", (e) => ({ left: e.getBoundingClientRect().left + 100, top: e.getBoundingClientRect().top + 150 }));
        await phone.touchscreen.touchStart(left, top);
        for (let by = 10; by <= 120; by += 10)
            await phone.touchscreen.touchMove(left, top - by);
        await phone.touchscreen.touchEnd();
        await settled(phone);
    };
    for (let i = 0; i < 3; i++)
        await phone.keyboard.press("+");
    await settled(phone);
    const placed = () => phone.$eval("[data-picture=output] canvas.picture", (e) => e.style.transform);
    const before = await placed();
    await swipe();
    assert.notEqual(await placed(), before, "a picture that is larger than its box is moved");
    assert.equal(await phone.evaluate(() => scrollY), 0);
    await phone.keyboard.press("0");
    await settled(phone);
    await swipe();
    await phone.waitForFunction(() => scrollY > 50);
    await phone.close();
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
    await page.waitForSelector(".fields .hex");
    const bytes = await page.$$eval(".fields .hex", (list) => list.map((e) => e.textContent).join(" "));
    const command = ask("dump", path("scene.capture"), "--frame", "1", "--bytes").frames[0].events.flatMap((e) => e.commands ?? []).find((c) => c.token === "DRAWPRIMITIVE");
    assert.equal(bytes.replaceAll(/\s/g, ""), command.bytes);
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("a search of states that only finds hidden values says so and shows them", async () => {
    const page = await view(assemble(DEPTH), { link: "#0.1/state" });
    await page.waitForSelector("[data-state=CULLMODE], [data-state=LIGHTING]");
    await page.focus("[aria-label='search states']");
    await page.keyboard.type("alphatest");
    await page.waitForSelector("[data-hidden='1']");
    assert.match(await text_of(page, "[data-hidden]"), /^No non-default value matches “alphatest”; 1 of all does\./);
    await page.click("[data-hidden] button");
    await page.waitForSelector("[data-state=ALPHATESTENABLE]");
    assert.equal(await page.$eval("[data-filter=all]", (button) => button.ariaPressed), "true");
    await page.focus("[aria-label='search states']");
    await page.keyboard.type("xyzzy");
    await page.waitForFunction(() => /No value has “alphatestxyzzy”/.test(document.querySelector(".state .notice")?.innerText ?? ""));
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("the picture keeps its place whatever it shows", async () => {
    const page = await view(assemble(DEPTH.replaceAll("64x48", "640x480")), { link: "#0.2/320,240/history" });
    const place = () => page.$eval("[data-picture=output]", (e) => { const { left, top, width, height } = e.getBoundingClientRect(); return { left, top, width, height }; });
    for (const width of [1280, 800, 390]) {
        await page.setViewport({ width, height: 844 });
        await settled(page);
        const wanted = await place();
        for (const show of SHOWS) {
            await page.waitForFunction((name) => document.querySelector("[data-control=show]").value === name, {}, show);
            await settled(page);
            assert.deepEqual(await place(), wanted, `${show}, ${width}`);
            await page.keyboard.press("s");
        }
    }
    await page.close();
});

test("a row of the history leads to the shader at the pixel", async () => {
    const page = await view(assemble(DEPTH), { link: "#0.0/10,10/history" });
    await page.waitForSelector("[data-shader='0.2']");
    assert.deepEqual(await page.$$eval("[data-shader]", (all) => all.map((e) => e.dataset.shader)), ["0.1", "0.2", "0.3"]);
    await page.click("[data-shader='0.2']");
    await page.waitForSelector("[data-pane=shader]");
    assert.equal(await page.evaluate(() => location.hash), "#0.2/10,10/shader");
    await page.close();
});

test("another capture is opened in the page, at its own beginning", async () => {
    const other = assemble(MULTI, "other.capture");
    const page = await view(assemble(DEPTH), { link: "#0.2/10,10/state/depth" });
    const input = await page.$("[data-control=open]");
    await input.uploadFile(other);
    await page.waitForFunction(() => document.querySelectorAll("[data-frame]").length === 6);
    await drawn(page);
    assert.match(await page.title(), /^other\.capture/);
    same(await canvas(page), shot(other, "0.0"), "its first frame");
    assert.equal(await page.evaluate(() => location.hash), "");
    writeFileSync(path("notes.txt"), "x");
    await (await page.$("[data-control=open]")).uploadFile(path("notes.txt"));
    await page.waitForSelector("[data-message=error]");
    assert.match(await text(page, "[data-message=error]"), /^notes\.txt cannot be shown\. [A-Z][^.]*\.$/);
    await page.close();
});

test("tabs have room at 1280, and a phone has neither gaps nor hidden frames", async () => {
    const page = await view(assemble(DEPTH), { link: "#0.2/history" });
    const bar = await page.$eval(".panes > .tabs", (e) => [e.scrollWidth, e.clientWidth, parseInt(getComputedStyle(e.firstChild).paddingLeft)]);
    assert.ok(bar[0] <= bar[1] && bar[2] >= 4, `${bar}`);
    await page.setViewport({ width: 390, height: 844 });
    await settled(page);
    const gap = await page.evaluate(() => document.querySelector(".panes").getBoundingClientRect().top - [...document.querySelectorAll("[data-list=events] .row")].at(-1).getBoundingClientRect().bottom);
    assert.ok(gap >= 0 && gap < 10, `${gap}`);
    assert.ok((await page.$eval("[data-frame='0']", (e) => e.closest(".frames").getBoundingClientRect().height)) > 80);
    await page.close();
});

test("a drag turns the mesh and leaves the chosen primitive, a click chooses one", async () => {
    const page = await view(assemble(DEPTH), { link: "#0.1/mesh" });
    await page.waitForSelector("[data-list=vertices] [data-primitive='0']");
    await page.$$eval(".mesh-picture button", (all) => all.find((button) => button.innerText === "orbit").click());
    await settled(page);
    const box = await page.$eval("[data-picture=mesh]", (e) => { const { left, top, width, height } = e.getBoundingClientRect(); return { left, top, width, height }; });
    const pointed = () => page.$$eval("[data-list=vertices] .pointed", (all) => all.length);
    const picture = () => page.$eval("[data-picture=mesh]", (e) => e.toDataURL());
    const inside = [box.left + box.width * 0.45, box.top + box.height * 0.45];
    await page.mouse.move(box.left + 4, box.top + 4);
    await page.mouse.move(...inside);
    assert.equal(await pointed(), 0);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForSelector("[data-list=vertices] .pointed");
    await settled(page);
    const before = await picture();
    // From the primitive to where there is nothing, and from there.
    for (const [from, to] of [[inside, [box.left + 30, box.top + box.height - 8]], [[box.left + 8, box.top + box.height - 8], [box.left + 60, box.top + box.height - 30]]]) {
        await page.mouse.move(...from);
        await page.mouse.down();
        await page.mouse.move(...to, { steps: 4 });
        await page.mouse.up();
        await settled(page);
        assert.equal(await pointed(), 3);
    }
    assert.notEqual(await picture(), before);
    await page.mouse.click(box.left + 4, box.top + 4);
    await page.waitForSelector("[data-list=vertices] .pointed", { hidden: true });
    await page.close();
});

test("a number of a matrix stays on one line, however narrow the pane", async () => {
    const capture = assemble(join(ROOT, "examples/dp2/07-mipmaps.dp2s"), "matrices.capture");
    const page = await view(capture, { link: "#0/state" });
    await page.setViewport({ width: 320, height: 844 });
    await settled(page);
    await page.click("[data-filter=all]");
    const heights = await page.$$eval(".state .numbers > span", (list) => list.map((e) => Math.round(e.getBoundingClientRect().height)));
    assert.ok(heights.length >= 16);
    assert.deepEqual(heights.filter((height) => height > heights[0]), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
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
    for (const [key, pane] of [["2", "state"], ["3", "textures"], ["4", "mesh"], ["5", "shader"], ["6", "stream"], ["7", "capture"], ["8", "interfaces"], ["9", "buffers"], ["1", "history"]]) {
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
    const native = assemble(join(ROOT, "web/view/sample.dp2s"), "sample.capture");
    const [last] = ask("draws", native).frames[0].draws.filter(({ kind }) => kind === "draw").slice(-1);
    assert.ok(Buffer.from((await canvas(page)).pixels).equals(Buffer.from(shot(native, last.draw).pixels)));
    await page.keyboard.press("b");
    await drawn(page);
    assert.ok(Buffer.from((await canvas(page)).pixels).equals(Buffer.from(shot(native, last.draw, "before").pixels)));
    await page.keyboard.press("b");
    await drawn(page);
    assert.equal(await page.$eval("[data-control=show]", (select) => select.value), "color");
    // A visitor asks why the wall is black.
    await clickPixel(page, 260, 110);
    await page.waitForSelector("[data-verdict=culled]");
    const history = await page.$eval(".history", (pane) => pane.innerText);
    assert.match(history, /#000000/);
    assert.equal((await page.$$("[data-verdict=culled]")).length, 1);
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

/** Keeps what the page saves: the next file, as {name, bytes}. */
async function saving(page, press) {
    await page.evaluate(() => {
        const make = URL.createObjectURL;
        window.saved = null;
        URL.createObjectURL = (blob) => ((window.savedBlob = blob), make.call(URL, blob));
        HTMLAnchorElement.prototype.click = function () {
            window.saved = this.download;
        };
    });
    await press();
    await page.waitForFunction(() => window.saved !== null);
    const [name, text] = await page.evaluate(async () => {
        const bytes = new Uint8Array(await window.savedBlob.arrayBuffer());
        let binary = "";
        for (let i = 0; i < bytes.length; i += 32768)
            binary += String.fromCharCode(...bytes.subarray(i, i + 32768));
        return [window.saved, btoa(binary)];
    });
    return { name, bytes: Buffer.from(text, "base64") };
}

const TARGETS = readFileSync(join(ROOT, "web/lessons/29-targets/start.dp2s"), "utf8").replace("SETRENDERTARGET2 {index=0 target=light}\n", "SETRENDERTARGET2 {index=0 target=light} {index=1 target=height}\n");

test("small pictures of what a draw reads and writes lead to every target, each with its own history", async () => {
    const capture = assemble(TARGETS);
    const page = await view(capture, { link: "#0.1/20,30/history" });
    await page.waitForSelector("[data-resources='0.1']");
    const labels = () => page.$$eval("[data-resource]", (list) => list.map((e) => `${e.dataset.resource}${e.ariaPressed === "true" ? " shown" : ""}`));
    assert.deepEqual(await labels(), ["color 0 shown", "color 1"]);
    await page.click("[data-resource='color 1']");
    await page.waitForFunction(() => location.hash === "#0.1/20,30/history/color:1");
    await settled(page);
    dp2("shot", capture, "0.1", "--target", "1", "-o", path("target.png"));
    const wanted = readPng(readFileSync(path("target.png")));
    same(await canvas(page), wanted, "the second target");
    await page.waitForSelector("[data-history-of='3']");
    await settled(page);
    assert.deepEqual(await labels(), ["color 0", "color 1 shown"]);
    const rows = await page.$$eval("[data-history]", (list) => list.map((e) => e.dataset.history));
    assert.deepEqual(rows, ask("pixel", capture, "20,30", "--surface", "3").rows.map((row) => row.draw));
    await page.keyboard.press("b");
    await page.waitForFunction(() => location.hash.endsWith("/before:1"));
    await settled(page);
    dp2("shot", capture, "0.1", "--target", "1", "--before", "-o", path("target.png"));
    same(await canvas(page), readPng(readFileSync(path("target.png"))), "before it");
    // The textures that the next draw reads are there, and lead to their pane.
    await choose(page, "0.2");
    await page.waitForSelector("[data-resources='0.2'] [data-resource='texture 0'] canvas");
    await page.click("[data-resource='texture 0']");
    await page.waitForSelector("[data-texture='2']");
    await page.click("[data-control=strip]");
    await page.waitForFunction(() => !document.querySelector(".resources"));
    assert.deepEqual(page.problems.filter((problem) => !/willReadFrequently/.test(problem)), []);
    await page.close();
});

test("depth and stencil are shown before and after, and a click there asks for the history of the depth buffer", async () => {
    const capture = assemble(DEPTH);
    const page = await view(capture, { link: "#0.1/history" });
    await page.waitForSelector("[data-resource='depth'] canvas");
    await page.click("[data-resource='depth']");
    await page.waitForFunction(() => location.hash.endsWith("/history/depth"));
    await settled(page);
    same(await canvas(page), shot(capture, "0.1", "depth"), "depth");
    await clickPixel(page, 10, 10);
    await page.waitForSelector("[data-history-of='2']");
    await settled(page);
    const told = ask("pixel", capture, "10,10", "--surface", "2").rows.map((row) => row.draw);
    assert.deepEqual(await page.$$eval("[data-history]", (list) => list.map((e) => e.dataset.history)), told);
    await page.keyboard.press("b");
    await page.waitForFunction(() => location.hash.endsWith("/depth/before"));
    await settled(page);
    same(await canvas(page), shot(capture, "0.0", "depth"), "depth before");
    await page.click("[data-control=flip]");
    await page.waitForFunction(() => location.hash.endsWith("/depth"));
    await page.click("[data-resource='stencil']");
    await page.waitForFunction(() => location.hash.endsWith("/stencil"));
    await settled(page);
    same(await canvas(page), shot(capture, "0.1", "stencil"), "stencil");
    assert.deepEqual(page.problems.filter((problem) => !/willReadFrequently/.test(problem)), []);
    await page.close();
});

test("a search by state finds draws of all frames, says what it understood, and suggests words for mistyped ones", async () => {
    const capture = assemble(MULTI);
    const page = await view(capture, { link: "#1/history" });
    const type = async (text) => {
        await page.$eval("[data-search=events]", (element) => element.select());
        await page.focus("[data-search=events]");
        await page.keyboard.type(text);
    };
    const rows = () => page.$$eval("[data-list=events] [data-row]", (list) => list.map((e) => e.dataset.row));
    for (const text of ["CULLMODE=NONE", "draw ZENABLE on", "not clear reads #3", "TRIANGLESTRIP"]) {
        await type(text);
        await page.waitForFunction((words) => document.querySelector("[data-found=all]") && document.querySelector("[data-search=events]").value === words, {}, text);
        const told = ask("find", capture, text);
        await page.waitForFunction((count) => document.querySelectorAll("[data-list=events] [data-row]").length === count, {}, told.draws.length);
        assert.deepEqual(await rows(), told.draws.map(({ draw }) => draw), text);
        assert.equal(await page.$eval("[data-understood]", (e) => Number(e.dataset.understood)), told.understood.length);
        for (const { meaning, met } of told.understood)
            assert.ok((await text_of(page, "[data-understood]")).includes(`${meaning} ${met}`), text);
    }
    await type("CULLMOD=NONE");
    await page.waitForSelector("[data-search-error]");
    assert.match(await text_of(page, "[data-search-error]"), /'CULLMOD' means nothing here; did you mean 'CULLMODE'\?/);
    await page.click("[data-control=suggestion]");
    await page.waitForFunction(() => document.querySelector("[data-search=events]").value === "CULLMODE=NONE" && document.querySelector("[data-found=all]"));
    assert.deepEqual(await rows(), ask("find", capture, "CULLMODE=NONE").draws.map(({ draw }) => draw));
    await type("xyzzy on");
    await page.waitForSelector("[data-search-error]");
    await page.waitForSelector("[data-list=events] [data-row=frame]"); // the whole tree
    assert.equal(await page.$("[data-control=suggestion]"), null);
    await page.keyboard.press("Escape");
    await page.waitForSelector("[data-list=events] [data-row=frame]");
    assert.deepEqual(page.problems, []);
    await page.close();
});

const text_of = (page, selector) => page.$eval(selector, (element) => element.innerText.replaceAll(/\s+/g, " "));

test("buffers are tables by the declaration and by a layout that is typed, and are saved", async () => {
    const capture = assemble(DEPTH);
    const page = await view(capture, { link: "#0.2/buffers" });
    await page.waitForSelector("[data-buffer-table='0.2 stream 0'] [data-buffer-row='8']");
    await settled(page);
    const cells = (row) => page.$eval(`[data-buffer-row="${row}"]`, (e) => [...e.querySelectorAll("[role=gridcell]")].map((cell) => cell.innerText.trim()));
    assert.deepEqual(await cells(3), ["3", "4", "4", "0.75", "1", "#ff00ff00"]);
    assert.match(await text(page, ".layout-line"), /^FLOAT4 position, D3DCOLOR diffuse$/);
    const csv = await saving(page, () => page.click("[data-save=csv]"));
    dp2("buffer", capture, "0.2", "-o", path("wanted.csv"));
    assert.deepEqual(csv.bytes.toString(), readFileSync(path("wanted.csv"), "utf8"));
    assert.equal(csv.name, "scene-0.2-stream0.csv");
    const bin = await saving(page, () => page.click("[data-save=bin]"));
    dp2("buffer", capture, "0.2", "-o", path("wanted.bin"));
    assert.deepEqual(bin.bytes, readFileSync(path("wanted.bin")));
    await page.focus("[data-control=layout]");
    await page.keyboard.type("FLOAT x, hex y");
    await page.waitForFunction(() => document.querySelector("[data-buffer-row='3']")?.querySelectorAll("[role=gridcell]").length === 3);
    await settled(page);
    assert.deepEqual(await cells(3), ["3", "4", "0x40800000"]);
    await page.keyboard.type(", FLOTA3");
    await page.waitForSelector(".buffers .notice.error");
    assert.match(await text(page, ".buffers .notice.error"), /'FLOTA3' is not a type; did you mean 'FLOAT3'\?/);
    // Any surface, as bytes.
    await page.$eval("[data-control=layout]", (element) => element.select());
    await page.focus("[data-control=layout]");
    await page.keyboard.press("Backspace");
    await page.select("[data-control=buffer]", "surface");
    await page.waitForSelector("[data-buffer-table='0.2 surface 1'] [data-buffer-row='0']");
    assert.match(await text_of(page, "[data-buffer-row='0']"), /^0 0xff102030 0xff102030/);
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("of a hundred thousand rows only those in sight are there, and the last one can be reached", async () => {
    const vertices = Array.from({ length: 100000 }, (_, i) => `${i % 64} ${i % 48} .5 1 #ff${(i % 0xffffff).toString(16).padStart(6, "0")}`).join("\n");
    const page = await view(assemble(DEPTH.replace(/DRAWPRIMITIVE .*/, "DRAWPRIMITIVE {type=POINTLIST start=0 primitives=100000}").replace(/fvf\(XYZRHW\|DIFFUSE[^)]*\)/, `fvf(XYZRHW|DIFFUSE ${vertices})`), "many.capture"), { link: "#0.1/buffers" });
    await page.waitForSelector("[data-list=buffer] [data-buffer-row='0']");
    assert.match(await text_of(page, ".buffer-table .bar"), /100,000 × 20/);
    await page.focus("[data-list=buffer]");
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.querySelector("[data-buffer-row='99999']")?.innerText.includes("#"));
    assert.ok((await page.$$("[data-list=buffer] [role=row]")).length < 120);
    assert.match(await text_of(page, "[data-buffer-row='99999']"), /^99999 31 15 0\.5 1 #ff01869f$/);
    await page.focus("[data-control=row]");
    await page.keyboard.type("50000");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("[data-buffer-row='50000'][aria-selected=true]")?.innerText.includes("#"));
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("textures are saved as PNG with their alpha and as DDS", async () => {
    const capture = assemble(join(ROOT, "examples/dp2/07-mipmaps.dp2s"), "mips.capture");
    const surface = ask("textures", capture).textures.find(({ kind, uses }) => kind === "texture" && uses.length).surface;
    const page = await view(capture, { link: "#0/textures" });
    await page.waitForSelector(`[data-surface="${surface}"]`);
    await page.click(`[data-surface="${surface}"]`);
    await page.waitForSelector(`[data-texture="${surface}"] canvas.picture`);
    await settled(page);
    const png = await saving(page, () => page.click("[data-save=png]"));
    const dds = await saving(page, () => page.click("[data-save=dds]"));
    dp2("textures", capture, "--surface", String(surface), "--export", path("exported"));
    dp2("textures", capture, "--surface", String(surface), "--export", path("exported"), "--dds");
    assert.deepEqual(dds.bytes, readFileSync(path(`exported/surface-${surface}.dds`)));
    const wanted = readPng(readFileSync(path(`exported/surface-${surface}-level0.png`)));
    const saved = readPng(png.bytes);
    assert.deepEqual([saved.width, saved.height], [wanted.width, wanted.height]);
    assert.ok(Buffer.from(saved.pixels).equals(Buffer.from(wanted.pixels)));
    assert.match(png.name, /^mips-0-surface\d+-level0\.png$/);
    await page.close();
});

test("notes on draws are kept, found, and travel with the saved page and as a file next to the capture", async () => {
    const capture = assemble(DEPTH, "noted.capture");
    const page = await view(capture, { link: "#0.2/history" });
    await page.keyboard.press("n");
    await page.keyboard.type("why is </script> green hidden?");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-noted='0.2']");
    await page.keyboard.press("/");
    await page.keyboard.type("noted");
    await page.waitForFunction(() => [...document.querySelectorAll("[data-list=events] [data-row]")].map((e) => e.dataset.row).join() === "0.2");
    await page.click("[data-tab=capture]");
    await page.waitForSelector("[data-note='0.2']");
    const saved = await saving(page, () => page.click("[data-save=page]"));
    const file = await saving(page, () => page.click("[data-save=notes]"));
    assert.deepEqual([saved.name, file.name], ["noted.html", "noted.capture.notes.json"]);
    const before = await canvas(page);
    await page.evaluate(() => localStorage.clear());
    await page.close();
    // The saved page has both.
    writeFileSync(path("saved.html"), saved.bytes);
    const again = await open(`file://${path("saved.html")}`, { link: "#0.2/capture" });
    await drawn(again);
    same(await canvas(again), before, "the saved page");
    assert.match(await text(again, "[data-note='0.2']"), /why is <\/script> green hidden\?/);
    assert.equal(await again.$eval("[data-control=note]", (e) => e.value), "why is </script> green hidden?");
    assert.deepEqual(again.problems, []);
    await again.evaluate(() => localStorage.clear());
    await again.close();
    // So has a page that dp2 view makes of the capture with the file next to it.
    writeFileSync(`${capture}.notes.json`, file.bytes);
    const third = await view(capture, { link: "#0.2/capture" });
    await third.waitForSelector("[data-note='0.2']");
    await third.click("[data-note='0.2'] [aria-label^=remove]");
    await third.waitForSelector("[data-notes='0']");
    writeFileSync(path("wrong.json"), "{}");
    const input = await third.$("[data-control=notes-file]");
    await input.uploadFile(path("wrong.json"));
    await third.waitForFunction(() => /not a file of notes/.test(document.querySelector("[data-message=notes]").textContent));
    await input.uploadFile(`${capture}.notes.json`);
    await third.waitForSelector("[data-note='0.2']");
    assert.deepEqual(third.problems, []);
    await third.evaluate(() => localStorage.clear());
    await third.close();
});

test("what the CPU wrote is a row of the history, with its values", async () => {
    const text = readFileSync(join(ROOT, "examples/dp2/02-triangle.dp2s"), "utf8");
    const written = text.replace(/^draw /m, "memory screen { fill(19200 #ff112233) }\ndraw ");
    assert.notEqual(written, text);
    const capture = assemble(written);
    const [row] = ask("pixel", capture, "2,2").rows.filter(({ between }) => between);
    assert.equal(row?.between, "lock");
    const page = await view(capture, { link: "#0/2,2/history" });
    await page.waitForSelector("[data-between=lock]");
    assert.match(await text_of(page, "[data-between=lock]"), /#112233.*Written by the CPU in a lock\.$/);
    await page.close();
});

test("draws are told apart by the states that they set", async () => {
    const page = await view(assemble(DEPTH.replace(/DRAWPRIMITIVE .*/, `DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} RENDERSTATE {state=ZENABLE value=FALSE}
        DRAWPRIMITIVE {type=TRIANGLELIST start=3 primitives=1} TEXTURESTAGESTATE {stage=0 state=COLOROP value=ADD} DRAWPRIMITIVE {type=TRIANGLELIST start=6 primitives=1}`)), { link: "#0.1/history" });
    const told = ask("draws", path("scene.capture")).frames[0].draws;
    const differing = told.filter(({ changes }) => changes?.some((change) => change.includes("=")));
    assert.deepEqual(differing.slice(1).map(({ changes }) => changes), [["ZENABLE=FALSE"], ["stage 0 COLOROP=ADD"]]);
    for (const { draw, changes } of differing) {
        await page.waitForSelector(`[data-row="${draw}"] [data-changes]`);
        const shown = await page.$eval(`[data-row="${draw}"] [data-changes]`, (e) => e.textContent);
        for (const change of changes.filter((name) => name.includes("=")))
            assert.ok(shown.includes(change), `${draw} ${change}`);
    }
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
