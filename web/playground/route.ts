// SPDX-License-Identifier: MIT
// The place of the playground, as a link: #04-winding, or
// #04-winding/docs/surfaces.md#the-calls-in-the-life-of-a-texture, or #04-winding=TEXT with a stream (share.ts)
import { FREE, type Course } from "./lessons";

export interface Route {
    lesson: string;
    /** The path of the document that is shown instead of the lesson's text. */
    page: string | null;
    anchor: string;
    /** A lesson that the link names and that does not exist; the first one is shown. */
    missing?: string | undefined;
    /** A stream that the link brings. */
    shared?: string | undefined;
}

export function parseRoute(hash: string, { lessons, pages }: Course): Route {
    const shared = /^#?([\w-]*)=([\w-]+)$/.exec(hash);
    const [, lesson = "", page = "", anchor = ""] = shared ?? /^#?([\w-]*)\/?([^#]*)#?(.*)$/.exec(decodeURIComponent(hash)) ?? [];
    if (shared)
        return { lesson: lessons.some(({ id }) => id === lesson) ? lesson : FREE, page: null, anchor: "", shared: shared[2] as string };
    const known = lesson === FREE || lessons.some(({ id }) => id === lesson);
    return {
        lesson: known ? lesson : (lessons[0]?.id ?? ""),
        missing: known || !lesson ? undefined : lesson,
        page: pages.some(({ path }) => path === page) ? page : null,
        anchor,
    };
}

export function formatRoute({ lesson, page, anchor, shared }: Route): string {
    return shared !== undefined ? `#${lesson}=${shared}` : `#${lesson}${page ? `/${page}${anchor && `#${anchor}`}` : ""}`;
}
