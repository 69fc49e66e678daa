// SPDX-License-Identifier: MIT
// The place of the playground, as a link: #04-winding, or
// #04-winding/docs/surfaces.md#the-calls-in-the-life-of-a-texture
import type { Course } from "./lessons";

export interface Route {
    lesson: string;
    /** The path of the document that is shown instead of the lesson's text. */
    page: string | null;
    anchor: string;
}

export function parseRoute(hash: string, { lessons, pages }: Course): Route {
    const [, lesson = "", page = "", anchor = ""] = /^#?([\w-]*)\/?([^#]*)#?(.*)$/.exec(decodeURIComponent(hash)) ?? [];
    return {
        lesson: lessons.some(({ id }) => id === lesson) ? lesson : (lessons[0]?.id ?? ""),
        page: pages.some(({ path }) => path === page) ? page : null,
        anchor,
    };
}

export function formatRoute({ lesson, page, anchor }: Route): string {
    return `#${lesson}${page ? `/${page}${anchor && `#${anchor}`}` : ""}`;
}
