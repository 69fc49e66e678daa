#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON of every verb of dp2 against docs/json.schema.json, and both against docs/json.md. Speaks TAP.

tests/cli/test_json.py [DP2]     DP2: the program, build/native/dp2 by default
"""
import functools
import glob
import json
import os
import re
import subprocess
import sys

import jsonschema

from program import FOLDER, MULTI, PROGRAM, ROOT, TEXTS, assemble, content, damaged, dp2, path, put, run
from tap import run_tests
from traces import Trace

with open(os.path.join(ROOT, "docs/json.schema.json")) as schema_file:
    SCHEMA = json.load(schema_file)
with open(os.path.join(ROOT, "docs/json.md")) as page_file:
    PAGE = page_file.read()


def unique(pairs):
    members = dict(pairs)
    assert len(members) == len(pairs), "a member comes twice: %s" % [name for name, _ in pairs]
    return members


def no_constant(text):
    raise ValueError(text + " is not JSON")


def parse(text):
    """Parses strictly: no NaN, no duplicate members. (Bytes that are not UTF-8 would not have been decoded.)"""
    return json.loads(text, object_pairs_hook=unique, parse_constant=no_constant)


@functools.cache
def validator_of(name):
    return jsonschema.Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/" + name})


def judge(document, name):
    """Checks a document against the schema of its format."""
    assert list(document)[:2] == ["format", "version"] and document["format"] == name, (name, list(document))
    error = jsonschema.exceptions.best_match(validator_of(name).iter_errors(document))
    assert not error, "%s at %s: %s" % (name, list(error.absolute_path), error.message[:500])
    return document


def ask(*words, status=0, input=b""):
    """The document of a verb."""
    return judge(parse(dp2(*words, "--json", status=status, input=input)), "dp2-" + words[0])


def every_verb_says_so():
    """The verbs with --json in their help are those of the schema, of docs/json.md and of this test."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    verbs = re.findall(r"^  ([a-z]+) ", dp2("--help"), re.M)
    having = {v for v in verbs if re.search(r"^ +--json\b|\|--json\b", dp2(v, "--help"), re.M)}
    assert having == set(verbs) - {"play", "view"}, having
    named = {ref["$ref"].rsplit("/")[-1] for ref in SCHEMA["oneOf"]}
    assert named == {"dp2-" + v for v in having} | {"dp2-help"}, named
    for words in ["help"], ["help", "replay"]:
        ask(*words)
    assert set(re.findall(r"^## [a-z]+: `(dp2-[a-z]+)`$", PAGE, re.M)) == named


def names_in(schema):
    """The names of all members that a part of the schema lists."""
    if isinstance(schema, list):
        return set().union(*map(names_in, schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema.get("properties", {}))
    for key, value in schema.items():
        found |= names_in(list(value.values()) if key == "properties" else value)
        if key == "$ref":
            found |= names_in(SCHEMA["$defs"][value.rsplit("/")[-1]])
    return found


def the_document_names_every_member():
    common = PAGE.split("\n## info", 1)[0] + PAGE.split("\n## dump", 1)[1].split("\n## ", 1)[0]
    for ref in SCHEMA["oneOf"]:
        name = ref["$ref"].rsplit("/")[-1]
        section = PAGE.split(": `%s`\n" % name, 1)[1].split("\n## ", 1)[0]
        told = {w.rsplit(".")[-1] for w in re.findall(r"`([a-z0-9_.\[\]]+)`", common + section)}
        missing = names_in(ref) - told
        assert not missing, (name, missing)


def examples_in_the_document():
    examples = [parse(e) for e in re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)]
    assert {e["format"] for e in examples} == {r["$ref"].rsplit("/")[-1] for r in SCHEMA["oneOf"]}
    whole = jsonschema.Draft202012Validator(SCHEMA)
    for example in examples:
        judge(example, example["format"])
        whole.validate(example)
        for member in example:      # one member less or more, and the document is invalid
            less = {k: v for k, v in example.items() if k != member}
            if member in SCHEMA["$defs"][example["format"]]["required"]:
                assert not whole.is_valid(less), (example["format"], member)
        assert not whole.is_valid(dict(example, bogus=1)) and not whole.is_valid(dict(example, version="1"))


NUMBERS = {}        # of tokens, by name


