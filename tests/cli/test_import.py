#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 import: traces of apitrace, whole and damaged, and their captures under Wine (skipped without Wine or the player). Speaks TAP.

tests/cli/test_import.py [DP2] [--update]     --update: writes the hashes in tests/traces/ again
"""
import glob
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time

from program import FOLDER, PATIENCE, PROGRAM, ROOT, clean, content, dp2, hashes, path, put, run
from tap import run_tests
from traces import Enum, Flags, Opaque, Pair, Struct, Trace, number

TRACES = sorted(glob.glob(os.path.join(ROOT, "tests/traces/*.trace")))
PLAYER = os.path.join(ROOT, "build/x64/halcyon-import.exe")
D3D9, DEVICE, BACK, SOURCE, WINDOW = Opaque(0x1000), Opaque(0x2000), Opaque(0x3000), Opaque(0x4000), Opaque(0x10038)
A8R8G8B8, X8R8G8B8, SYSTEM_MEMORY = 21, 22, 2
INVALID_CALL = 0x8876086c


def parameters(width=16, height=8):
    return [Struct((width, height, Enum(X8R8G8B8), 1, 0, 0, 1, WINDOW, True, False, 0, Flags(0), 0, 0))]


def begin(version=6):
    """Direct3D 9 and a device."""
    trace = Trace(version)
    trace.call("Direct3DCreate9", 32, result=D3D9)
    trace.call("IDirect3D9::CreateDevice", D3D9, 0, Enum(1), WINDOW, Flags(0x40), ..., ..., a5=parameters(), a6=[DEVICE])
    return trace


def frame(trace, color=0xff204060):
    trace.call("IDirect3DDevice9::Clear", DEVICE, 0, None, Flags(1), color, 1.0, 0)
    trace.call("IDirect3DDevice9::Present", DEVICE, None, None, None, None)


def end(trace):
    trace.call("IDirect3DDevice9::Release", DEVICE, result=0)
    trace.call("IDirect3D9::Release", D3D9, result=0)
    return trace


def check(trace, status=0):
    """The lines that dp2 import --check prints of a trace, or of the bytes of a file."""
    name = put("t.trace", trace.file() if isinstance(trace, Trace) else trace)
    return dp2("import", "--check", name, status=status).splitlines()


def said(data, status=1):
    """The message about a file."""
    done = run("import", "--check", put("t.trace", data))
    assert done.returncode == status, (done.returncode, done.stderr)
    return done.stderr.decode()


def values_of_all_types():
    for version in range(7):
        trace = begin(version)
        frame(trace)
        trace.call("IDirect3DDevice9::SetRenderState", DEVICE, Enum(36), 2.5)          # a float where the method takes its bits
        trace.call("IDirect3DDevice9::CreatePixelShader", DEVICE, Pair(("ps_1_1", struct.pack("<2I", 0xffff0101, 0xffff))), ..., a2=[Opaque(0x5000)])
        trace.call("IDirect3DDevice9::SetVertexShaderConstantF", DEVICE, 0, [1.0, -2.0, 3.0, 4.0], 1)
        trace.call("IDirect3DDevice9::GetDeviceCaps", DEVICE, ..., a1=[Struct((-1, 2))])
        assert check(end(trace)) == ["10 calls, 1 frame; 1 that only ask, or failed in the trace with nothing to repeat"], version


def compression():
    trace = begin()
    for i in range(400):
        frame(trace, 0xff000000 + i * 257)
    end(trace)
    wanted = ["804 calls, 400 frames; 0 that only ask, or failed in the trace with nothing to repeat"]
    for chunk in 1 << 20, 1000, 7, 1:
        assert check(trace.file(chunk)) == wanted, chunk
    # a chunk may be empty
    assert check(trace.file(1000) + struct.pack("<I", 1) + b"\0") == wanted


def unknown_calls():
    trace = begin()
    frame(trace)
    trace.call("glClear", 1)
    trace.call("IDirect3DDevice9::Fly", DEVICE)
    trace.call("IDirect3DDevice9::ShowCursor", DEVICE)
    trace.call("IDirect3DDevice9::BeginScene", Opaque(0x9999))
    trace.call("IDirect3DDevice9::SetTexture", DEVICE, 0, D3D9)
    trace.call("IDirect3DDevice9::SetTexture", DEVICE, 0, Opaque(0x8888))
    trace.call("IDirect3DTexture9::BeginScene", DEVICE)
    for count in 1, 2, 0xffffffff:
        trace.call("IDirect3DDevice9::DrawPrimitiveUP", DEVICE, Enum(4), count, bytes(3 * 16), 16)
    trace.call("IDirect3DDevice9::CreateVertexShader", DEVICE, Pair(("?", struct.pack("<2I", 0xfffe0300, 0x0200001f))), ..., a2=[Opaque(0x5000)])
    trace.call("memcpy", Opaque(0x7777), b"1234", 4, result=..., fake=True)
    trace.call("IDirect3DSurface9::GetDC", Opaque(0x6666))
    trace.call("IDirect3DDevice9::SetClipPlane", DEVICE, 0, [1.0, 2.0, 3.0])
    trace.call("IDirect3DDevice9::SetViewport", DEVICE, [Struct((0, 0, 8))])
    trace.enter("IDirect3DDevice9::EndScene", [DEVICE])
    return trace


def what_is_not_understood():
    lines = check(unknown_calls(), status=1)
    assert lines == [
        "20 calls, 1 frame; 0 that only ask, or failed in the trace with nothing to repeat",
        "not understood: 15",
        "  glClear: not a function of Direct3D 8 or 9; 1 call, the first is 4",
        "  IDirect3DDevice9::Fly: its object has no such method; 1 call, the first is 5",
        "  IDirect3DDevice9::ShowCursor: its arguments are not those of the method; 1 call, the first is 6",
        "  IDirect3DDevice9::BeginScene: no call returned its object; 1 call, the first is 7",
        "  IDirect3DDevice9::SetTexture: an argument is an object of the wrong kind; 1 call, the first is 8",
        "  IDirect3DDevice9::SetTexture: an argument is an object that no call returned; 1 call, the first is 9",
        "  IDirect3DTexture9::BeginScene: its object has no such method; 1 call, the first is 10",
        "  IDirect3DDevice9::DrawPrimitiveUP: an argument is shorter than the call reads; 2 calls, the first is 12",
        "  IDirect3DDevice9::CreateVertexShader: the shader has no end; 1 call, the first is 14",
        "  memcpy: no lock has this memory; 1 call, the first is 15",
        "  IDirect3DSurface9::GetDC: no call returned its object; 1 call, the first is 16",
        "  IDirect3DDevice9::SetClipPlane: an argument is shorter than the call reads; 1 call, the first is 17",
        "  IDirect3DDevice9::SetViewport: an argument does not have the form of its type; 1 call, the first is 18",
        "  IDirect3DDevice9::EndScene: the trace ends before it returns; 1 call, the first is 19"], "\n".join(lines)


def listed(rows):
    """The rows of a list of the document, as lines of the text."""
    return ["  %s: %s; %d call%s, the first is %d" % (r["call"], r["why"], r["calls"], "" if r["calls"] == 1 else "s", r["first"]) for r in rows]


def the_document():
    """--json says what the text says."""
    trace = unknown_calls()
    lines = check(trace, status=1)
    document = json.loads(dp2("import", "--check", path("t.trace"), "--json", status=1))
    assert {k: v for k, v in document.items() if k != "not_understood"} == {
        "format": "dp2-import", "version": 1, "file": path("t.trace"), "calls": 20, "frames": 1, "asking": 0, "display_lost": 0, "cut_short": False,
        "other_results": []}, document
    assert listed(document["not_understood"]) == lines[2:]
    cut = json.loads(dp2("import", "--check", put("c.trace", trace.file(100)[:-1]), "--json", status=1))
    assert cut["cut_short"] or cut["damaged"]["why"], cut
    trace.data += b"\0" + number(1 << 40)
    damaged = json.loads(dp2("import", "--check", put("d.trace", trace.file(100)), "--json", status=1))
    assert damaged["damaged"]["after"] >= 20 and damaged["damaged"]["why"] and not damaged["cut_short"], damaged


def objects_end():
    """An address means an object until the Release that returned 0, and then nothing, or another object."""
    trace = begin()
    trace.call("IDirect3DDevice9::AddRef", DEVICE, result=2)
    trace.call("IDirect3DDevice9::Release", DEVICE, result=1)
    frame(trace)
    trace.call("IDirect3DDevice9::Release", DEVICE, result=0)
    trace.call("IDirect3DDevice9::BeginScene", DEVICE)
    trace.call("IDirect3D9::CreateDevice", D3D9, 0, Enum(1), WINDOW, Flags(0x40), ..., ..., a5=parameters(), a6=[DEVICE])
    frame(trace)
    lines = check(trace, status=1)
    assert lines[1:] == ["not understood: 1", "  IDirect3DDevice9::BeginScene: no call returned its object; 1 call, the first is 7"], lines


def other_files():
    for data, message in ((b"", "not a trace"), (b"a", "not a trace"), (b"\x1f\x8b\x08", "gzip"), (b"\x28\xb5\x2f\xfd", "Zstandard"),
                          (b"HALCYON capture", "not a trace"), (b"at", "the trace ends inside a call"),
                          (b"at" + struct.pack("<I", 5) + b"\xff\xff\xff\xff\x0f", "a chunk has a wrong length"),
                          (b"at" + struct.pack("<I", 3) + b"\x04\x01\x01", "a chunk cannot be decompressed")):
        assert message in said(data), (data, said(data))
    newer = Trace()
    newer.data = bytearray(number(7))
    assert "newer version" in said(newer.file())
    for words in (["import"], ["import", path("none.trace")], ["import", FOLDER], ["import", "--chekc", TRACES[0]]):
        assert run(*words).returncode == 2, words
    copy = shutil.copy(TRACES[0], path("same.trace"))
    done = run("import", copy, "-o", copy)
    assert done.returncode == 2 and content(copy) == content(TRACES[0]), done.stderr


def small_trace():
    trace = begin()
    frame(trace)
    trace.call("IDirect3DDevice9::CreateOffscreenPlainSurface", DEVICE, 16, 8, Enum(X8R8G8B8), Enum(SYSTEM_MEMORY), ..., ..., a5=[SOURCE], a6=None)
    trace.call("IDirect3DSurface9::LockRect", SOURCE, ..., [Struct((0, 0, 4, 4))], Flags(0), a1=[Struct((64, Opaque(0x100000)))])
    trace.call("memcpy", Opaque(0x100000), bytes(range(208)), 208, result=..., fake=True)
    trace.call("IDirect3DSurface9::UnlockRect", SOURCE)
    return end(trace)


def damage():
    """Whatever a file holds, the answer is a status with a message, and the time is short."""
    rng = random.Random(4)
    raw = bytes(small_trace().data)
    trace = Trace()
    for cut in range(len(raw)):
        trace.data = bytearray(raw[:cut])
        assert run("import", "--check", put("d.trace", trace.file())).returncode in (0, 1), cut
    for _ in range(400):
        data = bytearray(raw)
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)))
        trace.data = data
        done = run("import", "--check", put("d.trace", trace.file()))
        assert done.returncode in (0, 1) and (done.returncode == 0) == (done.stderr == b""), (done.returncode, done.stderr, bytes(data))
    for name in TRACES:
        whole = content(name)
        for _ in range(40):
            data = bytearray(whole[:rng.randrange(len(whole))] if rng.random() < 0.5 else whole)
            if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            assert run("import", "--check", put("d.trace", bytes(data))).returncode in (0, 1)


def damage_of_lengths():
    """Counts and lengths of billions are refused before memory is taken for them."""
    begun = b"\0\0" + number(0) + number(8) + b"Function" + number(1) + number(1) + b"a" + b"\1\0"
    for value in (b"\x0b" + number(1 << 62), b"\x08" + number(1 << 40), b"\7" + number(1 << 63), b"\x0f" + number(1 << 30), b"\x0c" + number(1 << 20),
                  b"\x0c\0" + number(0) + number(1 << 31), b"\x0b\1" * 50, b"\x0e" * 100000, b"\x09\0" + number(1 << 50), b"\x0a" + number(99999), b"\x10",
                  b"\4" + b"\xff" * 11):
        trace = Trace()
        trace.data += begun + value
        limit = ["prlimit", "--as=%d" % (1 << 30), PROGRAM] if "/asan/" not in PROGRAM else [PROGRAM]
        done = subprocess.run([*limit, "import", "--check", put("l.trace", trace.file())], env=clean(), capture_output=True, timeout=60)
        assert done.returncode == 1 and b"after call" in done.stderr, (value, done)


def a_list_of_many_names():
    """Names of calls are a stranger's, and there may be any number of them."""
    trace = begin()
    for i in range(1500):
        trace.call("Function%d" % i)
    trace.call("\x1b]0;title\x07")
    lines = check(trace, status=1)
    assert lines[1] == "not understood: 1501" and len(lines) == 1003 and lines[-1].startswith("  others: the list is full; 501 calls"), (len(lines), lines[-1])
    trace = begin()
    trace.call("\x1b]0;title\x07")
    assert "\x1b" not in "\n".join(check(trace, status=1))


