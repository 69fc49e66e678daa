// SPDX-License-Identifier: MIT
// The playground in a browser: streams are typed, drawn and judged, lessons solved, pages read, and no request goes to
// the network.
//
// SITE names the folder of index.html, build/web/playground by default; DP2 the program that draws natively,
// build/native/dp2.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { ROOT } from "./load.mjs";
import { readPng } from "./png.mjs";

const SITE = join(process.env.SITE ?? join(ROOT, "build/web/playground"), "index.html");
const DP2 = process.env.DP2 ?? join(ROOT, "build/native/dp2");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SHOTS = join(ROOT, "build/tests/playground");

let browser, folder;
before(async () => {
    assert.ok(existsSync(SITE), `${SITE} is not there: make web`);
    folder = mkdtempSync(join(tmpdir(), "halcyon-playground-"));
    mkdirSync(SHOTS, { recursive: true });
    browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: ["--no-sandbox", "--disable-gpu"], protocolTimeout: 1800000 });
});
after(async () => {
    await browser?.close();
    if (folder)
        rmSync(folder, { recursive: true });
});

/** A fresh page, without stored data of earlier ones; its network requests and errors are recorded. */
async function open(hash = "", theme = "light") {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.asked = [];
    page.failed = [];
    page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || page.asked.push(request.url()));
    page.on("pageerror", (error) => page.failed.push(error.message));
    page.setDefaultTimeout(600000); // the machine may be busy
    await page.setViewport({ width: 1280, height: 720 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await page.goto(pathToFileURL(SITE).href + hash);
    await page.waitForSelector(".playground[data-waiting=false] [data-result=passes], .playground[data-waiting=false] [data-result=fails], [data-page]");
    return page;
}

async function close(page) {
    assert.deepEqual(page.failed, []);
    assert.deepEqual(page.asked, []);
    await page.browserContext().close();
}

/** Replaces the stream, as if it had been typed. */
async function type(page, text) {
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.sendCharacter(text);
}

const drawn = (page, result) => page.waitForSelector(`.playground[data-waiting=false] [data-result=${result}]`);

/** Pixels of the picture that the page shows: r, g, b of each. */
async function shown(page) {
    const canvas = await page.waitForSelector("[data-picture=output] canvas.picture");
    return canvas.evaluate((element) => {
        const { data } = element.getContext("2d").getImageData(0, 0, element.width, element.height);
        return Array.from(data).filter((_, i) => i % 4 < 3);
    });
}

/** The same, drawn natively. */
function native(text) {
    const [stream, capture, png] = ["s.dp2s", "s.capture", "s.png"].map((name) => join(folder, name));
    for (const path of [capture, png])
        rmSync(path, { force: true });
    writeFileSync(stream, text);
    const run = (...words) => execFileSync(DP2, words, { env: { HALCYON_LOG_LEVEL: "none" } });
    run("asm", stream, "-o", capture);
    run("replay", capture, "-o", png);
    return [...readPng(readFileSync(png)).pixels].filter((_, i) => i % 4 < 3);
}

/** A capture of a lesson's starting point. */
function lessonCapture(id) {
    const [stream, capture] = [`${id}.dp2s`, `${id}.capture`].map((name) => join(folder, name));
    writeFileSync(stream, execFileSync(join(ROOT, "web/lessons/lessons.py"), [id, "start"]));
    execFileSync(DP2, ["asm", stream, "-o", capture]);
    return capture;
}

const TRIANGLE = `create target screen 64x48 X8R8G8B8
context c target=screen
draw c {
    VIEWPORTINFO {x=0 y=0 width=64 height=48}
    CLEAR flags=TARGET color=#ff402010 {rect=(0 0 64 48)}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}
    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}
    SETSTREAMSOURCEUM {stream=0 stride=20}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    user_vertices { fvf(XYZRHW|DIFFUSE 3.5 2.25 0.5 1 #ffff0000 60 10 0.5 1 #ff00ff00 20 45 0.5 1 #ff0000ff) }
}
present screen
`;

test("a stream that is typed is drawn, with the pixels that the native driver draws", async () => {
    const page = await open("#03-triangle");
    const started = await page.evaluate(() => playground.lessons.find(({ id }) => id === "03-triangle").start);
    assert.deepEqual(await shown(page), native(started));
    await type(page, TRIANGLE);
    await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 64);
    assert.deepEqual(await shown(page), native(TRIANGLE));
    await close(page);
});

