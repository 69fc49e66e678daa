/* SPDX-License-Identifier: MIT */
/*
 * DrawPrimitives2 command stream: token numbers and the structures that follow each command header.
 * The structures are the same on 32 and 64 bit (they hold no pointers), little-endian and not
 * aligned inside the stream: copy them out with memcpy. Source: DirectX 8 DDI document;
 * ddk/d3dhal.h of mingw-w64 for numbers; layouts are asserted in ddi/layout.c.
 */
#ifndef HALCYON_D3D_DP2_TOKENS_H
#define HALCYON_D3D_DP2_TOKENS_H

#include "d3d/types.h"

/* The numbers of tokens.def. D3DDP2OP_RESPONSECONTINUE and RESPONSEQUERY go only from the driver to the runtime. */
typedef enum _D3DHAL_DP2OPERATION {
#define TOKEN(number, name, ...) D3DDP2OP_##name = (number),
#include "d3d/tokens.def"
} D3DHAL_DP2OPERATION;

typedef struct _D3DHAL_DP2COMMAND {
    BYTE bCommand;
    BYTE bReserved;
    union {
        WORD wPrimitiveCount;
        WORD wStateCount;
    };
} D3DHAL_DP2COMMAND, *LPD3DHAL_DP2COMMAND;

/* --- DirectX 6 drawing -------------------------------------------------------------- */

typedef struct _D3DHAL_DP2POINTS {
    WORD wCount;
    WORD wVStart;
} D3DHAL_DP2POINTS;

/* The start vertex before the indices of the strip, fan and *2 list tokens. */
typedef struct _D3DHAL_DP2STARTVERTEX {
    WORD wVStart;
} D3DHAL_DP2STARTVERTEX;

typedef D3DHAL_DP2STARTVERTEX D3DHAL_DP2LINELIST, D3DHAL_DP2LINESTRIP, D3DHAL_DP2TRIANGLELIST, D3DHAL_DP2TRIANGLESTRIP,
    D3DHAL_DP2TRIANGLEFAN;

typedef struct _D3DHAL_DP2INDEXEDLINELIST {
    WORD wV1;
    WORD wV2;
} D3DHAL_DP2INDEXEDLINELIST;

typedef struct _D3DHAL_DP2INDEXEDLINESTRIP {
    WORD wV[2];
} D3DHAL_DP2INDEXEDLINESTRIP;

typedef struct _D3DHAL_DP2INDEXEDTRIANGLELIST {
    WORD wV1;
    WORD wV2;
    WORD wV3;
    WORD wFlags; /* D3DTRIFLAG_EDGEENABLE* */
} D3DHAL_DP2INDEXEDTRIANGLELIST;

typedef struct _D3DHAL_DP2INDEXEDTRIANGLELIST2 {
    WORD wV1;
    WORD wV2;
    WORD wV3;
} D3DHAL_DP2INDEXEDTRIANGLELIST2;

typedef struct _D3DHAL_DP2INDEXEDTRIANGLESTRIP {
    WORD wV[3];
} D3DHAL_DP2INDEXEDTRIANGLESTRIP, D3DHAL_DP2INDEXEDTRIANGLEFAN;

typedef struct _D3DHAL_DP2TRIANGLEFAN_IMM {
    DWORD dwEdgeFlags;
} D3DHAL_DP2TRIANGLEFAN_IMM;

/* An entry of D3DDP2OP_SPAN, which runtimes of DirectX 3 call D3DSPAN. */
typedef struct _D3DHAL_DP2SPAN {
    WORD wCount; /* lines */
    WORD wFirst; /* vertex */
} D3DHAL_DP2SPAN;

/* --- DirectX 6 state ---------------------------------------------------------------- */

typedef struct _D3DHAL_DP2RENDERSTATE {
    D3DRENDERSTATETYPE RenderState;
    union {
        float dvState;
        DWORD dwState;
    };
} D3DHAL_DP2RENDERSTATE, *LPD3DHAL_DP2RENDERSTATE;

typedef struct _D3DHAL_DP2TEXTURESTAGESTATE {
    WORD wStage;
    WORD TSState;
    DWORD dwValue;
} D3DHAL_DP2TEXTURESTAGESTATE, *LPD3DHAL_DP2TEXTURESTAGESTATE;

typedef struct _D3DHAL_DP2VIEWPORTINFO {
    DWORD dwX;
    DWORD dwY;
    DWORD dwWidth;
    DWORD dwHeight;
} D3DHAL_DP2VIEWPORTINFO;

typedef struct _D3DHAL_DP2WINFO {
    float dvWNear;
    float dvWFar;
} D3DHAL_DP2WINFO;

