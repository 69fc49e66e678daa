// SPDX-License-Identifier: MIT
// Shared by the panes of a page: the session, the place of the page, and highlights.
import type { Draw } from "../client/documents";
import { useNames, type Asked } from "./asked";
import type { Source } from "./faces";
import { Notes } from "./notes";
import { flipped, parseName, placeName, START, type PaneName, type Place } from "./place";
import type { Session } from "./session";
import { Store, useStore } from "./store";
import { lastShown } from "./tree";

/** The picture that the output shows. */
export interface Shown {
    draw: string;
    surface: number;
    width: number;
    height: number;
}

export class View {
    readonly place: Store<Place>;
    /** null: there is none; undefined: not known yet. */
    readonly shown = new Store<Shown | null | undefined>(undefined);
    /** Highlighted primitive of the draw; -1: none. */
    readonly primitive = new Store(-1);
    /** The corners of that primitive in pixels of the target, x and y alternating: the output draws them. */
    readonly outline = new Store<readonly number[]>([]);
    /** Vertex of the draw that is traced, as `dp2 mesh` numbers them. */
    readonly vertex = new Store(0);
    /** Surface that the textures pane shows. */
    readonly surface = new Store(0);
    /** Buffer that the pane buffers shows; "": the first of the draw. */
    readonly buffer = new Store("");
    /** Notes on draws. */
    readonly notes = new Notes();
    /** The text of the capture, if it was assembled in the page. */
    readonly source = new Store<Source | null>(null);
    /** Lines of that text, from 1; 0: none. The line with its cursor, the line that a pane marks, and the line that was chosen in a pane. */
    readonly cursor = new Store(0);
    readonly marked = new Store(0);
    readonly chosenLine = new Store<{ line: number }>({ line: 0 });
    private moves = Promise.resolve();

    constructor(
        readonly session: Session,
        place: Place = START,
    ) {
        this.place = new Store(place);
    }

    go(change: Partial<Place>): void {
        const old = this.place.get();
        const next = { ...old, ...change };
        if (change.frame !== undefined && change.frame !== old.frame && change.draw === undefined)
            next.draw = -1;
        if (next.frame !== old.frame || next.draw !== old.draw) {
            this.primitive.set(-1);
            this.outline.set([]);
            this.vertex.set(0);
        }
        this.place.set(next);
    }

    /** From the surface after the draw to the surface before it, and back. */
    flip(): void {
        this.go(flipped(this.place.get()));
    }

    /** Shows a target after the draw; number: of a color target. */
    showTarget(show: string, number = 0): void {
        this.go({ show, target: number, before: false });
    }

    /** Shows a buffer of the draw as a table: "stream 0", "indices", "surface 7". */
    showBuffer(source: string): void {
        this.buffer.set(source);
        this.go({ pane: "buffers" });
    }

    /** "2.17" */
    goTo(name: string, pane?: PaneName): void {
        this.go({ ...parseName(name), ...(pane && { pane }) });
    }

    /** Shows a surface in the textures pane. */
    showSurface(surface: number): void {
        this.surface.set(surface);
        this.go({ pane: "textures" });
    }

    /** Moves by frames; a frame's last action is shown. */
    frameBy(by: number): void {
        const frame = Math.min(this.session.info.frames - 1, Math.max(0, this.place.get().frame + by));
        this.go({ frame, draw: -1 });
    }

    /** Moves by actions, across frames. Moves are queued, so that none is lost while names are still loading. */
    drawBy(by: number): Promise<void> {
        this.moves = this.moves.then(() => this.move(by)).catch(() => {}); // (the panes show why there are no names)
        return this.moves;
    }

    private async move(by: number): Promise<void> {
        const names = await this.session.names(this.place.get().frame);
        const { frame, draw } = this.place.get();
        if (names !== (await this.session.names(frame)))
            return; // the user has moved elsewhere meanwhile
        const count = names.length;
        const from = draw < 0 ? lastShown(names) : draw;
        const to = from + by;
        if (to >= 0 && to < count)
            this.go({ frame, draw: to });
        else if (to < 0 && frame > 0)
            this.go({ frame: frame - 1, draw: -1 });
        else if (to >= count && frame + 1 < this.session.info.frames)
            this.go({ frame: frame + 1, draw: 0 });
    }
}

export interface Current {
    place: Place;
    names: Asked<Draw[]>;
    /** The action that is shown; null: there is none; undefined: not known yet. */
    action: Draw | null | undefined;
    /** Why there is no action. */
    missing: string | null;
}

/** The action that the page shows. */
export function useCurrent(view: View): Current {
    const place = useStore(view.place);
    const names = useNames(view.session, place.frame);
    const list = names.value && names.value[0]?.draw.startsWith(`${place.frame}.`) ? names.value : null;
    const action = list?.[place.draw < 0 ? lastShown(list) : place.draw];
    if (action || names.waiting)
        return { place, names, action, missing: null };
    let missing = names.error ?? `Frame ${place.frame} draws nothing.`;
    if (names.value?.length)
        missing = `Frame ${place.frame} has ${names.value.length} actions: there is no ${placeName(place.frame, place.draw)}.`;
    return { place, names, action: null, missing };
}
