#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/check-includes on small trees: its reports and their lines.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = "base/a.h d3d/a.h d3d/formats.def inspect/a.h tools/a.h replay/a.h client/a.h raster/a.h raster/setup/a.h hal/a.h ddi/a.h runtime/a.h tests/a.h \
hal/context.h hal/inspect.h hal/inspect/a.h hal/inspect/run.h hal/observer.h raster/format/format.h shader/shader.h shader/a.h caps/caps.h caps/a.h".split()

CONTEXT = "only files with handlers of tokens may name the context here"

# the including file, its lines from the second on, the report
CASES = {
    "its own folder": ("raster/a.c", '#include "raster/setup/a.h"', None),
    "a folder to the right": ("hal/a.c", '#include "raster/a.h"', None),
    "a folder to the left": ("shader/a.c", '#include "hal/a.h"', "shader/ stands to the right of hal/"),
    "from below a folder": ("raster/setup/a.c", '#include "d3d/formats.def"', None),
    "more than a folder needs": ("raster/a.c", '#include "d3d/a.h"', "raster/ includes nothing but base, d3d/formats.def, d3d/planes.h"),
    "a leaf": ("d3d/b.h", '#include "raster/a.h"', "d3d/ stands to the right of raster/"),
    "a folder that needs nothing": ("jit/a.c", '#include "raster/a.h"', "jit/ includes nothing but base"),
    "inside a .def file": ("d3d/b.def", '  #  include "hal/a.h"', "d3d/ stands to the right of hal/"),
    "the driver interface": ("runtime/b.c", '#include "ddi/a.h"', None),
    "behind the driver interface": ("runtime/b.c", '#include "hal/a.h"', "hal/ is behind the driver interface"),
    "a caller behind the driver interface": ("client/b.c", '#include "hal/a.h"', "hal/ is behind the driver interface"),
    "a runtime and its client": ("runtime/b.c", '#include "client/a.h"', None),
    "another program": ("tools/b.c", '#include "runtime/a.h"', "runtime/ is another program"),
    "the debugger's player": ("inspect/b.c", '#include "replay/a.h"', None),
    "the debugger's seam": ("inspect/b.c", '#include "hal/inspect.h"', None),
    "the debugger's programs": ("inspect/b.c", '#include "hal/inspect/run.h"', None),
    "the debugger's observer": ("inspect/b.c", '#include "hal/observer.h"', None),
    "the debugger's formats": ("inspect/b.c", '#include "raster/format/format.h"', None),
    "the command's seam": ("tools/b.c", '#include "shader/shader.h"', None),
    "past the seam into hal/": ("inspect/b.c", '#include "hal/a.h"', "hal/a.h is not part of the seam between debugger and driver"),
    "past the seam into raster/": ("inspect/b.c", '#include "raster/a.h"', "raster/a.h is not part of the seam between debugger and driver"),
    "past the seam into shader/": ("inspect/b.c", '#include "shader/a.h"', "shader/a.h is not part of the seam between debugger and driver"),
    "past the seam into caps/": ("tools/b.c", '#include "caps/a.h"', "caps/a.h is not part of the seam between debugger and driver"),
    "past the seam from a command": ("tools/b.c", '#include "hal/inspect/a.h"', "hal/inspect/a.h is not part of the seam between debugger and driver"),
    "the player's seam": ("replay/b.c", '#include "hal/inspect.h"', "hal/ is behind the driver interface"),
    "behind the seam": ("hal/inspect/b.c", '#include "raster/a.h"', None),
    "the seam's own header": ("hal/inspect/b.c", '#include "hal/inspect/a.h"', None),
    "the driver's seam": ("hal/b.c", '#include "hal/inspect.h"', "hal/inspect.h is for the debugger alone"),
    "the driver's own debugger": ("ddi/b.c", '#include "hal/inspect/a.h"', "hal/inspect/a.h is for the debugger alone"),
    "a seam that shows the driver": ("hal/observer.h", '#include "hal/a.h"', "hal/observer.h is part of the seam between debugger and driver, and hal/a.h is not"),
    "a seam on a seam": ("hal/observer.h", '#include "raster/format/format.h"', None),
    "the debugger's command": ("inspect/b.c", '#include "tools/a.h"', "inspect/ stands to the right of tools/"),
    "the command's debugger": ("tools/b.c", '#include "inspect/a.h"', None),
    "the player's debugger": ("replay/b.c", '#include "inspect/a.h"', "replay/ stands to the right of inspect/"),
    "the driver's debugger": ("hal/a.c", '#include "inspect/a.h"', "hal/ stands to the right of inspect/"),
    "tests": ("hal/a.c", '#include "tests/a.h"', "tests is not a folder of the product"),
    "a header in the same folder": ("hal/b.c", '#include "a.h"', "no file a.h: headers are named from the root of the tree"),
    "a stage's context": ("hal/vertex/tnl/a.c", 'struct hal_context *context;\n#include "hal/a.h"', CONTEXT),
    "a stage's header of the context": ("hal/pixel/a.c", '#include "hal/context.h"', CONTEXT),
    "a resource's context": ("hal/resource/a.h", 'struct hal_context;\n#include "hal/a.h"', CONTEXT),
    "a call of a handler": ("hal/state/a.c", '    hal_token_a(context, command); struct hal_context *context;\n#include "hal/a.h"', CONTEXT),
    "a handler's context": ("hal/state/a.c", 'void hal_token_a(struct hal_context *context, const struct dp2_command *command)\n#include "hal/context.h"', None),
    "the context's own folder": ("hal/b.c", 'struct hal_context *context;\n#include "hal/context.h"', None),
    "another structure": ("hal/vertex/a.c", 'struct hal_contexts *contexts;\n#include "hal/a.h"', None),
    "headers of the system": ("raster/a.c", "#include <hal/a.h>", None),
}


def reported(file, line):
    """(lines that the script prints before its total, exit status)"""
    with tempfile.TemporaryDirectory(prefix="halcyon-") as tree:
        for name in HEADERS + [file]:
            path = os.path.join(tree, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write("\n" + line + "\n" if name == file else "")
        done = subprocess.run([os.path.join(ROOT, "tests/check-includes"), tree], capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[:-1], done.returncode


def main():
    failed = 0
    for title, (file, line, message) in CASES.items():
        wanted = (["%s:2: %s" % (file, message)], 1) if message else ([], 0)
        found = reported(file, line)
        if "system" in title:
            wanted = ([], 1)        # a tree without any include has not been checked
        print(("ok " if found == wanted else "not ok ") + title)
        if found != wanted:
            failed += 1
            print("# reported %r, expected %r" % (found, wanted))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
