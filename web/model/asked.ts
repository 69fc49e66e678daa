// SPDX-License-Identifier: MIT
// Questions that components ask: a component is rendered again when its answer arrives.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Draw } from "../client/documents";
import { Superseded, type Picture } from "../client/engine";
import type { Question } from "../client/questions";
import type { Session } from "./session";
import { useStore } from "./store";

export interface Asked<T> {
    /** The newest answer: that of an older question until the newest is answered. */
    value: T | null;
    error: string | null;
    waiting: boolean;
}

/** The question, as a text that distinguishes it from others; null: no question; undefined: not known yet. */
export type Key = string | null | undefined;

/** The newest answer, and its question. */
interface Answered<T> {
    session: Session | null;
    key: Key;
    edition: number;
    value: T | null;
    error: string | null;
}

const UNANSWERED: Answered<never> = { session: null, key: null, edition: 0, value: null, error: null };

/** Asks whenever the key changes. An answer that arrives after a newer question is ignored. */
export function useAsked<T>(session: Session, key: Key, ask: () => Promise<T>): Asked<T> {
    const [answer, setAnswer] = useState<Answered<T>>(UNANSWERED);
    const edition = useStore(session.edition);
    const newest = useRef(0);

    useEffect(() => {
        const number = ++newest.current;
        if (key === null)
            setAnswer(UNANSWERED);
        if (key === null || key === undefined)
            return;
        const answered = (value: T) => {
            if (number === newest.current)
                setAnswer({ session, key, edition, value, error: null });
        };
        const failed = (error: unknown) => {
            if (number !== newest.current)
                return;
            // Another pane asked the same, and then asked something else.
            if (error instanceof Superseded)
                ask().then(answered, failed);
            else
                setAnswer({ session, key, edition, value: null, error: error instanceof Error ? error.message : String(error) });
        };
        ask().then(answered, failed);
        return () => void newest.current++;
    }, [session, key, edition]);
    if (key === null)
        return { value: null, error: null, waiting: false };
    // Already when the question changes: effects run after rendering.
    const waiting = answer.session !== session || answer.key !== key || answer.edition !== edition;
    return { value: answer.value, error: answer.error, waiting: waiting || key === undefined };
}

/** A document of the engine. */
export function useDocument<T>(session: Session, question: Question | null | undefined, lane: string): Asked<T> {
    return useAsked<T>(session, question && JSON.stringify(question), () => session.document<T>(question as Question, lane));
}

/** A document with its picture. */
export function usePictured<T>(session: Session, question: Question | null | undefined, lane: string): Asked<{ document: T; picture: Picture }> {
    return useAsked(session, question && JSON.stringify(question), () => session.pictured<T>(question as Question, lane));
}

/** The actions of a frame. */
export function useNames(session: Session, frame: number): Asked<Draw[]> {
    return useAsked(session, `names ${frame}`, () => session.names(frame));
}