# --- a Wine that is a script --------------------------------------------------------------------------------------


def fake_wine(script, wide=True):
    """Options for a Wine that runs a script instead of the player, with a folder of dlls in which there is one."""
    os.makedirs(path("wine/bin"), exist_ok=True)
    os.makedirs(path("wine/lib/wine/x86_64-windows"), exist_ok=True)
    if wide:
        put("wine/lib/wine/x86_64-windows/ntdll.dll", "")
    else:
        shutil.rmtree(path("wine/lib/wine"), ignore_errors=True)
        os.makedirs(path("wine/lib/wine/i386-windows"))
        put("wine/lib/wine/i386-windows/ntdll.dll", "")
    wine = put("wine/bin/wine", "#!/bin/sh\n[ \"$1\" = --version ] && echo wine-8.0 && exit\n" + script)
    os.chmod(wine, 0o755)
    os.makedirs(path("dlls/x64"), exist_ok=True)
    put("dlls/x64/halcyon.dll", "")
    put("dlls/x64/halcyon-import.exe", "")
    return ["--wine", wine, "--dlls", path("dlls"), "--prefix", path("prefix")]


def nothing_left():
    return not glob.glob(path("out/.dp2-import-*")) and not glob.glob(path("out/*"))


def the_player_fails():
    os.makedirs(path("out"), exist_ok=True)
    output = ["-o", path("out/a.capture")]
    for script, message in (("exit 3", "does not start"), ("echo ready; exit 0", "ended before"), ("echo ready; cat >/dev/null; echo done 3", "recorded nothing"),
                            ("echo ready; head -c 10 >/dev/null; kill -9 $$", "ended before")):
        done = run("import", TRACES[0], *output, *fake_wine(script))
        assert done.returncode == 2 and message in done.stderr.decode() and nothing_left(), (script, done)
    for options, message in ((fake_wine("", wide=False), "64-bit"), (["--wine", path("none")], "no Wine"), (["--dlls", path("out")], "install Halcyon again")):
        done = run("import", TRACES[0], *output, *options)
        assert done.returncode == 2 and message in done.stderr.decode() and nothing_left(), (message, done)
    done = run("import", TRACES[0], "-o", path("nowhere/a.capture"), *fake_wine(""))
    assert done.returncode == 2 and b"nowhere" in done.stderr, done


