// SPDX-License-Identifier: MIT
// The history of the pixel that is chosen in the output.
import type { Pixel } from "../client/documents";
import { useAsked, type Asked } from "./asked";
import { useStore } from "./store";
import type { View } from "./view";

/**
 * The pixel belongs to the surface that the output shows. Flips move the frame's picture from surface to surface, so
 * the frame is asked first; only if its picture is never in this surface, the surface is asked.
 */
export function usePixel(view: View): Asked<Pixel> {
    const { frame, pixel } = useStore(view.place);
    const shown = useStore(view.shown);
    // 0: the surface that the frame shows; undefined: the output will say which.
    const surface = shown?.draw.startsWith(`${frame}.`) ? shown.surface : shown === null ? 0 : undefined;
    const { session } = view;
    const key = pixel && (surface === undefined ? undefined : `pixel ${frame} ${pixel.x},${pixel.y} ${surface}`);
    return useAsked<Pixel>(session, key, async () => {
        const question = { ask: "pixel" as const, frame, x: pixel?.x ?? 0, y: pixel?.y ?? 0 };
        const whole = await session.document<Pixel>({ ...question, surface: 0 }, "pixel").catch((error: unknown) => {
            // A pixel of a larger surface lies outside of the frame's picture.
            if (error instanceof Error && error.name === "Superseded")
                throw error;
            return null;
        });
        if (surface && whole?.rows.some((row) => row.surface === surface))
            return whole;
        return session.document<Pixel>({ ...question, surface: surface ?? 0 }, "pixel");
    });
}
