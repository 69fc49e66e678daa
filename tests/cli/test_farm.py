#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 farm: plans, shards, lost workers and reports, with processes of this machine and with GNU parallel, if it is installed. Speaks TAP.

tests/cli/test_farm.py [DP2]
"""
import base64
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from program import FOLDER, MULTI, PATIENCE, PROGRAM, ROOT, ask, assemble, clean, content, damaged, dp2, hashes, path, put, run
from tap import run_tests
import picture

TEXTS = sorted(glob.glob(os.path.join(ROOT, "examples/dp2/*.dp2s")))
# As many frames as a test likes, each of another colour
LONG = "create target t 64x64 X8R8G8B8\ncontext c target=t\n"


def corpus(name):
    """A folder of captures, one in a folder inside."""
    os.makedirs(path(name + "/inner"))
    for text in TEXTS:
        assemble(text, "%s/%s.capture" % (name, os.path.basename(text)[:-5]))
    assemble(MULTI, name + "/inner/multi.capture")
    put(name + "/not-a-capture.txt", "text")
    return path(name)


def long_capture(name, frames, color=0x1000):
    return assemble(put("long.dp2s", LONG + "".join("memory t { fill(4096 #%08x) }\npresent t\n" % (color + n) for n in range(frames))), name)


def loads(name):
    with open(name) as file:
        return json.load(file)


def farm(captures, name, *options, shards=3):
    """All of it, one shard after the other: the report."""
    plan = ask("farm", "plan", captures, "-o", path(name), "--shards", str(shards), *options)
    for shard in range(len(plan["shards"])):
        dp2("farm", "run", path(name), str(shard))
    dp2("farm", "merge", path(name), status=(0, 1))
    return loads(path(name + "/report.json"))


def verdicts(report):
    return {os.path.basename(c["file"])[:-8]: c["verdict"] for c in report["captures"]}


def plans():
    """Every capture is in one shard, no shard has more than its part and one capture, and the same captures have the same plan."""
    captures = corpus("plans")
    plan = ask("farm", "plan", captures, "-o", path("p"), "--shards", "4")
    assert loads(path("p/plan.json")) == plan
    files = [c["file"] for c in plan["captures"]]
    assert files == sorted(files) and len(files) == len(TEXTS) + 1 and captures + "/inner/multi.capture" in files
    loads_of = [s["cost"] for s in plan["shards"]]
    assert sum(loads_of) == sum(c["cost"] for c in plan["captures"])
    assert max(loads_of) <= sum(loads_of) / 4 + max(c["cost"] for c in plan["captures"]), loads_of
    assert {c["file"]: c["frames"] for c in plan["captures"]}[captures + "/inner/multi.capture"] == 6
    again = ask("farm", "plan", *reversed(files), "-o", path("p2"), "--shards", "4")
    assert again["captures"] == plan["captures"] and again["plan"] == plan["plan"]
    assert ask("farm", "plan", captures, "-o", path("p"), "--shards", "3")["plan"] != plan["plan"]
    many = ask("farm", "plan", captures, "-o", path("p"), "--shards", "500")
    assert len(many["shards"]) == len(files) and all(s["captures"] == 1 for s in many["shards"])
    more = ask("farm", "plan", long_capture("few.capture", 1), long_capture("many.capture", 90), "-o", path("p"))["captures"]
    assert more[1]["cost"] > 5 * more[0]["cost"], more


def recorded_times():
    """The costs of a second plan are the times of the first run."""
    captures = corpus("times")
    farm(captures, "first")
    long_capture("times/later.capture", 3)
    plan = ask("farm", "plan", captures, "-o", path("second"), "--baseline", path("first"))
    for capture in plan["captures"]:
        later = capture["file"].endswith("later.capture")
        assert capture["recorded"] == (not later)
        if not later:
            name, = (n for n in glob.glob(path("first/captures/*.json")) if loads(n)["file"] == capture["file"])
            assert abs(capture["cost"] - 1e6 * loads(name)["cpu_seconds"]) <= 1
    report = farm(captures, "second", "--baseline", path("first"))
    assert {v for k, v in verdicts(report).items() if k != "later"} == {"same"} and verdicts(report)["later"] == "new"


def shards_are_skipped():
    captures = corpus("skipped")
    report = farm(captures, "s", shards=2)
    assert set(verdicts(report).values()) == {"new"} and report["total"]["missing"] == 0
    before = {n: (os.stat(n).st_mtime_ns, os.stat(n).st_ino) for n in glob.glob(path("s/**/*.json"), recursive=True) if "report" not in n}
    assert " 0 of them replayed now" in dp2("farm", "run", path("s"), "1") and dp2("farm", "left", path("s")) == ""
    assert before == {n: (os.stat(n).st_mtime_ns, os.stat(n).st_ino) for n in before}
    results = [loads(n) for n in glob.glob(path("s/captures/*.json"))]
    for result in results:
        assert [f["hash"] for f in result["frames"]] == hashes(result["file"]), result
    # a shard without its file, and a result that is damaged: only that result is made again
    os.remove(path("s/shard-00001.json"))
    gone, = (n for n in before if "captures" in n and loads(n)["file"].endswith("multi.capture"))
    shard = {c["file"]: c["shard"] for c in loads(path("s/plan.json"))["captures"]}[loads(gone)["file"]]
    put("s/captures/" + os.path.basename(gone), content(gone)[:-20])
    done = run("farm", "merge", path("s"))
    assert done.returncode == 2 and b"1 captures have no result" in done.stderr, done
    assert loads(path("s/report.json"))["total"]["missing"] == 1
    assert dp2("farm", "left", path("s")).split() == ["1"]
    assert ", 1 of them replayed now" in dp2("farm", "run", path("s"), str(shard))
    dp2("farm", "run", path("s"), "1")
    dp2("farm", "merge", path("s"))
    assert loads(path("s/report.json")) == report


def wait_for(what):
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.002)


def children(process):
    with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as file:
        return [int(word) for word in file.read().split()]


def running(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def killed_worker():
    """A worker that is killed in the middle leaves no replay running, and nothing that looks complete. The shard continues where it was,
    and the reports are those of a run without a lost worker."""
    os.makedirs(path("killed"))
    for number in range(12):
        long_capture("killed/%02d.capture" % number, 200, number << 12)
    whole, page = farm(path("killed"), "whole", shards=1), content(path("whole/report.html"))
    ask("farm", "plan", path("killed"), "-o", path("lost"), "--shards", "1")
    worker = subprocess.Popen([PROGRAM, "farm", "run", path("lost"), "0"], env=clean(), stdout=subprocess.DEVNULL)
    wait_for(lambda: len(glob.glob(path("lost/captures/*.json"))) >= 3)
    below = children(worker)
    worker.kill()
    worker.wait()
    wait_for(lambda: not any(running(pid) for pid in below))
    there = {n: os.stat(n).st_mtime_ns for n in glob.glob(path("lost/captures/*.json"))}
    assert 3 <= len(there) < 12 and not os.path.exists(path("lost/shard-00000.json")), there
    assert run("farm", "merge", path("lost")).returncode == 2
    assert ", %d of them replayed now" % (12 - len(there)) in dp2("farm", "run", path("lost"), "0")
    dp2("farm", "merge", path("lost"))
    assert there == {n: os.stat(n).st_mtime_ns for n in there}
    assert loads(path("lost/report.json")) == whole and content(path("lost/report.html")) == page
    assert whole["total"]["frames"] == 2400


def replays_that_fail():
    """A replay that is killed or takes too long has failed; the shard continues."""
    os.makedirs(path("fail"))
    for name in "a", "b", "c":
        long_capture("fail/%s.capture" % name, 300)
    ask("farm", "plan", path("fail"), "-o", path("f"), "--shards", "1", "--timeout", "2")
    os.truncate(path("fail/c.capture"), os.path.getsize(path("fail/c.capture")) - 1)
    worker = subprocess.Popen([PROGRAM, "farm", "run", path("f"), "0"], env=clean(), stdout=subprocess.DEVNULL)
    ends = {}
    for number, name in ((signal.SIGKILL, "a"), (signal.SIGSTOP, "b")):
        wait_for(lambda: children(worker) and children(worker)[0] not in ends)
        pid = children(worker)[0]
        ends[pid] = name
        os.kill(pid, number)
    assert worker.wait() == 0
    assert run("farm", "merge", path("f")).returncode == 1
    found = {os.path.basename(c["file"])[0]: c for c in loads(path("f/report.json"))["captures"]}
    assert {c["verdict"] for c in found.values()} == {"failed"} and found["a"]["status"] == 137 and found["b"]["status"] == 124, found
    assert found["c"]["status"] == 2 and "bytes, in the plan" in found["c"]["message"], found
    page = content(path("f/report.html")).decode()
    assert page.count("<section>") == 3 and "exit status 137" in page


def differences():
    """Frames that differ are named, counted and shown: before, now, and where."""
    os.makedirs(path("diff"))
    first, second = (assemble(put("d.dp2s", LONG + "memory t { fill(4096 #ff111111) }\npresent t\nmemory t { fill(4095 #ff222222) fill(1 %s) }\npresent t\n" % c),
                              "%s.capture" % n) for n, c in (("old", "#ff222222"), ("new", "#ff2222ff")))
    shutil.copy(first, path("diff/a <b>.capture"))
    farm(path("diff"), "then", shards=1)
    shutil.copy(second, path("diff/a <b>.capture"))
    older = put("older", "#!/bin/sh\nwhile [ $# -gt 1 ]; do words=\"$words $1\"; shift; done\nexec %s $words %s\n" % (PROGRAM, first))
    os.chmod(older, 0o755)
    report = farm(path("diff"), "now", "--baseline", path("then"), "--before", older, shards=1)
    found, = report["captures"]
    assert (found["verdict"], found["changed"], found["first"], found["frames"]) == ("different", 1, 1, 2), found
    assert report["total"]["different"] == report["total"]["changed"] == 1
    page = content(path("now/report.html")).decode()
    assert "a &#60;b&#62;.capture" in page and "<b>.capture" not in page and "1 of 4096 pixels differ, by at most 221 of 255" in page, page[:3000]
    shown = [base64.b64decode(data) for data in re.findall(r'base64,([A-Za-z0-9+/=]+)"', page)]
    assert re.findall(r"<figcaption>(\w+)", page) == ["before", "now", "difference"] and len(shown) == 3
    for data, capture in zip(shown, (first, second)):
        dp2("replay", capture, "--frame", "1", "-o", path("wanted.png"))
        assert picture.read(put("shown.png", data)) == picture.read(path("wanted.png"))
    assert not glob.glob(path("now/pictures/small*"))
    # a program that draws something else than the baseline has no picture
    report = farm(path("diff"), "other", "--baseline", path("then"), "--before", PROGRAM, shards=1)
    assert report["captures"][0]["verdict"] == "different" and content(path("other/report.html")).count(b"<figcaption>") == 1


def damaged_captures():
    """A damaged capture is reported once: a baseline that has the same damage and the same frames is the same."""
    os.makedirs(path("bad"))
    capture = assemble(MULTI)
    put("bad/cut.capture", content(capture)[:-200])
    put("bad/empty.capture", b"")
    assert run("farm", "plan", path("bad"), "-o", path("b"), "--json").returncode == 1
    for shard in "0", "1":
        dp2("farm", "run", path("b"), shard)
    assert run("farm", "merge", path("b")).returncode == 1
    assert verdicts(loads(path("b/report.json"))) == {"cut": "damaged", "empty": "damaged"}
    dp2("farm", "plan", path("bad"), "-o", path("b2"), "--baseline", path("b"), status=1)
    for shard in "0", "1":
        dp2("farm", "run", path("b2"), shard)
    dp2("farm", "merge", path("b2"))
    assert set(verdicts(loads(path("b2/report.json"))).values()) == {"same"}


def wrong_words():
    capture = assemble(MULTI)
    dp2("farm", "plan", capture, "-o", path("w"))
    for words, said in ((["sow"], "not plan"), (["plan", capture], "-o FOLDER"), (["plan", "-o", path("w")], "a capture"),
                        (["plan", capture, capture, "-o", path("w2")], "twice"), (["plan", path("none"), "-o", path("w2")], "No such file"),
                        (["plan", path("w/pictures"), "-o", path("w2")], "no captures"), (["run", path("w")], "a shard"),
                        (["run", path("w"), "1"], "no such shard"), (["run", path("w"), "-1"], ""), (["merge", path("none")], "no plan.json"), (["plan", capture, "-o", path("w2"), "--baseline", FOLDER], "no plan.json"),
                        (["merge", path("w"), "--shards", "3"], "only plan"), (["left", path("w"), "1"], "extra"),
                        (["plan", capture, "-o", path("w2"), "--shards", "0"], "shards"), (["plan", capture, "-o", "/dev/null/x"], "/dev/null")):
        done = run("farm", *words)
        assert done.returncode == 2 and said in done.stderr.decode(), (words, done)
    assert not os.path.exists(path("w2"))


def hostile_files():
    """Plans and results that are cut or changed are refused or used, but never crash."""
    captures = corpus("hostile")
    farm(captures, "h", shards=2)
    plan, name = content(path("h/plan.json")), glob.glob(path("h/captures/*.json"))[0]
    result, seen = content(name), set()
    for bad in damaged(plan, 40, 7):
        put("h/plan.json", bad)
        for words in ("left",), ("merge",):
            seen.add(run("farm", *words, path("h")).returncode)
    assert seen <= {0, 1, 2} and 2 in seen, seen
    put("h/plan.json", plan)
    for bad in damaged(result, 40, 9):
        put("h/captures/" + os.path.basename(name), bad)
        assert run("farm", "merge", path("h")).returncode in (0, 1, 2)
    for old, new in ((b'"shard": 1', b'"shard": 2'), (b'"frames": ', b'"frames": -'), (b'"timeout": 3600', b'"timeout": 1e99'), (b'"captures": [', b'"captures": 7, "x": [')):
        changed = plan.replace(old, new)
        assert changed != plan
        put("h/plan.json", changed)
        assert run("farm", "merge", path("h")).returncode in (1, 2), old


def with_parallel():
    """scripts/farm-parallel gives the same report, continues after a part of it, and has nothing to do in the end."""
    if not shutil.which("parallel"):
        return "skip: GNU parallel is not installed"
    captures = corpus("parallel")
    whole = farm(captures, "alone", shards=4)
    dp2("farm", "plan", captures, "-o", path("side"), "--shards", "4")
    dp2("farm", "run", path("side"), "2")
    for said in "4 shards", None:
        done = subprocess.run([os.path.join(ROOT, "scripts/farm-parallel"), path("side")], env=clean(DP2=PROGRAM, HOME=FOLDER), capture_output=True,
                              text=True, timeout=PATIENCE)
        assert done.returncode == 0, done
        assert ("of them replayed now" in done.stdout) == (said is not None), done
    assert loads(path("side/report.json")) == whole
    return None


sys.exit(0 if run_tests([
    plans, recorded_times, shards_are_skipped, killed_worker, replays_that_fail, differences, damaged_captures, wrong_words, hostile_files,
    with_parallel]) else 1)
