// SPDX-License-Identifier: MIT
// Questions of components: an answer that is there later draws the component again.
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

/** Asks whenever the key changes. An answer that comes after a newer question is forgotten. key null: nothing to ask. */
export function useAsked<T>(session: Session, key: string | null, ask: () => Promise<T>): Asked<T> {
    const [asked, setAsked] = useState<Asked<T>>({ value: null, error: null, waiting: key !== null });
    const edition = useStore(session.edition);
    const newest = useRef(0);

    useEffect(() => {
        const number = ++newest.current;
        if (key === null) {
            setAsked({ value: null, error: null, waiting: false });
            return;
        }
        setAsked((old) => ({ ...old, waiting: true }));
        const answered = (value: T) => {
            if (number === newest.current)
                setAsked({ value, error: null, waiting: false });
        };
        const failed = (error: unknown) => {
            if (number !== newest.current)
                return;
            // Another pane has asked the same, and has then asked for something else.
            if (error instanceof Superseded)
                ask().then(answered, failed);
            else
                setAsked({ value: null, error: error instanceof Error ? error.message : String(error), waiting: false });
        };
        ask().then(answered, failed);
        return () => void newest.current++;
    }, [session, key, edition]);
    return asked;
}

/** A document of the engine. */
export function useDocument<T>(session: Session, question: Question | null, lane: string): Asked<T> {
    return useAsked<T>(session, question && JSON.stringify(question), () => session.document<T>(question as Question, lane));
}

/** A document with its picture. */
export function usePictured<T>(session: Session, question: Question | null, lane: string): Asked<{ document: T; picture: Picture }> {
    return useAsked(session, question && JSON.stringify(question), () => session.pictured<T>(question as Question, lane));
}

/** The actions of a frame. */
export function useNames(session: Session, frame: number): Asked<Draw[]> {
    return useAsked(session, `names ${frame}`, () => session.names(frame));
}
