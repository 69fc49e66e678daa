// SPDX-License-Identifier: MIT
// What the panes of a page share: the session, where the page is, and what they point out to each other.
import type { Draw } from "../client/documents";
import { useNames, type Asked } from "./asked";
import { parseName, placeName, START, type PaneName, type Place } from "./place";
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
    readonly shown = new Store<Shown | null>(null);
    /** Primitive of the draw that is pointed at; -1: none. */
    readonly primitive = new Store(-1);
    /** Its corners in pixels of the target, x and y by turns: the output shows it. */
    readonly outline = new Store<readonly number[]>([]);
    /** Vertex of the draw that is traced, as `dp2 mesh` numbers them. */
    readonly vertex = new Store(0);
    /** Surface that the textures pane shows. */
    readonly surface = new Store(0);

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

    /** Moves by actions, over the ends of frames. */
    async drawBy(by: number): Promise<void> {
        const { frame, draw } = this.place.get();
        const names = await this.session.names(frame);
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
    /** The action that is shown; null: it is not known yet, or there is none. */
    action: Draw | null;
    /** "2.17"; null: not known yet. */
    name: string | null;
    /** Why there is no action. */
    missing: string | null;
}

/** The action that the page shows. */
export function useCurrent(view: View): Current {
    const place = useStore(view.place);
    const names = useNames(view.session, place.frame);
    const list = names.value && names.value[0]?.draw.startsWith(`${place.frame}.`) ? names.value : null;
    const action = list ? (list[place.draw < 0 ? lastShown(list) : place.draw] ?? null) : null;
    let missing: string | null = null;
    if (names.error)
        missing = names.error;
    else if (names.value && !names.waiting && !action)
        missing = names.value.length
            ? `Frame ${place.frame} has ${names.value.length} actions: there is no ${placeName(place.frame, place.draw)}.`
            : `Frame ${place.frame} draws nothing.`;
    return { place, names, action, name: action?.draw ?? null, missing };
}
