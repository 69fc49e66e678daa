#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dp2 command from outside: its output, files and exit statuses. Speaks TAP.

tests/cli/test_dp2.py [DP2]     DP2: the program, build/native/dp2 by default
tests/cli/test_dp2.py --update  updates the hashes and pictures of the tutorial
"""
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import zlib

from program import FOLDER, MULTI, PATIENCE, PROGRAM, ROOT, assemble, clean, content, dp2, hashes, path, picture, put, run
from streams import KEYS, SAMPLES, STEPS, name_of, presented
from tap import run_tests

HASHES = os.path.join(ROOT, "tests/cli/tutorial.txt")


def picture_of(step):
    return os.path.join(ROOT, "docs/images/tutorial", name_of(step) + ".png")


def tutorial():
    with open(HASHES) as file:
        expected = dict(line.split() for line in file if line.strip() and line[0] != "#")
    assert len(STEPS) == 11 and len(expected) == 11
    for step in STEPS:
        capture = assemble(step, "step.capture")
        assert hashes(capture, "-o", path("step.png")) == [expected[name_of(step)]], step
        subprocess.run([os.path.join(ROOT, "scripts/picture.py"), "compare", path("step.png"), picture_of(step)],
                       check=True, capture_output=True)


def tutorial_is_told():
    with open(os.path.join(ROOT, "docs/tutorial.md")) as file:
        text = file.read()
    for step in STEPS:
        assert "examples/dp2/%s.dp2s" % name_of(step) in text, step
        assert "images/tutorial/%s.png" % name_of(step) in text, step


def call_log():
    """At the log level debug, each call of the driver interface has a line, in the order of the calls; at other
    levels there are none."""
    capture = assemble(STEPS[1], "calls.capture")

    def calls(level):
        done = run("replay", capture, HALCYON_LOG_LEVEL=level)
        assert done.returncode == 0, done
        return re.findall(r"^halcyon: debug: DDI: (.*)$", done.stderr.decode(), re.M)

    told = calls("debug")
    assert calls("info") == []
    order = ["HalcyonDriverInit", "GetDriverInfo D3DCallbacks3", "GetDriverInfo2 GETD3DCAPS8", "GetDriverInfo2 GETFORMAT 0",
             "CreateSurface of 1 part, 160x120", "CreateSurfaceEx handle 1", "ContextCreate level 4, target 1: context 1", "CreateExecuteBuffer", "LockExecuteBuffer",
             "DrawPrimitives2 context 1,", "ContextDestroy context 1", "DestroySurface handle 1", "DestroyDDLocal", "DestroyDriver"]
    places = [next((n for n, line in enumerate(told) if line.startswith(call)), -1) for call in order]
    assert -1 not in places and places == sorted(places), list(zip(order, places))
    assert all(line.endswith(": DD_OK") for line in told), told
    capture = assemble("create target s 8x8 X8R8G8B8\ncontext c target=s\ndraw c { raw hex(000000ff) }\npresent s\n", "bad.capture")
    done = run("replay", capture, HALCYON_LOG_LEVEL="debug")
    assert re.search(rb"DDI: DrawPrimitives2 context 1, 4 bytes of commands, .*: 0x88760bb8$", done.stderr, re.M), done.stderr


def shader_text():
    """The bytecode in the tutorial is that of its shader text; text, bytecode and rules through dp2 shader."""
    text = os.path.join(ROOT, "examples/dp2/rings.psa")
    words = dp2("shader", text, "--tokens").split()
    assert " ".join(words) in " ".join(dp2("dump", assemble(os.path.join(ROOT, "examples/dp2/11-shader.dp2s")), "--asm").split())
    assert dp2("shader", text, "--check") == "keeps the rules\n"
    put("tokens.txt", " ".join(words))
    assert dp2("shader", path("tokens.txt"), "--asm") == dp2("shader", text, "--asm")
    broken = dp2("shader", put("broken.psa", "ps_1_1\nmov r0.xy, v0\n"), "--check", status=1)
    assert broken.startswith("DWORD 1: write masks") and broken.endswith("is created unless shader_rules is strict\n"), broken
    broken = run("shader", put("broken.psa", "ps_1_1\nmov r0, c8\n"), "--ir")
    assert broken.returncode == 1 and b"there is no register c8" in broken.stderr, broken
    broken = run("shader", put("broken.psa", "ps_1_1\nmove r0, v0\n"))
    assert broken.returncode == 1 and b"line 2" in broken.stderr, broken
    for line, column, message in ((" mvo_sat r0, v0   // no", 2, 'no instruction is called "mvo"; did you mean "mov"?'),
                                  ("mov r0 v0", 8, 'a comma or the end of the line is expected at "v0"'),
                                  ("mov r0,", 8, "a register is missing at the end of the line")):
        broken = run("shader", put("broken.psa", "ps_1_1\n%s\nmov r1, v0\n" % line))
        assert broken.stderr.decode() == "dp2 shader: line 2, column %d: %s\n" % (column, message), broken
        broken = run("asm", put("broken.dp2s", 'create target s 8x8 X8R8G8B8 context c target=s draw c {\n CREATEPIXELSHADER {handle=1 code=asm("\nps_1_1\n%s\n")}}' % line),
                     "-o", path("broken.capture"))
        assert broken.stderr.decode() == "dp2 asm: %s:4:%d: %s\n" % (path("broken.dp2s"), column, message), broken


def token_table():
    """The document equals the command's output."""
    with open(os.path.join(ROOT, "docs/tokens.md")) as file:
        assert file.read() == dp2("tokens", "--markdown"), "docs/tokens.md: run dp2 tokens --markdown"


