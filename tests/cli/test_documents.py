#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The types that the debugger's page has for documents (web/client/documents.ts) against docs/json.schema.json, and the lists of
pictures against their table. Speaks TAP.

A member of an interface must be one of the schema with the same type; it may be missing (`?`) exactly if the schema allows that. A member
of the schema that no interface has must be named in UNREAD, so that each new member is a decision.
"""
import json
import os
import re
import sys

from program import ROOT
from tap import run_tests

SCHEMA = json.load(open(os.path.join(ROOT, "docs/json.schema.json"), encoding="utf-8"))
TEXT = open(os.path.join(ROOT, "web/client/documents.ts"), encoding="utf-8").read()

# The interfaces that the page asks for, and their definitions. Those of their members follow from the members.
ROOTS = {"Info": "dp2-info", "Draws": "dp2-draws", "State": "dp2-state", "StateDifference": "dp2-state", "Shot": "dp2-shot",
         "Pixel": "dp2-pixel", "Found": "dp2-find", "Resources": "dp2-resources", "BufferTable": "dp2-buffer", "Mesh": "dp2-mesh", "Textures": "dp2-textures", "Dump": "dp2-dump", "Asm": "dp2-asm", "Tokens": "dp2-tokens",
         "ShaderText": "dp2-shader"}
# Every document has these.
COMMON = {"format", "version", "file"}
# Members that the page does not read, by the interface that lacks them.
UNREAD = {
    "BufferTable": {"output"},
    "Corner": {"fetched", "index", "number"},
    "Fragment": {"otherwise", "would_change"},
    "Info": {"indexed", "unreadable_streams"},
    "Info.by_frame": {"command_bytes", "memory_bytes", "vertex_bytes"},
    "Lack": {"begin", "bytes", "end", "stream", "surface"},
    "Mesh": {"lacks", "vertices"},
    "MeshPrimitive": {"part"},
    "Nearest": {"otherwise", "would_change"},
    "ShaderText": {"info", "ir", "ir_plain"},
    "ShaderText.check": {"created_if_strict", "refused"},
    "ShaderText.check.broken": {"column", "line"},
    "ShaderText.error": {"column"},
    "Shot": {"output"},
    "State": {"differences", "other"},              # StateDifference has them
    "StateDifference": {"context", "groups"},
    "Tokens": {"words"},
}


def declarations():
    """{interface: (base, {member: (optional, type)}, type of other members or None)}, and {alias: type}."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", TEXT, flags=re.S)
    interfaces = {}
    for name, base, body in re.findall(r"export interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}", text, re.S):
        members, others = members_of(body)
        interfaces[name] = base, members, others
    return interfaces, dict(re.findall(r"export type (\w+) = (.*?);\n", text, re.S))


def members_of(body):
    members, others = {}, None
    for row in split(body, ";"):
        index = re.fullmatch(r"\[\w+: string\]: (.*)", row, re.S)
        if index:
            others = index[1]
            continue
        name, optional, kind = re.fullmatch(r"(\w+)(\??): (.*)", row, re.S).groups()
        members[name] = bool(optional), kind
    return members, others