typedef struct _D3DHAL_DP2SETPALETTE {
    DWORD dwPaletteHandle;
    DWORD dwPaletteFlags;
    DWORD dwSurfaceHandle;
} D3DHAL_DP2SETPALETTE;

typedef struct _D3DHAL_DP2UPDATEPALETTE {
    DWORD dwPaletteHandle;
    WORD wStartIndex;
    WORD wNumEntries;
    /* PALETTEENTRY[wNumEntries] follow */
} D3DHAL_DP2UPDATEPALETTE;

typedef struct _D3DHAL_DP2SETRENDERTARGET {
    DWORD hRenderTarget;
    DWORD hZBuffer;
} D3DHAL_DP2SETRENDERTARGET;

typedef struct _D3DHAL_DP2CLEAR {
    DWORD dwFlags; /* D3DCLEAR_TARGET 1, ZBUFFER 2, STENCIL 4, COMPUTERECTS 8 */
    DWORD dwFillColor;
    float dvFillDepth;
    DWORD dwFillStencil;
    RECT Rects[1]; /* one rectangle even if the count is 0 */
} D3DHAL_DP2CLEAR;

/* --- DirectX 7 ---------------------------------------------------------------------- */

typedef struct _D3DHAL_DP2ZRANGE {
    float dvMinZ;
    float dvMaxZ;
} D3DHAL_DP2ZRANGE;

typedef D3DMATERIAL8 D3DHAL_DP2SETMATERIAL; /* = D3DMATERIAL7 */

typedef struct _D3DHAL_DP2SETLIGHT {
    DWORD dwIndex;
    DWORD dwDataType; /* D3DHAL_SETLIGHT_*; DATA: a D3DLIGHT8 (= D3DLIGHT7) follows */
} D3DHAL_DP2SETLIGHT;

#define D3DHAL_SETLIGHT_ENABLE  0
#define D3DHAL_SETLIGHT_DISABLE 1
#define D3DHAL_SETLIGHT_DATA    2

typedef struct _D3DHAL_DP2CREATELIGHT {
    DWORD dwIndex;
} D3DHAL_DP2CREATELIGHT;

typedef struct _D3DHAL_DP2SETTRANSFORM {
    D3DTRANSFORMSTATETYPE xfrmType;
    D3DMATRIX matrix;
} D3DHAL_DP2SETTRANSFORM, D3DHAL_DP2MULTIPLYTRANSFORM;

typedef struct _D3DHAL_DP2EXT {
    DWORD dwExtToken;
    DWORD dwSize;
} D3DHAL_DP2EXT;

typedef struct _D3DHAL_DP2TEXBLT {
    DWORD dwDDDestSurface;
    DWORD dwDDSrcSurface;
    POINT pDest;
    RECTL rSrc;
    DWORD dwFlags;
} D3DHAL_DP2TEXBLT;

typedef struct _D3DHAL_DP2STATESET {
    DWORD dwOperation; /* D3DHAL_STATESET* */
    DWORD dwParam;     /* block handle */
    DWORD sbType;      /* 1 all, 2 pixel, 3 vertex; 0 none */
} D3DHAL_DP2STATESET;

#define D3DHAL_STATESETBEGIN   0
#define D3DHAL_STATESETEND     1
#define D3DHAL_STATESETDELETE  2
#define D3DHAL_STATESETEXECUTE 3
#define D3DHAL_STATESETCAPTURE 4
#define D3DHAL_STATESETCREATE  5

typedef struct _D3DHAL_DP2SETPRIORITY {
    DWORD dwDDSurface;
    DWORD dwPriority;
} D3DHAL_DP2SETPRIORITY;

typedef struct _D3DHAL_DP2SETTEXLOD {
    DWORD dwDDSurface;
    DWORD dwLOD;
} D3DHAL_DP2SETTEXLOD;

typedef struct _D3DHAL_DP2SETCLIPPLANE {
    DWORD dwIndex;
    float plane[4];
} D3DHAL_DP2SETCLIPPLANE;

/* --- DirectX 8 ---------------------------------------------------------------------- */

typedef struct _D3DHAL_DP2CREATEVERTEXSHADER {
    DWORD dwHandle;
    DWORD dwDeclSize; /* bytes; the declaration follows, then the code */
    DWORD dwCodeSize;
} D3DHAL_DP2CREATEVERTEXSHADER;

typedef struct _D3DHAL_DP2VERTEXSHADER {
    DWORD dwHandle;
} D3DHAL_DP2VERTEXSHADER, D3DHAL_DP2PIXELSHADER;

typedef struct _D3DHAL_DP2SETVERTEXSHADERCONST {
    DWORD dwRegister;
    DWORD dwCount; /* vectors of four values; they follow */
} D3DHAL_DP2SETVERTEXSHADERCONST, D3DHAL_DP2SETPIXELSHADERCONST;

