// SPDX-License-Identifier: MIT
// Markdown as the project's documents use it: headings, paragraphs, lists, tables, code, emphasis and links.
import type { ComponentChildren, JSX } from "preact";

export interface Links {
    /** Does the site have a page for a path of the project? */
    has(path: string): boolean;
    open(path: string, anchor: string): void;
    /** The folder that relative links start from; "" is the project's. */
    folder: string;
}

/** Anchors as GitHub makes them, because the documents' links rely on those. */
export function anchorOf(heading: string): string {
    return heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replace(/ /g, "-");
}

export function join(folder: string, path: string): string {
    const parts = folder ? folder.split("/") : [];
    for (const part of path.split("/")) {
        if (part === "..")
            parts.pop();
        else if (part !== "." && part !== "")
            parts.push(part);
    }
    return parts.join("/");
}

const INLINE = /(`+)(.+?)\1|!\[([^\]]*)\]\([^)]*\)|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|<(https?:[^>]+)>|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*/g;

function External({ to, children }: { to: string; children: ComponentChildren }): JSX.Element {
    return (
        <a href={to} target="_blank" rel="noreferrer">
            {children}
        </a>
    );
}

function link(text: string, target: string, links: Links): ComponentChildren {
    if (/^https?:/.test(target))
        return <External to={target}>{inline(text, links)}</External>;
    const [file = "", anchor = ""] = target.split("#");
    const path = file ? join(links.folder, file) : "";
    if (path && !links.has(path))
        return <code title={path}>{text.replace(/`/g, "")}</code>;
    return (
        <a
            href={`#page/${path}${anchor && `#${anchor}`}`}
            onClick={(event) => {
                event.preventDefault();
                links.open(path, anchor);
            }}
        >
            {inline(text, links)}
        </a>
    );
}

function inline(text: string, links: Links): ComponentChildren[] {
    const out: ComponentChildren[] = [];
    let at = 0;
    for (const match of text.matchAll(INLINE)) {
        const [all, , code, image, label, target, bare, strong, emphasis] = match;
        out.push(text.slice(at, match.index));
        at = (match.index ?? 0) + all.length;
        if (code !== undefined)
            out.push(<code>{code}</code>);
        else if (image !== undefined)
            out.push(image && <span class="dim">[picture: {image}]</span>);
        else if (label !== undefined)
            out.push(link(label, target as string, links));
        else if (bare !== undefined)
            out.push(<External to={bare}>{bare}</External>);
        else if (strong !== undefined)
            out.push(<strong>{inline(strong, links)}</strong>);
        else
            out.push(<em>{inline(emphasis as string, links)}</em>);
    }
    out.push(text.slice(at));
    return out;
}

/** The cells of a table's row; bars inside code are kept. */
function cells(row: string): string[] {
    const parts: string[] = [""];
    let code = false;
    for (const c of row.trim().replace(/^\||\|$/g, "").replace(/\\\|/g, "\0")) {
        if (c === "`")
            code = !code;
        if (c === "|" && !code)
            parts.push("");
        else
            parts[parts.length - 1] += c === "\0" ? "|" : c;
    }
    return parts.map((part) => part.trim());
}

function table(lines: string[], links: Links): JSX.Element {
    const [head = "", , ...rows] = lines;
    return (
        <div class="table">
            <table>
                <thead>
                    <tr>
                        {cells(head).map((cell) => (
                            <th>{inline(cell, links)}</th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row) => (
                        <tr>
                            {cells(row).map((cell) => (
                                <td>{inline(cell, links)}</td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function list(lines: string[], links: Links): JSX.Element {
    const items: string[] = [];
    for (const line of lines) {
        const item = /^(?:[-*]|\d+\.) +(.*)/.exec(line);
        if (item)
            items.push(item[1] as string);
        else
            items[items.length - 1] += ` ${line.trim()}`;
    }
    const children = items.map((item) => <li>{inline(item, links)}</li>);
    return /^\d/.test(lines[0] ?? "") ? <ol>{children}</ol> : <ul>{children}</ul>;
}

export function Markdown({ text, links }: { text: string; links: Links }): JSX.Element {
    const lines = text.split("\n");
    const out: JSX.Element[] = [];
    const starts = (line: string) => /^(#{1,6} |```|\||(?:[-*]|\d+\.) +)/.test(line);
    let at = 0;
    const take = (while_: (line: string) => boolean): string[] => {
        const from = at;
        while (at < lines.length && while_(lines[at] as string))
            at++;
        return lines.slice(from, at);
    };
    while (at < lines.length) {
        const line = lines[at] as string;
        const heading = /^(#{1,6}) (.*)/.exec(line);
        if (!line.trim()) {
            at++;
        } else if (heading) {
            const Heading = `h${Math.min(6, (heading[1] as string).length)}` as "h1";
            out.push(
                <Heading id={anchorOf(heading[2] as string)} tabIndex={-1}>
                    {inline(heading[2] as string, links)}
                </Heading>,
            );
            at++;
        } else if (line.startsWith("```")) {
            at++;
            const body = take((l) => !l.startsWith("```"));
            at++;
            out.push(<pre>{body.join("\n")}</pre>);
        } else if (line.startsWith("    ")) {
            const body = take((l) => l.startsWith("    ") || !l.trim());
            out.push(<pre>{body.map((l) => l.slice(4)).join("\n").trimEnd()}</pre>);
        } else if (line.startsWith("|")) {
            out.push(table(take((l) => l.startsWith("|")), links));
        } else if (/^(?:[-*]|\d+\.) +/.test(line)) {
            out.push(list(take((l) => l.trim() !== "" && !/^(#|```|\|)/.test(l)), links));
        } else {
            const first = at++;
            take((l) => l.trim() !== "" && !starts(l));
            out.push(<p>{inline(lines.slice(first, at).join(" "), links)}</p>);
        }
    }
    return <>{out}</>;
}