def answers_of_the_player():
    """The file that the recorder wrote gets its name, and answers become lists."""
    os.makedirs(path("out"), exist_ok=True)
    options = fake_wine("echo ready; cat >/dev/null; echo \"call 7 12 5 0 8876086c\"; echo 'bad 9 255 0 0 nonsense'; echo 'bad x'; printf '%2000d\\n' 1;"
                        " echo recorded >\"$(echo \"$HALCYON_CAPTURE\" | sed s/%%/%/g)\"; echo done 5; sleep 100")
    done = run("import", TRACES[0], "-o", path("out/100%p.capture"), *options)
    text = done.stdout.decode()
    assert done.returncode == 1 and content(path("out/100%p.capture")) == b"recorded\n", done
    assert "with another result than in the trace: 2\n" in text and "D3D_OK in the trace, D3DERR_INVALIDCALL here; 1 call, the first is 7" in text, text
    assert b"2 had another result" in done.stderr, done.stderr
    assert os.listdir(path("out")) == ["100%p.capture"], os.listdir(path("out"))
    os.remove(path("out/100%p.capture"))
    document = json.loads(dp2("import", TRACES[0], "-o", path("out/100%p.capture"), *options, "--json", status=1))
    assert (document["output"], document["made"], document["not_understood"]) == (path("out/100%p.capture"), 5, []), document
    assert [(r["first"], r["calls"], r["why"]) for r in document["other_results"]] == [
        (7, 1, "D3D_OK in the trace, D3DERR_INVALIDCALL here"), (9, 1, "nonsense")], document
    os.remove(path("out/100%p.capture"))