def dumps():
    """All texts of the project that have many tokens and events."""
    tokens, events = set(), set()
    NUMBERS.update({t["name"]: t["number"] for t in ask("tokens")["tokens"]})
    for text in TEXTS:
        capture = assemble(text, "a.capture")
        frames = ask("dump", capture)["frames"]
        counted = ask("info", capture)
        tokens |= set(counted["tokens"])
        events |= set(counted["events"])
        seen = [c["token"] for f in frames for e in f["events"] for c in e.get("commands", [])]
        assert {t: seen.count(t) for t in set(seen)} == counted["tokens"], text
        assert sum(len(f["events"]) for f in frames) == counted["total"]["events"], text
        only = ask("dump", capture, "--tokens-only")["frames"]
        assert {e["event"] for f in only for e in f["events"]} <= {"draw", "frame"}, text
        beside = ask("dump", capture, "--bytes")["frames"]
        for draw in (e for f in beside for e in f["events"]):
            at = 0
            for command in draw.get("commands", []):        # consecutive and without gaps, each under its number
                stream = bytes.fromhex(command.pop("bytes"))
                assert command["offset"] == at and NUMBERS[command["token"]] == stream[0], (text, command)
                at += len(stream)
        assert beside == frames, text
        both = ask("dump", capture, "--ddi", "umd", status=(0, 1))["frames"]
        for event in (e for f in both for e in f["events"]):
            calls = event.pop("calls")
            assert {c["command"] for c in calls if "command" in c} <= {c["offset"] for c in event.get("commands", [])}, (text, event)
        assert both == frames, text
    assert len(tokens) > 25 and len(events) > 9, (len(tokens), len(events))


def assemblies():
    """The lines of events and commands: a text of its own, and all texts of the project, whose dumps have the same events and offsets."""
    text = put("lines.dp2s", "info \"x=y\"\n\ncreate texture t 4x4 A8R8G8B8 levels=2 create target s 8x8 X8R8G8B8\ncontext c target=s\n"
               "draw c {\n VIEWPORTINFO\n  {width=8 height=8} CLEAR flags=TARGET\n raw hex(00000000)\n}\npresent\n s\n")
    assert ask("asm", text, "-o", path("lines.capture"))["events"] == [
        {"event": "surfaces", "line": 3}, {"event": "announce", "line": 3}, {"event": "surfaces", "line": 3}, {"event": "announce", "line": 3},
        {"event": "context", "line": 4}, {"event": "draw", "line": 5, "commands": [{"offset": 0, "line": 6}, {"offset": 20, "line": 7}, {"offset": 56, "line": 8}]},
        {"event": "frame", "line": 10}]
    for text in TEXTS:
        told = ask("asm", text, "-o", path("a.capture"))["events"]
        events = [e for f in ask("dump", path("a.capture"))["frames"] for e in f["events"]]
        assert [e["event"] for e in told] == [e["event"] for e in events], text
        lines = content(text).decode().splitlines()
        for line, event in zip(told, events):
            offsets = {c["offset"]: c["line"] for c in line.get("commands", [])}
            for command in event.get("commands", []):
                at = offsets.get(command["offset"])     # raw bytes may be several commands, or none
                assert at is None or "raw" in lines[at - 1] or command["token"] in lines[at - 1], (text, command, at)
    wrong = ask("asm", put("wrong.dp2s", "create target s 8x8 X8R8G8B8\ncontext c target=q\n"), "-o", path("wrong.capture"), status=1)
    assert [e["line"] for e in wrong["events"]] == [1, 1] and not os.path.exists(path("wrong.capture"))


RARE = """create target t 8x8 X8R8G8B8
create depth z 8x8 D16
context c target=t depth=z
blt 1 source=1 to=(0 0 4 4) from=(0 0 4 4) flags=ROP|WAIT { rect area=(0 0 2 2) }
clear c flags=TARGET|0x10 color=#80ff0000 depth=0x7fc00000
target c target=1 depth=2
scene c end=0
draw c {
    ZRANGE {min=0x7f800000 max=0xff800000}
    RENDERSTATE {state=FOGSTART value=0x7fc00001} {state=AMBIENT value=#01020304} {state=LIGHTING value=TRUE} {state=999 value=7}
    RENDERSTATE {state=COLORWRITEENABLE value=RED|ALPHA} {state=CULLMODE value=CW} {state=LIGHTING value=5}
    SETVERTEXSHADERCONST {register=1 count=2 (1 2 3 4) (0x7fc00000 0.1 -0 1e30)}
    raw hex(ff 00 ff ff)
}
draw c { SETVERTEXSHADER {shader=XYZ|DIFFUSE} user_vertices { fvf(XYZ|DIFFUSE 1 2 0.1 #ff102030  4 5 6 #00000000) } }
draw c vertex_size=0 { user_vertices { hex(01 02 03 04 05) } }
memory t { fill(64 #11223344) }
present t
"""


