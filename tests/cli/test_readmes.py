#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/check-readmes on small trees: its reports about a folder and its README.md.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# files in the folder of hal/README.md, its text, the reports after "hal/README.md"
CASES = {
    "all is named": ("a.c a.h", "`a.h`, then `a.c`.", []),
    "a file is not named": ("a.c a.h", "Start with `a.h`.", [": does not name a.c"]),
    "another file of a longer name": ("a.c aa.c", "`aa.c`", [": does not name a.c"]),
    "a name without backticks": ("a.c", "Start with a.c.", [": does not name a.c"]),
    "a pattern": ("test_a.c test_b.c b.c", "`test_*.c`", [": does not name b.c"]),
    "a path from the root": ("run", "`hal/run PART...` runs parts", []),
    "a path from another folder": ("run", "`gpu/run`", [": does not name run"]),
    "a file without an ending": ("run", "nothing", [": does not name run"]),
    "a folder": ("sub/a.c", "`sub/` holds more", []),
    "a folder that a link names": ("sub/README.md", "[more](sub/README.md)", []),
    "a folder that one of its files names": ("sub/a.c", "`sub/a.c`", []),
    "a folder is not named": ("sub/a.c", "`subs/`, `a.c`", [": does not name sub/"]),
    "a file that no longer exists": ("a.c", "| file | |\n|---|---|\n| `a.c`, `b.c` | all |", [":3: b.c is not there"]),
    "a folder that no longer exists": ("a.c", "| `sub/` | more |\n\n`a.c`", [":1: sub/ is not there"]),
    "a pattern that fits nothing": ("a.c", "| `a.c`, `b*.c` | all |", [":1: b*.c is not there"]),
    "what a row says of others": ("a.c", "| `a.c` | calls `gpu.c`, `../b.c` |", []),
    "words that are not paths": ("a.c", "| `a.c` | all |\n| `--level`, `COLOR0` | none |", []),
    "hidden files and results": ("a.c .hidden build/a.o __pycache__/a.pyc", "`a.c`", []),
}


def reported(files, text):
    """(lines that the script prints before its total, exit status)"""
    with tempfile.TemporaryDirectory(prefix="halcyon-") as tree:
        for name in files.split() + ["README.md"]:
            path = os.path.join(tree, "hal", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text + "\n" if name == "README.md" else "")
        done = subprocess.run([os.path.join(ROOT, "tests/check-readmes"), tree], capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[:-1], done.returncode


def main():
    failed = 0
    for title, (files, text, messages) in CASES.items():
        wanted = (["hal/README.md" + message for message in messages], 1 if messages else 0)
        found = reported(files, text)
        print(("ok " if found == wanted else "not ok ") + title)
        if found != wanted:
            failed += 1
            print("# reported %r, expected %r" % (found, wanted))
    with tempfile.TemporaryDirectory(prefix="halcyon-") as tree:      # a tree without folders is an error
        done = subprocess.run([os.path.join(ROOT, "tests/check-readmes"), tree], capture_output=True, text=True, check=False)
        print(("ok " if done.returncode == 1 else "not ok ") + "a tree without folders")
        failed += done.returncode != 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
