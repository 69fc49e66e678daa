// SPDX-License-Identifier: MIT
// A page of `dp2 view` in headless Chromium. In the environment: DP2, the program (build/native/dp2); TEMPLATE, the page without a
// capture (build/web/view.html); CHROMIUM (/usr/bin/chromium).
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { ROOT } from "./load.mjs";
import { readPng } from "./png.mjs";

const DP2 = process.env.DP2 ?? join(ROOT, "build/native/dp2");
const TEMPLATE = process.env.TEMPLATE ?? join(ROOT, "build/web/view.html");
const PATIENCE = Number(process.env.PATIENCE ?? 600000); // milliseconds: only a hang takes this long
const environment = { HALCYON_LOG_LEVEL: "none", PATH: process.env.PATH };

export const folder = mkdtempSync(join(tmpdir(), "halcyon-view-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
export const path = (name) => join(folder, name);

export function dp2(...words) {
    return execFileSync(DP2, words, { env: environment, maxBuffer: 1 << 30, encoding: "utf8" });
}

export const ask = (...words) => JSON.parse(dp2(...words, "--json"));

/** Makes a capture from a text, or from a file with a text. */
export function assemble(text, name = "scene.capture") {
    let file = text;
    if (text.includes("\n"))
        writeFileSync((file = path("text.dp2s")), text);
    dp2("asm", file, "-o", path(name));
    return path(name);
}

/** The picture that dp2 shot writes. */
export function shot(capture, draw, show = "color") {
    const done = execFileSync(DP2, ["shot", capture, draw, "--show", show, "-o", "-"], { env: environment, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
    return readPng(done);
}

/** Makes the page with a capture, perhaps a damaged one; returns its address. */
export function pack(capture, name = "page.html") {
    const done = spawnSync(DP2, ["view", capture, "--template", TEMPLATE, "-o", path(name)], { env: environment, encoding: "utf8" });
    if (done.status > 1)
        throw new Error(done.stderr);
    return `file://${path(name)}`;
}

let browser;
export async function start() {
    browser = await puppeteer.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        headless: true,
        args: ["--no-sandbox", "--disable-gpu"],
        protocolTimeout: 1800000,
    });
}
export const stop = () => browser.close();

/** A page, with its network requests and errors. */
export async function open(address, { link = "", scheme = "light" } = {}) {
    const page = await browser.newPage();
    const requests = [], problems = [];
    page.setDefaultTimeout(PATIENCE);
    await page.setViewport({ width: 1280, height: 720 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && problems.push(message.text()));
    await page.evaluateOnNewDocument(() => {
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (...words) {
            const send = () => post.apply(this, words);
            window.heldQuestions ? window.heldQuestions.push(send) : send();
        };
    });
    await page.goto(address + link);
    return Object.assign(page, { requests, problems });
}

/** Holds back all questions to engines until `release`, to test the waiting page. */
export const hold = (page) => page.evaluate(() => void (window.heldQuestions = []));
export const release = (page) =>
    page.evaluate(() => {
        const held = window.heldQuestions;
        window.heldQuestions = null;
        held.forEach((send) => send());
    });

/** The same, after the picture has arrived. */
export async function view(capture, options) {
    const page = await open(pack(capture), options);
    await drawn(page);
    return page;
}

/** Waits until the output shows the requested picture. draw: the required draw, "2.17". */
export async function drawn(page, draw) {
    await page.waitForSelector(".output[data-waiting=false] canvas.picture");
    if (draw)
        await page.waitForFunction((name) => document.querySelector(`[data-list=events] [data-row="${name}"][aria-selected=true]`) && document.querySelector(".output[data-waiting=false]"), {}, draw);
    await settled(page);
}

/** Waits until no pane is waiting. */
export async function settled(page) {
    await page.waitForFunction(() => !document.querySelector("[data-waiting=true], [data-busy=true]"));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.waitForFunction(() => !document.querySelector("[data-waiting=true], [data-busy=true]"));
}

/** The contents of the canvas: {width, height, pixels}. */
export async function canvas(page, selector = "[data-picture=output] canvas.picture") {
    if (!(await page.$(selector)))
        throw new Error(`no picture, but: ${await text(page, ".output")}`);
    const { width, height, text } = await page.$eval(selector, (element) => {
        const { data, width, height } = element.getContext("2d").getImageData(0, 0, element.width, element.height);
        let text = "";
        for (let i = 0; i < data.length; i += 32768)
            text += String.fromCharCode(...data.subarray(i, i + 32768));
        return { width, height, text: btoa(text) };
    });
    return { width, height, pixels: Buffer.from(text, "base64") };
}

/** Chooses a draw in the tree: search, arrow down. */
export async function choose(page, draw) {
    await page.$eval("[data-control=place]", (element) => element.focus());
    await page.keyboard.type(draw);
    await page.keyboard.press("Enter");
    await drawn(page, draw);
}

/** Clicks a pixel of the output. */
export async function clickPixel(page, x, y) {
    const rect = await page.$eval("[data-picture=output] canvas.picture", (element) => {
        const { left, top, width } = element.getBoundingClientRect();
        return { left, top, scale: width / element.width };
    });
    await page.mouse.click(rect.left + (x + 0.5) * rect.scale, rect.top + (y + 0.5) * rect.scale);
}

export const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
