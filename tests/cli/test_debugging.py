#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The debugger's verbs that play whole captures, on captures assembled from text, and on those of the examples if they
exist. Speaks TAP.

tests/cli/test_debugging.py [DP2] [CAPTURE...]
"""
import glob
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time

from program import CAPTURES, FOLDER, MULTI, PATIENCE, PROGRAM, ROOT, ask, assemble, clean, content, dp2, path, put, run
from tap import run_tests
import picture

# A shell that starts the tests in the background makes them ignore the interrupt signal, and their children would
# inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def commands_of(capture):
    """(token, entries) of all commands."""
    return [(c["token"], c.get("entries", [])) for f in ask("dump", capture)["frames"] for e in f["events"] if e["event"] == "draw"
            for c in e["commands"]]


def pixel(capture, frame, x, y):
    """(red, green, blue) of a pixel, from the picture."""
    dp2("replay", capture, "--frame", str(frame), "-o", path("pixel.png"))
    width, _, pixels = picture.read(path("pixel.png"))
    return tuple(pixels[3 * (y * width + x):][:3])


# --- minimise ------------------------------------------------------------------------------------------

def script(name, text):
    put(name, "#!/bin/sh\n" + text)
    os.chmod(path(name), 0o755)
    return path(name)


def minimise_command():
    """For each token of the capture, a command that looks for it keeps the token, what the token depends on, and
    nothing else."""
    capture = assemble(MULTI)
    tokens = sorted({token for token, _ in commands_of(capture)})
    assert len(tokens) == 9, tokens
    for token in tokens:
        keep = "%s dump {} | grep -q ' %s '" % (PROGRAM, token)
        answer = ask("minimise", capture, "--keep", keep, "-o", path("small.capture"))
        left = commands_of(path("small.capture"))
        assert [t for t, _ in left] == [token] and len(left[0][1]) <= 1, (token, left)
        assert answer["finished"] and answer["command"] == keep
        assert answer["after"]["events"] <= 5 and answer["after"]["frames"] == 0 and answer["after"]["primitives"] <= 2, answer
        assert answer["after"]["bytes"] == os.path.getsize(path("small.capture")) < answer["before"]["bytes"]
        assert run("replay", path("small.capture")).returncode in (0, 1)
    assert not [n for n in os.listdir(FOLDER) if n.startswith("dp2-minimise")]


def minimise_crash():
    """A command that crashes on a token: only tokens that crash it are kept. The name of the capture is the last
    word of the command if there is no {}."""
    capture = assemble(MULTI)
    crash = script("crash", "%s dump \"$1\" | grep -q ' ALPHABLENDENABLE\\|state=ALPHABLENDENABLE' && kill -ABRT $$\nexit 0\n" % PROGRAM)
    keep = script("keep", "%s \"$1\"\n[ $? -eq 134 ]\n" % crash)
    dp2("minimise", capture, "-k", keep, "-o", path("small.capture"))
    left = commands_of(path("small.capture"))
    assert left == [("RENDERSTATE", [{"state": "ALPHABLENDENABLE", "value": True}])], left
    # a crash of another kind is not kept, and a command that does not end counts as crashed
    text = run("minimise", capture, "-k", crash, "-o", path("none.capture"))
    assert text.returncode == 2 and b"ended by signal" in text.stderr or b"status 134" in text.stderr, text
    assert not os.path.exists(path("none.capture"))
    # only the first try without a CLEAR does not end, so that the others may take as long as they need
    slow = script("slow", "echo >>%s\n%s dump \"$1\" | grep -q CLEAR && exit 0\n[ -e %s ] && exit 1\n>%s\nexec sleep 1000000\n"
                  % (path("tries"), PROGRAM, path("slept"), path("slept")))
    dp2("minimise", capture, "-k", slow, "--timeout", "10", "--tries", "12", "-o", path("small.capture"))
    assert os.path.exists(path("slept"))
    assert 1 < content(path("tries")).count(b"\n") <= 12
    text = run("minimise", capture, "-k", "sleep 100 #", "--timeout", "1", "-o", path("none.capture"))
    assert text.returncode == 2 and text.stderr.count(b"longer than 1 seconds") == 1, text


def minimise_pixel():
    """The pixel keeps its colour, and nothing more can be left out: the picture in the second frame is reduced to
    one texel and one triangle."""
    capture = assemble(MULTI)
    answer = ask("minimise", capture, "--keep-pixel", "1", "20,20", "-o", path("small.capture"))
    color = "#ff%02x%02x%02x" % pixel(capture, 1, 20, 20)
    assert answer["pixel"] == {"frame": 1, "x": 20, "y": 20, "color": color}, (answer, color)
    assert pixel(path("small.capture"), 0, 20, 20) == pixel(capture, 1, 20, 20)
    assert [t for t, _ in commands_of(path("small.capture"))] == ["SETVERTEXSHADER", "SETSTREAMSOURCE", "TEXTURESTAGESTATE", "DRAWPRIMITIVE"]
    assert answer["left"] == [{"draw": "1.0", "kind": "draw", "token": "DRAWPRIMITIVE"}] and answer["after"]["primitives"] == 1
    memory = [e for e in ask("dump", path("small.capture"))["frames"][0]["events"] if e["event"] == "memory"]
    assert [e["row_count"] for e in memory] == [1, 1], memory
    # the background needs only the clear; a pixel that nothing ever draws needs nothing
    answer = ask("minimise", capture, "-p", "0", "60,44", "-o", path("small.capture"))
    assert [a["kind"] for a in answer["left"]] == ["clear"], answer
    answer = ask("minimise", assemble("create target t 8x8 X8R8G8B8\ncontext c target=t\npresent t\n"), "-p", "0", "1,1", "-o", path("small.capture"))
    assert answer["left"] == [] and answer["after"]["events"] == 2, answer


def minimise_errors():
    capture = assemble(MULTI)
    for words, wanted in ((["-p", "0", "64,0"], "the picture has 64x48 pixels"), (["-p", "6", "1,1"], "no such frame: 6"),
                          (["-p", "0"], "a pixel is missing"), (["-p", "0", "1;1"], "a pixel is missing"), (["-p", "x", "1,1"], "'x' is not a frame"),
                          ([], "--keep COMMAND or --keep-pixel FRAME X,Y is missing"), (["-k", "true", "-p", "0", "1,1"], "exclude each other"),
                          (["-k", "false"], "the command fails on the whole capture: status 1"), (["-k", "no-such-program"], "status 127"),
                          (["-k", "true", "--tries", "0"], "'0' is not a number of tries")):
        done = run("minimise", *words, capture, "-o", path("none.capture"))
        assert done.returncode == 2 and wanted in done.stderr.decode() and not os.path.exists(path("none.capture")), (words, done)
    assert "-o OUT is missing" in run("minimise", "-k", "true", capture).stderr.decode()
    # with a limit of tries: the best result so far
    answer = ask("minimise", capture, "-p", "1", "20,20", "--tries", "30", "-o", path("small.capture"))
    assert not answer["finished"] and answer["tries"] == 30 and answer["after"]["events"] < answer["before"]["events"]
    assert pixel(path("small.capture"), 0, 20, 20) == pixel(capture, 1, 20, 20)


def minimise_interrupted():
    """The smallest capture so far is written, and no process is left running."""
    capture = assemble(MULTI)
    keep = script("slowly", "%s dump \"$1\" | grep -q CLEAR && sleep 0.05 && echo \"$1\" >>%s\n" % (PROGRAM, path("ran")))
    for number in signal.SIGINT, signal.SIGTERM:
        if os.path.exists(path("ran")):
            os.unlink(path("ran"))
        process = subprocess.Popen([PROGRAM, "minimise", capture, "-k", keep, "-o", path("best.capture"), "--json"], env=clean(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not os.path.exists(path("ran")) or len(open(path("ran")).readlines()) < 3:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(number)
        text, errors = process.communicate(timeout=PATIENCE)
        answer = json.loads(text)
        assert process.returncode == -number and errors == b"", (process.returncode, errors)
        assert not answer["finished"] and answer["after"]["events"] < answer["before"]["events"], answer
        assert "CLEAR" in [t for t, _ in commands_of(path("best.capture"))]
        os.unlink(path("best.capture"))
    left = [n for n in os.listdir(FOLDER) if n.startswith("dp2-minimise") or n.endswith(".part")]
    assert not left, left


def minimise_damaged():
    """Bytes with valid checksums and wrong contents: no question makes dp2 crash."""
    assemble(MULTI)
    with open(path("a.capture"), "rb") as file:
        good = file.read()
    for seed in range(30):
        bad = bytearray(good)
        for k in range(1 + seed % 4):
            bad[(seed * 7919 + k * 104729) % len(bad)] ^= 1 << (seed + k) % 8
        with open(path("bad.capture"), "wb") as file:
            file.write(bad)
        done = run("minimise", path("bad.capture"), "-p", "1", "20,20", "--tries", "40", "-o", path("small.capture"))
        assert done.returncode in (0, 1, 2), (seed, done)
    for text in ("create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c { raw hex(ff 00 ff ff) }\npresent t\n",
                 "create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c { SETVERTEXSHADER {shader=77} TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=12345} "
                 "DRAWPRIMITIVE {type=TRIANGLELIST start=4294967295 primitives=4294967295} }\npresent t\n"):
        answer = ask("minimise", assemble(text), "-p", "0", "1,1", "-o", path("small.capture"))
        assert answer["left"] == [], answer


def on_a_terminal(words):
    """Everything that is printed to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], env=clean(), stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    text = b""
    while True:
        try:
            if select.select([master], [], [], 0.1)[0]:
                text += os.read(master, 65536)
        except OSError:     # the command has ended
            break
    assert process.wait(timeout=PATIENCE) == 0
    os.close(master)
    return text.decode()


