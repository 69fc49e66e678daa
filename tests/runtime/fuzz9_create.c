/* SPDX-License-Identifier: MIT */
/* Random creations: formats, usages, pools and sizes that fit together, and some that do not. */
#include "tests/runtime/fuzz9.h"

#include "bytecode/bytecode.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

/* --- parameters ------------------------------------------------------------------------------ */

static D3DFORMAT color_format(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8,     D3DFMT_X8R8G8B8,      D3DFMT_R5G6B5,       D3DFMT_A1R5G5B5,
                                        D3DFMT_A2R10G10B10,  D3DFMT_R16F,          D3DFMT_G16R16F,      D3DFMT_R32F,
                                        D3DFMT_A16B16G16R16, D3DFMT_A16B16G16R16F, D3DFMT_A32B32G32R32F};

    return rnd(2) ? formats[rnd(2)] : formats[rnd(COUNT(formats))];
}

static D3DFORMAT depth_format(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_D24S8,
                                        D3DFMT_D16,
                                        D3DFMT_D24X8,
                                        D3DFMT_D32F_LOCKABLE,
                                        D3DFMT_D32,
                                        D3DFMT_D16_LOCKABLE,
                                        (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z')};

    return formats[rnd(COUNT(formats))];
}

static D3DFORMAT any_format(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_DXT1,
                                        D3DFMT_DXT3,
                                        D3DFMT_DXT5,
                                        D3DFMT_L8,
                                        D3DFMT_A8,
                                        D3DFMT_A8L8,
                                        D3DFMT_P8,
                                        D3DFMT_V8U8,
                                        D3DFMT_Q8W8V8U8,
                                        D3DFMT_YUY2,
                                        D3DFMT_UYVY,
                                        (D3DFORMAT)MAKEFOURCC('Y', 'V', '1', '2'),
                                        (D3DFORMAT)MAKEFOURCC('N', 'V', '1', '2'),
                                        D3DFMT_R8G8B8,
                                        D3DFMT_A4R4G4B4,
                                        D3DFMT_R3G3B2,
                                        D3DFMT_A4L4,
                                        D3DFMT_L16,
                                        D3DFMT_X4R4G4B4,
                                        D3DFMT_G16R16,
                                        D3DFMT_L6V5U5,
                                        D3DFMT_UNKNOWN,
                                        (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2'),
                                        (D3DFORMAT)MAKEFOURCC('N', 'U', 'L', 'L'),
                                        (D3DFORMAT)MAKEFOURCC('R', 'E', 'S', 'Z')};

    if (evil() && rnd(4) == 0)
        return (D3DFORMAT)odd_dword();
    return rnd(2) ? color_format() : rnd(6) == 0 ? depth_format() : formats[rnd(COUNT(formats))];
}

static UINT size(void)
{
    static const UINT sizes[] = {1, 2, 4, 8, 16, 32, 64};
    static const UINT bad[] = {0, 3, 100, 2048, 4096, 8192, 16384, 16385, 32768, 0x10000, 0x7fffffff, 0xffffffff};

    if (evil() && rnd(4) == 0)
        return bad[rnd(COUNT(bad))];
    return rnd(4) ? sizes[rnd(COUNT(sizes))] : 1 + rnd(70);
}

/* Lengths near 2^32 become a few bytes where something is added to them in 32 bits. */
static UINT buffer_length(void)
{
    if (rnd(4))
        return 64u << rnd(10);
    return evil() ? (odd_dword() & 0x80ffffff) | (rnd(2) ? 0xffff0000 : 0) : rnd(10000);
}

static D3DPOOL pool(void)
{
    if (evil() && rnd(4) == 0)
        return (D3DPOOL)odd_dword();
    return rnd(2) ? D3DPOOL_DEFAULT : (D3DPOOL)rnd(4);
}

static UINT levels(void)
{
    return evil() ? some(20) : rnd(3) ? rnd(4) : 0;
}

/* Usage and pool of a texture, which mostly go together. */
static DWORD texture_usage(D3DPOOL *of_pool, D3DFORMAT *format)
{
    *of_pool = pool();
    *format = any_format();
    if (evil() && rnd(3) == 0)
        return odd_dword() & ~(DWORD)D3DUSAGE_NONSECURE;
    switch (rnd(7)) {
    case 0:
        *of_pool = D3DPOOL_DEFAULT;
        *format = color_format();
        return D3DUSAGE_RENDERTARGET | (rnd(3) ? 0 : D3DUSAGE_AUTOGENMIPMAP);
    case 1:
        *of_pool = D3DPOOL_DEFAULT;
        *format = depth_format();
        return D3DUSAGE_DEPTHSTENCIL;
    case 2:
        return D3DUSAGE_DYNAMIC;
    case 3:
        return D3DUSAGE_AUTOGENMIPMAP;
    default:
        return 0;
    }
}

/* pSharedHandle: in 9Ex, memory of the program, which must suffice for small resources. */
static HANDLE *shared(HANDLE *place, UINT width, UINT height)
{
    *place = rnd(3) && width <= 256 && height <= 256 ? (HANDLE)(fuzz_memory + 64 * rnd(16)) : NULL;
    return rnd(12) || (*place && (width > 256 || height > 256)) ? NULL : place;
}

/* --- resources ---------------------------------------------------------------------------------- */

static void texture(struct fuzz_device *d)
{
    IDirect3DTexture9 *out = NULL;
    UINT width = size(), height = rnd(2) ? width : size();
    D3DFORMAT format;
    D3DPOOL of_pool;
    DWORD usage = texture_usage(&of_pool, &format);
    HANDLE memory;

    IDirect3DDevice9_CreateTexture(d->iface, width, height, levels(), usage, format, of_pool,
                                   evil() && !rnd(8) ? NULL : &out, shared(&memory, width, height));
    fuzz_take(FUZZ_TEXTURE, out);
}

static void cube(struct fuzz_device *d)
{
    IDirect3DCubeTexture9 *out = NULL;
    D3DFORMAT format;
    D3DPOOL of_pool;
    DWORD usage = texture_usage(&of_pool, &format);
    HANDLE memory;
    UINT edge = size();

    IDirect3DDevice9_CreateCubeTexture(d->iface, edge, levels(), usage, format, of_pool,
                                       evil() && !rnd(8) ? NULL : &out, rnd(20) ? NULL : shared(&memory, edge, edge));
    fuzz_take(FUZZ_CUBE, out);
}

static void volume(struct fuzz_device *d)
{
    IDirect3DVolumeTexture9 *out = NULL;
    D3DFORMAT format;
    D3DPOOL of_pool;
    DWORD usage = texture_usage(&of_pool, &format);
    UINT width = size();

    IDirect3DDevice9_CreateVolumeTexture(d->iface, width, rnd(2) ? width : size(), rnd(4) ? 1 + rnd(8) : size(),
                                         levels(), usage, format, of_pool, evil() && !rnd(8) ? NULL : &out, NULL);
    fuzz_take(FUZZ_VOLUME_TEXTURE, out);
}

static void vertices(struct fuzz_device *d)
{
    static const DWORD usages[] = {0,
                                   D3DUSAGE_DYNAMIC,
                                   D3DUSAGE_WRITEONLY,
                                   D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
                                   D3DUSAGE_SOFTWAREPROCESSING,
                                   D3DUSAGE_POINTS,
                                   D3DUSAGE_NPATCHES,
                                   D3DUSAGE_RTPATCHES};
    IDirect3DVertexBuffer9 *out = NULL;
    UINT length = buffer_length();

    IDirect3DDevice9_CreateVertexBuffer(d->iface, length, evil() ? odd_dword() : usages[rnd(COUNT(usages))],
                                        rnd(2)   ? 0
                                        : evil() ? odd_dword()
                                                 : D3DFVF_XYZ | D3DFVF_TEX1,
                                        pool(), evil() && !rnd(8) ? NULL : &out, NULL);
    fuzz_take(FUZZ_VERTICES, out);
}

static void indices(struct fuzz_device *d)
{
    IDirect3DIndexBuffer9 *out = NULL;
    UINT length = buffer_length();

    IDirect3DDevice9_CreateIndexBuffer(d->iface, length,
                                       rnd(2)   ? 0
                                       : evil() ? odd_dword()
                                                : D3DUSAGE_DYNAMIC,
                                       evil()   ? any_format()
                                       : rnd(2) ? D3DFMT_INDEX16
                                                : D3DFMT_INDEX32,
                                       pool(), evil() && !rnd(8) ? NULL : &out, NULL);
    fuzz_take(FUZZ_INDICES, out);
}

static D3DMULTISAMPLE_TYPE samples(void)
{
    static const D3DMULTISAMPLE_TYPE types[] = {D3DMULTISAMPLE_2_SAMPLES, D3DMULTISAMPLE_4_SAMPLES,
                                                D3DMULTISAMPLE_8_SAMPLES, D3DMULTISAMPLE_NONMASKABLE};

    return rnd(4) ? D3DMULTISAMPLE_NONE : evil() ? (D3DMULTISAMPLE_TYPE)odd_dword() : types[rnd(COUNT(types))];
}

static void target(struct fuzz_device *d)
{
    IDirect3DSurface9 *out = NULL;
    UINT width = size(), height = rnd(2) ? width : size();
    D3DFORMAT format = evil() ? any_format() : color_format();

    if (d->ex && rnd(2))
        IDirect3DDevice9Ex_CreateRenderTargetEx(d->iface, width, height, format, samples(), some(2), rnd(2), &out, NULL,
                                                evil() ? odd_dword() : 0);
    else
        IDirect3DDevice9_CreateRenderTarget(d->iface, width, height, format, samples(), some(2), rnd(2),
                                            evil() && !rnd(8) ? NULL : &out, NULL);
    fuzz_take(FUZZ_SURFACE, out);
}

static void depth(struct fuzz_device *d)
{
    IDirect3DSurface9 *out = NULL;
    UINT width = size(), height = rnd(2) ? width : size();
    D3DFORMAT format = evil() ? any_format() : depth_format();

    if (d->ex && rnd(2))
        IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(d->iface, width, height, format, samples(), some(2), rnd(2),
                                                       &out, NULL, evil() ? odd_dword() : 0);
    else
        IDirect3DDevice9_CreateDepthStencilSurface(d->iface, width, height, format, samples(), some(2), rnd(2),
                                                   evil() && !rnd(8) ? NULL : &out, NULL);
    fuzz_take(FUZZ_SURFACE, out);
}

static void plain(struct fuzz_device *d)
{
    IDirect3DSurface9 *out = NULL;
    UINT width = size(), height = rnd(2) ? width : size();
    HANDLE memory;

    if (d->ex && rnd(3) == 0)
        IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(d->iface, width, height, any_format(), pool(), &out,
                                                         shared(&memory, width, height), evil() ? odd_dword() : 0);
    else
        IDirect3DDevice9_CreateOffscreenPlainSurface(d->iface, width, height, any_format(), pool(),
                                                     evil() && !rnd(8) ? NULL : &out, shared(&memory, width, height));
    fuzz_take(FUZZ_SURFACE, out);
}

/* --- the others ----------------------------------------------------------------------------------- */

static void declaration(struct fuzz_device *d)
{
    D3DVERTEXELEMENT9 elements[70];
    const unsigned count = evil() ? rnd(69) : 1 + rnd(6);
    IDirect3DVertexDeclaration9 *out = NULL;
    unsigned offset = 0;

    for (unsigned i = 0; i < count; i++) {
        elements[i] = (D3DVERTEXELEMENT9){
            (WORD)(rnd(3) ? 0 : some(4)), (WORD)offset, (BYTE)some(17), 0, (BYTE)some(14), (BYTE)rnd(3)};
        if (evil())
            elements[i].Offset = (WORD)rnd32();
        if (evil())
            elements[i].Method = (BYTE)rnd(8);
        offset += 4 * (1 + rnd(4));
    }
    if (rnd(2))
        elements[0] = (D3DVERTEXELEMENT9){
            0, 0, D3DDECLTYPE_FLOAT4, 0, rnd(2) ? D3DDECLUSAGE_POSITIONT : D3DDECLUSAGE_POSITION, 0};
    elements[count] = (D3DVERTEXELEMENT9)D3DDECL_END();
    IDirect3DDevice9_CreateVertexDeclaration(d->iface, evil() && !rnd(8) ? NULL : elements,
                                             evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_DECLARATION, out);
}

static const char *const vertex_texts[] = {
    "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nm4x4 oPos, v0, c0\nmov oT0, v1\nmov oD0, c4\n",
    "vs_2_0\ndcl_position v0\ndef c10, 1, 2, 3, 4\nrep i0\nadd r0, v0, c10\nendrep\nmov oPos, r0\nmov oD0, c10\n",
    "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov r0, c[a0.x + 3]\nmov oPos, v0\nmov oT0, r0\n",
    "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s0\ndcl_position o0\ndcl_texcoord o1\ntexldl r0, v1, s0\nmov o0, "
    "v0\nmov "
    "o1, r0\n",
    "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_color o1\nif b0\nmov o0, v0\nelse\nadd o0, v0, c0\nendif\nmov o1, "
    "c1\n",
};
static const char *const pixel_texts[] = {
    "ps_1_1\ntex t0\nmul r0, t0, v0\n",
    "ps_1_4\ntexld r0, t0\nadd r0, r0, v0\n",
    "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
    "ps_2_0\ndef c0, 1, 0, 0.5, 1\nmov oC0, c0\nmov oC1, c0\n",
    "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndcl_cube s1\ntexld r0, v0, s0\ntexld r1, v0, s1\ndsx r2, r0\nadd r0, r1, "
    "r2\nmov oC0, "
    "r0\n",
    "ps_3_0\ndcl_texcoord v0\nloop aL, i0\nadd r0, r0, v0\nendloop\ntexkill r0\nmov oC0, r0\nmov oDepth, r0.x\n",
};

/* Code followed by so many END tokens that no comment extends beyond them. */
static const DWORD *shader_code(bool pixel)
{
    static uint32_t tokens[40000];
    const char *text = pixel ? pixel_texts[rnd(COUNT(pixel_texts))] : vertex_texts[rnd(COUNT(vertex_texts))];
    size_t count;

    for (unsigned i = 0; i < COUNT(tokens); i++)
        tokens[i] = 0x0000ffff;
    count = shader_assemble(text, tokens, 512, NULL);
    if (!count)
        failed(__FILE__, __LINE__, "does not assemble: %s", text);
    for (unsigned i = evil() ? 1 + rnd(4) : 0; i; i--) {
        uint32_t *token = &tokens[rnd((uint32_t)count)];

        *token = rnd(2) ? *token ^ 1u << rnd(32) : rnd(2) ? tokens[rnd((uint32_t)count)] : odd_dword();
    }
    return evil() && !rnd(8) ? NULL : (const DWORD *)tokens;
}

static void vertex_shader(struct fuzz_device *d)
{
    IDirect3DVertexShader9 *out = NULL;

    IDirect3DDevice9_CreateVertexShader(d->iface, shader_code(evil() && !rnd(4)), evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_VERTEX_SHADER, out);
}

static void pixel_shader(struct fuzz_device *d)
{
    IDirect3DPixelShader9 *out = NULL;

    IDirect3DDevice9_CreatePixelShader(d->iface, shader_code(!evil() || rnd(4)), evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_PIXEL_SHADER, out);
}

static void state_block(struct fuzz_device *d)
{
    IDirect3DStateBlock9 *out = NULL;

    IDirect3DDevice9_CreateStateBlock(d->iface, (D3DSTATEBLOCKTYPE)(1 + some(3)), evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_BLOCK, out);
}

static void begin_block(struct fuzz_device *d)
{
    IDirect3DDevice9_BeginStateBlock(d->iface);
}

static void end_block(struct fuzz_device *d)
{
    IDirect3DStateBlock9 *out = NULL;

    IDirect3DDevice9_EndStateBlock(d->iface, evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_BLOCK, out);
}

static void query(struct fuzz_device *d)
{
    IDirect3DQuery9 *out = NULL;

    IDirect3DDevice9_CreateQuery(d->iface, (D3DQUERYTYPE)(evil() ? odd_dword() : 4 + rnd(16)), rnd(8) ? &out : NULL);
    fuzz_take(FUZZ_QUERY, out);
}

static void chain(struct fuzz_device *d)
{
    D3DPRESENT_PARAMETERS p = fuzz_params();
    IDirect3DSwapChain9 *out = NULL;

    IDirect3DDevice9_CreateAdditionalSwapChain(d->iface, evil() && !rnd(8) ? NULL : &p,
                                               evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_CHAIN, out);
}

const struct fuzz_call fuzz_creations[] = {
    {"CreateTexture", 10, texture},
    {"CreateCubeTexture", 4, cube},
    {"CreateVolumeTexture", 4, volume},
    {"CreateVertexBuffer", 6, vertices},
    {"CreateIndexBuffer", 4, indices},
    {"CreateRenderTarget", 5, target},
    {"CreateDepthStencilSurface", 4, depth},
    {"CreateOffscreenPlainSurface", 5, plain},
    {"CreateVertexDeclaration", 4, declaration},
    {"CreateVertexShader", 4, vertex_shader},
    {"CreatePixelShader", 4, pixel_shader},
    {"CreateStateBlock", 2, state_block},
    {"BeginStateBlock", 1, begin_block},
    {"EndStateBlock", 2, end_block},
    {"CreateQuery", 3, query},
    {"CreateAdditionalSwapChain", 1, chain},
};
const unsigned fuzz_creation_count = COUNT(fuzz_creations);
