#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The answers of dp2 when something is wrong, and the fate of existing files. Speaks TAP.

tests/cli/test_status.py [DP2]     DP2: the program, build/native/dp2 by default

The statuses are those of the table in tools/tool.h: 0 done, 1 different or refused or damaged, 2 everything else.
"""
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import time

from program import FOLDER, MULTI, PATIENCE, PROGRAM, assemble, clean, content, dp2, path, put, run
from tap import run_tests

# A shell that starts the tests in the background makes them ignore the interrupt signal, and their children would
# inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

BAD_CALLS = ("create target t 8x8 X8R8G8B8\ncontext c target=t\n"
             "draw c { raw hex(ff 00 ff ff) }\npresent t\n")


def check(words, status, stdin=b""):
    """The exit status, and a message of one form if and only if something is wrong."""
    done = run(*words, input=stdin)
    text = done.stderr.decode("utf-8", "replace")
    assert done.returncode == status, "dp2 %s: exit status %d, not %d\n%s" % (" ".join(words), done.returncode, status, text)
    if status == 0:
        assert text == "", (words, text)
    elif words[0] not in ("diff", "compare") or status == 2:
        assert text.startswith("dp2 %s: " % words[0]), (words, text)
    assert "please" not in text, (words, text)
    return done


def prepare():
    """name: capture, whole and damaged"""
    good = content(assemble(MULTI, "good"))
    assemble(BAD_CALLS, "refused")
    put("cut", good[:-40])          # without the footer and a part of the index: all frames can still be read
    put("half", good[:len(good) * 2 // 3])
    put("empty", b"")
    put("text", b"this is not a capture " * 100)
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 0x10
    put("flipped", bytes(flipped))
    assemble("create target t 8x8 X8R8G8B8\n", "noframes")
    os.mkdir(path("dir"))


# Every verb that plays or reads a capture: {} is the capture. The last number is the status for a call that the driver
# refuses, which only verbs that play can notice.
READERS = [
    (["replay", "{}"], 1), (["replay", "{}", "--hash"], 1), (["replay", "{}", "-o", "out.png"], 1), (["replay", "{}", "--stats"], 1),
    (["replay", "{}", "--record", "out.capture"], 1), (["dump", "{}"], 0), (["dump", "{}", "--json"], 0), (["dump", "{}", "--asm"], 0),
    (["info", "{}"], 0), (["info", "{}", "--json"], 0), (["trim", "{}", "-f", "0-5", "-o", "out.capture"], 0),
    (["diff", "{}", "{}"], 0), (["diff", "{}", "{}", "--tokens"], 0), (["feedback", "{}"], 1), (["feedback", "{}", "--json"], 1),
    (["feedback", "{}", "-o", "out-maps"], 1), (["replay", "{}", "--json"], 1), (["replay", "{}", "--hash", "--json"], 1),
    (["diff", "{}", "{}", "--json"], 0), (["trim", "{}", "-f", "0-5", "-o", "out.capture", "--json"], 0),
    (["farm", "plan", "{}", "-o", "out-farm"], 0), (["compare", "{}", "{}"], 0), (["compare", "{}", "{}", "--json"], 0),
    (["minimise", "{}", "-k", "true", "-o", "out.capture"], 0), (["minimise", "{}", "-k", "true", "-o", "out.capture", "--json"], 0),
]
DAMAGE = {"good": 0, "cut": 1, "half": 1, "empty": 1, "text": 1, "flipped": 1, "missing": 2, "dir": 2}


def filled(words, capture):
    return [path(capture) if w == "{}" else path(w) if w.startswith("out") else w for w in words]


def every_verb_and_every_damage():
    for words, when_refused in READERS:
        for damage, status in dict(DAMAGE, refused=when_refused).items():
            check(filled(words, damage), status)


def json_stays_json():
    for words in (["info", "--json"], ["dump", "--json"], ["feedback", "--json"], ["replay", "--json"]):
        for damage in "good", "cut", "half":
            assert json.loads(run(words[0], path(damage), *words[1:]).stdout), (words, damage)


def cut_files_are_used():
    whole = run("replay", path("good"), "--hash").stdout
    assert run("replay", path("cut"), "--hash").stdout == whole and whole.count(b"\n") == 6
    half = run("replay", path("half"), "--hash").stdout
    assert whole.startswith(half) and half
    check(["replay", path("half"), "--hash", "--record", path("out.capture")], 1)
    assert check(["replay", path("out.capture"), "--hash"], 0).stdout in (half, b"")
    assert check(["trim", path("half"), "-f", "0-5", "-o", path("out.capture")], 1)
    assert check(["replay", path("out.capture"), "--hash"], 0).stdout == half


def no_such_frame():
    for frames in "9", "6", "0,9", "6-", "9-12":
        for words in (["replay"], ["replay", "--hash"], ["replay", "-o", path("out.png")], ["dump"], ["dump", "--json"], ["feedback"]):
            check([words[0], path("good"), *words[1:], "--frame", frames], 2)
    for frames in "9", "6", "9-12":
        check(["trim", path("good"), "-f", frames, "-o", path("out.capture")], 2)
        check(["trim", path("half"), "-f", frames, "-o", path("out.capture")], 1)
        check(["replay", path("half"), "-f", frames], 1)
    for frames in "5", "0-9", "5-", "0,5":
        for verb in "replay", "dump", "feedback":
            check([verb, path("good"), "--frame", frames], 0)
    for until in "9", "6:0", "0:99", "0:0:1", "0:0:0x999999":
        check(["replay", path("good"), "--until", until], 2)
    check(["replay", path("noframes"), "-o", path("out.png")], 2)


def usage():
    capture = path("good")
    for verb in "replay", "dump", "info", "feedback", "trim", "minimise", "diff", "compare", "textures", "edit", "asm", "caps", "tokens", "shader", "coverage", "find", "buffer", "resources":
        text = check([verb, "--bogus"], 2).stderr.decode()
        assert text.startswith("dp2 %s: unrecognized option '--bogus'" % verb), text
        assert text.endswith("Try 'dp2 %s --help'.\n" % verb), text
        assert "invalid option -- 'Z'" in check([verb, "-Z"], 2).stderr.decode()
        assert check([verb, "--help"], 0).stdout
    for words, wanted in ((["repaly"], "did you mean 'replay'?"), (["inof"], "'info'"), (["help", "dmp"], "'dump'"), (["xyzzy"], "no verb"), ([], "usage")):
        done = run(*words)
        assert done.returncode == 2 and wanted in done.stderr.decode() and not done.stdout, (words, done)
    assert run("help", "trim").stdout == run("trim", "--help").stdout and run("help").stdout == run("--help").stdout
    assert run("-V").stdout == run("version").stdout == run("--version").stdout != b""
    for verb in "replay", "dump", "info", "feedback", "trim", "minimise", "diff", "compare", "textures", "edit", "asm", "shader":
        check([verb], 2)
        check([verb, capture, capture, capture], 2)
    for words in (["replay", capture, "--until", "1", "--frame", "1"], ["replay", capture, "--until", "1", "--hash"],
                  ["replay", capture, "--until", "1", "--loop", "2"], ["replay", capture, "-o", path("out.jpg")],
                  ["replay", capture, "-o", path("out.png"), "--record", path("out.png")], ["replay", capture, "-o", "-", "--record", "-"],
                  ["diff", capture, capture, "--tokens", "--pixels"], ["diff", "-", "-"], ["caps", "foo"], ["tokens", "foo"],
                  ["asm", MULTI], ["trim", capture, "-o", path("out.capture")], ["dump", capture, "--json", "--asm"],
                  ["coverage", "--viewport", "4x4", "--tri", "0,0", "1,1", "2,0", "--json", "--png", "-"]):
        check(words, 2)


def text_and_shaders():
    put("wrong.dp2s", "create target t 8x8 X8R8G8B8\nnonsense\n")
    put("wrong.psa", "ps_1_1\nmove r0, v0\n")
    put("rules.psa", "ps_1_1\nmov r0.xy, v0\n")
    put("wrong.txt", "1,1 2\n")
    out = path("out.capture")
    check(["asm", path("wrong.dp2s"), "-o", out], 1)
    check(["asm", "-", "-o", out], 1, b"nonsense")
    check(["asm", path("missing"), "-o", out], 2)
    check(["asm", path("dir"), "-o", out], 2)
    check(["shader", path("wrong.psa")], 1)
    assert run("shader", path("rules.psa"), "--check").returncode == 1
    check(["shader", path("missing")], 2)
    check(["shader", path("dir")], 2)
    view = ["coverage", "--viewport", "4x4"]
    check(view + [path("wrong.txt")], 1)
    check(view + [path("missing")], 2)
    check(view + ["--point", "x"], 2)


# {} is the output
WRITERS = [
    ["asm", MULTI, "-o", "{}"], ["trim", "good", "-f", "1", "-o", "{}"], ["replay", "good", "-o", "{}"],
    ["replay", "good", "--record", "{}"], ["replay", "good", "--until", "1:0", "-o", "{}"], ["diff", "good", "other", "-o", "{}"],
    ["minimise", "good", "-p", "1", "20,20", "-o", "{}"], ["compare", "good", "other", "-o", "{}"],
    ["textures", "good", "-o", "{}"], ["edit", "good", "-s", "RENDERSTATE {state=CULLMODE value=NONE}", "-o", "{}"], ["edit", "good", "-s", "RENDERSTATE {state=CULLMODE value=NONE}", "-p", "{}"], ["coverage", "--viewport", "4x4", "--tri", "-1,-1", "1,-1", "0,1", "--png", "{}"],
]


def writer(words, output):
    return [output if w == "{}" else path(w) if w in ("good", "other") else w for w in words]


def other():
    """A capture whose pictures differ from those of the good one."""
    run("trim", path("good"), "-f", "1-5", "-o", path("other"))


def good_status(words):
    return 1 if words[0] in ("diff", "compare") else 0


def what_is_written_is_whole():
    other()
    for words in WRITERS:
        name = put("out.old", b"old")
        os.chmod(name, 0o640)
        check(writer(words, name), good_status(words))
        assert content(name)[:4] in (b"\x89PNG", b"HALC") and stat.S_IMODE(os.stat(name).st_mode) == 0o640, words
        os.unlink(name)
        # the same bytes into a pipe
        done = run(*writer(words, "-"))
        assert done.returncode == good_status(words), (words, done)
        assert done.stdout[:4] in (b"\x89PNG", b"HALC"), (words, done)
        assert not os.path.exists("-")
    assert not [n for n in os.listdir(FOLDER) if "part" in n]


def what_was_there_survives():
    other()
    failing = [["asm", path("wrong.dp2s"), "-o", "{}"], ["asm", path("missing"), "-o", "{}"], ["trim", "good", "-f", "9", "-o", "{}"],
               ["trim", path("flipped"), "-f", "5", "-o", "{}"], ["trim", path("missing"), "-f", "1", "-o", "{}"],
               ["minimise", "good", "-p", "9", "1,1", "-o", "{}"], ["minimise", "good", "-k", "false", "-o", "{}"],
               ["replay", "good", "-f", "9", "-o", "{}"], ["replay", path("missing"), "-o", "{}"], ["replay", path("text"), "-o", "{}"],
               ["replay", path("missing"), "--record", "{}"], ["replay", "good", "--until", "9", "--record", "{}"],
               ["replay", "good", "--until", "9", "-o", "{}"], ["diff", "good", path("missing"), "-o", "{}"],
               ["coverage", "--viewport", "9000x4", "--point", "0,0", "--png", "{}"]]
    put("wrong.dp2s", "create target t 8x8 X8R8G8B8\npresent t\nnonsense\n")
    for words in failing:
        name = put("out.old", b"old")
        assert run(*writer(words, name)).returncode in (1, 2), words
        assert content(name) == b"old", words
        os.unlink(name)
        run(*writer(words, name))
        assert not os.path.exists(name), words
    assert not [n for n in os.listdir(FOLDER) if "part" in n]


def no_output_is_the_input():
    other()
    good = content(path("good"))
    put("link.dp2s", content(MULTI))
    os.symlink(path("good"), path("link"))
    for words in (["asm", path("link.dp2s"), "-o", path("link.dp2s")], ["trim", path("good"), "-f", "1", "-o", path("good")],
                  ["trim", path("good"), "-f", "9", "-o", path("good")], ["trim", path("good"), "-f", "1", "-o", path("link")], ["minimise", path("good"), "-k", "true", "-o", path("link")],
                  ["replay", path("good"), "-o", path("good")], ["replay", path("good"), "--record", path("good")],
                  ["replay", path("good"), "--until", "1", "-o", path("link")], ["diff", path("other"), path("good"), "-o", path("good")], ["compare", path("other"), path("good"), "-o", path("good")],
                  ["textures", path("good"), "-o", path("good")], ["edit", path("good"), "-s", "RENDERSTATE {state=CULLMODE value=NONE}", "-o", path("link")]):
        text = check(words, 2).stderr.decode()
        assert "the output is the input" in text, text
        assert content(path("good")) == good and content(path("link.dp2s")) == content(MULTI), words


def pictures_are_png_by_name():
    """For every verb: a name that says another format is refused before anything is drawn, in capitals as well."""
    capture = assemble(MULTI)
    verbs = (["replay", capture, "-o"], ["shot", capture, "1.0", "-o"], ["mesh", capture, "1.0", "-o"], ["textures", capture, "-o"],
             ["compare", capture, capture, "-o"], ["diff", capture, capture, "-o"], ["coverage", "--viewport", "8x8", "--tri", "1,1", "7,2", "3,7", "--png"],
             ["edit", capture, "--set", "RENDERSTATE {state=CULLMODE value=NONE}", "-p"])
    for words in verbs:
        for end in "jpg", "BMP", "gif", "stl", "ply", "svg":
            name = path("other." + end)
            done = run(*words, name)
            assert done.returncode == 2 and b"PNG only" in done.stderr and not os.path.exists(name), (words, end, done)
    dp2("mesh", capture, "1.0", "-o", path("mesh.obj"))
    dp2("shot", capture, "1.0", "-o", path("no-extension.1"))
    assert content(path("no-extension.1"))[:4] == b"\x89PNG"


def what_is_meant_is_said():
    """Easy mistakes, and the messages for them."""
    capture = assemble(MULTI)
    dp2("shot", capture, "1.0", "-o", path("shot.png"))
    for words, said in ((["pixel", capture, "-1,5"], "no number here is negative"), (["shot", capture, "1.0", "--show", "x"], "takes color, before, "),
                        (["play", capture, "--show", "x"], "takes color, before, "), (["compare", capture, path("shot.png")], "shot.png is a picture"),
                        (["compare", path("shot.png"), capture], "shot.png is a picture"), (["draws", capture, "-f", "99"], "no such frame: 99 (the capture has 6)"),
                        (["state", capture, "99.0"], "no such frame: 99 (the capture has 6)"), (["pixel", capture, "1,1", "-f", "99"], "no such frame (the capture has 6)")):
        done = run(*words)
        assert done.returncode == 2 and said in done.stderr.decode() and not done.stdout, (words, done)


def what_cannot_be_written():
    other()
    for words in WRITERS:
        for place, reason in (("/dev/full", "No space left on device"), (path("none/there.png"), "No such file or directory")):
            before = os.path.exists(place)
            done = check(writer(words, place), 2)
            # (the driver's log says why a recording fails)
            assert reason in done.stderr.decode() or place == "/dev/full" and "--record" in words, (words, done.stderr)
            assert os.path.exists(place) == before, (words, place)
    check(["feedback", path("good"), "-o", path("good") + "/maps"], 2)
    check(["replay", path("good"), "-o", path("good") + "/maps"], 2)


def folders_that_are_read_only():
    if os.geteuid() == 0:
        return "skip: root may write anywhere"
    other()
    os.mkdir(path("closed"))
    os.chmod(path("closed"), 0o555)
    for words in WRITERS:
        done = check(writer(words, path("closed/x.png")), 2)
        assert "Permission denied" in done.stderr.decode(), done
    return None


def standard_output_is_full():
    for words in (["--help"], ["--version"], ["replay", path("good"), "--hash"], ["replay", path("good"), "--stats"], ["dump", path("good")],
                  ["dump", path("good"), "--json"], ["info", path("good")], ["info", path("good"), "--json"], ["feedback", path("good")],
                  ["diff", path("good"), path("other")], ["caps"], ["caps", "--json"], ["tokens"], ["tokens", "--json"], ["shader", "--stdin"],
                  ["replay", path("good"), "--json"], ["shader", "--stdin", "--json"], ["coverage", "--viewport", "4x4", "--point", "0,0"], ["dump", "--help"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, *words], env=clean(), input=b"ps_1_1\nmov r0, v0\n", stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
        assert done.returncode == 2 and b"standard output: No space left on device" in done.stderr, (words, done)


def closed_pipes():
    for words in (["--help"], ["dump", path("good"), "--asm"], ["info", path("good")], ["replay", path("good"), "--hash"], ["tokens"],
                  ["caps"], ["replay", path("good"), "-o", "-"]):
        for ignored in False, True:
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([PROGRAM, *words], env=clean(), stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE,
                                  timeout=PATIENCE, restore_signals=not ignored)
            os.close(write)
            assert done.returncode == (2 if ignored else -signal.SIGPIPE), (words, ignored, done)
            assert done.stderr == b"" or words[-1] == "-" and ignored, (words, done)


def standard_input():
    good = content(path("good"))
    for words in (["replay", "-", "--hash"], ["dump", "-"], ["info", "-"], ["feedback", "-"], ["trim", "-", "-f", "1", "-o", path("out.capture")], ["minimise", "-", "-k", "true", "-o", path("out.capture")],
                  ["diff", "-", path("good")], ["compare", "-", path("good")], ["textures", "-"], ["diff", path("good"), "-"]):
        done = check(words, 0, good)
        wanted = check([path("good") if w == "-" else w for w in words], 0)
        assert done.stdout.replace(b"standard input", path("good").encode()) == wanted.stdout, words
        check(words, 1, good[:len(good) // 2])
        check(words, 1, b"")
    check(["asm", "-", "-o", path("out.capture")], 0, content(MULTI))
    assert content(path("out.capture")) == good
    view = ["coverage", "--viewport", "4x4"]
    assert check(view + ["-"], 0, b"-1,-1 1,-1 0,1\n").stdout == check(view + ["--tri", "-1,-1", "1,-1", "0,1"], 0).stdout
    assert check(["shader", "-"], 0, b"ps_1_1\nmov r0, v0\n").stdout


def pictures_in_a_row():
    stream = check(["replay", path("good"), "-o", "-"], 0).stdout
    os.makedirs(path("row"), exist_ok=True)
    check(["replay", path("good"), "-o", path("row")], 0)
    check(["replay", path("good"), "-o", path("row/shot-%d.png")], 0)
    check(["replay", path("good"), "-o", path("newrow")], 0)
    names = ["frame-%06d.png" % i for i in range(6)]
    assert stream == b"".join(content(path("row/" + n)) for n in names)
    assert sorted(os.listdir(path("newrow"))) == names
    assert [content(path("row/shot-%d.png" % i)) for i in range(6)] == [content(path("row/" + n)) for n in names]


def signals():
    """A command that is interrupted leaves the existing file, and nothing else."""
    for number in signal.SIGINT, signal.SIGTERM:
        name = put("out.old", b"old")
        process = subprocess.Popen([PROGRAM, "replay", path("good"), "--loop", "1000000", "--record", name], env=clean(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not parts():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        text = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == -number and text == b"", (process.returncode, text)
        assert content(name) == b"old" and not [n for n in os.listdir(FOLDER) if n.endswith(".part")]


def parts():
    return [n for n in os.listdir(FOLDER) if n.endswith(".part")]


def shown():
    """The good capture, with the blits that a recorder takes for ends of frames."""
    blt = "blt destination=front source=screen to=(0 0 64 48) from=(0 0 64 48) flags=ROP|LAST_PRESENTATION rop=0xcc0020\n"
    text = content(MULTI).decode().replace("context c", "create target front 64x48 X8R8G8B8\ncontext c", 1)
    return assemble(text.replace("present screen", blt + "present screen"), "shown")


def recording(name, *options):
    return subprocess.Popen([PROGRAM, "replay", shown(), "--record", name, *options], env=clean(), stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)


def recordings_at_once():
    """Several commands that record to one name: each file is complete, and the last command to end gets the name."""
    check(["replay", shown(), "--loop", "40", "--record", path("alone.capture")], 0)
    wanted = run("replay", path("alone.capture"), "--hash").stdout
    assert wanted.count(b"\n") == 240
    name = put("same.capture", b"old")
    running = [recording(name, "--loop", "40") for _ in range(4)]
    for process in running:
        text = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 0 and text == b"", text
        assert check(["replay", name, "--hash"], 0).stdout == wanted
    assert not parts()


def recordings_that_are_killed():
    """The existing file stays, other files are not touched, and the unfinished file replays as far as it goes."""
    name = put("same.capture", b"old")
    killed = recording(name, "--loop", "1000000")
    left = []
    while not left or os.path.getsize(path(left[-1])) <= 20000:
        assert killed.poll() is None
        time.sleep(0.05)
        left = sorted(parts(), key=lambda part: os.path.getsize(path(part)))
    other = recording(name, "--loop", "3")
    other.communicate(timeout=PATIENCE)
    killed.kill()
    killed.communicate(timeout=PATIENCE)
    assert other.returncode == 0 and set(parts()) == set(left) and left, (other.returncode, left, parts())
    assert check(["replay", name, "--hash"], 0).stdout.count(b"\n") == 18
    lines = check(["replay", path(left[-1]), "--hash"], 1).stdout.splitlines()
    whole = run("replay", shown(), "--hash").stdout.splitlines()
    assert len(lines) > 6 and all(line.split()[2] == whole[i % 6].split()[2] for i, line in enumerate(lines)), lines[:8]
    for part in left:
        os.unlink(path(part))


def recordings_without_room():
    """A file may grow to 8 KiB and no further: an incomplete file never gets the name."""
    name = put("same.capture", b"old")
    limit = "import resource, os, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); " \
            "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)); os.execv(sys.argv[1], sys.argv[1:])"
    for words in (["replay", shown(), "--loop", "100", "--record", name], ["asm", put("large.dp2s", large()), "-o", name]):
        done = subprocess.run([sys.executable, "-c", limit, PROGRAM, *words], env=clean(), capture_output=True, timeout=PATIENCE)
        assert done.returncode == 2 and done.stderr.startswith(b"dp2 "), done
        assert content(name) == b"old" and not parts(), (words, parts())


def large():
    """A stream whose capture cannot be compressed below 8 KiB."""
    seed, words = 1, []
    for _ in range(64 * 64):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        words.append("%02x %02x %02x %02x" % (seed >> 7 & 255, seed >> 15 & 255, seed >> 20 & 255, 255))
    return "create target t 64x64 X8R8G8B8\nmemory t { hex(%s) }\npresent t\n" % " ".join(words)


def on_a_terminal(words, until=lambda text: False):
    """The output on a terminal; the command is interrupted when there is enough of it."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], env=clean(), stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    text, interrupted = b"", False
    while True:
        if not interrupted and until(text):
            process.send_signal(signal.SIGINT)
            interrupted = True
        try:
            text += os.read(master, 65536)
        except OSError:     # the command has ended
            break
    process.wait()
    os.close(master)
    return text.decode()