def an_interrupt():
    os.makedirs(path("out"), exist_ok=True)
    for number_of_signal in signal.SIGINT, signal.SIGTERM:
        options = fake_wine("echo ready; echo $$ >%s; sleep 1000" % path("pid"))
        if os.path.exists(path("pid")):
            os.remove(path("pid"))
        with subprocess.Popen([PROGRAM, "import", TRACES[0], "-o", path("out/a.capture"), *options], env=clean(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)) as process:
            until = time.monotonic() + PATIENCE
            while not os.path.exists(path("pid")) or not content(path("pid")).strip():
                assert time.monotonic() < until
                time.sleep(0.01)
            process.send_signal(number_of_signal)
            message = process.communicate()[1]
        assert process.returncode == 2 and b"stopped" in message and nothing_left(), (process.returncode, message)
        for _ in range(500):
            if not os.path.exists("/proc/%d" % int(content(path("pid")))):
                break
            time.sleep(0.01)
        else:
            raise AssertionError("the player is still there")


# --- the real Wine ------------------------------------------------------------------------------------------------


def without_wine():
    if "/asan/" in PROGRAM or not os.path.exists(PLAYER) or not shutil.which("wine"):
        return "skip: no Wine, or no player in build/x64"
    return None


def imported(trace, status=0):
    """The hashes of the frames of a trace's capture, and the lines of dp2 import."""
    name = trace if isinstance(trace, str) else put("w.trace", trace.file())
    lines = dp2("import", name, "-o", path("w.capture"), status=status, XDG_CACHE_HOME=os.path.join(ROOT, "build/wine")).splitlines()
    return hashes(path("w.capture")), lines