def minimise_progress():
    keep = "sleep 0.03; %s dump {} | grep -q STATESET" % PROGRAM
    shown = [int(p) for p in re.findall(r" (\d+)%", on_a_terminal(["minimise", assemble(MULTI), "-k", keep, "-o", path("small.capture")]))]
    assert len(shown) > 4 and shown == sorted(shown) and shown[0] < 70 and shown[-1] == 100, shown
    assert max(b - a for a, b in zip(shown, shown[1:])) <= 45, shown


def minimise_examples():
    """A frame of a thousand draws is reduced to the few that make a pixel."""
    for capture in CAPTURES:
        if os.path.basename(capture).startswith("landscape") and "/asan/" not in PROGRAM:
            answer = ask("minimise", capture, "-p", "1", "320,300", "-o", path("small.capture"))
            assert answer["finished"] and len(answer["left"]) <= 12 and answer["after"]["bytes"] < answer["before"]["bytes"] / 50, answer
            assert pixel(path("small.capture"), 0, 320, 300) == pixel(capture, 1, 320, 300)
            return None
    return "skip: no capture of the landscape"


# --- compare -------------------------------------------------------------------------------------------

def changed(name, *replacements):
    """The capture of six frames, with some places of the text replaced."""
    with open(MULTI) as file:
        text = file.read()
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new)
    return assemble(text, name)