test("an error is shown under its line, and disappears when it is corrected", async () => {
    const page = await open("#03-triangle");
    await type(page, TRIANGLE.replace("CULLMODE", "CULMODE"));
    const message = await page.waitForSelector(".under-line");
    assert.match(await message.evaluate((m) => m.textContent), /no render state is called "CULMODE".*CULLMODE/);
    assert.match(await message.evaluate((m) => m.previousElementSibling.textContent), /^ *RENDERSTATE/);
    assert.equal((await shown(page)).length, 3 * 160 * 120, "the picture before stays");
    assert.equal(await page.$eval("[data-message=outdated]", (note) => note.textContent), "picture of the last text that could be assembled");
    assert.ok(Number(await page.$eval("canvas.picture", (picture) => getComputedStyle(picture).opacity)) < 1);
    assert.equal(await page.$eval("[data-result]", (list) => list.dataset.result), "waiting");
    assert.ok(await page.$("[data-result] .said"), "what the task asks for stays in sight");
    await type(page, TRIANGLE);
    await page.waitForSelector(".under-line", { hidden: true });
    await page.waitForSelector("[data-message=outdated]", { hidden: true });
    await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 64);
    await close(page);
});

test("an action that is chosen marks its line and scrolls to it", async () => {
    const page = await open("#08-depth");
    await drawn(page, "fails");
    const marked = (wanted) => page.waitForFunction((begin) => document.querySelector(".cm-marked")?.textContent.trim().startsWith(begin), {}, wanted);
    assert.equal(await page.$(".cm-marked"), null);
    await page.waitForSelector("[data-row='0.0']");
    await page.click("[data-row='0.0']");
    await marked("CLEAR");
    await page.keyboard.press(".");
    await marked("DRAWPRIMITIVE");
    await page.$eval(".cm-scroller", (element) => (element.scrollTop = 0));
    await page.click("[data-picture=output] canvas.picture");
    await page.waitForSelector("[data-goto='0.2']");
    await page.click("[data-goto='0.2']");
    await marked("DRAWPRIMITIVE");
    const inSight = await page.evaluate(() => {
        const [line, box] = [".cm-marked", ".cm-scroller"].map((name) => document.querySelector(name).getBoundingClientRect());
        return line.top >= box.top && line.bottom <= box.bottom;
    });
    assert.ok(inSight);
    await close(page);
});

test("a link to a lesson that does not exist says so", async () => {
    const page = await open("#09-depth");
    await page.waitForFunction(() => /Lesson “09-depth” does not exist/.test(document.querySelector("[data-message=said]").textContent));
    assert.equal(await page.$eval("[data-lesson]", (text) => text.dataset.lesson), "00-picture");
    await close(page);
});

test("a stream that the driver refuses says so", async () => {
    const page = await open("#03-triangle");
    await type(page, TRIANGLE.replace("    CLEAR", "    raw hex(00010044)\n    CLEAR"));
    const trouble = await page.waitForSelector("[data-message=trouble]");
    assert.match(await trouble.evaluate((t) => t.textContent), /DrawPrimitives2.*0x88760bb8/);
    await close(page);
});

test("words are completed: tokens, fields, states and their values", async () => {
    const page = await open("#01-empty");
    const offered = async (text) => {
        await type(page, text);
        await page.keyboard.down("Control");
        await page.keyboard.press(" ");
        await page.keyboard.up("Control");
        await page.waitForSelector(".cm-tooltip-autocomplete li");
        const labels = await page.$$eval(".cm-tooltip-autocomplete .cm-completionLabel", (all) => all.map((one) => one.textContent));
        await page.keyboard.press("Escape");
        return labels;
    };
    assert.ok((await offered("cre")).includes("create"));
    assert.ok((await offered("create ")).includes("target-texture"));
    assert.ok((await offered("create target s 8x8 X8R")).includes("X8R8G8B8"));
    assert.ok((await offered("draw c {\n    CLE")).includes("CLEAR"));
    assert.ok((await offered("draw c {\n    RENDERSTATE {sta")).includes("state="));
    assert.ok((await offered("draw c {\n    RENDERSTATE {state=CUL")).includes("CULLMODE"));
    assert.deepEqual(await offered("draw c {\n    RENDERSTATE {state=CULLMODE value="), ["CCW", "CW", "NONE"]);
    assert.ok((await offered("draw c {\n    TEXTURESTAGESTATE {stage=0 state=COLOROP value=MOD")).includes("MODULATE2X"));
    assert.ok((await offered("draw c {\n    DRAWPRIMITIVE {type=TRI")).includes("TRIANGLESTRIP"));
    assert.ok((await offered("draw c {\n    SETVERTEXSHADER {shader=XYZ|DI")).includes("DIFFUSE"));
    assert.ok((await offered("create texture board 8x8 L8\ndraw c {\n    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=bo")).includes("board"));
    await close(page);
});