typedef struct _D3DHAL_DP2SETSTREAMSOURCE {
    DWORD dwStream;
    DWORD dwVBHandle;
    DWORD dwStride;
} D3DHAL_DP2SETSTREAMSOURCE;

typedef struct _D3DHAL_DP2SETSTREAMSOURCEUM {
    DWORD dwStream;
    DWORD dwStride;
} D3DHAL_DP2SETSTREAMSOURCEUM;

typedef struct _D3DHAL_DP2SETINDICES {
    DWORD dwVBHandle;
    DWORD dwStride; /* 2 or 4 */
} D3DHAL_DP2SETINDICES;

typedef struct _D3DHAL_DP2DRAWPRIMITIVE {
    D3DPRIMITIVETYPE primType;
    DWORD VStart;
    DWORD PrimitiveCount;
} D3DHAL_DP2DRAWPRIMITIVE;

typedef struct _D3DHAL_DP2DRAWINDEXEDPRIMITIVE {
    D3DPRIMITIVETYPE primType;
    INT BaseVertexIndex; /* unsigned up to DirectX 8.1 */
    DWORD MinIndex;
    DWORD NumVertices;
    DWORD StartIndex;
    DWORD PrimitiveCount;
} D3DHAL_DP2DRAWINDEXEDPRIMITIVE;

typedef struct _D3DHAL_DP2CREATEPIXELSHADER {
    DWORD dwHandle;
    DWORD dwCodeSize; /* bytes; they follow */
} D3DHAL_DP2CREATEPIXELSHADER;

typedef struct _D3DHAL_CLIPPEDTRIANGLEFAN {
    DWORD FirstVertexOffset; /* bytes into stream 0 */
    DWORD dwEdgeFlags;
    DWORD PrimitiveCount;
} D3DHAL_CLIPPEDTRIANGLEFAN;

typedef struct _D3DHAL_DP2DRAWPRIMITIVE2 {
    D3DPRIMITIVETYPE primType;
    DWORD FirstVertexOffset; /* bytes */
    DWORD PrimitiveCount;
} D3DHAL_DP2DRAWPRIMITIVE2;

typedef struct _D3DHAL_DP2DRAWINDEXEDPRIMITIVE2 {
    D3DPRIMITIVETYPE primType;
    INT BaseVertexOffset; /* bytes */
    DWORD MinIndex;
    DWORD NumVertices;
    DWORD StartIndexOffset; /* bytes */
    DWORD PrimitiveCount;
} D3DHAL_DP2DRAWINDEXEDPRIMITIVE2;

typedef struct _D3DHAL_DP2DRAWRECTPATCH {
    DWORD Handle;
    DWORD Flags; /* RTPATCHFLAG_*: segments, then D3DRECTPATCH_INFO follow */
} D3DHAL_DP2DRAWRECTPATCH;

typedef struct _D3DHAL_DP2DRAWTRIPATCH {
    DWORD Handle;
    DWORD Flags;
} D3DHAL_DP2DRAWTRIPATCH;

#define RTPATCHFLAG_HASSEGS 1
#define RTPATCHFLAG_HASINFO 2

typedef struct _D3DHAL_DP2VOLUMEBLT {
    DWORD dwDDDestSurface;
    DWORD dwDDSrcSurface;
    DWORD dwDestX;
    DWORD dwDestY;
    DWORD dwDestZ;
    D3DBOX srcBox;
    DWORD dwFlags;
} D3DHAL_DP2VOLUMEBLT;

typedef struct _D3DHAL_DP2BUFFERBLT {
    DWORD dwDDDestSurface;
    DWORD dwDDSrcSurface;
    DWORD dwOffset; /* bytes in the destination */
    D3DRANGE rSrc;
    DWORD dwFlags;
} D3DHAL_DP2BUFFERBLT;

typedef struct _D3DHAL_DP2ADDDIRTYRECT {
    DWORD dwSurface;
    RECTL rDirtyArea;
} D3DHAL_DP2ADDDIRTYRECT;

typedef struct _D3DHAL_DP2ADDDIRTYBOX {
    DWORD dwSurface;
    D3DBOX DirtyBox;
} D3DHAL_DP2ADDDIRTYBOX;

/* --- DirectX 9 ---------------------------------------------------------------------- */

typedef struct _D3DHAL_DP2CREATEVERTEXSHADERDECL {
    DWORD dwHandle;
    DWORD dwNumVertexElements; /* D3DDDIVERTEXELEMENT follow */
} D3DHAL_DP2CREATEVERTEXSHADERDECL;

/* D3DVERTEXELEMENT9, under the name that Vista's driver interface has for it: the headers of Direct3D 8 lack the
 * structure. */