def values():
    """Each kind of value, including values without a name and floats that are not numbers."""
    capture = assemble(put("rare.dp2s", RARE), "rare.capture")
    (frame,) = ask("dump", capture)["frames"]
    by_name = {}
    for event in frame["events"]:
        by_name.setdefault(event["event"], []).append(event)
    assert by_name["blt"][0]["rects"] == [{"area": [0, 0, 2, 2]}]
    clear = by_name["clear"][0]
    assert (clear["flags"], clear["color"], clear["depth"]) == ("TARGET|0x10", "#80ff0000", "0x7fc00000"), clear
    first, second, third = by_name["draw"]
    entries = [e for c in first["commands"] for e in c["entries"]]
    assert entries[0] == {"min": "0x7f800000", "max": "0xff800000"}
    assert [e["value"] for e in entries[1:8]] == ["0x7fc00001", "#01020304", True, 7, 9, "CW", 5], entries
    assert entries[4]["state"] == 999
    data = entries[8]["data"]
    assert data[0] == [1, 2, 3, 4] and data[1][0] == "0x7fc00000" and data[1][1:] == [0.100000001, 0, 1.00000002e30], data
    assert first["unreadable"]["why"] and first["unreadable"]["offset"] > 0
    assert second["user_vertices"] == [[1, 2, 0.100000001, "#ff102030"], [4, 5, 6, "#00000000"]], second
    assert third["user_vertices"] == "0102030405"
    assert by_name["memory"][0]["data"] == "44332211" * 64


MARKERS = (b"Shadow pass", b"", b"a\tb\x1b[31m\x07", b'he said \\x22no\\x22 \\\\ yes', "Schatten für Käufer \u65e5\u672c \U0001f600 \u202e\x9b".encode(),
           b"\xff\xc3 \xed\xa0\x80 \x80", b"|", b"0x", b"{}[],:", b"null", b"x" * 3000)


def free_text():
    """Markers and information may hold any bytes: the document is UTF-8, and valid under the schema."""
    draws = b"".join(b'    MARKER {kind=%s color=#ff00ff00 text="%s"}\n' % (kind, marker) for marker in MARKERS for kind in (b"BEGIN", b"POINT", b"REGION"))
    info = b"".join(b'info "key %d=%s"\n' % (number, marker) for number, marker in enumerate(MARKERS))
    capture = assemble(put("markers.dp2s", info + b"create target t 8x8 X8R8G8B8\ncreate depth z 8x8 D16\ncontext c target=t depth=z\ndraw c {\n"
                           + draws + b"    MARKER {kind=END}\n    CLEAR flags=TARGET color=#ff102030 {rect=(0 0 8 8)}\n}\npresent t\n"), "markers.capture")
    meant = [m.replace(b"\\x22", b'"').replace(b"\\\\", b"\\") for m in MARKERS]
    (frame,) = ask("dump", capture)["frames"]
    texts = [e["text"] for event in frame["events"] for c in event.get("commands", []) for e in c["entries"] if "text" in e]
    whole = [m.decode() for m in meant if m and b"\xff" not in m]
    assert all(t in texts for t in whole), texts
    assert len([t for t in texts if "\ufffd" in t]) == 3, texts
    assert len(ask("info", capture)["info"]) == len(MARKERS)
    for words in ("dump", capture, "--bytes"), ("draws", capture, "--frame", "0"), ("profile", capture, "--loop", "1"), ("pixel", capture, "3,3"):
        ask(*words)


