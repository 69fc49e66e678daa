// SPDX-License-Identifier: MIT
// A value that components can watch.
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
    private readonly watchers = new Set<(value: T) => void>();

    constructor(private value: T) {}

    get(): T {
        return this.value;
    }

    set(value: T): void {
        if (value === this.value)
            return;
        this.value = value;
        for (const watcher of [...this.watchers])
            watcher(value);
    }

    update(change: Partial<T>): void {
        this.set({ ...this.value, ...change });
    }

    watch(watcher: (value: T) => void): () => void {
        this.watchers.add(watcher);
        return () => this.watchers.delete(watcher);
    }
}

/** The value of a store; the component is rendered again when the value changes. */
export function useStore<T>(store: Store<T>): T {
    const [value, setValue] = useState(store.get());
    useEffect(() => {
        setValue(() => store.get());
        return store.watch((next) => setValue(() => next));
    }, [store]);
    return value;
}
