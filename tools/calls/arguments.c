/* SPDX-License-Identifier: MIT */
/* The table of arguments: where each member is, and what it holds. A member is named as d3d/umd_args.h names it. */
#include "tools/calls/internal.h"

#include "d3d/umd_private.h"

#define COUNT(...)     #__VA_ARGS__
#define BITS_TEXT(...) COUNT(__VA_ARGS__)

/* A member of a structure, by the letter or kind of its field. */
#define MEMBER(type, member, letter)                                        \
    {                                                                       \
        .name = #member, .offset = offsetof(type, member), .kind = (letter) \
    }
#define FIELD(NAME, member, letter) MEMBER(D3DDDIARG_##NAME, member, letter)
#define PLACE(NAME, member, index)                                                          \
    {                                                                                       \
        .name = #member, .offset = offsetof(D3DDDIARG_##NAME, member), .kind = CALLS_PLACE, \
        .more = offsetof(D3DDDIARG_##NAME, index)                                           \
    }
#define NEW(NAME, member, what)                                                                          \
    {                                                                                                    \
        .name = #member, .offset = offsetof(D3DDDIARG_##NAME, member), .kind = CALLS_NEW, .text = (what) \
    }
#define BITS(NAME, WORD)                                                                  \
    {                                                                                     \
        .name = "Flags", .offset = offsetof(D3DDDIARG_##NAME, Flags), .kind = CALLS_BITS, \
        .text = BITS_TEXT(D3DDDI_##WORD##_BITS)                                           \
    }
#define WORDS(NAME, member, names)                                                                          \
    {                                                                                                       \
        .name = #member, .offset = offsetof(D3DDDIARG_##NAME, member), .kind = CALLS_WORDS, .text = (names) \
    }
#define IF_LOCKED(member, letter, bit)                                                 \
    {                                                                                  \
        .name = #member, .offset = offsetof(D3DDDIARG_LOCK, member), .kind = (letter), \
        .when_at = offsetof(D3DDDIARG_LOCK, Flags), .when = (bit)                      \
    }

/* Arguments after the first. */
#define ARGUMENT(n, title, letter)                                 \
    {                                                              \
        .name = (title), .offset = CALLS_SLOT(n), .kind = (letter) \
    }
#define OF(n, table)                                                             \
    {                                                                            \
        .name = "", .offset = CALLS_SLOT(n), .kind = CALLS_OF, .fields = (table) \
    }
/* A list of elements of a letter, or of fields; a member of the first structure says how many. */
#define LIST(n, title, letter, bytes, NAME, member)                                                          \
    {                                                                                                        \
        .name = (title), .offset = CALLS_SLOT(n), .kind = CALLS_LIST, .element = (letter), .of_first = true, \
        .more = offsetof(D3DDDIARG_##NAME, member), .size = (bytes)                                          \
    }
#define CODE(n, title, NAME, member)                                                     \
    {                                                                                    \
        .name = (title), .offset = CALLS_SLOT(n), .kind = CALLS_BYTES, .of_first = true, \
        .more = offsetof(D3DDDIARG_##NAME, member)                                       \
    }

#define FIELDS(NAME, ...) static const struct calls_field of_##NAME[] = {__VA_ARGS__, {0}}
#define END \
    {       \
        0   \
    }

/* --- structures -------------------------------------------------------------------------------------- */

FIELDS(RENDERSTATE, FIELD(RENDERSTATE, State, 'S'), FIELD(RENDERSTATE, Value, 'V'));
FIELDS(WINFO, FIELD(WINFO, WNear, 'f'), FIELD(WINFO, WFar, 'f'));
FIELDS(VALIDATE, FIELD(VALIDATETEXTURESTAGESTATE, NumPasses, 'u'));
FIELDS(TEXTURESTAGESTATE, FIELD(TEXTURESTAGESTATE, Stage, 'u'), FIELD(TEXTURESTAGESTATE, State, 'T'),
       FIELD(TEXTURESTAGESTATE, Value, 'V'));
FIELDS(CONST, FIELD(SETVERTEXSHADERCONST, Register, 'u'), FIELD(SETVERTEXSHADERCONST, Count, 'u'));
FIELDS(SETINDICES, FIELD(SETINDICES, hIndexBuffer, CALLS_HANDLE), FIELD(SETINDICES, Stride, 'u'));
FIELDS(DRAWPRIMITIVE, FIELD(DRAWPRIMITIVE, PrimitiveType, 'P'), FIELD(DRAWPRIMITIVE, VStart, 'u'),
       FIELD(DRAWPRIMITIVE, PrimitiveCount, 'u'));
FIELDS(DRAWINDEXEDPRIMITIVE, FIELD(DRAWINDEXEDPRIMITIVE, PrimitiveType, 'P'),
       FIELD(DRAWINDEXEDPRIMITIVE, BaseVertexIndex, 'i'), FIELD(DRAWINDEXEDPRIMITIVE, MinIndex, 'u'),
       FIELD(DRAWINDEXEDPRIMITIVE, NumVertices, 'u'), FIELD(DRAWINDEXEDPRIMITIVE, StartIndex, 'u'),
       FIELD(DRAWINDEXEDPRIMITIVE, PrimitiveCount, 'u'));
FIELDS(DRAWPRIMITIVE2, FIELD(DRAWPRIMITIVE2, PrimitiveType, 'P'), FIELD(DRAWPRIMITIVE2, FirstVertexOffset, 'u'),
       FIELD(DRAWPRIMITIVE2, PrimitiveCount, 'u'));
FIELDS(DRAWINDEXEDPRIMITIVE2, FIELD(DRAWINDEXEDPRIMITIVE2, PrimitiveType, 'P'),
       FIELD(DRAWINDEXEDPRIMITIVE2, BaseVertexOffset, 'i'), FIELD(DRAWINDEXEDPRIMITIVE2, MinIndex, 'u'),
       FIELD(DRAWINDEXEDPRIMITIVE2, NumVertices, 'u'), FIELD(DRAWINDEXEDPRIMITIVE2, StartIndexOffset, 'u'),
       FIELD(DRAWINDEXEDPRIMITIVE2, PrimitiveCount, 'u'));
FIELDS(PATCH, FIELD(DRAWRECTPATCH, Handle, 'u'));
FIELDS(RECTPATCH_INFO, MEMBER(D3DDDIRECTPATCH_INFO, StartVertexOffsetWidth, 'u'),
       MEMBER(D3DDDIRECTPATCH_INFO, StartVertexOffsetHeight, 'u'), MEMBER(D3DDDIRECTPATCH_INFO, Width, 'u'),
       MEMBER(D3DDDIRECTPATCH_INFO, Height, 'u'), MEMBER(D3DDDIRECTPATCH_INFO, Stride, 'u'),
       MEMBER(D3DDDIRECTPATCH_INFO, Basis, 'a'), MEMBER(D3DDDIRECTPATCH_INFO, Degree, 'd'));
FIELDS(TRIPATCH_INFO, MEMBER(D3DDDITRIPATCH_INFO, StartVertexOffset, 'u'),
       MEMBER(D3DDDITRIPATCH_INFO, NumVertices, 'u'), MEMBER(D3DDDITRIPATCH_INFO, Basis, 'a'),
       MEMBER(D3DDDITRIPATCH_INFO, Degree, 'd'));
FIELDS(SEGMENTS4, {.name = "pPatch", .kind = '4'});
FIELDS(SEGMENTS3, {.name = "pPatch", .kind = '3'});
FIELDS(EDGES, {.name = "FlagBuffer", .kind = 'x'});
FIELDS(VOLUMEBLT, FIELD(VOLUMEBLT, hDstResource, CALLS_HANDLE), FIELD(VOLUMEBLT, hSrcResource, CALLS_HANDLE),
       FIELD(VOLUMEBLT, DstX, 'u'), FIELD(VOLUMEBLT, DstY, 'u'), FIELD(VOLUMEBLT, DstZ, 'u'),
       FIELD(VOLUMEBLT, SrcBox, 'B'));
FIELDS(BUFFERBLT, FIELD(BUFFERBLT, hDstResource, CALLS_HANDLE), FIELD(BUFFERBLT, hSrcResource, CALLS_HANDLE),
       FIELD(BUFFERBLT, Offset, 'u'), FIELD(BUFFERBLT, SrcRange.Offset, 'u'), FIELD(BUFFERBLT, SrcRange.Size, 'u'));
FIELDS(TEXBLT, FIELD(TEXBLT, hDstResource, CALLS_HANDLE), FIELD(TEXBLT, hSrcResource, CALLS_HANDLE),
       FIELD(TEXBLT, CubeMapFace, 'i'), FIELD(TEXBLT, DstPoint, 'Q'), FIELD(TEXBLT, SrcRect, 'R'));
FIELDS(STATESET, FIELD(STATESET, Operation, 'O'), FIELD(STATESET, StateBlockType, 'K'),
       {.name = "hStateSet",
        .offset = offsetof(D3DDDIARG_STATESET, hStateSet),
        .kind = CALLS_BLOCK,
        .more = offsetof(D3DDDIARG_STATESET, Operation),
        .text = "block"});
FIELDS(SETPRIORITY, FIELD(SETPRIORITY, hResource, CALLS_HANDLE), FIELD(SETPRIORITY, Priority, 'u'));
FIELDS(CLEAR, FIELD(CLEAR, Flags, 'L'), FIELD(CLEAR, FillColor, 'c'), FIELD(CLEAR, FillDepth, 'f'),
       FIELD(CLEAR, FillStencil, 'u'));
FIELDS(UPDATEPALETTE, FIELD(UPDATEPALETTE, PaletteHandle, 'u'), FIELD(UPDATEPALETTE, StartIndex, 'u'),
       FIELD(UPDATEPALETTE, NumEntries, 'u'));
FIELDS(SETPALETTE, FIELD(SETPALETTE, PaletteHandle, 'u'), FIELD(SETPALETTE, PaletteFlags, 'x'),
       FIELD(SETPALETTE, hResource, CALLS_HANDLE));
FIELDS(TRANSFORM, FIELD(SETTRANSFORM, TransformType, 'X'), FIELD(SETTRANSFORM, Matrix, 'M'));
FIELDS(VIEWPORTINFO, FIELD(VIEWPORTINFO, X, 'u'), FIELD(VIEWPORTINFO, Y, 'u'), FIELD(VIEWPORTINFO, Width, 'u'),
       FIELD(VIEWPORTINFO, Height, 'u'));
FIELDS(ZRANGE, FIELD(ZRANGE, MinZ, 'f'), FIELD(ZRANGE, MaxZ, 'f'));
FIELDS(SETMATERIAL, FIELD(SETMATERIAL, Diffuse, '4'), FIELD(SETMATERIAL, Ambient, '4'),
       FIELD(SETMATERIAL, Specular, '4'), FIELD(SETMATERIAL, Emissive, '4'), FIELD(SETMATERIAL, Power, 'f'));
FIELDS(SETLIGHT, FIELD(SETLIGHT, Index, 'u'), FIELD(SETLIGHT, DataType, 'l'));
FIELDS(LIGHT, MEMBER(D3DDDI_LIGHT, Type, 'Y'), MEMBER(D3DDDI_LIGHT, Diffuse, '4'), MEMBER(D3DDDI_LIGHT, Specular, '4'),
       MEMBER(D3DDDI_LIGHT, Ambient, '4'), MEMBER(D3DDDI_LIGHT, Position, '3'), MEMBER(D3DDDI_LIGHT, Direction, '3'),
       MEMBER(D3DDDI_LIGHT, Range, 'f'), MEMBER(D3DDDI_LIGHT, Falloff, 'f'), MEMBER(D3DDDI_LIGHT, Attenuation0, 'f'),
       MEMBER(D3DDDI_LIGHT, Attenuation1, 'f'), MEMBER(D3DDDI_LIGHT, Attenuation2, 'f'),
       MEMBER(D3DDDI_LIGHT, Theta, 'f'), MEMBER(D3DDDI_LIGHT, Phi, 'f'));
FIELDS(CREATELIGHT, FIELD(CREATELIGHT, Index, 'u'));
FIELDS(SETCLIPPLANE, FIELD(SETCLIPPLANE, Index, 'u'), FIELD(SETCLIPPLANE, Plane, '4'));
FIELDS(LOCK, PLACE(LOCK, hResource, SubResourceIndex), BITS(LOCK, LOCKFLAGS), IF_LOCKED(Range.Offset, 'u', 0x10),
       IF_LOCKED(Range.Size, 'u', 0x10), IF_LOCKED(Area, 'R', 0x20), IF_LOCKED(Box, 'B', 0x40), FIELD(LOCK, Pitch, 'u'),
       FIELD(LOCK, SlicePitch, 'u'));
FIELDS(UNLOCK, PLACE(UNLOCK, hResource, SubResourceIndex), BITS(UNLOCK, UNLOCKFLAGS));
FIELDS(SURFACEINFO, MEMBER(D3DDDI_SURFACEINFO, Width, 'u'), MEMBER(D3DDDI_SURFACEINFO, Height, 'u'),
       MEMBER(D3DDDI_SURFACEINFO, Depth, 'u'), MEMBER(D3DDDI_SURFACEINFO, SysMemPitch, 'u'),
       MEMBER(D3DDDI_SURFACEINFO, SysMemSlicePitch, 'u'));
FIELDS(CREATERESOURCE, NEW(CREATERESOURCE, hResource, "resource"), FIELD(CREATERESOURCE, Format, 'D'),
       WORDS(CREATERESOURCE, Pool, "0|SYSTEMMEM|VIDEOMEMORY|LOCALVIDMEM|NONLOCALVIDMEM"),
       FIELD(CREATERESOURCE, MultisampleType, 'u'), FIELD(CREATERESOURCE, MultisampleQuality, 'u'),
       {.name = "pSurfList",
        .offset = offsetof(D3DDDIARG_CREATERESOURCE, pSurfList),
        .kind = CALLS_LIST,
        .more = offsetof(D3DDDIARG_CREATERESOURCE, SurfCount),
        .size = sizeof(D3DDDI_SURFACEINFO),
        .fields = of_SURFACEINFO},
       FIELD(CREATERESOURCE, MipLevels, 'u'), FIELD(CREATERESOURCE, Fvf, 'F'), BITS(CREATERESOURCE, RESOURCEFLAGS));
FIELDS(PRESENT, PLACE(PRESENT, hSrcResource, SrcSubResourceIndex), PLACE(PRESENT, hDstResource, DstSubResourceIndex),
       BITS(PRESENT, PRESENTFLAGS), FIELD(PRESENT, FlipInterval, 'u'));
FIELDS(VERTEXSHADERFUNC, NEW(CREATEVERTEXSHADERFUNC, ShaderHandle, "vertex shader"));
FIELDS(VERTEXSHADERDECL, NEW(CREATEVERTEXSHADERDECL, ShaderHandle, "declaration"));
FIELDS(PIXELSHADER, NEW(CREATEPIXELSHADER, ShaderHandle, "pixel shader"));
FIELDS(ELEMENT, MEMBER(D3DDDIVERTEXELEMENT, Stream, 'w'), MEMBER(D3DDDIVERTEXELEMENT, Offset, 'w'),
       MEMBER(D3DDDIVERTEXELEMENT, Type, 't'), MEMBER(D3DDDIVERTEXELEMENT, Method, '6'),
       MEMBER(D3DDDIVERTEXELEMENT, Usage, 'g'), MEMBER(D3DDDIVERTEXELEMENT, UsageIndex, 'y'));
FIELDS(RECT, {.name = "Rect", .kind = 'R'});
FIELDS(SETSTREAMSOURCE, FIELD(SETSTREAMSOURCE, Stream, 'u'), FIELD(SETSTREAMSOURCE, hVertexBuffer, CALLS_HANDLE),
       FIELD(SETSTREAMSOURCE, Offset, 'u'), FIELD(SETSTREAMSOURCE, Stride, 'u'));
FIELDS(SETSTREAMSOURCEFREQ, FIELD(SETSTREAMSOURCEFREQ, Stream, 'u'), FIELD(SETSTREAMSOURCEFREQ, Divider, '7'));
FIELDS(KERNEL, FIELD(SETCONVOLUTIONKERNELMONO, Width, 'u'), FIELD(SETCONVOLUTIONKERNELMONO, Height, 'u'),
       {.name = "pKernelRow",
        .offset = offsetof(D3DDDIARG_SETCONVOLUTIONKERNELMONO, pKernelRow),
        .kind = CALLS_LIST,
        .element = 'f',
        .size = 4,
        .more = offsetof(D3DDDIARG_SETCONVOLUTIONKERNELMONO, Width)},
       {.name = "pKernelCol",
        .offset = offsetof(D3DDDIARG_SETCONVOLUTIONKERNELMONO, pKernelCol),
        .kind = CALLS_LIST,
        .element = 'f',
        .size = 4,
        .more = offsetof(D3DDDIARG_SETCONVOLUTIONKERNELMONO, Height)});
FIELDS(COMPOSERECTS, PLACE(COMPOSERECTS, hSrcResource, SrcSubResourceIndex),
       PLACE(COMPOSERECTS, hDstResource, DstSubResourceIndex), FIELD(COMPOSERECTS, hSrcRectDescsVB, CALLS_HANDLE),
       FIELD(COMPOSERECTS, NumRects, 'u'), FIELD(COMPOSERECTS, hDstRectDescsVB, CALLS_HANDLE),
       FIELD(COMPOSERECTS, Operation, 'u'), FIELD(COMPOSERECTS, XOffset, 'i'), FIELD(COMPOSERECTS, YOffset, 'i'));
FIELDS(BLT, PLACE(BLT, hSrcResource, SrcSubResourceIndex), FIELD(BLT, SrcRect, 'R'),
       PLACE(BLT, hDstResource, DstSubResourceIndex), FIELD(BLT, DstRect, 'R'), FIELD(BLT, ColorKey, 'x'),
       BITS(BLT, BLTFLAGS));
FIELDS(COLORFILL, PLACE(COLORFILL, hResource, SubResourceIndex), FIELD(COLORFILL, DstRect, 'R'),
       FIELD(COLORFILL, Color, 'c'), BITS(COLORFILL, COLORFILLFLAGS));
FIELDS(DEPTHFILL, PLACE(DEPTHFILL, hResource, SubResourceIndex), FIELD(DEPTHFILL, DstRect, 'R'),
       FIELD(DEPTHFILL, Depth, 'x'));
FIELDS(CREATEQUERY, FIELD(CREATEQUERY, QueryType, 'q'), NEW(CREATEQUERY, hQuery, "query"));
FIELDS(ISSUEQUERY, FIELD(ISSUEQUERY, hQuery, CALLS_HANDLE), BITS(ISSUEQUERY, ISSUEQUERYFLAGS));
/* The first DWORD of the answer: all of it, except for times. */
static const struct calls_field of_answer[] = {{.name = "pData", .kind = 'u'}, {0}};
FIELDS(GETQUERYDATA, FIELD(GETQUERYDATA, hQuery, CALLS_HANDLE),
       {.name = "", .offset = offsetof(D3DDDIARG_GETQUERYDATA, pData), .kind = CALLS_OF, .fields = of_answer});
FIELDS(SETRENDERTARGET, FIELD(SETRENDERTARGET, RenderTargetIndex, 'u'),
       PLACE(SETRENDERTARGET, hRenderTarget, SubResourceIndex));
FIELDS(SETDEPTHSTENCIL, FIELD(SETDEPTHSTENCIL, hZBuffer, CALLS_HANDLE));
FIELDS(GENERATEMIPSUBLEVELS, FIELD(GENERATEMIPSUBLEVELS, hResource, CALLS_HANDLE),
       FIELD(GENERATEMIPSUBLEVELS, Filter, '5'));

/* --- functions ---------------------------------------------------------------------------------------- */

#define ROW(Name, ...)                            \
    [CALLS_##Name] = (const struct calls_field[]) \
    {                                             \
        __VA_ARGS__, END                          \
    }
#define NO_ARGUMENTS(Name)                        \
    [CALLS_##Name] = (const struct calls_field[]) \
    {                                             \
        END                                       \
    }

const struct calls_field *const calls_arguments[] = {
    ROW(SetRenderState, OF(0, of_RENDERSTATE)),
    ROW(UpdateWInfo, OF(0, of_WINFO)),
    ROW(ValidateDevice, OF(0, of_VALIDATE)),
    ROW(SetTextureStageState, OF(0, of_TEXTURESTAGESTATE)),
    ROW(SetTexture, ARGUMENT(0, "Stage", 'u'), ARGUMENT(1, "hTexture", CALLS_HANDLE)),
    ROW(SetPixelShader, ARGUMENT(0, "hShader", CALLS_HANDLE)),
    ROW(SetPixelShaderConst, OF(0, of_CONST), LIST(1, "pRegisters", '4', 16, SETPIXELSHADERCONST, Count)),
    ROW(SetIndices, OF(0, of_SETINDICES)),
    ROW(DrawPrimitive, OF(0, of_DRAWPRIMITIVE), OF(1, of_EDGES)),
    ROW(DrawIndexedPrimitive, OF(0, of_DRAWINDEXEDPRIMITIVE)),
    ROW(DrawRectPatch, OF(0, of_PATCH), OF(1, of_RECTPATCH_INFO), OF(2, of_SEGMENTS4)),
    ROW(DrawTriPatch, OF(0, of_PATCH), OF(1, of_TRIPATCH_INFO), OF(2, of_SEGMENTS3)),
    ROW(DrawPrimitive2, OF(0, of_DRAWPRIMITIVE2)),
    ROW(DrawIndexedPrimitive2, OF(0, of_DRAWINDEXEDPRIMITIVE2), ARGUMENT(1, "dwIndicesSize", 'u')),
    ROW(VolBlt, OF(0, of_VOLUMEBLT)),
    ROW(BufBlt, OF(0, of_BUFFERBLT)),
    ROW(TexBlt, OF(0, of_TEXBLT)),
    ROW(StateSet, OF(0, of_STATESET)),
    ROW(SetPriority, OF(0, of_SETPRIORITY)),
    ROW(Clear, OF(0, of_CLEAR),
        {.name = "pRect",
         .offset = CALLS_SLOT(2),
         .kind = CALLS_LIST,
         .element = 'R',
         .size = sizeof(RECT),
         .more = CALLS_SLOT(1)}),
    ROW(UpdatePalette, OF(0, of_UPDATEPALETTE), LIST(1, "pPaletteData", 'x', 4, UPDATEPALETTE, NumEntries)),
    ROW(SetPalette, OF(0, of_SETPALETTE)),
    ROW(SetVertexShaderConst, OF(0, of_CONST), LIST(1, "pRegisters", '4', 16, SETVERTEXSHADERCONST, Count)),
    ROW(MultiplyTransform, OF(0, of_TRANSFORM)),
    ROW(SetTransform, OF(0, of_TRANSFORM)),
    ROW(SetViewport, OF(0, of_VIEWPORTINFO)),
    ROW(SetZRange, OF(0, of_ZRANGE)),
    ROW(SetMaterial, OF(0, of_SETMATERIAL)),
    ROW(SetLight, OF(0, of_SETLIGHT), OF(1, of_LIGHT)),
    ROW(CreateLight, OF(0, of_CREATELIGHT)),
    ROW(SetClipPlane, OF(0, of_SETCLIPPLANE)),
    ROW(GetInfo, ARGUMENT(0, "DevInfoID", CALLS_INFO), ARGUMENT(2, "DevInfoSize", 'u')),
    ROW(Lock, OF(0, of_LOCK)),
    ROW(Unlock, OF(0, of_UNLOCK)),
    ROW(CreateResource, OF(0, of_CREATERESOURCE)),
    ROW(DestroyResource, ARGUMENT(0, "hResource", CALLS_GONE)),
    ROW(Present, OF(0, of_PRESENT)),
    NO_ARGUMENTS(Flush),
    ROW(CreateVertexShaderFunc, OF(0, of_VERTEXSHADERFUNC), CODE(1, "pCode", CREATEVERTEXSHADERFUNC, Size)),
    ROW(DeleteVertexShaderFunc, ARGUMENT(0, "hShader", CALLS_GONE)),
    ROW(SetVertexShaderFunc, ARGUMENT(0, "hShader", CALLS_HANDLE)),
    ROW(CreateVertexShaderDecl, OF(0, of_VERTEXSHADERDECL),
        {.name = "pVertexElements",
         .offset = CALLS_SLOT(1),
         .kind = CALLS_LIST,
         .of_first = true,
         .more = offsetof(D3DDDIARG_CREATEVERTEXSHADERDECL, NumVertexElements),
         .size = sizeof(D3DDDIVERTEXELEMENT),
         .fields = of_ELEMENT}),
    ROW(DeleteVertexShaderDecl, ARGUMENT(0, "hDeclaration", CALLS_GONE)),
    ROW(SetVertexShaderDecl, ARGUMENT(0, "hDeclaration", CALLS_HANDLE)),
    ROW(SetVertexShaderConstI, OF(0, of_CONST), LIST(1, "pRegisters", 'R', 16, SETVERTEXSHADERCONSTI, Count)),
    ROW(SetVertexShaderConstB, OF(0, of_CONST), LIST(1, "pRegisters", 'u', 4, SETVERTEXSHADERCONSTB, Count)),
    ROW(SetScissorRect, OF(0, of_RECT)),
    ROW(SetStreamSource, OF(0, of_SETSTREAMSOURCE)),
    ROW(SetStreamSourceFreq, OF(0, of_SETSTREAMSOURCEFREQ)),
    ROW(SetConvolutionKernelMono, OF(0, of_KERNEL)),
    ROW(ComposeRects, OF(0, of_COMPOSERECTS)),
    ROW(Blt, OF(0, of_BLT)),
    ROW(ColorFill, OF(0, of_COLORFILL)),
    ROW(DepthFill, OF(0, of_DEPTHFILL)),
    ROW(CreateQuery, OF(0, of_CREATEQUERY)),
    ROW(DestroyQuery, ARGUMENT(0, "hQuery", CALLS_GONE)),
    ROW(IssueQuery, OF(0, of_ISSUEQUERY)),
    ROW(GetQueryData, OF(0, of_GETQUERYDATA)),
    ROW(SetRenderTarget, OF(0, of_SETRENDERTARGET)),
    ROW(SetDepthStencil, OF(0, of_SETDEPTHSTENCIL)),
    ROW(GenerateMipSubLevels, OF(0, of_GENERATEMIPSUBLEVELS)),
    ROW(SetPixelShaderConstI, OF(0, of_CONST), LIST(1, "pRegisters", 'R', 16, SETPIXELSHADERCONSTI, Count)),
    ROW(SetPixelShaderConstB, OF(0, of_CONST), LIST(1, "pRegisters", 'u', 4, SETPIXELSHADERCONSTB, Count)),
    ROW(CreatePixelShader, OF(0, of_PIXELSHADER), CODE(1, "pCode", CREATEPIXELSHADER, CodeSize)),
    ROW(DeletePixelShader, ARGUMENT(0, "hShader", CALLS_GONE)),
    NO_ARGUMENTS(DestroyDevice),
    ROW(CreateDevice, ARGUMENT(0, "Interface", 'u'), ARGUMENT(1, "Version", 'u')),
};

/* --- private calls ------------------------------------------------------------------------------------- */

#define PRIVATE(NAME, member, letter) MEMBER(HALCYON_UMD_##NAME, member, letter)
#define PRIVATE_PLACE(NAME, member)                                                                     \
    {                                                                                                   \
        .name = #member, .offset = offsetof(HALCYON_UMD_##NAME, member.hResource), .kind = CALLS_PLACE, \
        .more = offsetof(HALCYON_UMD_##NAME, member.SubResourceIndex)                                   \
    }

FIELDS(INFO_CONTEXT,
       {.name = "Operation",
        .offset = offsetof(HALCYON_UMD_CONTEXT, Operation),
        .kind = CALLS_WORDS,
        .text = "CREATE|SELECT|DESTROY"},
       PRIVATE(CONTEXT, Number, 'u'), PRIVATE(CONTEXT, Level, 'u'), PRIVATE_PLACE(CONTEXT, Target),
       PRIVATE_PLACE(CONTEXT, Depth));
FIELDS(INFO_TOKEN, PRIVATE(TOKEN, Token, CALLS_TOKEN), PRIVATE(TOKEN, Bytes, 'u'), PRIVATE_PLACE(TOKEN, Surfaces[0]),
       PRIVATE_PLACE(TOKEN, Surfaces[1]));
FIELDS(INFO_SAMPLES, PRIVATE_PLACE(SAMPLES, Surface), PRIVATE(SAMPLES, Flags, 'x'), PRIVATE(SAMPLES, Sample, 'u'),
       PRIVATE(SAMPLES, FirstRow, 'u'), PRIVATE(SAMPLES, Rows, 'u'), PRIVATE(SAMPLES, RowBytes, 'u'),
       PRIVATE(SAMPLES, Samples, 'u'), PRIVATE(SAMPLES, Differ, 'u'));
FIELDS(INFO_VERTICES, PRIVATE(VERTICES, Bytes, 'u'), PRIVATE(VERTICES, Flags, 'x'), PRIVATE(VERTICES, First, 'u'),
       PRIVATE(VERTICES, Count, 'u'), PRIVATE(VERTICES, VertexType, 'F'), PRIVATE(VERTICES, VertexSize, 'u'));
FIELDS(INFO_MEMORY, PRIVATE(MEMORY, Total, 'u'), PRIVATE(MEMORY, Free, 'u'));
FIELDS(INFO_BATCH, PRIVATE(BATCH, Stops, 'u'), PRIVATE(BATCH, Result, 'x'), PRIVATE(BATCH, Token, CALLS_TOKEN),
       PRIVATE(BATCH, Place, 'u'));
FIELDS(INFO_HOLD, PRIVATE(HOLD, Hold, 'u'));

#define INFO(NAME)                                                                                       \
    {                                                                                                    \
        HALCYON_DEVINFOID_##NAME, "HALCYON_DEVINFOID_" #NAME, sizeof(HALCYON_UMD_##NAME), of_INFO_##NAME \
    }
const struct calls_info calls_infos[] = {
    INFO(CONTEXT), INFO(TOKEN), INFO(SAMPLES), INFO(VERTICES), INFO(MEMORY), INFO(BATCH), INFO(HOLD), {0},
};
