/* SPDX-License-Identifier: MIT */
/*
 * Features beyond the API that programs use through ordinary calls, as with drivers of that time: a program asks
 * CheckDeviceFormat about a FOURCC that names a feature, and uses SetRenderState to give a documented state a value
 * that is otherwise invalid. caps/extensions.c lists the names, hal/state/extension.c implements the values;
 * docs/extensions.md tells programs how to use them.
 */
#ifndef HALCYON_D3D_EXTENSION_H
#define HALCYON_D3D_EXTENSION_H

#include "d3d/ddi.h"

/*
 * D3DRS_MULTISAMPLEANTIALIAS: conservative rasterization of triangles by the rules of tier 1..3, and outer edges moved
 * out by `quarters` (0..3) more quarters of a pixel. Any other value ends this mode: nonzero means TRUE as usual. A
 * driver without the extension treats the magic values as TRUE, too. CheckDeviceFormat(0, D3DRTYPE_SURFACE) tells
 * whether a value is supported.
 */
#define EXTENSION_CONSERVATIVE(tier, quarters) MAKEFOURCC('C', 'R', (char)('0' + (tier)), (char)('0' + (quarters)))
#define EXTENSION_MAX_TIER                     3
#define EXTENSION_DILATED_STEPS                4

/*
 * D3DRS_SPECULARMATERIALSOURCE: the specular colour that pixel programs (v1, COLOR1) and stages (D3DTA_SPECULAR) see is
 * coverage. INPUT: the covered samples (SampleMask): red bits 0..7 / 255, green bits 8..15 / 255, blue 0, alpha the
 * covered fraction of all samples. INNER (tier 3): 1 in all four where the pixel lies completely inside the triangle,
 * else 0.
 */
#define EXTENSION_INPUT_COVERAGE MAKEFOURCC('I', 'N', 'P', 'C')
#define EXTENSION_INNER_COVERAGE MAKEFOURCC('I', 'N', 'N', 'C')

/*
 * Render states beyond those of the API: the rasterizer state object that SetRasterizerState of d3d/wddm2.h bound.
 * While EXTENSION_RS_BOUND is not 0, the others replace the corresponding states of the API; each is the member of
 * D3DWDDM2_0DDI_RASTERIZER_DESC with its name. Programs may set them by SetRenderState as well.
 */
enum {
    EXTENSION_RS_BOUND = 240,
    EXTENSION_RS_FILL,
    EXTENSION_RS_CULL,
    EXTENSION_RS_FRONT_CCW,
    EXTENSION_RS_DEPTH_BIAS, /* integer */
    EXTENSION_RS_DEPTH_BIAS_CLAMP,
    EXTENSION_RS_DEPTH_BIAS_SLOPE,
    EXTENSION_RS_DEPTH_CLIP,
    EXTENSION_RS_SCISSOR,
    EXTENSION_RS_MULTISAMPLE,
    EXTENSION_RS_LINE_SMOOTH,
    EXTENSION_RS_FORCED_SAMPLES,
    EXTENSION_RS_CONSERVATIVE,
    EXTENSION_RS_END,
    EXTENSION_RS_RASTERIZER_COUNT = EXTENSION_RS_END - EXTENSION_RS_BOUND,
};

/*
 * D3DRS_ADAPTIVETESS_X: the depth bounds test. Pixels whose stored depth lies outside of D3DRS_ADAPTIVETESS_Z..W
 * (floats 0..1) are not drawn; depth and stencil do not change either. Any other value turns the test off.
 */
#define EXTENSION_DEPTH_BOUNDS MAKEFOURCC('N', 'V', 'D', 'B')

/*
 * Alpha to coverage on multisampled targets, instead of the alpha test: alpha is the fraction of a pixel's samples that
 * is drawn. D3DRS_ADAPTIVETESS_Y = ATOC: while D3DRS_ALPHATESTENABLE is set; any other value ends it. D3DRS_POINTSIZE =
 * A2M1: until A2M0.
 */
#define EXTENSION_ALPHA_COVERAGE     MAKEFOURCC('A', 'T', 'O', 'C')
#define EXTENSION_ALPHA_COVERAGE_ON  MAKEFOURCC('A', '2', 'M', '1')
#define EXTENSION_ALPHA_COVERAGE_OFF MAKEFOURCC('A', '2', 'M', '0')

/*
 * D3DRS_POINTSIZE = EXTENSION_RESOLVE_DEPTH: the depth buffer (sample 0 of a multisampled one) is copied into the depth
 * texture of stage 0. CheckDeviceFormat(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE) tells whether the name is supported.
 */
#define EXTENSION_RESOLVE_DEPTH_NAME MAKEFOURCC('R', 'E', 'S', 'Z')
#define EXTENSION_RESOLVE_DEPTH      0x7fa05000u

/*
 * D3DRS_POINTSIZE = INST: enables stream frequencies, for programs written for cards with shader model 2. Here they are
 * always enabled, and the point size does not change.
 */
#define EXTENSION_INSTANCING MAKEFOURCC('I', 'N', 'S', 'T')

#endif