def only_in(answer):
    return [(f.get("a"), f.get("b")) for f in answer["frames"] if "a" not in f or "b" not in f]


def compare_same():
    capture = assemble(MULTI)
    assert dp2("compare", capture, capture) == ""
    answer = ask("compare", capture, capture)
    assert answer["equal"] and len(answer["frames"]) == 6 and "first" not in answer, answer
    # one surface more, and other numbers for all following surfaces: the pictures and the draws are the same
    other = changed("b.capture", ("create target-texture", "create texture more 8x8 A8R8G8B8\ncreate target-texture"))
    answer = ask("compare", capture, other)
    assert answer["equal"] and all(f["a"] == f["b"] and not f["only_in_a"] + f["only_in_b"] for f in answer["frames"]), answer
    for name in CAPTURES[:3]:
        dp2("compare", name, name)


def compare_states():
    """A state that only one capture sets: the draw and its different state are reported, however many more draws
    precede it."""
    capture = assemble(MULTI)
    other = changed("b.capture", ("{stage=0 state=TEXTUREMAP value=board}", "{stage=0 state=TEXTUREMAP value=board} {stage=0 state=COLOROP value=ADD}"),
                    ("create target screen", "create target unused 8x8 X8R8G8B8\ncreate target screen"),
                    ("    STATESET {op=BEGIN block=1}", "    CLEAR flags=TARGET color=#ff204060 {rect=(0 0 9 9)}\n    STATESET {op=BEGIN block=1}"))
    answer = ask("compare", capture, other, status=1)
    first = answer["first"]
    assert not answer["equal"] and (first["a"], first["b"], first["kind"]) == ("1.0", "1.0", "draw"), answer
    assert [(s["group"], s["name"]) for s in first["states"] if s["name"] == "COLOROP"] == [("stage 0", "COLOROP")], first
    assert first["states"][0]["a"].get("text") != first["states"][0]["b"].get("text"), first
    assert answer["frames"][0]["only_in_b"] == ["0.1"] and answer["frames"][0]["different"] == 0, answer
    text = dp2("compare", capture, other, status=1)
    assert "the difference begins with draw 1.0 (1.0 of B)" in text and "  stage 0, COLOROP: MODULATE | ADD\n" in text, text
    assert "only in %s: clear 0.1\n" % other in text, text


def compare_insertions():
    """One frame more, and one draw more: reported at the right place, in both directions."""
    capture = assemble(MULTI)
    more = changed("b.capture", ("present screen\ndestroy waste", "present screen\ndraw c { CLEAR flags=TARGET color=#ff204060 depth=1 {rect=(0 0 9 9)} }\n"
                                 "present screen\ndestroy waste"))
    for a, b, wanted in (capture, more, (None, 1)), (more, capture, (1, None)):
        answer = ask("compare", a, b, status=1)
        assert only_in(answer) == [wanted] and not answer["equal"], answer
        assert all(f.get("different", 0) == 0 for f in answer["frames"]) and "first" not in answer, answer
    assert "frame 1: only in %s\n" % more == dp2("compare", capture, more, status=1)
    more = changed("b.capture", ("draw c { DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} }",
                                 "draw c { CLEAR flags=TARGET color=#ff2040ff {rect=(50 40 60 44)} DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} }"))
    for a, b, names in (capture, more, ("3.0", "3.1", "only_in_b")), (more, capture, ("3.1", "3.0", "only_in_a")):
        first = ask("compare", a, b, status=1)["first"]
        assert (first["a"], first["b"]) == names[:2] and first[names[2]] == ["3.0"] and first["box"] == [50, 40, 60, 44], first
        assert first["states"] == [], first


