// SPDX-License-Identifier: MIT
// Messages on separate lines, below the lines that they are about.
import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet } from "@codemirror/view";

export interface UnderLine {
    line: number;
    column: number;
    text: string;
}

const FAR = 32; // in columns: a message that begins farther to the right would be cut off

class Message extends WidgetType {
    constructor(
        readonly text: string,
        readonly column: number,
    ) {
        super();
    }
    override eq(other: Message): boolean {
        return other.text === this.text && other.column === this.column;
    }
    override toDOM(): HTMLElement {
        const element = document.createElement("div");
        element.className = "under-line";
        element.setAttribute("role", "alert");
        element.style.paddingLeft = `${this.column <= FAR ? this.column - 1 : 2}ch`;
        element.textContent = `▲ ${this.text}`;
        return element;
    }
}

const setMessages = StateEffect.define<readonly UnderLine[]>();

const messages = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(shown, transaction) {
        let next = shown.map(transaction.changes);
        for (const effect of transaction.effects)
            if (effect.is(setMessages)) {
                const { doc } = transaction.state;
                const ranges = [...effect.value]
                    .sort((a, b) => a.line - b.line)
                    .map(({ line, column, text }) =>
                        Decoration.widget({ widget: new Message(text, column), block: true, side: 1 }).range(
                            doc.line(Math.min(Math.max(line, 1), doc.lines)).to,
                        ),
                    );
                next = Decoration.set(ranges);
            }
        return next;
    },
    provide: (field) => EditorView.decorations.from(field),
});

export interface UnderLines {
    extension: Extension;
    set(messages: readonly UnderLine[]): void;
}

/** For one editor. */
export function underLines(): UnderLines {
    let view: EditorView | null = null;
    let wanted: readonly UnderLine[] = [];
    const plugin = ViewPlugin.define((created) => {
        view = created;
        return {
            destroy() {
                if (view === created)
                    view = null;
            },
        };
    });
    return {
        extension: [messages, plugin],
        set(next) {
            if (next === wanted)
                return;
            wanted = next;
            view?.dispatch({ effects: setMessages.of(next) });
        },
    };
}
