#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/check-words on small trees: its reports and their lines.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# the name of a file, its text, the reports (line, word); none: everything is right
CASES = {
    "a comment": ("a.c", "/* The scene is drawn anew. */\n", [(1, "anew")]),
    "code": ("a.c", "int anew = beside(behind);\n", []),
    "a string": ("a.c", 'f("\'%s\' is no frame");\n', [(1, "is no frame")]),
    "a message with a placeholder": ("a.c", 'f("this is no %s shader");\n', [(1, "is no %s")]),
    "over lines of a comment": ("a.c", "/*\n * It stands for all but\n * for one.\n */\n", [(2, "but for")]),
    "over lines of a line comment": ("a.h", "// all but\n// for one\n", [(1, "but for")]),
    "over parts of a string": ("a.c", 'f("it goes\\n"\n  "on");\n', [(1, "goes on")]),
    "not over two comments": ("a.c", "/* all but */\n/* for one */\n", []),
    "there is none": ("a.c", "/* There is no frame, and there\n * are no draws. */\n", []),
    "no longer": ("a.md", "It is no longer there, and no faster.\n", []),
    "not only": ("a.md", "Not only for one, but for all; not only but for all.\n", [(1, "but for")]),
    "it has gone to another place": ("a.md", "It has gone to sleep.\nIt has gone.\n", [(2, "has gone")]),
    "capitals": ("a.md", "\nBeside the file.\n", [(2, "Beside")]),
    "besides, and a part of a word": ("a.md", "besides, renewanew\n", []),
    "behind a wall": ("a.md", "behind the wall, behind the last one\n", [(1, "behind the last")]),
    "to stand in for": ("a.md", "A folder stands in for it. It stands in a file.\n", [(1, "stands in")]),
    "a head": ("a.c", "/* What it draws. */\n", [(1, "What")]),
    "a head at the end of a line": ("a.c", "int a; /* Of the frame. */\n", [(1, "Of")]),
    "the second of two heads": ("a.c", "/* All. */\n/* What it draws. */\n", [(2, "What")]),
    "a question": ("a.c", "/* What does it draw? All. */\n", []),
    "a head in a document": ("a.md", "What it draws.\n", []),
    "a .def file": ("a.def", 'ROW(1, "drawn anew") /* What for. */\n', [(1, "anew"), (1, "What")]),
    "a Python comment": ("a.py", "anew = 1  # What it is.\n", [(1, "What")]),
    "a docstring": ("a.py", 'def f():\n    """Of the\n    frame, anew."""\n', [(2, "Of"), (3, "anew")]),
    "a script that names its program": ("run", "#!/usr/bin/env python3\nanew = 1   # anew\n", [(2, "anew")]),
    "a shell script": ("run", "#!/bin/sh\n# What it is.\necho anew\n", [(2, "What"), (3, "anew")]),
    "a Makefile": ("Makefile", "all:   # What is made\n", [(1, "What")]),
    "a page": ("a.tsx", "// What it is.\n<p>The driver's capture has gone.</p>\n", [(1, "What"), (2, "has gone")]),
    "a template in a script": ("a.ts", "const anew = `drawn anew`;\n", [(1, "anew")]),
    "a lesson": ("lesson.json", '{"say": "Beside it"}\n', [(1, "Beside")]),
    "other bytes": ("a.bin", "anew\0", []),
}


def reported(name, text):
    """(lines that the script prints before its total, exit status)"""
    with tempfile.TemporaryDirectory(prefix="halcyon-") as tree:
        if name:
            with open(os.path.join(tree, name), "w", encoding="utf-8") as out:
                out.write(text)
            with open(os.path.join(tree, "right.md"), "w", encoding="utf-8") as out:
                out.write("Nothing is wrong here.\n")
        done = subprocess.run([os.path.join(ROOT, "tests/check-words"), tree], capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[:-1], done.returncode


def main():
    failed = 0
    for title, (name, text, places) in CASES.items():
        lines, status = reported(name, text)
        found = [line.rsplit(": ", 1)[0] for line in lines], status
        wanted = ["%s:%d: %s" % (name, number, word) for number, word in places], 1 if places else 0
        print(("ok " if found == wanted else "not ok ") + title)
        if found != wanted:
            failed += 1
            print("# reported %r, expected %r" % (found, wanted))
    empty = reported(None, None) == ([], 1)      # a tree without files has not been checked
    print(("ok " if empty else "not ok ") + "a tree without files")
    return 1 if failed or not empty else 0


if __name__ == "__main__":
    sys.exit(main())