def compare_tolerance():
    """The clear of the second capture is brighter by 3 in one channel."""
    capture = assemble(MULTI)
    other = changed("b.capture", ("CLEAR flags=TARGET|ZBUFFER color=#ff204060", "CLEAR flags=TARGET|ZBUFFER color=#ff204063"))
    answer = ask("compare", capture, other, "-o", path("d.png"), status=1)
    assert answer["frames"][0]["largest"] == 3 and answer["frames"][0]["different"] == 64 * 48 and answer["frames"][0]["mean"] == 1, answer
    assert answer["first"]["a"] == "0.0" and answer["first"]["kind"] == "clear", answer
    width, height, pixels = picture.read(path("d.png"))
    assert (width, height) == (64, 48) and tuple(pixels[:3]) == (0, 0, 64 + 4 * 3), pixels[:3]
    answer = ask("compare", capture, other, "--tolerance", "3")
    assert answer["equal"] and answer["frames"][0]["largest"] == 3, answer
    ask("compare", capture, other, "-t", "2", status=1)


def compare_pictures():
    capture = assemble(MULTI)
    for frame, name in (0, "0.png"), (1, "1.png"):
        dp2("replay", capture, "-f", str(frame), "-o", path(name))
    assert dp2("compare", path("0.png"), path("0.png")) == "" and ask("compare", path("0.png"), path("0.png"))["equal"]
    answer = ask("compare", path("0.png"), path("1.png"), "-o", path("d.png"), status=1)
    frames = [picture.read(path(n))[2] for n in ("0.png", "1.png")]
    distances = [abs(a - b) for a, b in zip(*frames)]
    numbers = answer["pictures"]
    assert numbers["largest"] == max(distances) and abs(numbers["mean"] - sum(distances) / len(distances)) < 1e-6, numbers
    assert abs(numbers["rms"] - (sum(d * d for d in distances) / len(distances)) ** 0.5) < 1e-6, numbers
    assert numbers["different"] == sum(any(distances[i:i + 3]) for i in range(0, len(distances), 3)) and numbers["box"] == [8, 8, 40, 40], numbers
    assert not answer["equal"] and ask("compare", path("0.png"), path("1.png"), "-t", "255")["equal"]
    dp2("replay", assemble("create target t 8x8 X8R8G8B8\npresent t\n", "small.capture"), "-o", path("small.png"))
    answer = ask("compare", path("0.png"), path("small.png"), status=1)
    assert answer["pictures"] == {"size_a": {"width": 64, "height": 48}, "size_b": {"width": 8, "height": 8}}, answer
    with open(path("0.png"), "rb") as file:
        put("cut.png", file.read()[:50])
    assert run("compare", path("0.png"), path("cut.png")).returncode == 1
    done = run("compare", path("0.png"), capture)
    assert done.returncode == 2 and b"0.png is a picture" in done.stderr, done


