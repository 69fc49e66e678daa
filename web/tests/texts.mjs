// SPDX-License-Identifier: MIT
// Captures as text that several tests use.

/** A red rectangle, a green one behind it, and a rectangle that faces away. */
export const DEPTH = `create target t 64x48 X8R8G8B8
create depth z 64x48 D24S8
context c target=t depth=z
clear c flags=TARGET|ZBUFFER color=#ff102030 depth=1
draw c {
    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=CCW} {state=ZENABLE value=TRUE}
    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}
    SETSTREAMSOURCEUM {stream=0 stride=20}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1} {type=TRIANGLELIST start=3 primitives=1} {type=TRIANGLELIST start=6 primitives=1}
    user_vertices { fvf(XYZRHW|DIFFUSE
        4 4 .25 1 #ffff0000  60 4 .25 1 #ffff0000  4 44 .25 1 #ffff0000
        4 4 .75 1 #ff00ff00  60 4 .75 1 #ff00ff00  4 44 .75 1 #ff00ff00
        4 4 .10 1 #ff0000ff  4 44 .10 1 #ff0000ff  60 4 .10 1 #ff0000ff) }
}
present t
`;

/** Two frames that draw with one pixel shader. */
export const SHADER_TWICE = `create target t 64x48 X8R8G8B8
context c target=t level=5
draw c {
    RENDERSTATE {state=CULLMODE value=NONE} {state=ZENABLE value=FALSE}
    CREATEPIXELSHADER {handle=1 code=hex(ffff0200 05000051 a00f0000 3f800000 3f000000 00000000 3f800000 02000001 800f0800 a0e40000 0000ffff)}
    SETPIXELSHADER {shader=1}
    SETVERTEXSHADER {shader=XYZRHW}
    SETSTREAMSOURCEUM {stream=0 stride=16}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    user_vertices { fvf(XYZRHW  4 4 0 1  60 4 0 1  4 44 0 1) }
}
present t
draw c {
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    user_vertices { fvf(XYZRHW  4 4 0 1  60 4 0 1  60 44 0 1) }
}
present t
`;