test("events are completed after a present, which ends a frame", async () => {
    const page = await open("#01-empty");
    await type(page, "create target s 8x8 X8R8G8B8\npresent s\n");
    await page.keyboard.down("Control");
    await page.keyboard.press(" ");
    await page.keyboard.up("Control");
    await page.waitForSelector(".cm-tooltip-autocomplete li");
    const labels = await page.$$eval(".cm-tooltip-autocomplete .cm-completionLabel", (all) => all.map((one) => one.textContent));
    for (const event of ["create", "draw", "present", "memory"])
        assert.ok(labels.includes(event), labels.join());
    await close(page);
});

test("it begins with a picture; a frame that draws nothing shows its surface", async () => {
    const page = await open();
    assert.equal(await page.$eval("[data-lesson]", (text) => text.dataset.lesson), "00-picture");
    assert.ok(new Set((await shown(page)).map((value, i, all) => (i % 3 ? "" : all.slice(i, i + 3).join()))).size > 500);
    await page.select("[data-control=lesson]", "01-empty");
    await page.waitForSelector("[data-message=bare]");
    assert.deepEqual([...new Set(await shown(page))], [0]);
    assert.equal(await page.$(".notice.error"), null);
    await close(page);
});

test("shaders are assembly: errors have a line, a column and a suggestion, and lines show the values of a pixel", async () => {
    const page = await open("#22-pixel-shader");
    const start = await page.evaluate(() => playground.lessons.find(({ id }) => id === "22-pixel-shader").start);
    await type(page, start.replace("frc r0, r0", "frk r0, r0"));
    const message = await page.waitForSelector(".under-line");
    assert.match(await message.evaluate((m) => m.textContent), /no instruction is called "frk"; did you mean "frc"\?/);
    assert.match(await message.evaluate((m) => m.previousElementSibling.textContent), /^ *frk r0, r0/);
    assert.equal(await page.$eval(".cm-lintRange-error", (mark) => mark.textContent), "frk");
    await type(page, start);
    await page.waitForSelector(".under-line", { hidden: true });
    // (Escape would first close the list of completions, if it is there already)
    await page.click("[data-picture=output] canvas.picture");
    await page.waitForSelector(".cm-note");
    const noted = await page.$$eval(".cm-line:has(.cm-note)", (all) => all.map((line) => line.textContent.trim().split(" ")[0]));
    assert.deepEqual(noted, ["dp2add", "mul", "frc", "mad", "mov", "mov", "mov"]);
    await close(page);
});

test("a link brings the stream; a damaged link says so", async () => {
    const page = await open("#03-triangle");
    await type(page, TRIANGLE);
    await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 64);
    await page.click("[data-control=link]");
    await page.waitForFunction(() => location.hash.startsWith("#03-triangle="));
    const hash = await page.evaluate(() => location.hash);
    await close(page);
    const other = await open(hash);
    await other.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 64);
    assert.deepEqual(await shown(other), native(TRIANGLE));
    await close(other);
    const broken = await open("#03-triangle=AAAA");
    await broken.waitForFunction(() => /damaged/.test(document.querySelector("[data-message=said]").textContent));
    await close(broken);
});

test("a capture is opened as text, and so is a stream", async () => {
    const page = await open();
    native(TRIANGLE);
    for (const name of ["s.capture", "s.dp2s"]) {
        const input = await page.$("[data-control=open]");
        await input.uploadFile(join(folder, name));
        await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 64);
        assert.equal(await page.$eval("[data-lesson]", (text) => text.dataset.lesson), "free");
        assert.deepEqual(await shown(page), native(TRIANGLE));
        await page.select("[data-control=lesson]", "03-triangle");
        await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 160);
    }
    await close(page);
});

/** Rows of the pane "interfaces": [step, line of the older interface, function of the newer one]. */
const faces = (page) =>
    page.$$eval("[data-list=interfaces] .row", (all) =>
        all.map((row) => [row.dataset.step, row.querySelector(".face > span").textContent, row.querySelector(".umd").dataset.call ?? ""]));