def replays():
    capture = assemble(MULTI, "m.capture")
    plain = dp2("replay", capture, "--hash").split("\n")[:-1]
    document = ask("replay", capture, "--hash", "--loop", "2")
    assert [(f["pass"], f["frame"]) for f in document["frames"]] == [(p, f) for p in (0, 1) for f in range(6)]
    assert ["%d %dx%d %s" % tuple(f[k] for k in ("frame", "width", "height", "hash")) for f in document["frames"][:6]] == plain
    times, stats = sorted(f["seconds"] for f in document["frames"]), document["stats"]
    assert stats["frames"] == 12 and stats["frame_seconds"] == {"least": times[0], "median": times[6], "most": times[11]}
    assert stats["seconds"] >= sum(times) * 0.999
    some = ask("replay", capture, "-f", "1,3-4", "-o", path("pictures"))["frames"]
    assert [f["frame"] for f in some] == [1, 3, 4] and "hash" not in some[0] and len(os.listdir(path("pictures"))) == 3
    deep = assemble(os.path.join(ROOT, "examples/dp2/05-depth.dp2s"), "d.capture")
    words = dp2("replay", deep, "--until", "0").split()
    stopped = ask("replay", deep, "--until", "0")
    assert "frames" not in stopped and stopped["target"]["hash"] == words[3] and stopped["depth"]["hash"] == words[7], stopped
    assert ask("replay", assemble(put("rare.dp2s", RARE), "rare.capture"), status=1)["stats"]["refused"] > 0


def differences():
    a = assemble(MULTI, "a.capture")
    same = ask("diff", a, a)
    assert same["tokens"] == same["pixels"] == {"equal": True}
    with open(os.path.join(ROOT, "examples/dp2/02-triangle.dp2s")) as file:
        text = file.read()
    one = assemble(put("one.dp2s", text), "one.capture")
    color = assemble(put("color.dp2s", text.replace("#ff40ff40", "#ff40ffff")), "color.capture")
    cull = assemble(put("cull.dp2s", text.replace("value=NONE", "value=CW")), "cull.capture")
    longer = assemble(put("longer.dp2s", text + "\npresent screen\n"), "longer.capture")
    wide = assemble(put("wide.dp2s", text.replace("160x120", "162x120")), "wide.capture")
    found = ask("diff", one, color, status=1)
    assert found["tokens"]["type"] == "draw" and found["tokens"]["event"] == 3 and found["tokens"]["a"]["event"]["event"] == "draw"
    assert 0 < found["pixels"]["different"] < found["pixels"]["pixels"] and 0 < found["pixels"]["largest"] < 256
    found = ask("diff", one, cull, "--tokens", status=1)
    assert "pixels" not in found and found["tokens"]["b"]["command"]["entries"][0]["value"] == "CW", found
    assert "tokens" not in ask("diff", one, longer, "--pixels", status=1)
    found = ask("diff", one, longer, status=1)
    assert found["tokens"]["a"] == {} and found["tokens"]["b"]["event"]["event"] == "frame" and found["pixels"]["only_in"] == "b"
    if wide:
        found = ask("diff", one, wide, "--pixels", status=1)["pixels"]
        assert found["a"]["width"] == 160 and found["b"]["width"] == 162, found


def trims():
    capture = assemble(MULTI, "a.capture")
    document = ask("trim", capture, "-f", "2-3", "-o", path("t.capture"))
    assert (document["first"], document["frames"], document["replayed"], document["full"]) == (2, 2, True, document["full"])
    assert document["bytes"] == os.path.getsize(path("t.capture")) and document["file_bytes"] == os.path.getsize(capture)
    document = ask("trim", capture, "-f", "2", "-o", path("t.capture"), "--no-check", "--full")
    assert document["full"] and not document["replayed"] and "why_full" not in document


def tables():
    tokens = ask("tokens")["tokens"]
    rows = dp2("tokens").splitlines()
    assert [(str(t["number"]), t["name"], t["directx"]) for t in tokens] == [tuple(r.split()[:3]) for r in rows]
    words = ask("tokens", "--words")["words"]
    fields = {t["name"]: {f["name"]: f for f in t["fields"]} for t in words["tokens"]}
    assert "TRIANGLESTRIP" in fields["DRAWPRIMITIVE"]["type"]["values"] and fields["RENDERSTATE"]["state"]["kind"] == "render_state"
    assert "DIRECTIONAL" in fields["SETLIGHT"]["light"]["values"] and "segments" in fields["DRAWRECTPATCH"]
    assert set(fields) < {t["name"] for t in tokens} and "words" not in ask("tokens")
    states = {s["name"]: s["values"] for member in ("render_states", "stage_states") for s in words[member]}
    assert states["CULLMODE"] == ["NONE", "CW", "CCW"] and "MODULATE" in states["COLOROP"] and states["ZWRITEENABLE"] == ["FALSE", "TRUE"]
    assert {"X8R8G8B8", "D24S8"} <= set(words["formats"]) and {"XYZRHW", "DIFFUSE", "TEX1", "XYZB5"} <= set(words["vertex_formats"])
    assert words["create"][:2] == ["target", "depth"] and "checker" in words["data"] and "create" in words["short"]
    state = [t for t in tokens if t["name"] == "CLEAR"][0]
    assert [f["name"] for f in state["fixed"]] == ["flags", "color", "depth", "stencil"] and state["entry"] == [{"name": "rect", "type": "RECT"}]
    assert "caps9" in ask("caps")


