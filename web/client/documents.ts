// SPDX-License-Identifier: MIT
// The documents of docs/json.md that the page reads: what `dp2 VERB --json` prints, and what the engine answers, byte for byte.

export interface Info {
    file: string;
    info: Record<string, string>;
    width: number;
    height: number;
    bytes: number;
    frames: number;
    cut_short: boolean;
    total: Record<string, number>;
    events: Record<string, number>;
    tokens: Record<string, number>;
    by_frame: { frame: number; events: number; draws: number; tokens: number; primitives: number }[];
}

export type ActionKind = "draw" | "clear" | "blit" | "fill" | "present";

export interface Action {
    draw: string;
    kind: ActionKind;
    token: string;
    call?: number;
    offset?: number;
    entry?: number;
    context?: number;
    refused: boolean;
    text?: string;
}

/** Missing data of a draw, or why it is skipped. */
export interface Lack {
    lack: string;
    text: string;
}

export interface Draw extends Action {
    targets: number[];
    depth: number;
    seconds: number;
    type?: string;
    primitives?: number;
    parts?: number;
    vertices_named?: number;
    vertices_processed?: number;
    assembled?: number;
    rejected?: number;
    no_area?: number;
    lacks?: Lack[];
    clipped?: number;
    culled?: number;
    tested?: number;
    killed?: number;
    passed?: number;
    written?: number;
    textures?: { sampler: number; surface: number }[];
    vertex_shader?: number;
    pixel_shader?: number;
    /** States that differ from the action before: "ZENABLE=FALSE", "world"; at most 32 of them. */
    changes?: string[];
    change_count?: number;
}

export interface Draws {
    frames: { frame: number; draws: Draw[] }[];
}

export interface StateValue {
    name: string;
    default: boolean;
    changed: boolean;
    bits?: number;
    text?: string;
    floats?: (number | string)[];
    integers?: number[];
}

export interface StateGroup {
    group: string;
    values: StateValue[];
}

export interface State {
    draw: string;
    context: number;
    groups: StateGroup[];
}

export interface StateDifference {
    draw: string;
    other: string;
    differences: { group: string; name: string; a: Partial<StateValue>; b: Partial<StateValue> }[];
}

export interface Shot {
    draw: string;
    show: string;
    before: boolean;
    surface: number;
    width: number;
    height: number;
    hash: string;
    black?: number;
    white?: number;
    most?: number;
    mean?: number;
    marked?: number;
}

export interface Sample {
    bytes?: string;
    color?: [number, number, number, number];
    /** The texel is an index into this palette; without `palette` it is seen as a grey. */
    index?: number;
    palette?: number;
    depth?: number;
    stencil?: number;
}

/** The fate of the pixel in a Blt. */
export interface Blit {
    fate: "shown" | "outside" | "clipped" | "source-keyed" | "destination-keyed" | "copied" | "filled";
    fill?: number;
    source?: number;
    x?: number;
    y?: number;
    texel?: string;
    stretched?: boolean;
    mirrored_x?: boolean;
    mirrored_y?: boolean;
    source_key?: number;
    destination_key?: number;
    disagrees: boolean;
}

export interface Fragment {
    primitive: number;
    verdict: string;
    /** The render state that decided. */
    state?: string;
    front_facing: boolean;
    samples: number;
    /** null: nothing reads the component; a text: the bits of a number that is not finite. */
    output: (number | string | null)[];
    kills?: number;
    killed_by?: number;
    depth?: number[];
    alpha_test?: { func: string; alpha: number; ref: number };
    depth_test?: { func: string };
    stencil_test?: { func: string; ref: number; mask: number };
    before: Sample[];
    after: Sample[];
}

export interface Nearest {
    primitive: number;
    verdict: string;
    planes?: string[];
    distance?: number;
}

export interface PixelRow {
    /** The action; after a row between two actions, the next one. */
    draw: string;
    kind: "draw" | "clear" | "blit" | "fill" | "present" | "lock" | "palette";
    token: string;
    call?: number;
    offset?: number;
    entry?: number;
    context?: number;
    refused: boolean;
    text?: string;
    between?: "lock" | "memory" | "samples" | "palette-entry" | "other-palette";
    blit?: Blit;
    surface: number;
    /** The surface whose memory `surface` has after the flip. */
    from?: number;
    reaches: boolean;
    changed: boolean;
    before: Sample[];
    after: Sample[];
    primitives?: number;
    fragment_count?: number;
    fragments?: Fragment[];
    nearest?: Nearest;
    lacks?: Lack[];
    disagrees?: boolean;
}

