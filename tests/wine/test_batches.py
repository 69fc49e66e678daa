#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests how wine-d3d-tests runs several functions in one process, with a program instead of Wine whose functions do
what their names say. Needs no Wine and no display. Prints TAP."""
import csv
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Functions fail, skip, crash, hang or exit as they are called; "leaves" leaves references, "spoils" makes the following
# ones fail.
WINE = r'''#!/usr/bin/env python3
import os, sys, time
if not sys.argv[1].endswith(".exe"):
    sys.exit(42 if sys.argv[1] == "cmd" else 0)
names = os.environ["WINE_TEST_ONLY"].split(",")
with open(os.environ["WINE_STARTED"], "a") as file:
    file.write(",".join(names) + "\n")
if "never" in names[0] or "late" in names[0] and len(open(os.environ["WINE_STARTED"]).read().split()) == 2:
    sys.exit(53)
def mark(what, name, ok=0, fail=0, skip=0):
    print("\n@WDT %s %s ok=%d fail=%d flaky=0 todo=0 todo_ok=0 skip=%d ms=%d" % (what, name, ok, fail, skip, 100 * len(name)), flush=True)
mark("preamble", "-")
print('Loaded L"Z:%s" at 1: native' % os.path.join(os.path.dirname(sys.argv[1]), "d3d8.dll").replace("/", chr(92) * 2))
if names == ["(none)"]:
    sys.exit(0)
left = spoilt = 0
for number, name in enumerate(names):
    mark("begin", name)
    if "crashes" in name:
        mark("crash", name)
        sys.exit(5)
    if "hangs" in name:
        time.sleep(1000)
    if "exits" in name:
        sys.exit(0)
    fail = int("fails" in name or spoilt)
    spoilt = spoilt or "spoils" in name
    left += "leaves" in name
    if fail:
        print("a.c:1: Test failed: %s." % name)
    ok, skip = (1, 1) if "skips" in name else (10, 0)
    mark("end", name, ok, fail, skip)
    last = number == len(names) - 1
    if last and left:
        print("a.c:2: Test failed: references are left.")
    mark("final" if last else "after", name, ok + last - bool(last and left), fail + bool(last and left), skip)
sys.exit(bool(fail or left or "dies" in names[0]))
'''


def run(functions, *options):
    """({function: row of the results}, functions of each process, the exit status, what was printed)"""
    with tempfile.TemporaryDirectory(prefix="halcyon-test-") as folder:
        build, dlls, started = (os.path.join(folder, name) for name in ("build/x86_64", "dlls", "started"))
        prefix = os.path.join(folder, "prefix-x86_64/0")
        for path in build, dlls, prefix:
            os.makedirs(path)
        for path, text in ((os.path.join(build, "d3d8_visual.list"), "\n".join(functions)), (os.path.join(build, "d3d8_visual.exe"), ""),
                           (os.path.join(dlls, "d3d8.dll"), ""), (os.path.join(prefix, ".wdt-complete"), ""), (os.path.join(folder, "wine"), WINE),
                           (os.path.join(folder, "order"), "#status\tsuite\tfunction\tseconds\n" + "".join(
                               "pass\td3d8/visual\t%s\t%s\n" % (f, 9 if "long" in f else 0.5) for f in functions))):
            with open(path, "w") as file:
                file.write(text)
        os.chmod(os.path.join(folder, "wine"), 0o755)
        done = subprocess.run([sys.executable, os.path.join(HERE, "run_functions.py"), "x86_64", "--dll-dir", dlls, "--tsv", os.path.join(folder, "tsv"),
                               "--order", os.path.join(folder, "order"), "--timeout", "5" if any("hangs" in f for f in functions) else "600", *options, "--", "d3d8/visual"], capture_output=True, text=True,
                              env=dict(os.environ, CACHE=folder, WINE=os.path.join(folder, "wine"), WINESERVER="true", DISPLAY=":0", WINE_STARTED=started))
        assert done.returncode in (0, 1), done.stderr
        with open(os.path.join(folder, "tsv")) as file:
            rows = {row["function"]: row for row in csv.DictReader(file, delimiter="\t")}
        with open(started) as file:
            return rows, [line.split(",") for line in file.read().split()][1:], done.returncode, done.stdout


def alike(functions):
    """The verdicts and counts of functions that share a process equal those of each alone; and the number of
    processes."""
    apart, processes, status, _ = run(functions)
    assert processes == [[f] for f in functions], processes
    together, processes, same, text = run(functions, "--together", "20")
    told = [{f: {k: v for k, v in row.items() if k != "seconds"} for f, row in rows.items()} for rows in (apart, together)]
    assert told[0] == told[1] and status == same, (told, text)
    return {f: row["#status"] for f, row in together.items()}, processes


def all_pass():
    functions = ["a", "b", "long", "c"]
    verdicts, processes = alike(functions)
    assert set(verdicts.values()) == {"pass"}
    assert sorted(processes) == [["a", "b", "c"], ["long"]], processes


def batches_are_of_a_size():
    _, processes, _, _ = run(list("abcdefg"), "--together", "3")
    assert sorted(map(len, processes)) == [2, 2, 3], processes


def one_fails():
    """The function is reported, and only it runs again."""
    verdicts, processes = alike(["a", "b_fails", "c_skips", "d"])
    assert verdicts == {"a": "pass", "b_fails": "fail", "c_skips": "skip", "d": "pass"}
    assert processes[0] == ["a", "b_fails", "c_skips", "d"] and sorted(processes[1:]) == [["b_fails"], ["c_skips"]], processes


def one_spoils_the_others():
    verdicts, _ = alike(["a", "b_spoils", "c", "d"])
    assert set(verdicts.values()) == {"pass"}


def what_is_left_is_nobodys():
    """References left at the end: running each function alone finds the culprit."""
    verdicts, processes = alike(["a", "b_leaves", "c"])
    assert verdicts == {"a": "pass", "b_leaves": "fail", "c": "pass"}
    assert len(processes) == 4, processes


def one_crashes():
    assert alike(["a", "b_crashes", "c"])[0] == {"a": "pass", "b_crashes": "crash", "c": "pass"}


def wine_does_not_begin():
    """It is tried once more, and not again."""
    rows, processes, status, _ = run(["late"])
    assert rows["late"]["#status"] == "pass" and processes == [["late"]] * 2 and status == 0, (rows, processes)
    rows, processes, status, _ = run(["never"])
    assert rows["never"]["#status"] == "crash" and processes == [["never"]] * 2 and status == 1, (rows, processes)


def one_hangs():
    assert alike(["a", "b_hangs", "c"])[0] == {"a": "pass", "b_hangs": "timeout", "c": "pass"}


def one_ends_the_process():
    assert alike(["a", "b_exits", "c"])[0] == {"a": "pass", "b_exits": "crash", "c": "pass"}


def a_status_without_a_failure():
    """The process reports a failure, but no function does."""
    _, processes = alike(["dies", "b"])
    assert sorted(processes) == [["b"], ["dies"], ["dies", "b"]], processes


sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
from tap import run_tests      # noqa: E402

sys.exit(not run_tests([all_pass, batches_are_of_a_size, one_fails, one_spoils_the_others, what_is_left_is_nobodys, one_crashes, wine_does_not_begin, one_hangs,
                        one_ends_the_process, a_status_without_a_failure]))