def textures():
    for name in "tests/cli/feedback.dp2s", "examples/dp2/07-mipmaps.dp2s":
        document = ask("feedback", assemble(os.path.join(ROOT, name), "f.capture"))
        assert document["total"]["bytes"] == sum(t["bytes"] for t in document["textures"]) > 0
        for texture in document["textures"]:
            for level in texture.get("levels", []):
                maps = level.get("faces", level.get("slices"))
                assert sum(row.count("1") for m in maps for row in m) == level["used"]
                assert all(len(m) in (0, level["rows"]) and all(len(row) == level["columns"] for row in m) for m in maps)


def minimised():
    capture = assemble(MULTI, "a.capture")
    for words in ["-p", "1", "20,20"], ["-k", "true"], ["-k", PROGRAM + " dump {} | grep -q CLEAR", "--tries", "9"]:
        ask("minimise", capture, *words, "-o", path("small.capture"))


def compared():
    capture, other = assemble(MULTI, "a.capture"), assemble(os.path.join(ROOT, "tests/cli/color-keys.dp2s"), "b.capture")
    ask("compare", capture, capture)
    ask("compare", capture, other, status=1)
    dp2("trim", capture, "-f", "1-5", "-o", path("c.capture"))
    ask("compare", capture, path("c.capture"), status=1)
    for frame in "0", "1":
        dp2("replay", capture, "-f", frame, "-o", path(frame + ".png"))
    ask("compare", path("0.png"), path("1.png"), status=1)


def farms():
    """The output of each action, and every file in the folder."""
    capture, folder = assemble(MULTI, "a.capture"), path("farm")
    ask("farm", "plan", capture, "-o", folder)
    assert ask("farm", "left", folder)["left"] == [0]
    ask("farm", "run", folder, "0")
    assert ask("farm", "left", folder)["left"] == []
    ask("farm", "merge", folder)
    ask("farm", "plan", capture, "-o", folder, "--baseline", folder, "--before", PROGRAM)
    for name in [os.path.join(folder, name) for name in ("plan.json", "shard-00000.json", "report.json")] + glob.glob(folder + "/captures/*"):
        judge(parse(content(name).decode()), "dp2-farm")


def surfaces():
    for name in TEXTS:
        ask("textures", assemble(name, "t.capture"))


def edits():
    capture, cull = assemble(MULTI, "a.capture"), "RENDERSTATE {state=CULLMODE value=CW}"
    ask("edit", capture, "-s", cull, "-o", path("edited.capture"))
    ask("edit", capture, "-s", cull, "--at", "1.0", "-p", path("edited.png"))


NAMED = "draw", "kind", "token", "call", "offset", "entry", "context", "type", "primitives"


def runs_of(*words):
    """For a place that may not be covered: then there is no document, but a message."""
    done = run(*words, "--json")
    runs = judge(parse(done.stdout.decode()), "dp2-trace")["runs"]
    assert done.returncode == (0 if runs else 2) and bool(done.stderr) == (not runs), (words, done)
    return runs