test("one call in two interfaces: rows pair them, and each side marks the other and the line of the text", async () => {
    const page = await open("#31-two-interfaces");
    await page.waitForSelector("[data-list=interfaces] .row");
    await page.setViewport({ width: 1280, height: 3000 });
    await page.waitForFunction(() => [...document.querySelectorAll("[data-list=interfaces] .umd")].some((cell) => cell.dataset.call === "pfnDrawPrimitive"));
    const rows = await faces(page);
    assert.match(rows[0][1], /^CreateSurface 160x120 X8R8G8B8 → DD_OK/);
    assert.equal(rows[0][2], "pfnCreateDevice");
    const native = JSON.parse(execFileSync(DP2, ["dump", lessonCapture("31-two-interfaces"), "--ddi", "umd", "--json"], { encoding: "utf8" }));
    const called = native.frames[0].events.flatMap((event) => event.calls.map((call) => call.function));
    assert.deepEqual(rows.map(([, , name]) => name).filter(Boolean).sort(), called.sort());
    const states = rows.filter(([, , name]) => name === "pfnSetRenderState");
    assert.equal(states.length, 9);
    assert.match(states[0][1], /^RENDERSTATE state=CULLMODE value=NONE/);
    // Pointing at a row marks its step and the line of the text.
    const at = rows.findIndex(([, text]) => text.startsWith("VIEWPORTINFO"));
    const row = (await page.$$("[data-list=interfaces] .row"))[at];
    await row.hover();
    await page.waitForFunction(() => /VIEWPORTINFO/.test(document.querySelector(".cm-marked")?.textContent ?? ""));
    assert.equal(await row.evaluate((element) => element.dataset.same), "true");
    assert.match(await page.$eval("[data-detail]", (detail) => detail.textContent), /pfnSetViewport.*Width160.*resultS_OK/);
    // The cursor of the text chooses the row.
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Home");
    await page.keyboard.up("Control");
    for (let line = 1; line < 5; line++)
        await page.keyboard.press("ArrowDown");
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => /^CLEAR/.test(document.querySelector("[data-list=interfaces] [aria-selected=true]")?.textContent ?? ""));
    // Typing changes the list.
    await page.click("[data-control=solution]");
    await page.waitForSelector("[data-result=passes]");
    await page.waitForFunction(() => [...document.querySelectorAll("[data-list=interfaces] .umd")].filter((cell) => cell.dataset.call === "pfnSetRenderState").length === 3);
    await close(page);
});

test("it fits windows of 1920 and of a phone", async () => {
    for (const [width, height] of [[1920, 1080], [390, 844]]) {
        const page = await open("#16-blend");
        await page.setViewport({ width, height });
        await page.reload();
        await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 160);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        const picture = await page.$eval("[data-picture=output] canvas.picture", (element) => element.getBoundingClientRect().width);
        assert.ok(picture >= width / 4, `${picture} of ${width}`);
        const tops = await page.$$eval("[aria-label='previous lesson'], [aria-label='next lesson']", (all) => all.map((e) => e.getBoundingClientRect().top));
        assert.equal(tops[0], tops[1]);
        await page.screenshot({ path: join(SHOTS, `${width}.png`) });
        await close(page);
    }
});

test("a lesson is solved by typing, is remembered, and leads to the next", async () => {
    const page = await open("#01-empty");
    await drawn(page, "fails");
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Home");
    await page.keyboard.up("Control");
    for (let line = 0; line < 3; line++)
        await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("CLEAR flags=TARGET color=#ffff8000 {rect=(0 0 160 120)", { delay: 1 });
    await drawn(page, "passes");
    const marks = () => page.evaluate(() => [document.querySelector(".reader > p").textContent, document.querySelector("[data-control=lesson] option:nth-child(2)").textContent]);
    assert.deepEqual(await marks(), ["lesson 2 of 33 · solved", "2. The empty stream ✓"]);
    await page.click("[data-control=next]");
    await page.waitForSelector('[data-lesson="02-clear"]');
    await drawn(page, "fails");
    assert.match((await marks())[1], /✓$/);
    await page.click("[data-control=solution]");
    await drawn(page, "passes");
    for (let again = 0; again < 2; again++) {
        await page.click("[data-control=reset]");
        await drawn(page, "fails");
        await page.click("[data-control=solution]");
        await drawn(page, "passes");
    }
    await close(page);
});

test("in this engine, too, each solution passes and each starting point fails", { timeout: 3600000 }, async () => {
    const page = await open();
    const told = await page.evaluate(async () => {
        const out = [];
        for (const { id, start, solution, others } of playground.lessons) {
            const solved = [];
            for (const text of [solution, ...others])
                solved.push(await playground.judge(id, text));
            out.push({ id, solved, start: await playground.judge(id, start) });
        }
        return out;
    });
    assert.equal(told.length, 33);
    for (const { id, solved, start } of told) {
        assert.deepEqual(solved.flat(), [], id);
        assert.notDeepEqual(start, [], id);
    }
    // The messages for starting points are those of the native checker.
    const script = `
import json, os, sys, tempfile
sys.path[:0] = ["tests/lessons"]
import test_lessons as t
t.dp2_program = sys.argv[1]
with tempfile.TemporaryDirectory() as t.folder:
    out = {}
    for lesson in t.lessons.load_all():
        start = t.draw(lesson["start"])
        out[lesson["id"]] = t.lessons.failures(lesson["checks"], start, start)
print(json.dumps(out))`;
    const natively = JSON.parse(execFileSync("python3", ["-c", script, DP2], { cwd: ROOT, encoding: "utf8" }));
    assert.deepEqual(Object.fromEntries(told.map(({ id, start }) => [id, start])), natively);
    await close(page);
});