typedef struct _D3DDDIVERTEXELEMENT {
    WORD Stream;
    WORD Offset; /* bytes */
    BYTE Type;
    BYTE Method;
    BYTE Usage;
    BYTE UsageIndex;
} D3DDDIVERTEXELEMENT;

typedef struct _D3DHAL_DP2CREATEVERTEXSHADERFUNC {
    DWORD dwHandle;
    DWORD dwSize; /* bytes of code; they follow */
} D3DHAL_DP2CREATEVERTEXSHADERFUNC;

typedef D3DHAL_DP2VERTEXSHADER D3DHAL_DP2VERTEXSHADERDECL, D3DHAL_DP2VERTEXSHADERFUNC;
typedef D3DHAL_DP2SETVERTEXSHADERCONST D3DHAL_DP2SETVERTEXSHADERCONSTI, D3DHAL_DP2SETVERTEXSHADERCONSTB,
    D3DHAL_DP2SETPIXELSHADERCONSTI, D3DHAL_DP2SETPIXELSHADERCONSTB;

typedef RECT D3DHAL_DP2SETSCISSORRECT;

typedef struct _D3DHAL_DP2SETSTREAMSOURCE2 {
    DWORD dwStream;
    DWORD dwVBHandle;
    DWORD dwOffset; /* bytes */
    DWORD dwStride;
} D3DHAL_DP2SETSTREAMSOURCE2;

typedef struct _D3DHAL_DP2BLT {
    DWORD dwSource;
    RECTL rSource;
    DWORD dwSourceMipLevel;
    DWORD dwDest;
    RECTL rDest;
    DWORD dwDestMipLevel;
    DWORD Flags; /* DP2BLT_* */
} D3DHAL_DP2BLT, D3DHAL_DP2SURFACEBLT;

#define DP2BLT_POINT  0x00000001
#define DP2BLT_LINEAR 0x00000002

typedef struct _D3DHAL_DP2COLORFILL {
    DWORD dwSurface;
    RECTL rRect;
    D3DCOLOR Color;
} D3DHAL_DP2COLORFILL;

typedef struct _D3DHAL_DP2CREATEQUERY {
    DWORD dwQueryID;
    DWORD QueryType; /* D3DQUERYTYPE */
} D3DHAL_DP2CREATEQUERY;

typedef struct _D3DHAL_DP2DELETEQUERY {
    DWORD dwQueryID;
} D3DHAL_DP2DELETEQUERY;

typedef struct _D3DHAL_DP2ISSUEQUERY {
    DWORD dwQueryID;
    DWORD dwFlags; /* D3DISSUE_END 1, D3DISSUE_BEGIN 2 */
} D3DHAL_DP2ISSUEQUERY;

typedef struct _D3DHAL_DP2SETRENDERTARGET2 {
    DWORD RTIndex;
    DWORD hRenderTarget;
} D3DHAL_DP2SETRENDERTARGET2;

typedef struct _D3DHAL_DP2SETDEPTHSTENCIL {
    DWORD hZBuffer;
} D3DHAL_DP2SETDEPTHSTENCIL;

typedef struct _D3DHAL_DP2GENERATEMIPSUBLEVELS {
    DWORD hSurface;
    DWORD Filter;
} D3DHAL_DP2GENERATEMIPSUBLEVELS;

typedef struct _D3DHAL_DP2SETSTREAMSOURCEFREQ {
    DWORD dwStream;
    DWORD dwDivider;
} D3DHAL_DP2SETSTREAMSOURCEFREQ;

typedef struct _D3DHAL_DP2SETCONVOLUTIONKERNELMONO {
    DWORD dwNumRows;
    DWORD dwNumCols;
    DWORD dwFlags; /* D3DHAL_ROW_WEIGHTS, D3DHAL_COL_WEIGHTS */
} D3DHAL_DP2SETCONVOLUTIONKERNELMONO;

typedef struct _D3DHAL_DP2COMPOSERECTS {
    DWORD hSrcSurfHandle;
    DWORD hDstSurfHandle;
    DWORD hSrcRectDescsVB;
    UINT NumRects;
    DWORD hDstRectDescsVB;
    DWORD Operation;
    INT XOffset;
    INT YOffset;
} D3DHAL_DP2COMPOSERECTS;

/* The driver writes this header over the command buffer when queries have answers. */
typedef struct _D3DHAL_DP2RESPONSE {
    BYTE bCommand; /* D3DDP2OP_RESPONSE* */
    BYTE bReserved;
    WORD wStateCount;
    DWORD dwTotalSize; /* bytes, with this header */
} D3DHAL_DP2RESPONSE;

typedef struct _D3DHAL_DP2RESPONSEQUERY {
    DWORD dwQueryID;
    DWORD dwSize; /* bytes of data that follow */
} D3DHAL_DP2RESPONSEQUERY;

#endif