def traces_of_programs():
    """The pixels of the capture that was recorded while the program was traced."""
    if without_wine():
        return without_wine()
    for name in TRACES:
        frames, lines = imported(name)
        assert len(lines) == 1 and "calls made" in lines[0], lines
        wanted = name[:-len(".trace")] + ".hashes"
        if "--update" in sys.argv:
            with open(wanted, "w", encoding="ascii") as file:
                file.write("\n".join(frames) + "\n")
        assert frames == content(wanted).decode().split(), name
    return None


def uploads(pitch, rect, at=0, extra=0):
    """A frame that shows a surface whose memory had this pitch. rect: the part that is locked; at: the part of it that the tracer's memcpy has."""
    trace = begin()
    trace.call("IDirect3DDevice9::CreateOffscreenPlainSurface", DEVICE, 16, 8, Enum(X8R8G8B8), Enum(SYSTEM_MEMORY), ..., ..., a5=[SOURCE], a6=None)
    trace.call("IDirect3DSurface9::LockRect", SOURCE, ..., None, Flags(0), a1=[Struct((64, Opaque(0x100000)))])
    trace.call("memcpy", Opaque(0x100000), bytes(64 * 8), 64 * 8, result=..., fake=True)
    trace.call("IDirect3DSurface9::UnlockRect", SOURCE)
    left, top, right, bottom = rect
    memory = bytearray(pitch * (bottom - top) + 64 + extra)
    for y in range(top, bottom):
        for x in range(left, right):
            struct.pack_into("<I", memory, (y - top) * pitch + (x - left) * 4, x * 16 << 16 | y * 32 << 8 | 99)
    memory = memory[:pitch * (bottom - top) + extra]
    for i in range(len(memory)):        # padding is anything
        if i % pitch >= (right - left) * 4:
            memory[i] = 0xcd
    trace.call("IDirect3DSurface9::LockRect", SOURCE, ..., None if rect == (0, 0, 16, 8) else [Struct(rect)], Flags(0), a1=[Struct((pitch, Opaque(0x100000)))])
    for begin_at, end_at in ((0, at), (at, len(memory))) if at else ((0, len(memory)),):
        trace.call("memcpy", Opaque(0x100000 + begin_at), bytes(memory[begin_at:end_at]), end_at - begin_at, result=..., fake=True)
    trace.call("IDirect3DSurface9::UnlockRect", SOURCE)
    trace.call("IDirect3DDevice9::GetBackBuffer", DEVICE, 0, 0, Enum(0), ..., a4=[BACK])
    trace.call("IDirect3DDevice9::UpdateSurface", DEVICE, SOURCE, None, BACK, None)
    trace.call("IDirect3DDevice9::Present", DEVICE, None, None, None, None)
    trace.call("IDirect3DSurface9::Release", BACK, result=0)
    trace.call("IDirect3DSurface9::Release", SOURCE, result=0)
    return end(trace)