def caps():
    """Every set bit has exactly one name, and only set bits have names; D3DCAPS9 for a driver that has it."""
    answer = json.loads(dp2("caps", "--json"))
    for caps, names in (answer["caps"], answer["caps_bits"]), (answer["caps9"], answer["caps9_bits"]):
        assert {"RasterCaps", "DevCaps", "TextureOpCaps", "FVFCaps"} <= set(names) <= set(caps)
        for field, bits in names.items():
            value = caps[field] & ~0xffff if field == "FVFCaps" else caps[field]
            assert len(bits) == len(set(bits)) == bin(value).count("1") and not [b for b in bits if b.startswith("bit")], (field, bits)
    # d3d8caps.h: 0x1, 0x10, 0x80, 0x100, 0x40000
    for bit, name in (0, "DITHER"), (4, "ZTEST"), (7, "FOGVERTEX"), (8, "FOGTABLE"), (18, "WBUFFER"):
        assert (name in answer["caps_bits"]["RasterCaps"]) == bool(answer["caps"]["RasterCaps"] >> bit & 1), name
    assert set(answer["caps9_bits"]) - set(answer["caps_bits"]) == {"DevCaps2", "DeclTypes", "StretchRectFilterCaps", "VS20Caps.Caps",
                                                                    "PS20Caps.Caps", "VertexTextureFilterCaps"}
    text = dp2("caps")
    assert "D3DCAPS8\n" in text and "\nD3DCAPS9\n" in text and "FOGTABLE" in text and "NumSimultaneousRTs" in text
    assert "caps9" not in json.loads(dp2("caps", "--json", HALCYON_CAPS="dx8")) and "D3DCAPS9" not in dp2("caps", HALCYON_CAPS="dx8")


def round_trip():
    for text in STEPS + [MULTI, KEYS, SAMPLES]:
        capture = assemble(text, "a.capture")
        put("a.dp2s", dp2("dump", capture, "--asm"))
        assert content(assemble(path("a.dp2s"), "b.capture")) == content(capture), text