def split(text, separator):
    """The parts of a text between separators that are outside of all brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{<") - (c in ")]}>")
        if c == separator and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in parts + [part.strip()] if p]


INTERFACES, ALIASES = declarations()


def resolve(schema):
    """The definition that a reference names, together with what stands next to the reference."""
    while "$ref" in schema:
        named = SCHEMA["$defs"][schema["$ref"].split("/")[-1]]
        beside = {k: v for k, v in schema.items() if k != "$ref"}
        schema = {**named, **beside, "required": named.get("required", []) + beside.get("required", [])}
    return schema


def all_members(name):
    base, members, others = INTERFACES[name]
    if base:
        inherited, other = all_members(base)
        members, others = {**inherited, **members}, others or other
    return members, others


def scalars(schema):
    """The types of a value that is neither a list nor an object."""
    schema = resolve(schema)
    if "anyOf" in schema:
        return set().union(*map(scalars, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return {"string" if isinstance(v, str) else "number" for v in schema.get("enum", [schema.get("const")])}
    kinds = schema.get("type", [])
    return {"number" if k == "integer" else k for k in ([kinds] if isinstance(kinds, str) else kinds)}


def sometimes_required(schema):
    names = set(schema.get("required", []))
    for other in schema.get("dependentRequired", {}).values():
        names |= set(other)
    for branch in schema.get("oneOf", []):
        names |= set(branch.get("required", []))
    return names


class Comparison:
    def __init__(self):
        self.wrong, self.met, self.unread = [], set(), {}

    def object(self, where, members, others, schema, partial=False):
        schema = resolve(schema)
        there = schema.get("properties", {})
        for name, (optional, kind) in members.items():
            if name not in there:
                if not partial:
                    self.wrong.append("%s.%s is not in the schema" % (where, name))
                continue
            if not partial and not optional and name not in sometimes_required(schema):
                self.wrong.append("%s.%s may be missing" % (where, name))
            if not partial and optional and name in schema.get("required", []):
                self.wrong.append("%s.%s is never missing" % (where, name))
            self.value("%s.%s" % (where, name), kind, there[name])
        if others is None:
            self.unread.setdefault(where, []).append(set(there) - set(members) - COMMON)

    def value(self, where, kind, schema):
        kind, schema = kind.strip(), resolve(schema)
        kind = ALIASES.get(kind, kind) if kind != "FieldValue" else "unknown"
        if kind in ("unknown",):
            return
        record = re.fullmatch(r"Record<string, (.*)>", kind)
        partial = re.fullmatch(r"Partial<(\w+)>", kind)
        if kind in INTERFACES:
            self.interface(kind, schema)
        elif partial:
            self.object(where, all_members(partial[1])[0], None, schema, True)
        elif record:
            for part in list(schema.get("properties", {}).values()) + [schema[k] for k in ("additionalProperties",) if schema.get(k)]:
                self.value(where, record[1], part)
        elif kind.endswith("[]"):
            self.list(where, kind[:-2], schema)
        elif kind.startswith("["):
            parts = split(kind[1:-1], ",")
            if not len(parts) == schema.get("minItems") == schema.get("maxItems"):
                self.wrong.append("%s: not a list of %d" % (where, len(parts)))
            self.value(where, parts[0], schema["items"])
        elif kind.startswith("{"):
            self.object(where, *members_of(kind[1:-1]), schema)
        else:
            self.scalar(where, kind, schema)

    def list(self, where, kind, schema):
        if schema.get("type") != "array":
            self.wrong.append("%s is not a list" % where)
            return
        while kind.startswith("(") and kind.endswith(")"):
            kind = kind[1:-1]
        self.value(where, kind, schema["items"])

    def scalar(self, where, kind, schema):
        words = set(split(kind, "|"))
        if all(word.startswith('"') for word in words):
            if {word.strip('"') for word in words} != set(schema.get("enum", [])):
                self.wrong.append("%s: other words than in the schema" % where)
            return
        kinds = scalars(schema)
        # A float that is not a finite number is a string of its bits: only types of lists of floats show that.
        if kinds == {"number", "string"} and words == {"number"}:
            return
        if words != kinds:
            self.wrong.append("%s is %s, in the schema %s" % (where, " | ".join(sorted(words)), " | ".join(sorted(kinds))))

    def interface(self, name, schema):
        key = name, json.dumps(schema, sort_keys=True)
        if key not in self.met:
            self.met.add(key)
            self.object(name, *all_members(name), schema)


def compared():
    comparison = Comparison()
    for name, definition in ROOTS.items():
        comparison.interface(name, SCHEMA["$defs"][definition])
    return comparison


def every_interface_is_compared():
    unused = set(INTERFACES) - {name for name, _ in compared().met} - {base for base, _, _ in INTERFACES.values()}
    assert not unused, "interfaces that no document has: %s" % ", ".join(sorted(unused))


def types_are_those_of_the_schema():
    wrong = compared().wrong
    assert not wrong, "; ".join(wrong)


def members_are_read_or_named_here():
    unread = {name: set.intersection(*lists) for name, lists in compared().unread.items()}
    unread = {name: members for name, members in unread.items() if members}
    assert unread == UNREAD, "docs/json.schema.json has, or UNREAD names: %s" % {
        name: sorted(unread.get(name, set()) ^ UNREAD.get(name, set())) for name in unread.keys() | UNREAD.keys()
        if unread.get(name, set()) != UNREAD.get(name, set())}


def mistakes_are_found():
    """A member that the schema does not have, one of another type, and one that may be missing."""
    comparison = Comparison()
    comparison.object("Shot", {"hash": (False, "number"), "hashes": (False, "string"), "mean": (False, "number"), "show": (True, "string")},
                      None, SCHEMA["$defs"]["dp2-shot"])
    assert len(comparison.wrong) == 4, comparison.wrong
    assert "width" in comparison.unread["Shot"][0]


def source(path):
    return open(os.path.join(ROOT, path), encoding="utf-8").read()


def pictures_are_those_of_the_table():
    """INSPECT_SHOWS (inspect/picture/shot.h) is the table of `--show`: the page has its rows, and other lists its names."""
    rows = re.findall(r'X\(INSPECT_SHOW_\w+, "([^"]+)",\s*"([^"]+)"\)', source("inspect/picture/shot.h"))
    names = [name for name, _ in rows]
    assert len(names) == len(set(names)) == 13, names
    assert re.findall(r'name: "([^"]+)", label: "[^"]+", legend: "([^"]+)"', source("web/model/place.ts")) == rows
    assert SCHEMA["$defs"]["dp2-shot"]["properties"]["show"]["enum"] == names
    for path in "web/tests/view.test.mjs", "tests/web/test_engine.js":
        text = source(path)
        assert re.findall(r"[\w-]+", text[re.search(r"\bshows\b = \[", text, re.I).end():].split("]")[0]) == names, path
    for path, form in ("docs/debugging.md", "`%s`"), ("tools/man/dp2.1", "%s"):
        text = source(path).replace("\\-", "-")
        assert not [name for name in names if not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(form % name), text)], path


sys.exit(0 if run_tests([every_interface_is_compared, types_are_those_of_the_schema, members_are_read_or_named_here,
                         mistakes_are_found, pictures_are_those_of_the_table]) else 1)
