// SPDX-License-Identifier: MIT
// A command in a sentence: its effect on the driver. The table has a sentence for each token of d3d/tokens.def.
import type { Command, FieldValue } from "../client/documents";
import { fieldText } from "./layout";

type Entry = Record<string, FieldValue>;
type Sentence = (entry: Entry, command: Command) => string;

const text = (value: FieldValue | undefined): string => fieldText(value);

function surface(value: FieldValue | undefined): string {
    return Number(value) === 0 ? "nothing" : `surface handle ${text(value)}`;
}

function shader(what: string, value: FieldValue | undefined): string {
    return Number(value) === 0 ? `Goes back to the fixed function instead of a ${what}.` : `Draws use ${what} ${text(value)} from now on.`;
}

const primitives = (kind: string): Sentence => (_, c) => `Draws ${c.n} ${kind} of the vertices that came with the call.`;
const constants = (what: string): Sentence => (e) => `Writes ${text(e["count"])} ${what} constants, from register ${text(e["register"])} on.`;
const deletes = (what: string): Sentence => (e) => `Deletes ${what} ${text(e["handle"] ?? e["id"])}.`;
const copies = (what: string): Sentence => (e) => `Copies ${what} of ${surface(e["src"])} to ${surface(e["dst"])}.`;

const SENTENCES: Record<string, Sentence> = {
    POINTS: (e) => `Draws ${text(e["count"])} points of the vertices that came with the call, from vertex ${text(e["start"])} on.`,
    INDEXEDLINELIST: primitives("lines, by indices,"),
    INDEXEDTRIANGLELIST: primitives("triangles, by indices with edge flags,"),
    EXIT: () => "Ends an execute buffer.",
    SPAN: () => "Draws spans; drivers of this interface do nothing.",
    LINELIST: primitives("lines"),
    LINESTRIP: primitives("lines, one strip,"),
    INDEXEDLINESTRIP: primitives("lines, one strip by indices,"),
    TRIANGLELIST: primitives("triangles"),
    TRIANGLESTRIP: primitives("triangles, one strip,"),
    INDEXEDTRIANGLESTRIP: primitives("triangles, one strip by indices,"),
    TRIANGLEFAN: primitives("triangles, one fan,"),
    INDEXEDTRIANGLEFAN: primitives("triangles, one fan by indices,"),
    TRIANGLEFAN_IMM: (_, c) => `Draws a fan of ${c.n} triangles, whose vertices are in the command itself.`,
    LINELIST_IMM: (_, c) => `Draws ${c.n} lines, whose vertices are in the command itself.`,
    INDEXEDTRIANGLELIST2: primitives("triangles, by indices,"),
    INDEXEDLINELIST2: primitives("lines, by indices,"),
    RENDERSTATE: (e) => `Sets render state ${text(e["state"])} to ${text(e["value"])}.`,
    TEXTURESTAGESTATE: (e) => `Sets ${text(e["state"])} of texture stage ${text(e["stage"])} to ${text(e["value"])}.`,
    VIEWPORTINFO: (e) => `Sets the viewport to ${text(e["width"])}×${text(e["height"])} pixels at ${text(e["x"])}, ${text(e["y"])}.`,
    WINFO: (e) => `Sets the range of w for W buffers: ${text(e["near"])} to ${text(e["far"])}.`,
    ZRANGE: (e) => `Sets the depths that the viewport maps to: ${text(e["min"])} to ${text(e["max"])}.`,
    SETPALETTE: (e) => `Gives ${surface(e["surface"])} palette ${text(e["palette"])}.`,
    UPDATEPALETTE: (e) => `Writes ${text(e["entries"])} entries of palette ${text(e["palette"])}, from ${text(e["start"])} on.`,
    SETMATERIAL: (e) => `Sets the material of the fixed function: diffuse ${text(e["diffuse"])}.`,
    CREATELIGHT: (e) => `Creates light ${text(e["index"])}, switched off.`,
    SETLIGHT: (e) =>
        e["op"] === "ENABLE" ? `Switches light ${text(e["index"])} on.` : e["op"] === "DISABLE" ? `Switches light ${text(e["index"])} off.` : `Describes light ${text(e["index"])}: a ${text(e["light"]).toLowerCase()} light.`,
    SETTRANSFORM: (e) => `Sets the ${text(e["type"])} matrix of the fixed function.`,
    MULTIPLYTRANSFORM: (e) => `Multiplies the ${text(e["type"])} matrix.`,
    TEXBLT: copies("a rectangle of all levels"),
    VOLUMEBLT: copies("a box of all levels"),
    BUFFERBLT: (e) => `Copies ${text(e["bytes"])} bytes of buffer ${text(e["src"])} to buffer ${text(e["dst"])}.`,
    BLT: (e) => `Copies a rectangle of ${surface(e["src"])} to one of ${surface(e["dst"])}, which may have another size.`,
    SURFACEBLT: copies("a rectangle"),
    STATESET: (e) => `State block ${text(e["block"])}: ${text(e["op"]).toLowerCase()}.`,
    SETPRIORITY: (e) => `Sets the priority for keeping ${surface(e["surface"])} in video memory: ${text(e["priority"])}.`,
    SETRENDERTARGET: (e) => `Draws from now on to ${surface(e["target"])}, with depth in ${surface(e["depth"])}.`,
    SETRENDERTARGET2: (e) => `Makes ${surface(e["target"])} render target ${text(e["index"])}.`,
    SETDEPTHSTENCIL: (e) => `Makes ${surface(e["depth"])} the depth buffer.`,
    CLEAR: (_, c) => clearSentence(c),
    SETTEXLOD: (e) => `Restricts reads of ${surface(e["surface"])} to levels from ${text(e["lod"])} on.`,
    SETCLIPPLANE: (e) => `Sets user clip plane ${text(e["index"])}: ${text(e["plane"])}.`,
    SETSCISSORRECT: (e) => `Sets the scissor rectangle: ${text(e["rect"])}.`,
    CREATEVERTEXSHADER: (e) => `Creates vertex shader ${text(e["handle"])} from a declaration and ${text(e["code_bytes"])} bytes of code.`,
    DELETEVERTEXSHADER: deletes("vertex shader"),
    SETVERTEXSHADER: (e) => `Draws use vertex shader or vertex format ${text(e["shader"])} from now on.`,
    SETVERTEXSHADERCONST: constants("vertex shader"),
    SETVERTEXSHADERCONSTI: constants("integer vertex shader"),
    SETVERTEXSHADERCONSTB: constants("boolean vertex shader"),
    CREATEVERTEXSHADERDECL: (e) => `Creates vertex declaration ${text(e["handle"])} with ${text(e["elements"])} elements.`,
    DELETEVERTEXSHADERDECL: deletes("vertex declaration"),
    SETVERTEXSHADERDECL: (e) => `Draws use vertex declaration ${text(e["decl"])} from now on.`,
    CREATEVERTEXSHADERFUNC: (e) => `Creates vertex shader ${text(e["handle"])} from ${text(e["code_bytes"])} bytes of code.`,
    DELETEVERTEXSHADERFUNC: deletes("vertex shader"),
    SETVERTEXSHADERFUNC: (e) => shader("vertex shader", e["shader"]),
    CREATEPIXELSHADER: (e) => `Creates pixel shader ${text(e["handle"])} from ${text(e["code_bytes"])} bytes of code.`,
    DELETEPIXELSHADER: deletes("pixel shader"),
    SETPIXELSHADER: (e) => shader("pixel shader", e["shader"]),
    SETPIXELSHADERCONST: constants("pixel shader"),
    SETPIXELSHADERCONSTI: constants("integer pixel shader"),
    SETPIXELSHADERCONSTB: constants("boolean pixel shader"),
    SETSTREAMSOURCE: (e) => `Reads vertices of stream ${text(e["stream"])} from buffer ${text(e["buffer"])}, ${text(e["stride"])} bytes each.`,
    SETSTREAMSOURCE2: (e) => `Reads vertices of stream ${text(e["stream"])} from buffer ${text(e["buffer"])} at byte ${text(e["offset"])}, ${text(e["stride"])} bytes each.`,
    SETSTREAMSOURCEUM: (e) => `Reads vertices of stream ${text(e["stream"])} from the memory that came with the call, ${text(e["stride"])} bytes each.`,
    SETSTREAMSOURCEFREQ: (e) => `Sets the frequency of stream ${text(e["stream"])}, for instances: ${text(e["divider"])}.`,
    SETINDICES: (e) => `Reads indices from buffer ${text(e["buffer"])}, ${text(e["stride"])} bytes each.`,
    DRAWPRIMITIVE: (e) => `Draws ${text(e["primitives"])} primitives, ${text(e["type"])}, from vertex ${text(e["start"])} on.`,
    DRAWPRIMITIVE2: (e) => `Draws ${text(e["primitives"])} primitives, ${text(e["type"])}, from byte ${text(e["offset"])} of the vertices on.`,
    DRAWINDEXEDPRIMITIVE: (e) =>
        `Draws ${text(e["primitives"])} primitives, ${text(e["type"])}, of ${text(e["vertices"])} vertices by indices, from index ${text(e["start_index"])} on.`,
    DRAWINDEXEDPRIMITIVE2: (e) => `Draws ${text(e["primitives"])} primitives, ${text(e["type"])}, by indices, from byte ${text(e["index_offset"])} of the indices on.`,
    CLIPPEDTRIANGLEFAN: (e) => `Draws ${text(e["primitives"])} triangles: the rest of a triangle that the runtime has clipped.`,
    DRAWRECTPATCH: (e) => `Draws rectangle patch ${text(e["handle"])}.`,
    DRAWTRIPATCH: (e) => `Draws triangle patch ${text(e["handle"])}.`,
    ADDDIRTYRECT: (e) => `Says that ${text(e["rect"])} of ${surface(e["surface"])} has changed.`,
    ADDDIRTYBOX: (e) => `Says that a box of ${surface(e["surface"])} has changed.`,
    COLORFILL: (e) => `Fills ${text(e["rect"])} of ${surface(e["surface"])} with ${text(e["color"])}.`,
    CREATEQUERY: (e) => `Makes query ${text(e["id"])}, ${text(e["type"])}.`,
    DELETEQUERY: deletes("query"),
    ISSUEQUERY: (e) => `Begins or ends query ${text(e["id"])}: ${text(e["flags"])}.`,
    GENERATEMIPSUBLEVELS: (e) => `Generates the levels of ${surface(e["surface"])} from its first, with filter ${text(e["filter"])}.`,
    SETCONVOLUTIONKERNELMONO: () => "Sets the filter kernel of monochrome textures.",
    COMPOSERECTS: (e) => `Copies ${text(e["rects"])} rectangles of ${surface(e["src"])} to ${surface(e["dst"])}, for text output.`,
    SETFEEDBACK: (e) => `Records in map ${text(e["map"])} which parts of texture ${text(e["texture"])} are sampled.`,
    MARKER: (e) => (e["text"] ? `The program names what follows: ${text(e["text"])}` : "The innermost marker ends."),
};

function clearSentence(c: Command): string {
    const flags = text(c["flags"]);
    const what = [
        flags.includes("TARGET") && `color to ${text(c["color"])}`,
        flags.includes("ZBUFFER") && `depth to ${text(c["depth"])}`,
        flags.includes("STENCIL") && `stencil to ${text(c["stencil"])}`,
    ].filter(Boolean);
    return `Clears ${what.join(", ") || "nothing"} in ${c.n || "all"} ${c.n === 1 ? "rectangle" : "rectangles"}.`;
}

/** The effect of the command; its first entries represent the others. */
export function explain(command: Command): string {
    const sentence = SENTENCES[command.token];
    if (!sentence)
        return `${command.token} has no meaning in a command stream.`;
    const entries = command.entries ?? [];
    const said = (entries.length ? entries.slice(0, 3) : [{}]).map((entry) => sentence(entry, command));
    const all = [...new Set(said)].join(" ");
    return said.length > 1 && entries.length > 3 && new Set(said).size > 1 ? `${all} And ${entries.length - 3} more.` : all;
}

export const explainedTokens: ReadonlySet<string> = new Set(Object.keys(SENTENCES));