def compare_damaged():
    capture = assemble(MULTI)
    with open(capture, "rb") as file:
        good = file.read()
    for seed in range(30):
        bad = bytearray(good)
        bad[(seed * 7919) % len(bad)] ^= 1 << seed % 8
        assert run("compare", capture, put("bad.capture", bytes(bad)), "--json").returncode in (0, 1, 2), seed
    done = run("compare", capture, put("half.capture", good[:len(good) * 2 // 3]))
    assert done.returncode == 1 and b"cut short" in done.stderr, done


# --- textures ------------------------------------------------------------------------------------------

def named_textures(capture, *words):
    return {t["surface"]: t for t in ask("textures", capture, *words)["textures"]}


def textures_list():
    """Kinds, sizes, levels and users of textures in the second and third frame."""
    capture = assemble(MULTI)
    found = named_textures(capture, "-f", "1")
    kinds = {t["kind"]: t for t in found.values()}
    assert sorted(t["kind"] for t in found.values()) == ["depth", "target", "target texture", "texture"], found
    board, screen = kinds["texture"], kinds["target"]
    assert (board["width"], board["height"], board["mips"], board["format"], board["bytes"]) == (32, 32, 2, "A8R8G8B8", 4 * (32 * 32 + 16 * 16)), board
    assert board["uses"] == [{"draw": "1.0", "as": ["texture"]}] and screen["uses"] == [{"draw": "1.0", "as": ["target"]}], found
    found = named_textures(capture, "-f", "2")
    canvas = next(t for t in found.values() if t["kind"] == "target texture")
    assert canvas["uses"] == [{"draw": "2.0", "as": ["target"]}], canvas
    assert named_textures(capture, "-f", "3")[canvas["surface"]]["uses"] == [{"draw": "3.0", "as": ["texture"]}]
    assert len(named_textures(capture)) == 5        # the first frame had one more
    assert list(named_textures(capture, "-f", "1", "-s", str(board["surface"] + 1))) == [board["surface"]]      # through its second level
    text = dp2("textures", capture, "-f", "1")
    assert text.count("\n") == 5 and "texture of 1.0" in text and "depth of 1.0" in text, text
    for words, wanted in ((["-f", "9"], "no such frame"), (["-s", "77"], "there is no surface 77"), (["--dds"], "--dds needs --export"),
                          (["-f", "x"], "'x' is not a frame")):
        done = run("textures", capture, *words)
        assert done.returncode == 2 and wanted in done.stderr.decode(), done


def exported(capture, *words):
    """{name: contents} of the written files."""
    target = tempfile.mkdtemp(dir=FOLDER)
    dp2("textures", capture, "--export", target, *words)
    found = {}
    for name in os.listdir(target):
        with open(os.path.join(target, name), "rb") as file:
            found[name] = file.read()
    return found


def checker(width, height, square, *colors):
    return [colors[(x // square + y // square) % 2] for y in range(height) for x in range(width)]


def textures_files():
    """The texels that a program wrote come back, as PNG and as DDS."""
    capture = assemble(MULTI)
    board = next(s for s, t in named_textures(capture, "-f", "1").items() if t["kind"] == "texture")
    files = exported(capture, "-f", "1", "-s", str(board))
    assert sorted(files) == ["surface-%d-level%d.png" % (board, level) for level in (0, 1)], list(files)
    levels = checker(32, 32, 8, 0xffe0d0b0, 0xff804030), checker(16, 16, 4, 0xff00ff00, 0xff0000ff)
    for level, texels in enumerate(levels):
        width, height, pixels = picture.read_png(files["surface-%d-level%d.png" % (board, level)])
        assert (width, height) == ((32, 32), (16, 16))[level]
        assert pixels == b"".join(bytes((t >> 16 & 255, t >> 8 & 255, t & 255)) for t in texels), level
    dds = exported(capture, "-f", "1", "-s", str(board), "--dds")["surface-%d.dds" % board]
    words = struct.unpack("<32I", dds[:128])
    assert dds[:4] == b"DDS " and words[1] == 124 and words[3:5] == (32, 32) and words[7] == 2 and words[19] == 32, words
    assert words[20:27] == (0x41, 0, 32, 0xff0000, 0xff00, 0xff, 0xff000000) and words[27] == 0x401008, words
    assert dds[128:] == struct.pack("<%dI" % (32 * 32 + 16 * 16), *(levels[0] + levels[1]))


CUBE = "surfaces local=1 {\n" + "".join(
    "    part id=%d handle=%d caps=0x10405008 caps2=%#x local_flags=0x2001 global_flags=0x80000 width=4 height=4 mip_count=1 pf_size=32 pf_flags=0x200000 format=A8R8G8B8\n" % (
        n + 2, n + 2, 0x200 | 0x400 << n) for n in range(6)) + "".join(
    "    link from=2 to=%d\n" % n for n in range(3, 8)) + "}\nannounce local=1 root=2 {\n" + "".join(
    "    name id=%d handle=%d\n" % (n, n) for n in range(2, 8)) + "".join("    link from=2 to=%d\n" % n for n in range(3, 8)) + "}\n"


def textures_of_all_kinds():
    """Cubes with six faces, volumes with slices, blocks, depth."""
    faces = ["memory id=%d flags=1 row_count=4 row_bytes=16 slice_count=1 { fill(16 #ff%02x0000) }\n" % (n + 2, 40 * n + 10) for n in range(6)]
    files = exported(assemble("create target t 8x8 X8R8G8B8\n" + CUBE + "context c target=t\n" + "".join(faces) + "present t\n"), "-s", "2", "--dds")
    words = struct.unpack("<32I", files["surface-2.dds"][:128])
    assert words[28] == 0xfe00 and files["surface-2.dds"][128:] == b"".join(bytes((0, 0, 40 * n + 10, 255)) * 16 for n in range(6)), words
    volume = assemble(os.path.join(ROOT, "tests/cli/feedback.dp2s"))
    found = {s: t for s, t in named_textures(volume).items() if t["kind"] == "volume"}
    assert [(t["width"], t["height"], t["depth"], t["mips"]) for t in found.values()] == [(16, 16, 5, 2)], found
    number = list(found)[0]
    assert len(exported(volume, "-s", str(number))) == 5 + 2
    dds = exported(volume, "-s", str(number), "--dds")["surface-%d.dds" % number]
    words = struct.unpack("<32I", dds[:128])
    assert len(dds) == 128 + 4 * (16 * 16 * 5 + 8 * 8 * 2) and words[6] == 5 and words[28] == 0x200000, words
    # one block: red, and the colours between red and blue
    blocks = assemble("create target t 8x8 X8R8G8B8\ncreate texture b 4x4 DXT1 levels=1\ncreate depth z 8x8 D16\ncontext c target=t depth=z\n"
                      "memory b { hex(00 f8 1f 00 00 00 00 55) }\nclear c flags=ZBUFFER depth=0.5 { rect area=(0 0 8 4) }\npresent t\n")
    files = exported(blocks)
    block = picture.read_png(next(v for k, v in files.items() if picture.read_png(v)[0] == 4))[2]
    assert block == bytes((255, 0, 0)) * 12 + bytes((0, 0, 255)) * 4, block
    dds = [v for v in exported(blocks, "--dds").values() if v[84:88] == b"DXT1"]
    assert len(dds) == 1 and dds[0][128:] == bytes.fromhex("00f81f0000000055"), dds
    dp2("textures", blocks, "-o", path("sheet.png"))
    width, height, _ = picture.read(path("sheet.png"))
    assert width > 400 and height > 100


def textures_damaged():
    assemble(os.path.join(ROOT, "tests/cli/feedback.dp2s"))
    with open(path("a.capture"), "rb") as file:
        good = file.read()
    for seed in range(30):
        bad = bytearray(good)
        bad[(seed * 7919) % len(bad)] ^= 1 << seed % 8
        put("bad.capture", bytes(bad))
        for words in ["--json"], ["-o", path("sheet.png")], ["--export", path("files")], ["--export", path("files"), "--dds"]:
            assert run("textures", path("bad.capture"), *words).returncode in (0, 1, 2), (seed, words)
    capture = assemble(MULTI)
    with open(capture, "rb") as file:
        good = file.read()
    half = put("half.capture", good[:len(good) * 2 // 3])
    assert run("textures", half).returncode == 0 or b"cut short" in run("textures", half).stderr
    done = run("textures", half, "-f", "5")
    assert done.returncode == 1 and b"cut short" in done.stderr, done
    # sizes and depths that no memory could hold
    for part in ("width=4 height=4", "width=65535 height=65535"):
        text = "create target t 8x8 X8R8G8B8\nsurfaces local=1 { part id=9 handle=9 caps=0x1008 caps2=0x200000 caps4=0xffff %s pf_size=32 pf_flags=0x200000 format=A8R8G8B8 }\npresent t\n" % part
        assert run("textures", assemble(text), "--export", path("files")).returncode in (0, 1, 2)


# --- edit ----------------------------------------------------------------------------------------------

def frames_of(capture):
    """The pixels of all frames."""
    dp2("replay", capture, "-o", path("edited-%04d.png"))
    names = sorted(glob.glob(path("edited-*.png")))
    frames = [picture.read(name)[2] for name in names]
    for name in names:
        os.unlink(name)
    return frames


def edit_states():
    """A state set everywhere looks as if the program had set it; set at one draw, it changes that draw only, and the
    previous value returns for the draws that follow."""
    capture = assemble(MULTI)
    command = "TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG2}"
    answer = ask("edit", capture, "--set", command, "-o", path("out.capture"), "-p", path("one.png"), "-f", "1")
    assert answer == {"format": "dp2-edit", "version": 1, "file": capture, "output": path("out.capture"), "picture": path("one.png"),
                      "frame": 1, "draws": 4, "shaders": 0}, answer
    wanted = frames_of(changed("b.capture", ("value=MODULATE", "value=SELECTARG2")))
    assert frames_of(path("out.capture")) == wanted != frames_of(capture)
    assert picture.read(path("one.png"))[2] == wanted[1]
    # at one draw, by both of its names
    for name in "4.0", "4:0:0x10":
        assert ask("edit", capture, "--at", name, "-s", command, "-o", path("out.capture"), "-p", path("one.png"))["draws"] == 1
        tokens = [t for f in ask("dump", path("out.capture"))["frames"] for e in f["events"] if e["event"] == "draw" and f["frame"] == 4 for t in e["commands"]]
        assert [t["token"] for t in tokens] == ["STATESET", "TEXTURESTAGESTATE", "DRAWPRIMITIVE", "TEXTURESTAGESTATE"], tokens
        assert [t["entries"][0]["value"] for t in tokens[1::2]] == ["SELECTARG2", "MODULATE"], tokens
        before, after = frames_of(capture), frames_of(path("out.capture"))
        assert before[:4] == after[:4] and before[4] != after[4] and picture.read(path("one.png"))[2] == after[4]
    # a state that was never set returns to the initial value of a device
    dp2("edit", capture, "-a", "1.0", "-s", "RENDERSTATE {state=FILLMODE value=WIREFRAME}", "-o", path("out.capture"))
    assert frames_of(path("out.capture"))[1] != frames_of(capture)[1]
    values = [e["value"] for _, entries in commands_of(path("out.capture")) for e in entries if e.get("state") == "FILLMODE"]
    assert values == ["WIREFRAME", "SOLID"], values


ENTRIES = ("create target t 16x16 X8R8G8B8\ncreate vertices v 240\ncontext c target=t\n"
           "memory v { fvf(XYZRHW|DIFFUSE 0 0 0 1 #ffff0000 16 0 0 1 #ffff0000 0 16 0 1 #ffff0000 16 0 0 1 #ff00ff00 16 16 0 1 #ff00ff00 0 16 0 1 #ff00ff00\n"
           " 0 0 0 1 #ff0000ff 4 0 0 1 #ff0000ff 0 4 0 1 #ff0000ff 8 8 0 1 #ffffffff 12 8 0 1 #ffffffff 8 12 0 1 #ffffffff) }\n"
           "draw c { RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} SETVERTEXSHADER {shader=XYZRHW|DIFFUSE} SETSTREAMSOURCE {stream=0 buffer=v stride=20} %s }\npresent t\n")


def edit_entries():
    """One draw of a token that has four: the others are drawn as before, in their order."""
    draws = ["DRAWPRIMITIVE {type=TRIANGLELIST start=%d primitives=1}" % (3 * n) for n in range(4)]
    capture = assemble(ENTRIES % ("DRAWPRIMITIVE " + " ".join(d.split(" ", 1)[1] for d in draws)))
    off = "RENDERSTATE {state=COLORWRITEENABLE value=0}"
    for n in range(4):
        dp2("edit", capture, "--at", "0.%d" % n, "-s", off, "-o", path("out.capture"))
        without = assemble(ENTRIES % " ".join(d for i, d in enumerate(draws) if i != n), "b.capture")
        assert frames_of(path("out.capture")) == frames_of(without), n
        assert sum(len(entries) for token, entries in commands_of(path("out.capture")) if token == "DRAWPRIMITIVE") == 4


def edit_shaders():
    step = os.path.join(ROOT, "examples/dp2/11-shader.dp2s")
    capture = assemble(step)
    handle = next(entries[0]["handle"] for token, entries in commands_of(capture) if token == "CREATEPIXELSHADER")
    put("blue.psa", "ps_1_1\ndef c0, 0, 0, 1, 1\nmov r0, c0\n")
    answer = ask("edit", capture, "--pixel-shader", "%s=%s" % (handle, path("blue.psa")), "-o", path("out.capture"))
    assert answer["shaders"] == 1 and answer["draws"] == 0, answer
    blue = frames_of(path("out.capture"))[0]
    before = frames_of(capture)[0]
    assert before != blue and bytes((0, 0, 255)) in blue
    # its own code, as text, gives the same capture
    dump = dp2("dump", capture, "--shaders")
    assert "ps_1_1" in dump or "ps_" in dump
    code = re.search(r"code=hex\(([0-9a-f\s]+)\)", dp2("dump", capture, "--asm"))[1]
    put("same.psa", dp2("shader", put("words.txt", code), "--asm"))
    dp2("edit", capture, "--pixel-shader", "%s=%s" % (handle, path("same.psa")), "-o", path("out.capture"))
    assert dp2("dump", path("out.capture"), "--asm") == dp2("dump", capture, "--asm")
    put("wrong.psa", "ps_1_1\nmove r0, v0\n")
    for given, status, wanted in (("%s=%s" % (handle, path("wrong.psa")), 1, "wrong.psa:2:"), ("99=%s" % path("blue.psa"), 2, "no pixel shader with handle 99"),
                                  ("99", 2, "is not HANDLE=FILE"), ("1=%s" % path("missing"), 2, "No such file")):
        done = run("edit", capture, "--pixel-shader", given, "-o", path("none.capture"))
        assert done.returncode == status and wanted in done.stderr.decode() and not os.path.exists(path("none.capture")), (given, done)
    done = run("edit", capture, "--vertex-shader", "%s=%s" % (handle, path("blue.psa")), "-o", path("none.capture"))
    assert done.returncode == 1 and b"this is not a vertex shader" in done.stderr, done


def edit_shaders_of_a_draw():
    """One draw gets another shader, also where it had fixed function; the following draws are unchanged."""
    blue = put("blue.psa", "ps_1_1\ndef c0, 0, 0, 1, 1\nmov r0, c0\n")
    capture = assemble(MULTI)
    answer = ask("edit", capture, "--pixel-shader", blue, "--at", "4.0", "-o", path("out.capture"))
    assert (answer["draws"], answer["shaders"]) == (1, 1), answer
    before, after = frames_of(capture), frames_of(path("out.capture"))
    assert before[:4] == after[:4] and before[4] != after[4] and bytes((0x20, 0x40, 255)) in after[4]
    tokens = [(token, entries) for token, entries in commands_of(path("out.capture")) if "PIXELSHADER" in token]
    (create, _), (_, set_to), _, (_, set_back), (delete, deleted) = tokens
    assert (create, delete) == ("CREATEPIXELSHADER", "DELETEPIXELSHADER") and set_to[0]["shader"] == deleted[0]["handle"] and set_back[0]["shader"] == 0
    # constants that the shader defines do not outlive it
    two = "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} {type=TRIANGLELIST start=3 primitives=1}"
    for before in "", "SETPIXELSHADERCONST {register=0 count=2 (.5 .25 .125 1  3 4 5 6)} ":
        capture = assemble(ENTRIES % (before + two))
        dp2("edit", capture, "--pixel-shader", blue, "--at", "0.0", "-o", path("out.capture"))
        own, there, behind = ([v["floats"] for v in ask("state", c, place, "--group", "pixel constants")["groups"][0]["values"] if "floats" in v][:2]
                              for c, place in ((capture, "0.1"), (path("out.capture"), "0.0"), (path("out.capture"), "0.1")))
        assert there[0] == [0, 0, 1, 1] and behind == own != there, (own, there, behind)
    # the shader that was set before is set again after the draw, which is drawn twice here
    text = open(os.path.join(ROOT, "examples/dp2/11-shader.dp2s")).read()
    twice = assemble(text.replace("DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2}",
                                  "DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2} {type=TRIANGLESTRIP start=0 primitives=2}"))
    dp2("edit", twice, "--pixel-shader", blue, "--at", "0.1", "-o", path("out.capture"))
    assert frames_of(path("out.capture")) == frames_of(twice)
    dp2("edit", twice, "--at", "0.2", "--pixel-shader", blue, "-o", path("out.capture"))
    assert frames_of(path("out.capture")) != frames_of(twice)
    # a DirectX 8 vertex shader keeps its declaration: the second position of a tween, drawn without the shader, and the
    # first
    tween = assemble(os.path.join(ROOT, "tests/streams/tweening.dp2s"))
    for register, same in (("v15", True), ("v0", False)):
        shader = put("place.vsa", "vs_1_1\nmov oPos, %s\ndef c0, 1, 1, 1, 1\nmov oD0, c0\n" % register)
        dp2("edit", tween, "--vertex-shader", shader, "--at", "0.1", "-o", path("out.capture"))
        assert (frames_of(path("out.capture")) == frames_of(tween)) is same, register
    # in DirectX 9 the function is separate from the declaration
    capture = assemble(os.path.join(ROOT, "tests/cli/feedback.dp2s"))
    place = [(frame, row["draw"]) for frame in ask("draws", capture)["frames"] for row in frame["draws"] if row["kind"] == "draw" and row["vertex_shader"]][-1][1]
    away = put("away.vsa", "vs_2_0\ndef c0, 9, 9, 9, 1\nmov oPos, c0\n")
    dp2("edit", capture, "--vertex-shader", away, "--at", place, "-o", path("out.capture"))
    assert "CREATEVERTEXSHADERFUNC" in [t for t, e in commands_of(path("out.capture")) if len(e) == 1 and e[0].get("handle") == 0x7fffffff]
    assert [row["tested"] for f in ask("draws", path("out.capture"))["frames"] for row in f["draws"] if row["draw"] == place] == [0]
    done = run("edit", capture, "--at", place, "--pixel-shader", blue, "--pixel-shader", blue, "-o", path("none.capture"))
    assert done.returncode == 2 and b"a draw has one pixel shader" in done.stderr


def edit_errors():
    capture = assemble(MULTI)
    cull = "RENDERSTATE {state=CULLMODE value=NONE}"
    for words, wanted in ((["-s", "RENDERSTATE {state=CULLMODE"], "RENDERSTATE"), (["-s", "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}"], "sets no state"),
                          (["-s", cull, "--at", "9.0"], "there is no such draw"), (["-s", cull, "--at", "1.7"], "there is no such draw"),
                          (["-s", cull, "--at", "0.0"], "there is no such draw"),       # a clear
                          (["-s", cull, "--at", "x"], "is not a draw"), ([], "nothing to change"), (["-s", cull, "-p", path("n.png"), "-f", "77"], "no such frame: 77"),
                          (["-s", "SETTRANSFORM {type=WORLD matrix=(1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1)}", "--at", "1.0"], "is not known; without --at")):
        done = run("edit", capture, *words, "-o", path("none.capture"))
        assert done.returncode == 2 and wanted in done.stderr.decode() and not os.path.exists(path("none.capture")), (words, done)
    done = run("edit", capture, "-s", cull)
    assert done.returncode == 2 and b"-o OUT or --picture PNG is missing" in done.stderr
    with open(capture, "rb") as file:
        good = file.read()
    for seed in range(40):
        bad = bytearray(good)
        bad[(seed * 7919) % len(bad)] ^= 1 << seed % 8
        done = run("edit", put("bad.capture", bytes(bad)), "-s", cull, "--at", "1.0", "-o", path("out.capture"), "-p", path("one.png"))
        assert done.returncode in (0, 1, 2), (seed, done)


passed = run_tests([
    minimise_command, minimise_crash, minimise_pixel, minimise_errors, minimise_interrupted, minimise_damaged, minimise_progress,
    minimise_examples, compare_same, compare_states, compare_insertions, compare_tolerance, compare_pictures, compare_damaged,
    textures_list, textures_files, textures_of_all_kinds, textures_damaged,
    edit_states, edit_entries, edit_shaders, edit_shaders_of_a_draw, edit_errors])
sys.exit(0 if passed else 1)
