// SPDX-License-Identifier: MIT
// The frames as a strip of small pictures with their times.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../model/store";
import type { Thumbnail, Thumbnails } from "../model/thumbnails";
import { THUMB_WIDTH } from "../model/thumbnails";
import type { View } from "../model/view";
import { putPicture } from "../parts/bitmap";
import { milliseconds } from "../parts/numbers";

const STEP = THUMB_WIDTH + 8;

export function FrameStrip({ view, thumbnails }: { view: View; thumbnails: Thumbnails }): JSX.Element {
    const { frame } = useStore(view.place);
    useStore(thumbnails.edition);
    const failed = useStore(thumbnails.failed);
    const box = useRef<HTMLDivElement>(null);
    const [span, setSpan] = useState({ left: 0, width: 1280 });
    const total = view.session.info.frames;
    const first = Math.max(0, Math.floor(span.left / STEP) - 2);
    const last = Math.min(total - 1, Math.ceil((span.left + span.width) / STEP) + 2);

    useLayoutEffect(() => {
        const element = box.current;
        if (!element)
            return;
        const measure = () => setSpan({ left: element.scrollLeft, width: element.clientWidth });
        const observer = new ResizeObserver(measure);
        observer.observe(element);
        return () => observer.disconnect();
    }, []);
    useEffect(() => thumbnails.want(first, last), [thumbnails, first, last]);
    useEffect(() => {
        const element = box.current;
        if (!element)
            return;
        const left = frame * STEP;
        if (left < element.scrollLeft || left + STEP > element.scrollLeft + element.clientWidth)
            element.scrollLeft = left - element.clientWidth / 2 + STEP / 2;
    }, [frame]);

    const onKeyDown = (event: KeyboardEvent) => {
        const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -total, End: total }[event.key];
        if (by === undefined)
            return;
        view.frameBy(by);
        event.preventDefault();
        event.stopPropagation();
    };

    const shown: JSX.Element[] = [];
    for (let number = first; number <= last; number++)
        shown.push(
            <FrameCell
                key={number}
                number={number}
                chosen={number === frame}
                thumbnail={thumbnails.frames.get(number)}
                failed={failed}
                onChoose={() => view.go({ frame: number, draw: -1 })}
            />,
        );
    return (
        <div
            class="frames"
            ref={box}
            role="listbox"
            aria-label="frames"
            aria-orientation="horizontal"
            aria-activedescendant={`frame-${frame}`}
            tabIndex={0}
            data-list="frames"
            onKeyDown={onKeyDown}
            onScroll={(event) => setSpan({ left: event.currentTarget.scrollLeft, width: event.currentTarget.clientWidth })}
        >
            <div class="frames-all" style={{ width: `${total * STEP}px` }} role="presentation">
                {shown}
            </div>
        </div>
    );
}

interface CellProps {
    number: number;
    chosen: boolean;
    thumbnail: Thumbnail | undefined;
    failed: string | null;
    onChoose: () => void;
}

function FrameCell({ number, chosen, thumbnail, failed, onChoose }: CellProps): JSX.Element {
    const canvas = useRef<HTMLCanvasElement>(null);
    useEffect(() => {
        if (canvas.current && thumbnail)
            putPicture(canvas.current, thumbnail.picture);
    }, [thumbnail]);
    return (
        <div
            id={`frame-${number}`}
            class={chosen ? "frame selected" : "frame"}
            role="option"
            aria-selected={chosen}
            aria-label={`frame ${number}`}
            data-frame={number}
            style={{ left: `${number * STEP}px` }}
            onMouseDown={onChoose}
        >
            <div class="thumb">{thumbnail ? <canvas ref={canvas} /> : <span title={failed ?? ""}>{failed ? "—" : ""}</span>}</div>
            <div class="frame-label">
                <b>{number}</b>
                <span>{thumbnail ? `${milliseconds(thumbnail.seconds)} ms` : ""}</span>
            </div>
        </div>
    );
}
