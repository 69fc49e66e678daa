// SPDX-License-Identifier: MIT
// Keeps the address of the page and the place in step.
import { formatLink, parseLink } from "./place";
import type { View } from "./view";

/** Returns the function that stops this. */
export function followLinks(view: View): () => void {
    const write = () => {
        const link = formatLink(view.place.get());
        if (link !== location.hash)
            history.replaceState(null, "", link);
    };
    const read = () => {
        const place = parseLink(location.hash, view.place.get());
        if (place)
            view.place.set(place);
        else
            write();
    };
    const unwatch = view.place.watch(write);
    addEventListener("hashchange", read);
    return () => {
        unwatch();
        removeEventListener("hashchange", read);
    };
}
