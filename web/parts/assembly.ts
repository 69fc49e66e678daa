// SPDX-License-Identifier: MIT
// Shader assembly for the editor: recognizes instructions, registers and numbers.
import { StreamLanguage } from "@codemirror/language";

const REGISTER = /^-?(?:v|r|c|a|aL|i|b|s|t|p|oPos|oFog|oPts|oD|oT|oC|oDepth|o|vPos|vFace)\d*(?:_abs)?(?:\.[xyzwrgbastpq]{1,4})?\b/;

export const assembly = StreamLanguage.define({
    name: "assembly",
    startState: () => ({ first: true }),
    token(stream, state) {
        if (stream.sol())
            state.first = true;
        if (stream.eatSpace())
            return null;
        if (stream.match(/^(?:;|\/\/).*/))
            return "comment";
        if (state.first) {
            state.first = false;
            if (stream.match(/^[vp]s_\d_(?:\d|x|sw)/))
                return "heading";
            if (stream.match(/^(?:\([^)]*\)\s*)?\+?\s*[a-z]\w*/i))
                return "keyword";
        }
        if (stream.match(REGISTER))
            return "variableName";
        if (stream.match(/^-?(?:0x[0-9a-f]+|\d*\.?\d+(?:e[+-]?\d+)?)/i))
            return "number";
        stream.next();
        return null;
    },
});
