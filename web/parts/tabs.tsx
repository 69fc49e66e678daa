// SPDX-License-Identifier: MIT
// A row of tabs: one stop of the Tab key; the arrow keys change between them.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface Tab<Name extends string> {
    name: Name;
    label: string;
    /** Key of the page that goes there, for the tooltip. */
    hint?: string;
}

interface TabsProps<Name extends string> {
    label: string;
    tabs: readonly Tab<Name>[];
    chosen: Name;
    onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>): JSX.Element {
    const bar = useRef<HTMLDivElement>(null);
    // In a narrow column the tabs scroll.
    useEffect(() => {
        const tab = bar.current?.querySelector<HTMLElement>("[aria-selected=true]");
        if (bar.current && tab)
            bar.current.scrollLeft = Math.min(tab.offsetLeft - bar.current.offsetLeft, Math.max(bar.current.scrollLeft, tab.offsetLeft - bar.current.offsetLeft + tab.offsetWidth - bar.current.clientWidth));
    }, [chosen]);
    const onKeyDown = (event: KeyboardEvent) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (!by)
            return;
        const at = tabs.findIndex((tab) => tab.name === chosen);
        const next = (at + by + tabs.length) % tabs.length;
        onChoose((tabs[next] as Tab<Name>).name);
        (bar.current?.children[next] as HTMLElement | undefined)?.focus();
        event.preventDefault();
        event.stopPropagation();
    };
    return (
        <div class="tabs" role="tablist" aria-label={label} ref={bar} onKeyDown={onKeyDown}>
            {tabs.map((tab) => (
                <button
                    key={tab.name}
                    type="button"
                    role="tab"
                    data-tab={tab.name}
                    aria-selected={tab.name === chosen}
                    tabIndex={tab.name === chosen ? 0 : -1}
                    title={tab.hint}
                    onClick={() => onChoose(tab.name)}
                >
                    {tab.label}
                </button>
            ))}
        </div>
    );
}
