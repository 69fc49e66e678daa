// SPDX-License-Identifier: MIT
// Small pictures of frames, made by a separate engine that plays the capture from its beginning in the background.
import type { Picture } from "../client/engine";
import { commandLine } from "../client/questions";
import type { Session } from "./session";
import { Store } from "./store";

export const THUMB_WIDTH = 96;
const PORTION = 4;
const ALL = 400; // in longer captures: only visible frames and their neighbours

export interface Thumbnail {
    picture: Picture;
    seconds: number;
    hash: string;
}

interface Frames {
    frames: { frame: number; seconds: number; hash: string }[];
}

export class Thumbnails {
    readonly frames = new Map<number, Thumbnail>();
    /** Grows with every portion. */
    readonly edition = new Store(0);
    readonly failed = new Store<string | null>(null);
    private wanted = { first: 0, last: 0 };
    private working = false;
    private closed = false;

    constructor(private readonly session: Session) {}

    /** Called when these frames become visible. */
    want(first: number, last: number): void {
        this.wanted = { first, last };
        void this.work();
    }

    close(): void {
        this.closed = true;
    }

    private next(): number | null {
        const { frames } = this.session.info;
        const first = frames <= ALL ? 0 : this.wanted.first;
        const last = frames <= ALL ? frames - 1 : Math.min(frames - 1, this.wanted.last);
        for (let frame = first; frame <= last; frame++)
            if (!this.frames.has(frame))
                return frame;
        return null;
    }

    private async work(): Promise<void> {
        if (this.working)
            return;
        this.working = true;
        await this.session.calm;
        try {
            for (let frame = this.next(); frame !== null && !this.closed; frame = this.next())
                if (!(await this.portion(frame)))
                    break;
        } catch (error) {
            if (!this.closed)
                this.failed.set(error instanceof Error ? error.message : String(error));
        }
        this.working = false;
    }

    /** Returns false if the capture ends before the frame. */
    private async portion(first: number): Promise<boolean> {
        const question = { ask: "frames" as const, first, last: first + PORTION - 1, width: THUMB_WIDTH };
        const answer = await this.session.player.run(commandLine(question, "capture"), "frames");
        const made = answer.output ? (JSON.parse(answer.output) as Frames).frames : [];
        for (const { frame, seconds, hash } of made) {
            const picture = answer.pictures[`frame-${frame}`];
            if (picture)
                this.frames.set(frame, { picture, seconds, hash });
        }
        this.edition.set(this.edition.get() + 1);
        return made.length > 0;
    }
}