def dumps():
    capture = assemble(MULTI, "a.capture")
    frames = json.loads(dp2("dump", capture, "--json"))["frames"]
    assert [frame["frame"] for frame in frames] == [0, 1, 2, 3, 4, 5]
    tokens = [c["token"] for f in frames for e in f["events"] for c in e.get("commands", [])]
    assert tokens.count("STATESET") == 4 and tokens.count("DRAWPRIMITIVE") == 4
    first = [e for e in frames[0]["events"] if e["event"] == "draw"][0]["commands"][2]
    assert first["entries"][0] == {"state": "CULLMODE", "value": "NONE"}
    assert "fvf(" in dp2("dump", assemble(STEPS[1], "b.capture"), "--vertices")
    assert "draw" not in dp2("dump", capture, "--frame", "9", status=2)
    assert json.loads(dp2("info", capture, "--json"))["total"]["primitives"] == 5
    assert "frames     6" in dp2("info", capture)


def flags():
    """Flags are printed by name in text, in both directions, and as a number in JSON; a bit without a name stays a
    number."""
    stage = [("TEXCOORDINDEX", "CAMERASPACEPOSITION|1", 0x20001), ("TEXCOORDINDEX", "3", 3), ("TEXTURETRANSFORMFLAGS", "COUNT2|PROJECTED", 258),
             ("TEXTURETRANSFORMFLAGS", "0", 0), ("TEXTURETRANSFORMFLAGS", "PROJECTED|0x205", 0x305)]
    render = [("COLORWRITEENABLE", "RED|ALPHA", 9), ("WRAP1", "U|V", 3), ("WRAP0", "U|0x10", 0x11)]
    text = "create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c {\n"
    text += "".join("TEXTURESTAGESTATE {stage=0 state=%s value=%s}\n" % s[:2] for s in stage)
    text += "".join("RENDERSTATE {state=%s value=%s}\n" % s[:2] for s in render)
    text += "}\nblt 1 source=1 to=(0 0 4 4) from=(0 0 4 4) flags=ROP|WAIT\ndraw c flags=USERMEMVERTICES|0x100 { }\npresent t\n"
    text += "blt 1 source=1 to=(0 0 4 4) from=(0 0 4 4) flags=ROP|DDFX effects=MIRRORUPDOWN|0x1000\nflip 1 target=1 flags=NOVSYNC|INTERVAL3\n"
    text += """draw c { SURFACEBLT {src=t src_rect=(0 0 4 4) dst=t dst_rect=(4 4 8 8) flags=LINEAR} ISSUEQUERY {id=9 flags=END|BEGIN}
    DRAWRECTPATCH {handle=5 flags=HASSEGS segments=(1 1 1 1)} }\n"""
    capture = assemble(text, "flags.capture")
    dump = dp2("dump", capture, "--verbose")
    for state, value, number in stage + render:
        assert "state=%s value=%s}" % (state, value) in dump, (state, value, dump)
    assert "flags=ROP|WAIT" in dump and "flags=USERMEMVERTICES|0x100" in dump and "caps=3DDEVICE|VIDEOMEMORY|LOCALVIDMEM" in dump, dump
    for named in ("local_flags=HASPIXELFORMAT ", "pf_flags=D3DFORMAT ", "effects=MIRRORUPDOWN|0x1000", "flags=NOVSYNC|INTERVAL3",
                  "flags=LINEAR}", "flags=END|BEGIN}", "flags=HASSEGS "):
        assert named in dump, (named, dump)
    assert not re.search(r"flags=0x", dump), dump
    put("flags2.dp2s", dp2("dump", capture, "--asm"))
    assert content(assemble(path("flags2.dp2s"), "flags2.capture")) == content(capture)
    entries = [e for event in json.loads(dp2("dump", capture, "--json"))["frames"][0]["events"] for c in event.get("commands", []) for e in c["entries"]]
    assert [(e["state"], e["value"]) for e in entries] == [(state, number) for state, _, number in stage + render], entries