def actions():
    traced = 0
    for name in TEXTS:
        frames = ask("draws", assemble(name, "d.capture"))["frames"]
        names = ask("draws", path("d.capture"), "--names")["frames"]
        assert names == [{**f, "draws": [{k: d[k] for k in NAMED if k in d} for d in f["draws"]]} for f in frames], name
        for frame in frames:
            places = [d["draw"] for d in frame["draws"] if d.get("context")]
            if places:
                ask("state", path("d.capture"), places[0])
                ask("state", path("d.capture"), places[-1], places[0])
                ask("shot", path("d.capture"), places[-1], "--show", "overdraw")
                ask("resources", path("d.capture"), places[-1], "--export", path("resources"), "--width", "16")
                if [d for d in frame["draws"] if d["draw"] == places[-1] and d["kind"] == "draw"]:
                    ask("mesh", path("d.capture"), places[-1])
                    for buffer in ask("resources", path("d.capture"), places[-1])["buffers"]:
                        if buffer["bound"]:
                            words = ["--indices"] if buffer["as"] == "indices" else ["--stream", buffer["as"].split()[1]]
                            table = ask("buffer", path("d.capture"), places[-1], *words, "--rows", "0-99")
                            assert (table["surface"], table["bytes"]) == (buffer["surface"], buffer["bytes"]), (name, table, buffer)
                    for pixel in "3,4", "80,60":
                        found = runs_of("trace", path("d.capture"), places[-1], pixel)
                        assert len(found) == len(runs_of("trace", path("d.capture"), places[-1], pixel, "--quad", "--optimized"))
                        traced += len(found)
                    traced += len(runs_of("trace", path("d.capture"), places[-1], "--vertex", "1"))
                # surface 1 may be smaller
                ask("pixel", path("d.capture"), "3,4", "--why", places[-1], "--surface", "1", status=(0, 2))
                ask("pixel", path("d.capture"), "3,4", "--frame", places[-1].split(".")[0], "--surface", "1", status=(0, 2))
        ask("profile", path("d.capture"), "--loops", "1")
        found = ask("find", path("d.capture"), "ZENABLE on", "draw")
        assert found["tested"] == sum(len(f["draws"]) for f in frames), name
        kept = [{k: d[k] for k in NAMED if k in d} for f in frames for d in f["draws"]]
        assert all(d in kept for d in found["draws"]), name
    assert traced > 20, traced


def shaders():
    rings = os.path.join(ROOT, "examples/dp2/rings.psa")
    everything = ask("shader", rings, "--asm", "--ir", "--ir-plain", "--info", "--tokens", "--check")
    assert {"assembly", "ir", "ir_plain", "info", "tokens", "check"} <= set(everything)
    assert everything["assembly"] == dp2("shader", rings) and everything["info"]["stage"] == "pixel"
    assert ["%08x" % t for t in everything["tokens"]] == dp2("shader", rings, "--tokens").split()
    assert everything["check"] == {"broken": [], "created": True, "created_if_strict": True}
    broken = ask("shader", "-", "--check", status=1, input=b"ps_1_1\nmov r0.xy, v0\n")["check"]
    assert broken["created"] and not broken["created_if_strict"] and broken["broken"][0]["dword"] == 1
    assert ask("shader", "-", status=1, input=b"ps_1_1\nmove r0, v0\n")["error"]["line"] == 2
    assert ask("shader", "-", status=1, input=b"ps_1_1\nmov r0, c8\n")["error"]["dword"] == 1
    vertex = ask("shader", "-", "--info", input=b"vs_1_1\ndcl_position v0\nmov oPos, v0\n")["info"]
    assert vertex["inputs"][0] == {"register": 0, "usage": "position", "index": 0, "components": 15}, vertex


def coverages():
    view = ["coverage", "--viewport", "8x8", "--space", "pixel"]
    triangle = ["--tri", "1,1,0", "7,2,.5", "3,7,1"]
    plain = ask(*view, *triangle)
    assert plain["covered"] and "color" not in plain
    for shown in "color", "depth":
        for samples in "1", "4":
            document = ask(*view, *triangle, "--show", shown, "--samples", samples)
            assert len(document[shown]) == len(document["covered"]) and ("sample_masks" in document) == (samples == "4")
    assert ask(*view, "--mode", "conservative", "--inner", *triangle)["inner"]
    lines = dp2(*view, "--stdin", status=1, input=b"1,1 7,2 3,7\n1,1 x\n4,4\n").splitlines()
    first, second, _ = (judge(parse(line), "dp2-coverage") for line in lines)
    assert first["covered"] == plain["covered"] and (second["line"], second["error"]) == (2, "malformed line")
    assert " " not in lines[0].replace("malformed line", "")


def imports():
    for trace in glob.glob(os.path.join(ROOT, "tests/traces/*.trace")):
        whole = ask("import", trace, "--check")
        assert whole["calls"] > whole["frames"] > 0 and not whole["not_understood"], whole
    strange = Trace()
    for i in range(40):
        strange.call("Function%d\n\x1b" % i)
    assert len(ask("import", put("s.trace", strange.file(100)), "--check", status=1)["not_understood"]) == 40
    cut = ask("import", put("s.trace", strange.file(100)[:-1]), "--check", status=1)
    assert cut["cut_short"] or "damaged" in cut, cut
    strange.data += b"\xff" * 30
    assert ask("import", put("s.trace", strange.file(100)), "--check", status=1)["damaged"]["after"] == 40