def terminal():
    """The progress line grows from 0, is the only line, and is removed at the end; none with --quiet."""
    words = ["replay", path("good"), "--loop", "1000000"]
    shown = [int(p) for p in re.findall(r" (\d+)%", on_a_terminal(words, lambda text: text.count(b"%") > 5))]
    assert shown and shown[0] <= 1 and shown == sorted(shown), shown
    text = on_a_terminal(words + ["--hash"], lambda text: text.count(b"%") > 1 and text.count(b"\n") > 8)
    lines = [line.rpartition("\r\x1b[K")[2] for line in text.split("\r\n")[:-1]]
    assert "%" in text and len(lines) > 6 and all(re.fullmatch(r"\d+ 64x48 [0-9a-f]{16}", line) for line in lines), lines[-5:]
    quiet = on_a_terminal(words + ["--hash", "--quiet"], lambda text: text.count(b"\n") > 2 * len(lines))
    assert "\x1b" not in quiet and "%" not in quiet
    text = on_a_terminal(["replay", path("good")])
    assert re.fullmatch(r"Rendered 6 frames in [0-9.]+ secs, average of [0-9.]+ fps\r\n", text.rpartition("\x1b[K")[2]), text
    assert on_a_terminal(["replay", path("good"), "-q"]) == ""


def statistics():
    rows = dict(line.split(None, 1) for line in check(["replay", path("good"), "--stats", "--loop", "3"], 0).stdout.decode().splitlines())
    least, median, most = (float(n) for n in re.findall(r"([0-9.]+) ms", rows["frame"]))
    assert rows["frames"] == "18" and 0 <= least <= median <= most
    assert sum((least, most)) / 1000 <= float(rows["time"].split()[0]) + 0.01


prepare()
sys.exit(0 if run_tests([
    every_verb_and_every_damage, json_stays_json, cut_files_are_used, no_such_frame, usage,
    text_and_shaders, what_is_written_is_whole, what_was_there_survives, no_output_is_the_input,
    pictures_are_png_by_name, what_is_meant_is_said, what_cannot_be_written, folders_that_are_read_only, standard_output_is_full, closed_pipes,
    standard_input, pictures_in_a_row, signals, recordings_at_once, recordings_that_are_killed,
    recordings_without_room, terminal, statistics]) else 1)