def properties():
    """The information that a capture contains; also if another program made the text."""
    os.makedirs(path("r"), exist_ok=True)
    capture = assemble(MULTI, "a.capture")
    dp2("replay", capture, "--record", path("r/p.capture"))
    info = json.loads(dp2("info", path("r/p.capture"), "--json"))
    said = info["info"]
    assert said["program"] == os.path.realpath(PROGRAM) and "replay" in said["command"]
    assert re.match(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$", said["date"])
    assert said["bits"] == "64" and int(said["threads"]) >= 1 and said["cpu"] and said["first_frame"] == "0"
    assert "wine" not in said and said["interface"] == "DirectX 9 DDI"
    shown = json.loads(dp2("info", presented(MULTI, 64, 48, "p.capture"), "--json"))
    assert (shown["width"], shown["height"]) == (64, 48) and shown["info"].get("program") is None
    assert os.listdir(path("r")) == ["p.capture"]
    hostile = assemble(put("hostile.dp2s", b'info "title=a\xff\x1b[31m\tb=c"\ninfo "nothing"\n' + content(STEPS[0])), "h.capture")
    assert json.loads(dp2("info", hostile, "--json"))["info"]["title"] == "a\ufffd [31m b=c"
    assert "\x1b" not in dp2("info", hostile)


def newer_files():
    """Chunks that a later version has written are skipped and reported."""
    good = bytearray(content(assemble(SAMPLES, "n.capture")))
    chunk = struct.unpack_from("<I", good, 12)[0]
    while struct.unpack_from("<H", good, chunk + 4)[0] != 2:       # the first chunk of events
        chunk += 32 + struct.unpack_from("<I", good, chunk + 8)[0]
    stored, raw = struct.unpack_from("<II", good, chunk + 8)
    packed = bytes(good[chunk + 32:chunk + 32 + stored])
    events = (zlib.decompress(packed) if stored != raw else packed) + struct.pack("<HHI8s", 4711, 0, 5, b"later")
    head = struct.pack("<IHHIIII", 0x4b484348, 2, 0, len(events), len(events), zlib.crc32(events), 0)
    data = good[:chunk] + head + struct.pack("<II", zlib.crc32(head), 0) + events + good[chunk + 32 + stored:]
    data[10] = 99       # the minor version
    data = data[:-24]   # the footer no longer has the right place of the index, but no reader needs an index
    put("n.capture", data)
    for words in (["replay", "--hash"], ["info"], ["dump"], ["feedback"], ["diff", path("n.capture")], ["trim", "-f", "0-3", "-o", path("t.capture")]):
        done = run(words[0], path("n.capture"), *words[1:])
        assert done.returncode == 1 and b": 1 events were skipped: the file has format 1.99, this program reads 1." in done.stderr, done
    assert hashes(path("n.capture"), status=1) == hashes(assemble(SAMPLES, "o.capture"))
    data[10] = 0        # of an older version, so the version cannot be the reason
    done = run("info", put("n.capture", data))
    assert done.returncode == 1 and b": 1 events were skipped: format 1.0 of the file has none of their kinds" in done.stderr, done


def diff():
    a, text = assemble(STEPS[1], "a.capture"), content(STEPS[1]).decode()
    assert dp2("diff", a, a) == ""
    b = assemble(text.replace("#ff40ff40", "#ff40ffff"), "b.capture")
    out = dp2("diff", a, b, "-o", path("d.png"), status=1)
    assert "event 3, frame 0: draw" in out and "pixels differ" in out
    assert content(path("d.png"))[:4] == b"\x89PNG"
    c = assemble(text.replace("value=NONE", "value=CW"), "c.capture")
    out = dp2("diff", a, c, status=1)
    assert "- 000038: RENDERSTATE" in out and "value=CW" in out
    d = assemble(text + "\npresent screen\n", "d.capture")
    assert "only in" in dp2("diff", a, d, "--pixels", status=1)
    dp2("diff", a, path("none"), status=2)
    dp2("diff", a, status=2)


def gray_ends(name):
    """The smallest and the largest red of an 8-bit PNG."""
    reds = picture.read_png(content(name))[2][::3]
    return min(reds), max(reds)


def until():
    capture = assemble(STEPS[4], "a.capture")
    whole = dp2("replay", capture, "--until", "0", "-o", path("u.png")).split()
    assert whole[0] == "target" and whole[4] == "depth" and whole[3] == hashes(capture)[0]
    assert content(path("u.png"))[:4] == content(path("u.depth.png"))[:4] == b"\x89PNG"
    commands = [e for e in json.loads(dp2("dump", capture, "--json"))["frames"][0]["events"]
                if e["event"] == "draw"][0]["commands"]
    seen = [dp2("replay", capture, "--until", "0:0:%d" % c["offset"]) for c in commands]
    assert len(set(seen)) == 4      # nothing, the clear, one square, both
    assert dp2("replay", capture, "--until", "0:0").split()[3] == whole[3]
    # Depths are shown from black to white between the limits found, which are printed, or the given limits.
    assert whole[8] == "black" and whole[10] == "white" and 0 <= float(whole[9]) < float(whole[11]) == 1, whole
    assert gray_ends(path("u.depth.png")) == (0, 255)
    given = dp2("replay", capture, "--until", "0", "--depth-range", "0:1", "-o", path("a.png")).split()
    assert given[8:] == ["black", "0", "white", "1"] and given[:8] == whole[:8], given
    assert gray_ends(path("a.depth.png")) == (int(float(whole[9]) * 255 + 0.5), 255)
    dp2("replay", capture, "--until", "0", "--depth-range", "1:0", "-o", path("b.png"))
    assert gray_ends(path("b.depth.png")) == (0, 255 - int(float(whole[9]) * 255 + 0.5))
    cleared = dp2("replay", capture, "--until", "0:0:%d" % commands[1]["offset"]).split()
    assert cleared[9] == "0" and cleared[11] == "1", cleared      # the same depth everywhere
    for wrong in (["--depth-range", "0:1"], ["--until", "0", "--depth-range", "1"], ["--until", "0", "--depth-range", "1:1"],
                  ["--until", "0", "--depth-range", "nan:1"]):
        dp2("replay", capture, *wrong, status=2)
    dp2("replay", capture, "--until", "4", status=2)
    dp2("replay", capture, "--until", "0:9", status=2)
    dp2("replay", capture, "--until", "0:0:%d" % (commands[-1]["offset"] + 1), status=2)
    dp2("replay", capture, "--until", "0:0:0x999999", status=2)
    dp2("replay", capture, "--until", "x", status=2)


def wrong_text():
    for text in "", "nonsense", "draw 1 {", "memory 5 { hex(00) }", "create target a 1x1", "\0\xff{}", "{" * 5000:
        assemble(text, "w.capture", status=1)
        assert not os.path.exists(path("w.capture"))
    # Nonsense is refused by the driver, and nothing crashes.
    capture = assemble("create target t 8x8 X8R8G8B8\ncontext c target=t\n"
                       "draw c { DRAWPRIMITIVE {type=TRIANGLELIST start=4000000000 primitives=4000000000} }\n"
                       "draw c { raw hex(ff 00 ff ff) }\ndraw 77 { }\npresent t", "w.capture")
    dp2("replay", capture, "--hash", status=1)


def hostile_files():
    good = content(assemble(MULTI, "a.capture"))
    seed = 12345
    for round_number in range(60):
        bad = bytearray(good)
        if round_number < 20:
            bad = bad[:len(bad) * round_number // 20]
        else:
            for _ in range(round_number % 4 + 1):
                seed = (seed * 1103515245 + 12345) & 0x7fffffff
                bad[seed % len(bad)] ^= 1 << (seed >> 16) % 8
        put("h.capture", bad)
        for verb in (["dump"], ["dump", "--asm"], ["dump", "--json"], ["info"], ["replay", "--hash"],
                     ["trim", "--frame", "1-2", "-o", path("t.capture")], ["replay", "--until", "2"],
                     ["feedback", "--json"]):
            dp2(verb[0], path("h.capture"), *verb[1:], status=(0, 1, 2))
        dp2("diff", path("h.capture"), path("a.capture"), status=(0, 1, 2))


def manual():
    """Manual pages and completion are what scripts/manual makes from the tables of the verbs, and have every option that a help names."""
    done = subprocess.run([os.path.join(ROOT, "scripts/manual"), "--check", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    texts = [content(os.path.join(ROOT, name)).decode().replace("\\-", "-") for name in ("tools/man/dp2.1", "tools/completion/dp2", "tools/completion/_dp2")]
    fish = content(os.path.join(ROOT, "tools/completion/dp2.fish")).decode()
    verbs = re.findall(r"^  ([a-z]+) ", dp2("--help"), re.M)
    assert len(verbs) > 8 and max(map(len, dp2("--help").splitlines())) <= 80, verbs
    described = json.loads(dp2("help", "--json"))["verbs"]
    assert [verb["name"] for verb in described] == verbs
    for verb in described:
        text = dp2(verb["name"], "--help")
        assert max(map(len, text.splitlines())) <= 80, (verb["name"], max(text.splitlines(), key=len))
        # (descriptions also mention options of other verbs)
        named = set(re.findall(r"--([a-z][a-z-]*)", re.sub(r"'dp2 [^']*'", "", text.split("example")[0]))) - {"help"}
        assert {option["name"] for option in verb["options"]} == named, (verb["name"], named)
        for option in named:
            assert all(re.search(r"--%s(?![a-z-])" % option, text) for text in texts), (verb["name"], option)
            assert re.search("__dp2_verb %s' (-s . )?-l %s " % (verb["name"], option), fish), (verb["name"], option)
        assert json.loads(dp2("help", verb["name"], "--json"))["verbs"] == [verb]


def completion():
    """Shells complete verbs, options, their values, and the verb behind help. bash and fish are asked; zsh only reads the file."""
    script = os.path.join(ROOT, "tools/completion/dp2")

    def bash(*words):
        call = "source %s; COMP_WORDS=(dp2 %s); COMP_CWORD=%d; _dp2; printf '%%s\\n' \"${COMPREPLY[@]}\"" % (
            script, " ".join(w or "''" for w in words), len(words))
        return subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True, cwd=FOLDER).stdout.split()

    def fish(*words):
        call = "source %s.fish; complete -C 'dp2 %s'" % (script, " ".join(words))
        return [line.split("\t")[0] for line in subprocess.run(["fish", "-N", "-c", call], capture_output=True, text=True, check=True, cwd=FOLDER).stdout.splitlines()]

    os.mkdir(path("maps"))
    for offered in (bash, fish) if shutil.which("fish") else (bash,):
        assert offered("rep") == ["replay"] and sorted(offered("re")) == ["replay", "resources"] and offered("help", "du") == ["dump"] and "--asm" not in offered("asm", "--")
        assert offered("replay", "--cpu", "s") == ["scalar", "sse2"] and sorted(offered("coverage", "--mode", "")) == ["conservative", "standard"]
        assert offered("coverage", "--space", "p") == ["pixel"] and "--quiet" in offered("replay", "--q")
        assert [name.rstrip("/") for name in offered("feedback", "-o", "ma")] == ["maps"] and offered("replay", "--loop", "") == []
        assert put("maps.capture", "") and "maps.capture" in offered("info", "maps.c") and offered("feedback", "-o", "maps.") == []
    assert bash("replay", "--cpu", "=", "s") == ["scalar", "sse2"] and len(bash("replay", "--cpu", "=")) == 4
    if shutil.which("zsh"):
        subprocess.run(["zsh", "-n", os.path.join(ROOT, "tools/completion/_dp2")], check=True)


def update():
    with open(HASHES, "w") as file:
        print("# Pictures of examples/dp2; tests/cli/test_dp2.py --update", file=file)
        for step in STEPS:
            capture = assemble(step, "step.capture")
            print(name_of(step), hashes(capture, "-o", picture_of(step))[0], file=file)


if sys.argv[1:] == ["--update"]:
    update()
    sys.exit(0)
def user_vertices():
    """The size of the vertices comes from the text, their format, or the stride; it is never silently 0."""
    head = "create target s 8x8 X8R8G8B8\ncontext c target=s\n"
    setup = """VIEWPORTINFO {x=0 y=0 width=8 height=8} RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}
        SETVERTEXSHADER {shader=XYZRHW} """
    stride, draws = "SETSTREAMSOURCEUM {stream=0 stride=16} ", "DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2} "
    bytes_of = "user_vertices { floats(-1 -1 0.5 1  9 -1 0.5 1  -1 9 0.5 1  9 9 0.5 1) }"
    by_format = "user_vertices { fvf(XYZRHW -1 -1 0.5 1  9 -1 0.5 1  -1 9 0.5 1  9 9 0.5 1) }"
    whole = hashes(assemble(head + "draw c { %s }\npresent s\n" % (setup + stride + draws + by_format)))
    empty = hashes(assemble(head + "draw c { %s }\npresent s\n" % (setup + stride)))
    assert whole != empty
    for text in ("draw c { %s }" % (setup + stride + draws + bytes_of), "draw c vertex_size=16 { %s }" % (setup + stride + draws + bytes_of),
                 "draw c vertex_size=16 vertex_count=4 { %s }" % (setup + stride + draws + bytes_of),
                 "draw c { %s }\ndraw c { %s }" % (setup + stride, draws + bytes_of)):
        capture = assemble(head + text + "\npresent s\n")
        assert hashes(capture) == whole, text
        again = assemble(put("again.dp2s", dp2("dump", "--asm", capture)), "again.capture")
        assert content(again) == content(capture), text
    for text in setup + draws + bytes_of, setup + stride + draws + "user_vertices { floats(1 2 3) }":
        done = run("asm", put("bad.dp2s", head + "draw c { %s }\npresent s\n" % text), "-o", path("bad.capture"))
        assert done.returncode == 1 and b"vertex_size=BYTES" in done.stderr, (text, done.stderr)


def refused_calls():
    """A replay reports the frames in which calls were refused; test_work.py tests calls that exceed the allowance of
    a capture."""
    frames = ["create target s 16x16 X8R8G8B8\ncontext c target=s"]
    for number in range(12):
        refused = number == 1 or number > 2
        frames.append("draw c { %s }\npresent s" % ("raw hex(ff 00 ff ff)" if refused else "CLEAR flags=TARGET {rect=(0 0 9 9)}"))
    capture = assemble("\n".join(frames) + "\n", "refused.capture")
    for shown, said in (("0", None), ("0-2", b"1 call in frame 1"), ("0-4", b"3 calls in frames 1, 3, 4"),
                        ("0-11", b"10 calls in frames 1, 3, 4, 5, 6, 7, 8, 9 and 2 more")):
        done = run("replay", capture, "-q", "--hash", "--frame", shown)
        wanted = b"dp2 replay: the driver refused " + said + b" (see its log)\n" if said else b""
        assert done.returncode == (1 if said else 0) and done.stderr == wanted, (shown, done.stderr)


def limit_files():
    """In the child: files have at most 16 KB, and writing more is an error."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))


def reasons():
    """Messages give the reason: why a file was not written, why events were skipped; and {} may be inside any
    quotes."""
    capture = assemble("create target t 8x8 X8R8G8B8\ncreate texture a 256x256 A8R8G8B8\npresent t\n", "reasons.capture")
    done = subprocess.run([PROGRAM, "textures", capture, "--export", path("dds"), "--dds"], env=clean(), capture_output=True, timeout=PATIENCE,
                          preexec_fn=limit_files)
    assert done.returncode == 2 and b"File too large" in done.stderr, done.stderr
    for command in "%s info '{}'", '%s info "{}"', "%s info {}", "%s info", "sh -c '%s info {}'", "test \\' != {} && %s info '{}'":
        done = run("minimise", capture, "-k", command % PROGRAM, "-o", path("least.capture"))
        assert done.returncode == 0, (command, done.stderr)


def instructions(*words, cpu="sse2"):
    """The number of instructions that the program executes, counted by valgrind."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", PROGRAM, *words],
                          env=clean(HALCYON_CPU=cpu, HALCYON_THREADS="1"), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def work_grows_with_surfaces():
    """Four times as many surfaces and names cost four times as much, whatever their links and order."""
    if "/asan/" in PROGRAM:
        return "skip: under the sanitizer"
    if not shutil.which("valgrind"):
        return "skip: no valgrind to count instructions"
    used = {}
    for count in 1000, 4000:
        lines = ["create target t 8x8 X8R8G8B8", "create texture one 8x8 A8R8G8B8"]
        lines += ["create texture n%d 1x1 A8R8G8B8" % number for number in range(count)]
        lines += ["announce local=1 root=one {\n" + "\n".join("    link from=one to=n%d" % number for number in range(count)) + "\n}", "present t"]
        lines += ["destroy n%d" % number for number in reversed(range(count))]
        text = put("many.dp2s", "\n".join(lines) + "\npresent t\n")
        capture = assemble(text, "many.capture")
        used[count] = [instructions("asm", text, "-o", path("again.capture")), instructions("replay", capture, "--hash"),
                       instructions("textures", capture)]
    for small, large in zip(used[1000], used[4000]):
        assert large < 6 * small, used


def work_grows_with_shaders():
    """A shader four times as long costs four times as much, including machine code, however many functions it
    becomes."""
    if "/asan/" in PROGRAM:
        return "skip: under the sanitizer"
    if not shutil.which("valgrind"):
        return "skip: no valgrind to count instructions"
    used = {}
    for count in 500, 2000:
        # lit is interpreted, so the sums between two of them become one function each
        body = "00000010 800f0000 90e40000 " + 2 * "00000002 800f0001 80e40001 80e40000 "
        code = "fffe0101 %s 00000001 c00f0000 80e40001 0000ffff" % (count * body)
        text = put("long.dp2s", """create target t 8x8 X8R8G8B8
            context c target=t level=5
            draw c vertex_size=12 vertex_count=3 {
              CREATEVERTEXSHADERDECL {handle=3 [stream=0 offset=0 type=FLOAT3 method=DEFAULT usage=POSITION usage_index=0]}
              SETVERTEXSHADERDECL {decl=3}
              CREATEVERTEXSHADERFUNC {handle=5 code=hex(%s)}
              SETVERTEXSHADERFUNC {shader=5}
              SETSTREAMSOURCEUM {stream=0 stride=12}
              DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
              DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
              user_vertices { floats(0 0 0  1 0 0  0 1 0) }
            }
            present t
            """ % code)
        used[count] = instructions("replay", assemble(text, "long.capture"), "--hash", cpu="avx2")
    assert used[2000] < 6 * used[500], used


sys.exit(0 if run_tests([
    properties, tutorial, tutorial_is_told, call_log, shader_text, token_table, caps, round_trip, dumps, flags, newer_files, diff, until,
    wrong_text, hostile_files, manual, completion, user_vertices, refused_calls, reasons, work_grows_with_surfaces,
    work_grows_with_shaders]) else 1)
