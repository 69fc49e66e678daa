# SPDX-License-Identifier: MIT
"""Streams shared by the tests of dp2: some are files, some have contents that cannot be compressed."""
import glob
import os

from program import ROOT, assemble, content

STEPS = sorted(glob.glob(os.path.join(ROOT, "examples/dp2/*.dp2s")))     # of the tutorial
KEYS = os.path.join(ROOT, "tests/cli/color-keys.dp2s")
PATCHES = os.path.join(ROOT, "tests/cli/patches.dp2s")
SAMPLES = os.path.join(ROOT, "tests/cli/samples.dp2s")
KINDS = os.path.join(ROOT, "tests/cli/feedback.dp2s")


def name_of(step):
    return os.path.basename(step)[:-len(".dp2s")]


def noise(name, side):
    """A texture whose texels cannot be compressed."""
    seed, words = 1, []
    for _ in range(side * side):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        words.append("%08x" % (0xff000000 | seed >> 7))
    data = " ".join(" ".join(word[i:i + 2] for i in (6, 4, 2, 0)) for word in words)
    return "create texture %s %dx%d A8R8G8B8\nmemory %s { hex(%s) }" % (name, side, side, name, data)


def kept(frames):
    """Frames that all show the same texture, which cannot be compressed; it gets new texels before the last two
    frames."""
    lines = ["create target screen 64x64 X8R8G8B8", noise("board", 64), "create vertices corners 96", "context c target=screen",
             "memory corners { fvf(XYZRHW|TEX1 2 2 0.5 1 0 0  60 2 0.5 1 1 0  2 60 0.5 1 0 1  60 60 0.5 1 1 1) }", """draw c {
    VIEWPORTINFO {x=0 y=0 width=64 height=64}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}
    TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG1} {stage=0 state=COLORARG1 value=TEXTURE} {stage=1 state=COLOROP value=DISABLE}
                      {stage=0 state=TEXTUREMAP value=board}
    SETVERTEXSHADER {shader=XYZRHW|TEX1}
    SETSTREAMSOURCE {stream=0 buffer=corners stride=24}
}""", "present screen"]
    for frame in range(1, frames):
        if frame == frames - 2:
            lines.append("memory board first_row=0 row_count=1 row_offset=0 row_bytes=256 { fill(64 #ff00ff00) }")
        lines += ["draw c { CLEAR flags=TARGET color=#ff%02x0000 {rect=(0 0 64 64)} DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2} }" % (frame * 9),
                  "present screen"]
    return "\n".join(lines) + "\n"


def library(textures):
    """An empty frame, then three that show one of many textures whose texels cannot be compressed; the last frame
    fills it again."""
    lines = ["create target screen 32x32 X8R8G8B8", "create depth z 32x32 D16", "context c target=screen depth=z"]
    seed = 1
    for number in range(textures):
        lines.append("create texture t%d 32x32 A8R8G8B8 levels=2" % number)
        for level, side in ("", 32), ("+1", 16):
            words = []
            for _ in range(side * side):
                seed = (seed * 1103515245 + 12345) & 0x7fffffff
                words.append("%08x" % (0xff000000 | seed >> 7))
            rows = " ".join(" ".join(word[i:i + 2] for i in (6, 4, 2, 0)) for word in words)
            lines.append("memory t%d%s { hex(%s) }" % (number, level, rows))
    quad = """fvf(XYZRHW|TEX1 2 2 0.5 1 0 0  30 2 0.5 1 1 0  2 30 0.5 1 0 1  30 30 0.5 1 1 1)"""
    show = "    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=t%d}\n    DRAWPRIMITIVE2 {type=TRIANGLESTRIP offset=0 primitives=2}"
    lines += ["create vertices corners 96", "memory corners { %s }" % quad, """draw c {
    VIEWPORTINFO {x=0 y=0 width=32 height=32}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=TRUE}
    TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG1} {stage=0 state=COLORARG1 value=TEXTURE}
                      {stage=1 state=COLOROP value=DISABLE}
    SETVERTEXSHADER {shader=XYZRHW|TEX1}
    SETSTREAMSOURCE {stream=0 buffer=corners stride=24}
}""", "present screen"]
    clear = "    CLEAR flags=TARGET|ZBUFFER color=#ff000000 depth=1 {rect=(0 0 32 32)}"
    for number in 0, 1:
        lines += ["draw c {\n%s\n%s\n}" % (clear, show % number), "present screen"]
    lines += ["memory t0 { checker(32 32 8 #ffe0d0b0 #ff804030) }", "memory t0+1 { fill(256 #ff00ff00) }",
              "draw c {\n%s\n%s\n}" % (clear, show % 0), "present screen"]
    return "\n".join(lines) + "\n"


def presented(stream, width, height, name):
    """The frames of a stream, given as a file or as text, each ended by the blit that a recorder takes for the end
    of a frame."""
    text = content(stream).decode() if stream.endswith(".dp2s") else stream
    size = "%d %d" % (width, height)
    blt = "blt destination=front source=screen to=(0 0 %s) from=(0 0 %s) flags=0x30020000 rop=0xcc0020\n" % (size, size)
    front = "create target front %dx%d X8R8G8B8\ncontext c" % (width, height)
    return assemble(text.replace("context c", front, 1).replace("present screen", blt + "present screen"), name)
