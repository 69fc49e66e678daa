#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A capture of test_features9.exe: inspected, cut, and written as text and back.

tests/runtime/capture9.py DP2 CAPTURE PICTURES     PICTURES: those the program showed, PICTURES-000000.png and so on

The replay must draw every picture: from the whole capture, from each frame alone, and from the capture that went
through text. The dump has names for the additions of Direct3D 9, and the names that the program has given to its
frames. Prints "ok NAME" or "not ok NAME: why". Exit status 0 if all are good.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAMES = ("instances", "targets", "sRGB", "generated levels", "stencil", "short vertices", "short vertices in one batch")
failures = 0

# Facts that the program's dump must contain about each addition of Direct3D 9.
NAMED = (
    r'MARKER .*kind=BEGIN .*color=#ff8000ff text="instances"',
    r'MARKER .*kind=POINT .*text="three squares"',
    r"MARKER .*kind=END",
    r"CREATEVERTEXSHADERDECL .*type=FLOAT16_2 method=DEFAULT usage=TEXCOORD usage_index=3",
    r"CREATEVERTEXSHADERDECL .*type=D3DCOLOR method=DEFAULT usage=COLOR",
    r"CREATEVERTEXSHADERDECL .*usage=POSITIONT",
    r"SETSTREAMSOURCEFREQ .*stream=0 divider=INDEXEDDATA\|3",
    r"SETSTREAMSOURCEFREQ .*stream=1 divider=INSTANCEDATA\|1",
    r"SETRENDERTARGET2 .*index=1 target=[1-9]",
    r"format=A16B16G16R16F",
    r"BLT .*flags=POINT",
    r"state=SRGBTEXTURE value=TRUE",
    r"state=SRGBWRITEENABLE value=TRUE",
    r"state=ADDRESSU value=CLAMP",
    r"state=MIPFILTER value=POINT",
    r"GENERATEMIPSUBLEVELS .*filter=LINEAR",
    r"state=TWOSIDEDSTENCILMODE value=TRUE",
    r"state=CCW_STENCILPASS value=DECR",
    r"state=COLORWRITEENABLE1 value=RED\|GREEN\|BLUE\|ALPHA",
    r"state=SCISSORTESTENABLE value=TRUE",
    r"SETSCISSORRECT .*rect=\(0 0 640 300\)",
    r"CREATEQUERY .*type=OCCLUSION",
    r"ISSUEQUERY .*flags=BEGIN",
    r"ISSUEQUERY .*flags=END",
    r"state=NORMALDEGREE value=LINEAR",
)


# Through the WDDM interface, copies between surfaces are calls of Blt instead of tokens.
TOKENS_OF_DX9 = (r"BLT .*flags=POINT",)


def check(name, why):
    global failures
    failures += bool(why)
    print("not ok %s: %s" % (name, why) if why else "ok %s" % name)


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3600)


def hashes(dp2, capture, *options):
    done = run(dp2, "replay", capture, "--hash", *options)
    return [line.split()[-1] for line in done.stdout.splitlines()] if done.returncode == 0 else [done.stderr]


def one_line(text):
    """Each command of a verbose dump in one line, with its entries."""
    return re.sub(r"\n +(?=[{\[])", " ", text)


def main(dp2, capture, pictures):
    shown = sorted(glob.glob(pictures + "-*.png"))
    whole = hashes(dp2, capture)
    check("capture9: as many frames as were shown", "%d, shown %d" % (len(whole), len(shown))
          if not len(whole) == len(shown) == len(FRAMES) else "")
    with tempfile.TemporaryDirectory(prefix="halcyon-") as folder:
        run(dp2, "replay", capture, "-o", folder + "/")
        for number, picture in enumerate(shown):
            done = run(os.path.join(ROOT, "scripts/picture.py"), "compare", picture, "%s/frame-%06d.png" % (folder, number))
            check("capture9: picture of '%s'" % FRAMES[number], "" if done.returncode == 0 else done.stdout + done.stderr)
        for number, name in enumerate(FRAMES):
            cut = "%s/cut-%d.capture" % (folder, number)
            done = run(dp2, "trim", capture, "--frame", str(number), "-o", cut)
            got = hashes(dp2, cut) if done.returncode == 0 else [done.stderr]
            check("capture9: '%s' cut out" % name, "" if got == whole[number:number + 1] else "%s, not %s" % (got, whole[number]))
        cut = folder + "/range.capture"
        run(dp2, "trim", capture, "--frame", "1-3", "-o", cut)
        check("capture9: a range of frames", "" if hashes(dp2, cut) == whole[1:4] else "differs")
        for source, label in (capture, "the whole"), (cut, "the range"):
            text, back = folder + "/text.dp2s", folder + "/back.capture"
            with open(text, "w") as file:
                file.write(run(dp2, "dump", "--asm", source).stdout)
            done = run(dp2, "asm", text, "-o", back)
            check("capture9: %s as text and back" % label,
                  done.stderr if done.returncode else "" if hashes(dp2, back) == hashes(dp2, source) else "other pictures")
            done = run(dp2, "diff", source, back)
            check("capture9: %s as text and back holds the same" % label, done.stdout[:500] if done.returncode else "")
    dump = one_line(run(dp2, "dump", "--verbose", capture).stdout)
    interface = json.loads(run(dp2, "info", "--json", capture).stdout)["info"]["interface"]
    for pattern in NAMED:
        if pattern not in TOKENS_OF_DX9 or "WDDM" not in interface:
            check("capture9: the dump has " + pattern, "" if re.search(pattern, dump) else "it has not")
    nameless = set(re.findall(r"state=\d+ |(?:type|usage|method)=\d+ ", re.sub(r"(?:vertex_type|color_type)=\d+", "", dump)))
    check("capture9: nothing is a number that has a name", ", ".join(nameless))
    done = run(dp2, "info", capture, "--json")
    tokens = json.loads(done.stdout)["tokens"] if done.returncode == 0 else {}
    check("capture9: info counts markers and declarations", "" if tokens.get("MARKER") and tokens.get("CREATEVERTEXSHADERDECL") else done.stderr or tokens)
    done = run(dp2, "dump", "--json", capture)
    check("capture9: the dump as JSON names usages", "" if done.returncode == 0 and '"POSITIONT"' in done.stdout and '"OCCLUSION"' in done.stdout
          and "three squares" in done.stdout else done.stderr or "it does not")
    models = set()
    for code in re.findall(r"code=hex\(([0-9a-f \n]*)\)", run(dp2, "dump", "--asm", capture).stdout):
        models |= set(re.findall(r"^[vp]s_\d_\d", subprocess.run([dp2, "shader", "--stdin"], input=code, capture_output=True, text=True,
                                                                timeout=3600).stdout, re.M))
    check("capture9: shaders of models 2 and 3", "" if models >= {"vs_3_0", "ps_3_0", "ps_2_0"} else models)
    done = run(dp2, "feedback", capture)
    check("capture9: which textures are sampled", done.stderr if done.returncode else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