export interface Pixel {
    frame: number;
    x: number;
    y: number;
    rows: PixelRow[];
    initial?: Sample[];
    final?: Sample[];
}

export interface Corner {
    vertex?: number;
    /** The index, or part of the vertex, is not in the buffers and was read as 0. */
    missing: boolean;
    clip: (number | string)[];
    window?: number[];
    outside: string[];
    inputs: (number | string)[][];
}

export interface MeshPrimitive {
    primitive: number;
    verdict: string;
    planes: string[];
    corners: Corner[];
}

export interface Mesh {
    draw: string;
    primitives: MeshPrimitive[];
}

export interface Texture {
    surface: number;
    handle: number;
    kind: string;
    format: string;
    width: number;
    height: number;
    depth: number;
    mips: number;
    faces: number;
    bytes: number;
    memory: string;
    /** That its indices are seen through, with its entries. */
    palette?: number;
    colors?: string[];
    uses: { draw: string; as: string[] }[];
}

export interface Textures {
    frame: number;
    textures: Texture[];
}

/** The name of an action, as `dp2 find` and `dp2 draws --names` give it. */
export interface Named {
    draw: string;
    kind: ActionKind;
    token: string;
    call?: number;
    offset?: number;
    entry?: number;
    context?: number;
    type?: string;
    primitives?: number;
}

export interface Found {
    draws: Named[];
    tested: number;
    understood: { words: string; meaning: string; met: number }[];
}

/** A surface that an action reads or writes. */
export interface Resource {
    /** "color 0", "depth", "texture 3" ... */
    as: string;
    surface: number;
    width?: number;
    height?: number;
    format?: string;
    samples?: number;
    depth?: boolean;
    stencil?: boolean;
    picture?: string;
    stencil_picture?: string;
}

/** Vertices or indices of a draw. */
export interface BufferUse {
    as: string;
    surface: number;
    bound: boolean;
    offset: number;
    bytes: number;
    stride: number;
}

export interface Resources {
    draw: string;
    outputs: Resource[];
    inputs: Resource[];
    buffers: BufferUse[];
}

export interface BufferRow {
    row: number;
    /** By column a list of its components, each a number or a text; null: bytes are missing. */
    cells: unknown[];
}

export interface BufferTable {
    draw: string;
    source: string;
    surface: number;
    bytes: number;
    offset: number;
    stride: number;
    first: number;
    end: number;
    layout: string;
    columns: { name: string; type: string; offset: number; components: number }[];
    rows: BufferRow[];
}

/** A field of a command: a number, a name, or a list. */
export type FieldValue = number | string | boolean | null | FieldValue[] | { [name: string]: FieldValue };

export interface Command {
    offset: number;
    token: string;
    n: number;
    entries: Record<string, FieldValue>[];
    [field: string]: FieldValue | undefined;
}

/** The lines of an event and of its commands in the text that it was made from. */
export interface AsmEvent {
    event: string;
    line: number;
    commands?: { offset: number; line: number }[];
}

export interface Asm {
    output: string;
    events: AsmEvent[];
}

/** A call of the WDDM interface. */
export interface UmdCall {
    function: string;
    command?: number;
    arguments: Record<string, unknown>;
    result?: string;
}

export interface DumpEvent {
    event: string;
    commands?: Command[];
    calls?: UmdCall[];
    unreadable?: { offset: number; why: string };
    [field: string]: unknown;
}

export interface Dump {
    frames: { frame: number; offset: number; events: DumpEvent[] }[];
}

export interface TokenField {
    name: string;
    type: string;
}

export interface Token {
    number: number;
    name: string;
    directx: string;
    bytes: string;
    fixed: TokenField[];
    entry: TokenField[];
    ours: boolean;
    dlls: string[];
    sent_by: string;
}

export interface Tokens {
    tokens: Token[];
}

export interface ShaderText {
    assembly?: string;
    tokens?: number[];
    check?: { broken: { dword: number; text: string }[]; created: boolean };
    error?: { text: string; line?: number; dword?: number };
}
