#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 dump --ddi umd: the calls of the WDDM interface that a capture becomes. Speaks TAP.

tests/cli/test_calls.py [DP2]
"""
import json
import os
import re
import sys

from program import MULTI, ROOT, TEXTS, assemble, dp2
from tap import run_tests

TABLE = os.path.join(ROOT, "d3d/umd_functions.def")
# The bridge puts vertices from user memory into a buffer, which the next draw binds (docs/umd.md, "The bridge").
LATER = {"SETSTREAMSOURCEUM"}
SYSTEM_MEMORY = 1
PRIMARY = 0x200             # DDSCAPS_PRIMARYSURFACE
# Tokens with a function of their own that no text of the tree has.
IN_NO_TEXT = {"COMPOSERECTS", "DELETEVERTEXSHADERFUNC", "DRAWTRIPATCH", "SETCONVOLUTIONKERNELMONO", "VOLUMEBLT"}


def functions():
    """{token: functions of the table that are one token}"""
    table = {}
    with open(TABLE, encoding="utf-8") as file:
        for name, through in re.findall(r'^FUNCTION\(\d+,\s*(\w+),\s*\w+,\s*TOKEN,\s*"([^"]*)"', file.read(), re.M):
            for token in re.findall(r"\b[A-Z][A-Z0-9]+\b", through):
                table.setdefault(token, set()).add("pfn" + name)
    assert len(table) > 50, table
    return table


def dump(capture, *options):
    """(event, its frame) of all events."""
    frames = json.loads(dp2("dump", capture, "--ddi", "umd", "--json", *options))["frames"]
    return [(event, frame["frame"]) for frame in frames for event in frame["events"]]


def played(commands):
    """Those before the end of an execute buffer."""
    for command in commands:
        if command["token"] == "EXIT":
            return
        yield command


def tokens_have_their_functions():
    table, seen = functions(), set()
    for text in TEXTS:
        for event, frame in dump(assemble(text)):
            for command in played(event.get("commands", [])):
                made = {c["function"] for c in event["calls"] if c.get("command") == command["offset"]}
                where = text, frame, command["offset"], command["token"], made
                if not command["n"] or command["token"] in LATER:
                    continue
                assert made, where
                if command["token"] in table:
                    assert made & table[command["token"]], where
                    seen.add(command["token"])
    assert set(table) - seen <= IN_NO_TEXT | LATER, set(table) - seen


def states_keep_their_entries():
    """As many calls of SetRenderState as entries, in their order, with the values of the entries."""
    count = 0
    for text in TEXTS:
        for event, _ in dump(assemble(text)):
            for command in played(event.get("commands", [])):
                if command["token"] != "RENDERSTATE":
                    continue
                calls = [c["arguments"] for c in event["calls"] if c.get("command") == command["offset"] and c["function"] == "pfnSetRenderState"]
                entries = [{"State": e["state"], "Value": e["value"]} for e in command["entries"]]
                if calls == entries:
                    count += len(calls)
                else:       # a texture of DirectX 6 is SetTexture
                    assert all(c in entries for c in calls), (text, command, calls)
    assert count > 100, count


def events_have_calls():
    """All but those that say something about surfaces that exist, writes to memory that is not the driver's, and what is done to
    screens of indices, which WDDM does not have."""
    for text in TEXTS:
        theirs, unmade = set(), set()       # in system memory; refused
        for event, frame in dump(assemble(text)):
            if event["event"] == "surfaces" and event["flags"] & SYSTEM_MEMORY:
                theirs |= {part["id"] for part in event["parts"]}
                continue
            if event["event"] == "surfaces" and event["parts"][0]["caps"] & PRIMARY and event["parts"][0]["format"] == "P8":
                unmade |= {part["id"] for part in event["parts"]}
            if unmade & {event.get(name) for name in ("destination", "current")}:
                continue
            if event["event"] in ("announce", "frame", "color-key", "local-gone", "palette", "palette-gone", "set-palette") or event.get("id") in theirs:
                continue
            assert event["calls"], (text, frame, event)


def handles_have_names():
    """A handle is one that a call before has made, or none."""
    for text in TEXTS:
        made = set()
        for event, frame in dump(assemble(text)):
            for call in event["calls"]:
                for name, value in call["arguments"].items():
                    if not re.match("h[A-Z]|ShaderHandle|Target|Depth$|Surface", name) or value == "NULL" or not isinstance(value, str):
                        continue
                    base = value.split("[")[0]
                    assert re.fullmatch(r"[a-z ]+ \d+", base), (text, frame, call)
                    if name in ("hResource", "ShaderHandle", "hQuery", "hStateSet") and re.match("pfn(Create|StateSet)", call["function"]):
                        made.add(base)
                    assert base in made, (text, frame, call)


def text_and_json_agree():
    """The same calls in the same order, and the lines of the dump without them."""
    for text in TEXTS[::4]:
        capture = assemble(text)
        lines = dp2("dump", capture, "--ddi", "umd").splitlines()
        calls = re.compile(r"^ {12}(?:(pfn\w+)\(|// no call$)")
        assert [c["function"] for event, _ in dump(capture) for c in event["calls"]] == \
            [m[1] for m in map(calls.match, lines) if m and m[1]], text
        assert [line for line in lines if not calls.match(line)] == dp2("dump", capture).splitlines(), text


def frames_and_options():
    capture = assemble(MULTI)
    whole = dump(capture)
    assert max(frame for _, frame in whole) == 5
    assert dump(capture, "--frame", "3") == [(e, f) for e, f in whole if f == 3]
    assert dump(capture, "--tokens-only") == [(e, f) for e, f in whole if e["event"] in ("draw", "frame")]
    assert dp2("dump", capture, "--ddi", "dx9") == dp2("dump", capture)
    dp2("dump", capture, "--ddi", "umd", "--asm", status=2)
    dp2("dump", capture, "--ddi", "umd", "--frame", "9", status=2)


sys.exit(0 if run_tests([tokens_have_their_functions, states_keep_their_entries, events_have_calls, handles_have_names,
                         text_and_json_agree, frames_and_options]) else 1)