def strings():
    """Names of files and information of captures that are not UTF-8."""
    odd = b'a\xff"\\\n\x01\xc3\xa9\xed\xa0\x80\xf0\x9f\x98\x80\xe2\x82'
    name = os.path.join(FOLDER.encode(), odd)
    with open(name, "wb") as file:
        file.write(content(assemble(MULTI, "a.capture")))
    wanted = 'a\ufffd"\\\n\x01\u00e9\ufffd\ufffd\ufffd\U0001f600\ufffd\ufffd'
    for words in (["info"], ["dump"], ["replay"], ["feedback"], ["diff", name], ["trim", "-f", "1", "-o", os.fsdecode(name) + "-out"]):
        document = ask(words[0], name, *words[1:])
        assert os.path.basename(document.get("file", document.get("a"))) == wanted, (words, document)
    hostile = b'info "\xff\xfe=\xc0\x80"\ninfo "title=a\xff"\ninfo "title=b"\n' + content(MULTI)
    said = ask("info", assemble(put("h.dp2s", hostile), "h.capture"))["info"]
    assert said == {"\ufffd\ufffd": "\ufffd\ufffd", "title": "b"}, said
    text = b"ps_1_1\nmov \xff\xff, v0\n"
    assert "text" in ask("shader", "-", status=1, input=text)["error"]


def damage():
    """Documents are complete whatever the file contains."""
    for bad in damaged(content(assemble(MULTI, "a.capture")), 24, 4711):
        capture = put("bad", bad)
        for words in (["info", capture], ["dump", capture], ["dump", capture, "-f", "1"], ["replay", capture, "--hash"], ["replay", capture, "--until", "3"],
                      ["feedback", capture], ["draws", capture], ["state", capture, "1.0"], ["shot", capture, "1.0"], ["pixel", capture, "1,1", "-f", "1"], ["mesh", capture, "1.1"], ["trace", capture, "1.1", "3,4"], ["profile", capture, "--loops", "1"], ["diff", capture, path("a.capture")]):
            text = dp2(*words, "--json", status=(0, 1, 2))
            if text:
                judge(parse(text), "dp2-" + words[0])


def what_excludes_what():
    capture = assemble(MULTI, "a.capture")
    for words in (["replay", capture, "-o", "-"], ["replay", capture, "--record", "-"], ["diff", capture, capture, "-o", "-"],
                  ["trim", capture, "-f", "1", "-o", "-"], ["feedback", capture, "--hash"], ["tokens", "--markdown"], ["dump", capture, "--asm"]):
        assert dp2(*words, "--json", status=2) == "", words


# In a separate process, because a child's peak includes its parent's memory at the start.
MEASURE = """import os, subprocess, sys
with open(sys.argv[1], "wb") as out:
    process = subprocess.Popen(sys.argv[2:], stdout=out)
    _, status, usage = os.wait4(process.pid, 0)
print(status, usage.ru_maxrss)"""


def streaming():
    """Memory does not grow with the capture: a dump of many frames needs as much as a dump of two."""
    if "/asan/" in PROGRAM:
        return "skip: the sanitizer keeps what is freed"
    peaks = []
    for frames in 2, 400:
        text = "create target t 128x128 X8R8G8B8\ncontext c target=t\n" + "memory t { fill(16384 #11223344) }\npresent t\n" * frames
        capture = assemble(put("long.dp2s", text), "long.capture")
        done = subprocess.run([sys.executable, "-c", MEASURE, path("long.json"), PROGRAM, "dump", capture, "--json"], capture_output=True)
        status, peak = map(int, done.stdout.split())
        assert status == 0, done
        peaks.append(peak)
    assert os.path.getsize(path("long.json")) > 400 * 2 * 65536
    assert peaks[1] < peaks[0] + 4096, "%d and %d KiB" % tuple(peaks)
    return None


sys.exit(0 if run_tests([
    every_verb_says_so, the_document_names_every_member, examples_in_the_document, assemblies, dumps, values, free_text, replays,
    differences, trims, tables, textures, minimised, compared, farms, surfaces, edits, actions, shaders, coverages, imports, strings, damage, what_excludes_what,
    streaming]) else 1)