def rows_of_another_driver():
    if without_wine():
        return without_wine()
    whole, part = (0, 0, 16, 8), (3, 2, 9, 7)
    wanted, lines = imported(uploads(64, whole))
    assert len(lines) == 1, lines
    for trace in uploads(80, whole), uploads(4096, whole), uploads(80, whole, at=133), uploads(64, whole, extra=4000):
        frames, lines = imported(trace)
        assert frames == wanted and len(lines) == 1, lines
    partly, _ = imported(uploads(64, part))
    assert partly != wanted
    for pitch in 24, 100:
        assert imported(uploads(pitch, part))[0] == partly, pitch
    frames, lines = imported(uploads(60, whole), status=1)
    assert lines[1:] == ["with another result than in the trace: 1", "  memcpy: the rows of the trace are too short; 1 call, the first is 7"], lines
    return None


def results_that_differ():
    if without_wine():
        return without_wine()
    trace = begin()
    texture = lambda size, address, result: trace.call("IDirect3DDevice9::CreateTexture", DEVICE, size, size, 1, Flags(0), Enum(A8R8G8B8), Enum(1), ..., ...,     # noqa: E731
                                                       result=Enum(result), a7=[address], a8=None)
    texture(1 << 20, Opaque(0x5000), 0)
    texture(16, None, INVALID_CALL - (1 << 32))
    trace.call("IDirect3DDevice9::SetTexture", DEVICE, 0, Opaque(0x5000))
    frame(trace)
    frames, lines = imported(end(trace), status=1)
    assert len(frames) == 1 and lines[1:] == [
        "with another result than in the trace: 3",
        "  IDirect3DDevice9Ex::CreateTexture: D3D_OK in the trace, D3DERR_INVALIDCALL here; 1 call, the first is 2",
        "  IDirect3DDevice9Ex::CreateTexture: D3DERR_INVALIDCALL in the trace, D3D_OK here; 1 call, the first is 3",
        "  IDirect3DDevice9Ex::SetTexture: an object is missing; 1 call, the first is 4"], lines
    return None


def damage_under_wine():
    """The player survives what the translator lets through."""
    if without_wine():
        return without_wine()
    rng = random.Random(9)
    raw = bytes(uploads(80, (0, 0, 16, 8)).data)
    trace = Trace()
    for _ in range(12):
        data = bytearray(raw)
        for _ in range(rng.choice((1, 2, 4))):
            data[rng.randrange(40, len(data))] = rng.randrange(256)
        trace.data = data
        done = run("import", put("d.trace", trace.file()), "-o", path("d.capture"), XDG_CACHE_HOME=os.path.join(ROOT, "build/wine"))
        assert done.returncode in (0, 1) or b"recorded nothing" in done.stderr, (done, bytes(data))
    return None


if __name__ == "__main__":
    sys.exit(0 if run_tests([values_of_all_types, compression, what_is_not_understood, the_document, objects_end, other_files, damage, damage_of_lengths,
                             a_list_of_many_names, the_player_fails, answers_of_the_player, an_interrupt, traces_of_programs,
                             rows_of_another_driver, results_that_differ, damage_under_wine]) else 1)
