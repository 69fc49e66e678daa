#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/check-citations on files with right and wrong citations: its reports and their lines.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NO_FILE = "no" + "where"      # a name in two parts, because this file is checked too

# the name of a file, its text, the reports (line, message); none: everything is right
CASES = {
    "a file by its path": ("a.c", "/* See raster/raster.h. */\n", []),
    "a file in the same folder": ("a.c", "/* See good.md. */\n", []),
    "a file that is missing": ("a.c", "int a;\n\n/* See raster/%s.c. */\n" % NO_FILE, [(3, "no file raster/%s.c" % NO_FILE)]),
    "the second line of a comment": ("a.h", "/*\n * One.\n * See %s.md.\n */\n" % NO_FILE, [(3, "no file %s.md" % NO_FILE)]),
    "strings and code are not comments": ("a.c", '#include "raster/%s.h"\nconst char *s = "/* %s.c */";\n' % (NO_FILE, NO_FILE), []),
    "headers of others": ("a.c", "/* As in ddraw.h. */\n", []),
    "patterns": ("a.c", "/* raster/kernels/*.c, raster/format/format.{c,h} */\n", []),
    "patterns that fit nothing": ("a.c", "/* raster/format.{c,%s} */\n" % NO_FILE, [(1, "no file raster/format.{c,%s}" % NO_FILE)]),
    "a section": ("a.c", "/* good.md, section 2.1; good.md,\n * sections 1 and 2 */\n", []),
    "a section that is missing": ("a.c", "/*\n * good.md, sections 1 to 3. */\n", [(2, "no section 3 in good.md")]),
    "a heading": ("a.c", '/* good.md, "Two". */\n', []),
    "a heading that is missing": ("a.c", '/* good.md, "Twelve". */\n', [(1, 'no section "Twelve" in good.md')]),
    "comments of python": ("a.py", '"""See %s.c."""\nx = "%s.h"  # good.md\n' % (NO_FILE, NO_FILE), [(1, "no file %s.c" % NO_FILE)]),
    "links": ("a.md", "[one](good.md) [two](good.md#2-two) [here](#top)\n\n# Top\n", []),
    "links that lead nowhere": ("a.md", "One.\n\n[one](%s.md) [two](good.md#%s)\n" % (NO_FILE, NO_FILE),
                                [(3, "link to %s.md, which does not exist" % NO_FILE),
                                 (3, "link to good.md#%s: no such heading" % NO_FILE)]),
    "examples in documents": ("a.md", "```\ncat %s.c\n```\n\n    cat %s.h\n" % (NO_FILE, NO_FILE), []),
    "a name after its folder": ("a.md", "In `raster/`: `raster.h`.\n", []),
    "a name before its folder": ("a.md", "`raster.h` is in `raster/`.\n", [(1, "no file raster.h")]),
}
GOOD = "# Good\n\n## 1. One\n\n## 2. Two\n\n### 2.1 Three\n"


def reports(name, text):
    with tempfile.TemporaryDirectory(prefix="halcyon-") as folder:
        for file, content in (("good.md", GOOD), (name, text)):
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(content)
        path = os.path.join(folder, name)
        done = subprocess.run([os.path.join(ROOT, "tests/check-citations"), path], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()[:-1]
        found = [tuple(line[line.index(name) + len(name) + 1:].split(": ", 1)) for line in lines]
        return [(int(number), message) for number, message in found], done.returncode


def main():
    failed = 0
    for title, (name, text, wanted) in CASES.items():
        found, status = reports(name, text)
        good = sorted(found) == sorted(wanted) and (status != 0) == bool(wanted)
        print(("ok " if good else "not ok ") + title)
        if not good:
            failed += 1
            print("# reported %r (status %d), expected %r" % (found, status, wanted))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