test("the calls of the driver are listed, from loading it on", async () => {
    const page = await open("#12-texture");
    await page.click("[data-tab=calls]");
    await page.waitForSelector("[data-list=calls] li");
    const calls = await page.$$eval("[data-list=calls] li", (all) => all.map((one) => one.textContent));
    const at = (begin) => calls.findIndex((call) => call.startsWith(begin));
    const order = ["HalcyonDriverInit", "GetDriverInfo D3DCallbacks3", "GetDriverInfo2 GETD3DCAPS8", "CreateSurface of", "CreateSurfaceEx", "ContextCreate", "Lock", "DrawPrimitives2", "DestroyDriver"];
    const places = order.map(at);
    assert.equal(places[0], 0);
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
    assert.ok(!places.includes(-1), `${order[places.indexOf(-1)]} is missing`);
    await close(page);
});

test("the panes of the debugger are there: a pixel, and why it has its colour", async () => {
    const page = await open("#03-triangle");
    await page.keyboard.press("o");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("[data-verdict]");
    assert.equal(await page.$eval("[data-verdict]", (row) => row.dataset.verdict), "written");
    for (const [key, pane] of [["2", "state"], ["3", "textures"], ["4", "mesh"], ["6", "stream"]]) {
        await page.evaluate(() => document.activeElement?.blur());
        await page.keyboard.press(key);
        await page.waitForSelector(`[data-pane=${pane}]`);
    }
    await page.waitForFunction(() => /VIEWPORTINFO/.test(document.querySelector("[data-pane=stream]")?.textContent ?? ""));
    await close(page);
});

test("pages open from the lessons' links, and lead to each other", async () => {
    const page = await open("#15-pixel-centre");
    await page.$$eval(".reader a", (all) => all.find((a) => a.textContent === "the question").click());
    await page.waitForSelector('[data-page="docs/questions.md"]');
    assert.match(await page.evaluate(() => location.hash), /^#15-pixel-centre\/docs\/questions\.md#where-is-the-centre/);
    await page.$$eval(".reader a", (all) => all.find((a) => a.textContent === "surfaces.md").click());
    await page.waitForSelector('[data-page="docs/surfaces.md"]');
    assert.ok(await page.$(".reader table"));
    await page.click("[data-control=back]");
    await page.waitForSelector('[data-lesson="15-pixel-centre"]');
    // Links to documents without a page in the site are not links.
    const dead = await page.evaluate(() => [...document.querySelectorAll(".reader a")].filter((a) => a.getAttribute("href") === "#page/").length);
    assert.equal(dead, 0);
    await close(page);
});

test("a keyboard alone reaches text, stream, picture and panes", async () => {
    const page = await open("#03-triangle");
    const seen = new Set();
    for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        seen.add(
            await page.evaluate(() => {
                const { dataset, className, ariaLabel } = document.activeElement;
                return dataset.control ?? dataset.picture ?? dataset.tab ?? dataset.list ?? ariaLabel ?? className;
            }),
        );
    }
    for (const wanted of ["lesson", "page", "hint", "solution", "stream", "output", "show", "draws", "history"])
        assert.ok(seen.has(wanted), `Tab does not reach ${wanted}: ${[...seen].join(", ")}`);
    await close(page);
});

test("it fits 1280x720, light and dark", async () => {
    for (const theme of ["light", "dark"]) {
        const page = await open("#16-blend", theme);
        await page.waitForFunction(() => document.querySelector("[data-picture=output] canvas.picture")?.width === 160);
        const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
        assert.deepEqual(size, [1280, 720]);
        const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(Number(/\d+/.exec(dark)[0]) < 128, theme === "dark", dark);
        await page.screenshot({ path: join(SHOTS, `${theme}.png`) });
        await close(page);
    }
});

test("the page may not ask the network", async () => {
    const page = await open();
    const refused = await page.evaluate(() => fetch("https://example.org/").then(() => false, () => true));
    assert.ok(refused);
    page.asked = [];
    await close(page);
});
