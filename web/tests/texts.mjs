// SPDX-License-Identifier: MIT
// Captures as text that several tests are on.

/** A red rectangle, a green one behind it, and one that faces away. */
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
