#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets each allocation of a replay fail, and each thread fail to start.

tests/fault/run.py [DP2 [FAIL.SO [TEXT...]]]     TEXT: captures as text (default: examples/dp2 and tests/fault)

Each text becomes a capture, which is replayed once undisturbed; then, for every allocation, once with only that one
failing and once with all from there on failing; then once for every thread. The first capture is also dumped as JSON in
the same way. A run is good if its picture has the right hash, or its document is the right one, or if it ends with a
status other than 0 and a message.

The captures of ASKED are also asked the questions of the frame debugger, with RUNS of their allocations failing, which
are evenly spread; the second one with a checkpoint after each action. A run is good if the answer is the right one,
except for times; or if it ends with status 2, and the message says that memory ran out. Prints "ok NAME" or "not ok
NAME: why" for each text and kind of fault. Exit status 0 if all are good.
"""
import concurrent.futures
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JOBS = 2
SHOWN = 12
REPLAY, DUMP = ("replay", "--hash"), ("dump", "--json")

# Questions of the frame debugger. Numbers with a point are times in those of TIMED, and left out.
ASKED = {"examples/dp2/06-texture.dp2s": {}, "examples/dp2/05-depth.dp2s": {"HALCYON_CHECKPOINT_EVERY": "1"}}     # and settings
QUESTIONS = (
    "pixel 60,50", "pixel 60,50 --json", "pixel 60,50 --why 0.1", "pixel 1,1 --why 0.1",
    "draws", "draws --json", "mesh 0.1 --fetched --inputs", "mesh 0.1 --json", "mesh 0.1 --space window -o -",
    "shot 0.1 -o -", "shot 0.1 --json", "shot 0.1 --show touched", "shot 0.1 --show overdraw", "shot 0.1 --show mip",
    "shot 0.1 --show depth-fail", "resources 0.1 --json", "buffer 0.1 --json", "find ZENABLE on reads #2 --json", "shot 0.1 --show wireframe",
    "state 0.1", "state 0.1 --json --group 'stage 0'", "state 0.0 0.1",
    "trace 0.1 60,50", "trace 0.1 60,50 --json", "trace 0.1 60,50 --quad --optimized", "trace 0.1 --vertex 0",
    "textures", "textures --json", "textures -o -", "profile --json --loops 1")
TIMED = "draws", "profile"
RUNS = 24


def play(dp2, fault, capture, words, plan):
    """Exit status, standard output, standard error."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HALCYON_", "FAULT_"))}
    environment.update(plan, LD_PRELOAD=fault, HALCYON_LOG_LEVEL="error", HALCYON_THREADS="4", HALCYON_CPU="sse2")
    try:
        done = subprocess.run([dp2, words[0], capture, *words[1:]], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=3600)
    except subprocess.TimeoutExpired:
        return None, "", "it hangs"
    return done.returncode, answer(words[0], done.stdout), done.stderr.decode("utf-8", "replace")


def answer(verb, printed):
    """Standard output, which may be a picture, without times, whose columns are wider in slow runs."""
    text = printed.decode("utf-8", "backslashreplace")
    return re.sub(r" *\d+\.\d+(e-\d+)?", " #", text) if verb in TIMED else text


def judge(result, right, asked=False):
    """Why a run is bad, or None. asked: it was a question of the frame debugger."""
    status, printed, said = result
    if status is None or status < 0:
        return "hangs" if status is None else "killed by signal %d" % -status
    if status == 0:
        return None if printed == right else "wrong result and exit status 0%s" % ("" if said else ", not a word")
    if not said.strip():
        return "exit status %d without a word" % status
    if asked and (status != 2 or not re.search("out of memory|cannot allocate memory", said, re.IGNORECASE)):
        return "exit status %d: %s" % (status, said.strip().splitlines()[-1])
    return None


def plans(allocations, threads, runs=None):
    """(kind, label, environment) of all runs; runs: of so many allocations."""
    runs = min(runs or allocations, allocations)
    for n in (1 + i * allocations // runs for i in range(runs)):
        yield "one allocation fails", "FAULT_AT=%d" % n, {"FAULT_AT": str(n)}
        yield "all allocations fail from one on", "FAULT_AT=%d FAULT_ON=1" % n, {"FAULT_AT": str(n), "FAULT_ON": "1"}
    for n in range(threads + 1):
        yield "threads do not start", "FAULT_THREAD=%d" % n, {"FAULT_THREAD": str(n)}


def check(pool, dp2, fault, capture, words, name, asked=None):
    """The number of kinds of faults that went wrong. asked: the words are a question of the frame debugger, with these
    settings; the right answer is that without them."""
    count, settings = capture + ".count", asked or {}
    _, plain, _ = play(dp2, fault, capture, words, {})
    status, right, said = play(dp2, fault, capture, words, {"FAULT_COUNT": count, **settings})
    if right != plain:
        print("not ok %s: another answer with %s" % (name, settings))
        return 1
    if status != 0 or not os.path.exists(count):
        print("not ok %s: the undisturbed run ends with %s: %s" % (name, status, said))
        return 1
    counts = [int(n) for n in open(count).read().split()]
    if counts[0] < 20:
        print("not ok %s: only %d allocations seen" % (name, counts[0]))
        return 1
    runs = list(plans(*counts, None if asked is None else RUNS))
    results = pool.map(lambda run: judge(play(dp2, fault, capture, words, {**run[2], **settings}), right, asked is not None), runs)
    bad = {}
    for (kind, label, _), why in zip(runs, results):
        bad.setdefault(kind, [])
        if why:
            bad[kind].append("%s: %s" % (label, why))
    for kind, reasons in bad.items():
        if reasons:
            print("not ok %s, %s: %d runs\n#   %s" % (name, kind, len(reasons), "\n#   ".join(reasons[:SHOWN])))
        else:
            print("ok %s, %s" % (name, kind))
    sys.stdout.flush()
    return sum(bool(reasons) for reasons in bad.values())


def main(dp2=os.path.join(ROOT, "build/native/dp2"), fault=os.path.join(ROOT, "build/native/fail.so"), *texts):
    failures = 0
    texts = texts or [path for folder in ("examples/dp2", "tests/fault")
                      for path in sorted(glob.glob(os.path.join(ROOT, folder, "*.dp2s")))]
    with tempfile.TemporaryDirectory(prefix="halcyon-") as folder, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for text in texts:
            name = os.path.basename(text)[:-len(".dp2s")]
            capture = os.path.join(folder, name + ".capture")
            subprocess.run([dp2, "asm", text, "-o", capture], check=True)
            programs = os.path.abspath(dp2), os.path.abspath(fault), capture
            failures += check(pool, *programs, REPLAY, name)
            if text == texts[0]:
                failures += check(pool, *programs, DUMP, name + " as JSON")
            if os.path.relpath(text, ROOT) in ASKED:
                failures += sum(check(pool, *programs, shlex.split(question), "%s, %s" % (name, question), ASKED[os.path.relpath(text, ROOT)])
                                for question in QUESTIONS)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
