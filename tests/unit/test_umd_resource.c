/* SPDX-License-Identifier: MIT */
/*
 * Resources of the WDDM interface: sub-resources, locks with their flags, copies between all kinds of memory, presents, allocations,
 * queries. Copies are compared with those of the first face.
 */
#include "tests/random.h"
#include "tests/unit/umd_twin.h"

enum { READ_ONLY = 1, WRITE_ONLY = 2, NO_OVERWRITE = 4, DISCARD = 8, RANGE = 16, AREA = 32, BOX = 64, NOTIFY = 128 };

static uint8_t random_byte(void)
{
    return (uint8_t)random_word();
}

static int set_up(void **state)
{
    (void)state;
    twin_open();
    random_seed = 7;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    twin_close();
    return 0;
}

static D3DDDI_RESOURCEFLAGS texture_flags(void)
{
    D3DDDI_RESOURCEFLAGS flags = {.Value = 0};

    flags.Texture = TRUE;
    return flags;
}

/* --- locks ------------------------------------------------------------------------------------------ */

/* A part of a sub-resource begins where its texel is; wild areas stay inside. */
static void test_places_of_locks(void **state)
{
    D3DDDI_RESOURCEFLAGS volume_flags = texture_flags();
    const HANDLE texture = umd_rt_create(D3DFMT_A8R8G8B8, texture_flags(), 16, 8, 0, 2);
    const HANDLE packed = umd_rt_create(D3DFMT_DXT1, texture_flags(), 16, 16, 0, 1);
    const HANDLE buffer = umd_rt_buffer(false, 100);
    const struct {
        RECT area;
        long x, y;
    } areas[] = {
        {{3, 2, 5, 4}, 3, 2}, {{-7, -1, 5, 4}, 0, 0}, {{15, 7, 16, 8}, 15, 7}, {{0x7FFFFFFF, 0x7FFFFFFF, 1, 1}, 15, 7}};
    UINT pitch, slice;
    uint8_t *base;

    (void)state;
    volume_flags.Volume = TRUE;
    const HANDLE volume = umd_rt_create(D3DFMT_A8R8G8B8, volume_flags, 4, 4, 4, 1);

    base = umd_rt_lock_part(texture, 0, 0, &pitch, NULL);
    for (unsigned i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
        D3DDDIARG_LOCK lock = {.hResource = texture, .Area = areas[i].area};

        lock.Flags.Value = AREA;
        assert_int_equal(umd_f.pfnLock(umd_rt.device, &lock), S_OK); /* inside the first lock */
        assert_ptr_equal(lock.pSurfData, base + areas[i].y * (long)pitch + areas[i].x * 4);
        umd_rt_unlock_part(texture, 0);
    }
    umd_rt_unlock_part(texture, 0);

    base = umd_rt_lock_part(packed, 0, 0, &pitch, NULL);
    D3DDDIARG_LOCK block = {.hResource = packed, .Area = {8, 4, 12, 8}};
    block.Flags.Value = AREA;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &block), S_OK);
    assert_ptr_equal(block.pSurfData, base + pitch + 2 * 8);
    umd_rt_unlock_part(packed, 0);
    umd_rt_unlock_part(packed, 0);

    base = umd_rt_lock_part(volume, 0, 0, &pitch, &slice);
    D3DDDIARG_LOCK box = {.hResource = volume, .Box = {1, 2, 3, 4, 3, 4}};
    box.Flags.Value = BOX;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &box), S_OK);
    assert_ptr_equal(box.pSurfData, base + 3 * slice + 2 * pitch + 4);
    umd_rt_unlock_part(volume, 0);
    umd_rt_unlock_part(volume, 0);

    base = umd_rt_lock_part(buffer, 0, NO_OVERWRITE, NULL, NULL);
    D3DDDIARG_LOCK range = {.hResource = buffer, .Range = {40, 10}};
    range.Flags.Value = RANGE;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &range), S_OK);
    assert_ptr_equal(range.pSurfData, base + 40);
    range.Range.Offset = 0xFFFFFFFF;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &range), S_OK);
    assert_ptr_equal(range.pSurfData, base + 99);
    for (unsigned i = 0; i < 3; i++)
        umd_rt_unlock_part(buffer, 0);
}

static void test_flags_of_locks(void **state)
{
    static const struct {
        UINT flags;
        HRESULT result;
    } rows[] = {
        {0, S_OK},
        {READ_ONLY, S_OK},
        {WRITE_ONLY, S_OK},
        {NO_OVERWRITE, S_OK},
        {DISCARD, S_OK},
        {READ_ONLY | WRITE_ONLY, E_FAIL},
        {READ_ONLY | DISCARD, E_FAIL},
        {NO_OVERWRITE | DISCARD, E_FAIL},
        {AREA | BOX, E_FAIL},
        {AREA | RANGE, E_FAIL},
        {RANGE | BOX, E_FAIL},
        {NOTIFY, S_OK},
        {512 /* DoNotWait */, S_OK},
    };
    const HANDLE texture = umd_rt_create(D3DFMT_A8R8G8B8, texture_flags(), 16, 8, 0, 2);
    D3DDDIARG_UNLOCK unlock = {.hResource = texture, .SubResourceIndex = 1};

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        D3DDDIARG_LOCK lock = {.hResource = texture, .SubResourceIndex = 1, .pSurfData = UMD_POISON};

        lock.Flags.Value = rows[i].flags;
        assert_int_equal(umd_f.pfnLock(umd_rt.device, &lock), rows[i].result);
        assert_int_equal(lock.pSurfData == UMD_POISON, rows[i].result != S_OK || rows[i].flags == NOTIFY);
        assert_int_equal(umd_f.pfnUnlock(umd_rt.device, &unlock), rows[i].result == S_OK ? S_OK : E_INVALIDARG);
        assert_int_equal(umd_f.pfnUnlock(umd_rt.device, &unlock), E_INVALIDARG);
    }
    unlock.SubResourceIndex = 2;
    assert_int_equal(umd_f.pfnUnlock(umd_rt.device, &unlock), E_FAIL);
}

/* A resource that is destroyed while it is locked, and one that its device takes along. */
static void test_forgotten_locks(void **state)
{
    const HANDLE texture = umd_rt_create(D3DFMT_A8R8G8B8, texture_flags(), 16, 8, 0, 1);
    const HANDLE other = umd_rt_create(D3DFMT_A8R8G8B8, texture_flags(), 16, 8, 0, 1);

    (void)state;
    umd_rt_lock_part(texture, 0, 0, NULL, NULL);
    umd_rt_lock_part(texture, 0, 0, NULL, NULL);
    umd_rt_lock_part(other, 0, 0, NULL, NULL);
    assert_int_equal(umd_f.pfnDestroyResource(umd_rt.device, texture), S_OK);
    assert_int_equal(umd_f.pfnDestroyResource(umd_rt.device, texture), E_FAIL);
}

/* --- copies -------------------------------------------------------------------------------------------- */

#define TWO_HANDLES(to, from) .hDstResource = twin.resources[to].handle, .hSrcResource = twin.resources[from].handle

static void test_texture_copies(void **state)
{
    const unsigned system = twin_create(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 16, 16, 1, 5, 0);
    const unsigned video = twin_create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 16, 1, 5, 0);
    const RECT whole = {0, 0, 16, 16}, some = {2, 4, 10, 9};
    const D3DDDIARG_TEXBLT args[] = {
        {TWO_HANDLES(video, system), .SrcRect = whole},
        {TWO_HANDLES(video, system), .DstPoint = {4, 6}, .SrcRect = some},
    };

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        twin_fill(system, i, 0, random_byte);
    for (unsigned i = 0; i < 2; i++) {
        D3DHAL_DP2TEXBLT entry = {.dwDDDestSurface = twin_number(video, 0),
                                  .dwDDSrcSurface = twin_number(system, 0),
                                  .pDest = args[i].DstPoint};

        memcpy(&entry.rSrc, &args[i].SrcRect, sizeof(entry.rSrc));
        twin_token(D3DDP2OP_TEXBLT, &entry, sizeof(entry));
        TWIN_CALL(TexBlt, &args[i]);
        assert_true(twin_compare(video));
    }
}

/* One face gets the texels that all faces would get, and the others keep theirs. */
static void test_face_copies(void **state)
{
    const uint32_t usage = CLIENT_TEXTURE | CLIENT_CUBE;
    const unsigned system = twin_create(usage | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 8, 8, 1, 4, 0);
    const unsigned video = twin_create(usage, D3DFMT_A8R8G8B8, 8, 8, 1, 4, 0);
    const unsigned all = twin_create(usage, D3DFMT_A8R8G8B8, 8, 8, 1, 4, 0);
    const RECT rect = {1, 0, 7, 8};
    D3DDDIARG_TEXBLT args = {TWO_HANDLES(all, system), .CubeMapFace = 0xFFFFFFFF, .DstPoint = {1, 0}, .SrcRect = rect};
    D3DHAL_DP2TEXBLT entry = {
        .dwDDDestSurface = twin_number(all, 0), .dwDDSrcSurface = twin_number(system, 0), .pDest = {1, 0}};

    (void)state;
    for (unsigned i = 0; i < 24; i++)
        twin_fill(system, i, 0, random_byte);
    memcpy(&entry.rSrc, &rect, sizeof(rect));
    twin_token(D3DDP2OP_TEXBLT, &entry, sizeof(entry));
    TWIN_CALL(TexBlt, &args);
    assert_true(twin_compare(all));
    args.hDstResource = twin.resources[video].handle;
    for (unsigned face = 0; face < 6; face++) {
        args.CubeMapFace = face;
        TWIN_CALL(TexBlt, &args);
    }
    for (unsigned i = 0; i < 24; i++) {
        const unsigned side = 8 >> i % 4;
        UINT pitch, other;
        const uint8_t *a = umd_rt_lock_part(twin.resources[all].handle, i, READ_ONLY, &pitch, NULL);
        const uint8_t *b = umd_rt_lock_part(twin.resources[video].handle, i, READ_ONLY, &other, NULL);

        assert_int_equal(pitch, other);
        for (unsigned y = 0; y < side; y++)
            assert_memory_equal(a + y * pitch, b + y * pitch, side * 4);
        umd_rt_unlock_part(twin.resources[all].handle, i);
        umd_rt_unlock_part(twin.resources[video].handle, i);
    }
    args.CubeMapFace = 6;
    assert_int_equal(umd_f.pfnTexBlt(umd_rt.device, &args), E_FAIL);
}

static void test_volume_and_buffer_copies(void **state)
{
    const uint32_t usage = CLIENT_TEXTURE | CLIENT_VOLUME;
    const unsigned system = twin_create(usage | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 8, 8, 8, 2, 0);
    const unsigned video = twin_create(usage, D3DFMT_A8R8G8B8, 8, 8, 8, 2, 0);
    const unsigned a = twin_create(CLIENT_VERTEX_BUFFER, 0, 256, 1, 1, 1, 0);
    const unsigned b = twin_create(CLIENT_VERTEX_BUFFER, 0, 256, 1, 1, 1, 0);
    const D3DDDIARG_VOLUMEBLT volume = {TWO_HANDLES(video, system), .DstX = 2, .DstY = 0, .DstZ = 4,
                                        .SrcBox = {0, 2, 6, 8, 4, 8}};
    const D3DHAL_DP2VOLUMEBLT volume_entry = {.dwDDDestSurface = twin_number(video, 0),
                                              .dwDDSrcSurface = twin_number(system, 0),
                                              .dwDestX = 2,
                                              .dwDestZ = 4,
                                              .srcBox = {0, 2, 6, 8, 4, 8}};
    const D3DDDIARG_BUFFERBLT buffer = {TWO_HANDLES(b, a), .Offset = 100, .SrcRange = {30, 77}};
    const D3DHAL_DP2BUFFERBLT buffer_entry = {
        .dwDDDestSurface = twin_number(b, 0), .dwDDSrcSurface = twin_number(a, 0), .dwOffset = 100, .rSrc = {30, 77}};

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        twin_fill(system, i, 0, random_byte);
    twin_token(D3DDP2OP_VOLUMEBLT, &volume_entry, sizeof(volume_entry));
    TWIN_CALL(VolBlt, &volume);
    assert_true(twin_compare(video));
    twin_fill(a, 0, DISCARD, random_byte);
    twin_token(D3DDP2OP_BUFFERBLT, &buffer_entry, sizeof(buffer_entry));
    TWIN_CALL(BufBlt, &buffer);
    assert_true(twin_compare(b));
}

static void test_surface_copies(void **state)
{
    const unsigned system = twin_create(CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 20, 20, 1, 1, 0);
    const unsigned back = twin_create(CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 20, 20, 1, 1, 0);
    const unsigned target = twin_create(CLIENT_TARGET, D3DFMT_A8R8G8B8, 20, 20, 1, 1, 0);
    const unsigned other = twin_create(CLIENT_TARGET, D3DFMT_R5G6B5, 20, 20, 1, 1, 0);
    const RECT whole = {0, 0, 20, 20}, half = {0, 0, 10, 10}, mid = {5, 5, 15, 15};
    D3DHAL_DP2BLT entry = {.dwSource = twin_number(system, 0), .dwDest = twin_number(target, 0)};
    D3DDDIARG_BLT args = {TWO_HANDLES(target, system), .SrcRect = half, .DstRect = mid};
    const D3DDDIARG_DEPTHFILL fill = {.hResource = twin.resources[target].handle, .DstRect = whole};

    (void)state;
    twin_fill(system, 0, 0, random_byte);
    memcpy(&entry.rSource, &half, sizeof(half));
    memcpy(&entry.rDest, &mid, sizeof(mid));
    twin_token(D3DDP2OP_SURFACEBLT, &entry, sizeof(entry));
    TWIN_CALL(Blt, &args);
    assert_true(twin_compare(target));
    twin_blt(other, 0, whole, target, 0, mid, true);
    assert_true(twin_compare(other));
    twin_blt(target, 0, half, other, 0, whole, false);
    twin_color_fill(target, 0, mid, 0x80402010);
    assert_true(twin_compare(target));
    /* into system memory */
    twin_flush();
    assert_int_equal(client_blt(client_part(twin.resources[back].chain, 0), &whole,
                                client_part(twin.resources[target].chain, 0), &whole, 0),
                     DD_OK);
    args = (D3DDDIARG_BLT){TWO_HANDLES(back, target), .SrcRect = whole, .DstRect = whole};
    TWIN_CALL(Blt, &args);
    assert_true(twin_compare(back));
    /* system memory to system memory is the runtime's task */
    args = (D3DDDIARG_BLT){TWO_HANDLES(back, system), .SrcRect = whole, .DstRect = whole};
    TWIN_CALL(Blt, &args);
    assert_true(twin_compare(back));
    assert_int_equal(umd_f.pfnDepthFill(umd_rt.device, &fill), E_FAIL);
    args.Flags.SrcColorKey = args.Flags.DstColorKey = TRUE;
    assert_int_equal(umd_f.pfnBlt(umd_rt.device, &args), E_FAIL);
    args.Flags.Value = 0;
    args.Flags.LinearToSrgb = TRUE;
    assert_int_equal(umd_f.pfnBlt(umd_rt.device, &args), E_NOTIMPL);
}

static void test_color_keys(void **state)
{
    const unsigned from = twin_create(0, D3DFMT_A8R8G8B8, 8, 8, 1, 1, 0);
    const unsigned to = twin_create(0, D3DFMT_A8R8G8B8, 8, 8, 1, 1, 0);
    const RECT whole = {0, 0, 8, 8}, some = {2, 2, 6, 6};
    const uint32_t key = 0x11223344;
    D3DDDIARG_BLT args = {TWO_HANDLES(to, from), .SrcRect = whole, .DstRect = whole, .ColorKey = key};

    (void)state;
    twin_fill(from, 0, 0, random_byte);
    twin_fill(to, 0, 0, random_byte);
    twin_color_fill(from, 0, some, key);
    twin_flush();
    assert_int_equal(client_blt_keyed(client_part(twin.resources[to].chain, 0), &whole,
                                      client_part(twin.resources[from].chain, 0), &whole, 0, &key, NULL),
                     DD_OK);
    args.Flags.SrcColorKey = TRUE;
    TWIN_CALL(Blt, &args);
    assert_true(twin_compare(to));
}

static void test_mirrors(void **state)
{
    const unsigned from = twin_create(0, D3DFMT_A8R8G8B8, 8, 8, 1, 1, 0);
    const unsigned to = twin_create(0, D3DFMT_A8R8G8B8, 16, 8, 1, 1, 0);
    const RECT taken = {1, 2, 7, 8}, given = {2, 1, 14, 7};
    D3DDDIARG_BLT args = {TWO_HANDLES(to, from), .SrcRect = taken, .DstRect = given};

    (void)state;
    for (unsigned how = 1; how < 4; how++) {
        const struct client_blt_effects effects = {.mirror = (how & 1 ? DDBLTFX_MIRRORLEFTRIGHT : 0) |
                                                             (how & 2 ? DDBLTFX_MIRRORUPDOWN : 0)};

        twin_fill(from, 0, 0, random_byte);
        twin_fill(to, 0, 0, random_byte);
        twin_flush();
        assert_int_equal(client_blt_with(client_part(twin.resources[to].chain, 0), &given,
                                         client_part(twin.resources[from].chain, 0), &taken, &effects),
                         DD_OK);
        args.Flags.MirrorLeftRight = how & 1;
        args.Flags.MirrorUpDown = how >> 1;
        TWIN_CALL(Blt, &args);
        assert_true(twin_compare(to));
    }
}

/* Depth in the bits of its format. */
static void test_depth_fill(void **state)
{
    const unsigned depth = twin_create(CLIENT_DEPTH, D3DFMT_D16, 16, 16, 1, 1, 0);
    const RECT some = {3, 3, 9, 12};
    const D3DDDIARG_DEPTHFILL args = {.hResource = twin.resources[depth].handle, .DstRect = some, .Depth = 0x1234};

    (void)state;
    twin_flush();
    assert_int_equal(client_fill_depth(client_part(twin.resources[depth].chain, 0), &some, 0x1234), DD_OK);
    TWIN_CALL(DepthFill, &args);
    assert_true(twin_compare(depth));
}

/* The runtime counts one level of a texture whose others the driver makes. */
static void test_generated_levels(void **state)
{
    D3DDDI_RESOURCEFLAGS flags = texture_flags();
    const unsigned plain = twin_create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 8, 1, 5, 0);
    const D3DHAL_DP2GENERATEMIPSUBLEVELS entry = {twin_number(plain, 0), D3DTEXF_LINEAR};
    D3DDDIARG_GENERATEMIPSUBLEVELS args = {twin.resources[plain].handle, D3DTEXF_LINEAR};
    D3DDDIARG_LOCK lock = {.SubResourceIndex = 1};
    HANDLE autogen;

    (void)state;
    twin_fill(plain, 0, 0, random_byte);
    twin_token(D3DDP2OP_GENERATEMIPSUBLEVELS, &entry, sizeof(entry));
    TWIN_CALL(GenerateMipSubLevels, &args);
    assert_true(twin_compare(plain));
    flags.AutogenMipmap = flags.RenderTarget = TRUE;
    autogen = umd_rt_create(D3DFMT_A8R8G8B8, flags, 16, 8, 0, 1);
    assert_non_null(autogen);
    lock.hResource = autogen;
    assert_int_equal(umd_f.pfnLock(umd_rt.device, &lock), E_FAIL);
    args.hResource = autogen;
    TWIN_CALL(GenerateMipSubLevels, &args);
    assert_null(umd_rt_create(D3DFMT_A8R8G8B8, flags, 16, 8, 0, 5));
}

/* --- what is shown ------------------------------------------------------------------------------------------ */

static HANDLE create_primary(bool shared, UINT count)
{
    D3DDDI_SURFACEINFO surfaces[4] = {
        {16, 8, 1, NULL, 0, 0}, {16, 8, 1, NULL, 0, 0}, {16, 8, 1, NULL, 0, 0}, {16, 8, 1, NULL, 0, 0}};
    D3DDDIARG_CREATERESOURCE create = {.Format = D3DFMT_X8R8G8B8,
                                       .Pool = D3DDDIPOOL_VIDEOMEMORY,
                                       .pSurfList = surfaces,
                                       .SurfCount = count,
                                       .hResource = (HANDLE)(uintptr_t)0x7777};

    create.Flags.RenderTarget = create.Flags.Primary = TRUE;
    create.Flags.SharedResource = shared;
    return SUCCEEDED(umd_f.pfnCreateResource(umd_rt.device, &create)) ? create.hResource : NULL;
}

static void test_present(void **state)
{
    const HANDLE primary = create_primary(false, 3), back = create_primary(true, 1);
    const D3DKMT_HANDLE first = umd_rt.next_allocation - 3;
    D3DDDIARG_PRESENT present = {.hSrcResource = primary, .SrcSubResourceIndex = 1};
    D3DDDIARG_COLORFILL fill = {
        .hResource = primary, .SubResourceIndex = 1, .DstRect = {0, 0, 16, 8}, .Color = 0xff123456};
    const D3DDDIARG_SETDISPLAYMODE mode = {primary, 0};
    const D3DDDIARG_SETPRIORITY priority = {primary, 5};
    uint32_t word;

    (void)state;
    assert_int_equal(umd_rt.allocated, 2);
    assert_int_equal(umd_rt.last_allocation.Width, 16);
    TWIN_CALL(ColorFill, &fill);
    present.Flags.Flip = TRUE;
    TWIN_CALL(Present, &present);
    assert_int_equal(umd_rt.last_present.hSrcAllocation, first + 1);
    assert_int_equal(umd_rt.last_present.hDstAllocation, 0);
    present.hDstResource = back;
    present.Flags.Value = 1;
    TWIN_CALL(Present, &present);
    assert_int_equal(umd_rt.last_present.hDstAllocation, first + 3);
    /* the runtime reads the pixels where the allocation says */
    memcpy(&word, (const void *)(uintptr_t)umd_rt.last_allocation.Address, sizeof(word));
    assert_int_equal(word & 0xFFFFFF, 0x123456);
    assert_int_equal(umd_rt.presents, 2);
    umd_rt.answer = (HRESULT)0x88760870; /* D3DERR_DEVICEREMOVED comes back as it is */
    assert_int_equal(umd_f.pfnPresent(umd_rt.device, &present), (HRESULT)0x88760870);
    assert_null(create_primary(false, 1));
    umd_rt.answer = S_OK;
    present.SrcSubResourceIndex = 3;
    assert_int_equal(umd_f.pfnPresent(umd_rt.device, &present), E_FAIL);
    present.SrcSubResourceIndex = 0;
    present.FlipInterval = (D3DDDI_FLIPINTERVAL_TYPE)5;
    assert_int_equal(umd_f.pfnPresent(umd_rt.device, &present), E_FAIL);
    TWIN_CALL(SetDisplayMode, &mode);
    TWIN_CALL(SetPriority, &priority);
    assert_int_equal(umd_rt.modes, 1);
    assert_int_equal(umd_rt.priorities, 3);
}

/* Samples are resolved where the runtime reads. */
static void test_present_of_samples(void **state)
{
    const unsigned target = twin_create(CLIENT_TARGET, D3DFMT_X8R8G8B8, 16, 8, 1, 1, 4);
    const D3DDDIARG_PRESENT present = {.hSrcResource = twin.resources[target].handle};
    uint32_t word;

    (void)state;
    twin_target(0, (int)target, 0);
    twin_viewport(0, 0, 16, 8);
    twin_clear(D3DCLEAR_TARGET, 0xff654321, 0, 0, 0, NULL);
    TWIN_CALL(Present, &present);
    assert_int_equal(umd_rt.last_present.hSrcAllocation, umd_rt.next_allocation);
    memcpy(&word, (const void *)(uintptr_t)umd_rt.last_allocation.Address, sizeof(word));
    assert_int_equal(word & 0xFFFFFF, 0x654321);
}

/* An allocation of another maker: its memory comes from the runtime, never from the private data. */
static void test_opened_resource(void **state)
{
    const unsigned target = twin_create(CLIENT_TARGET, D3DFMT_X8R8G8B8, 16, 8, 1, 1, 0);
    HALCYON_ALLOCATION description = {1, 16, 8, D3DFMT_X8R8G8B8, 80, 0, 0xDEADBEEF};
    D3DDDI_OPENALLOCATIONINFO info = {9, &description, sizeof(description)};
    D3DDDIARG_OPENRESOURCE open = {.NumAllocations = 1, .pOpenAllocationInfo = &info};
    const RECT whole = {0, 0, 16, 8};
    uint8_t memory[80 * 8] = {0};
    D3DDDIARG_BLT blt = {.hSrcResource = twin.resources[target].handle, .SrcRect = whole, .DstRect = whole};
    D3DDDIARG_PRESENT present = {.hSrcResource = twin.resources[target].handle};

    (void)state;
    umd_rt.lock_memory = memory;
    twin_color_fill(target, 0, whole, 0xff00ff80);
    TWIN_CALL(OpenResource, &open);
    blt.hDstResource = open.hResource;
    TWIN_CALL(Blt, &blt);
    assert_int_equal(memory[80 * 7 + 15 * 4], 0x80);
    present.hDstResource = open.hResource;
    TWIN_CALL(Present, &present);
    assert_int_equal(umd_rt.last_present.hDstAllocation, 9);
    assert_int_equal(umd_rt.kernel_locks, 1);
    assert_int_equal(umd_f.pfnDestroyResource(umd_rt.device, open.hResource), S_OK);
    assert_int_equal(umd_rt.kernel_locks, 0);
    /* without a description that makes sense it can only be named */
    description.Width = 0;
    open = (D3DDDIARG_OPENRESOURCE){.NumAllocations = 1, .pOpenAllocationInfo = &info};
    TWIN_CALL(OpenResource, &open);
    blt.hDstResource = open.hResource;
    assert_int_equal(umd_f.pfnBlt(umd_rt.device, &blt), E_FAIL);
    present.hDstResource = open.hResource;
    TWIN_CALL(Present, &present);
    open.NumAllocations = 0;
    assert_int_equal(umd_f.pfnOpenResource(umd_rt.device, &open), E_FAIL);
}

/* --- queries ---------------------------------------------------------------------------------------------------- */

static HANDLE create_query(UINT type)
{
    D3DDDIARG_CREATEQUERY args = {.QueryType = type};

    return SUCCEEDED(umd_f.pfnCreateQuery(umd_rt.device, &args)) ? args.hQuery : NULL;
}

static void issue(HANDLE query, bool begin, bool end)
{
    D3DDDIARG_ISSUEQUERY args = {.hQuery = query};

    args.Flags.Begin = begin;
    args.Flags.End = end;
    TWIN_CALL(IssueQuery, &args);
}

static void test_queries(void **state)
{
    const unsigned target = twin_create(CLIENT_TARGET, D3DFMT_X8R8G8B8, 16, 16, 1, 1, 0);
    const D3DDDIVERTEXELEMENT position = {0, 0, 3, 0, 9, 0};
    const float corners[] = {0, 0, 0, 1, 16, 0, 0, 1, 0, 16, 0, 1, 16, 16, 0, 1};
    const HANDLE occlusion = create_query(9), event = create_query(8), frequency = create_query(12);
    const D3DDDIARG_GETQUERYDATA nothing = {.hQuery = occlusion};
    D3DDDIARG_GETQUERYDATA get = {.hQuery = occlusion};
    uint32_t answer[4] = {0xCCCCCCCC, 0xCCCCCCCC, 0xCCCCCCCC, 0xCCCCCCCC};

    (void)state;
    assert_null(create_query(0));
    assert_null(create_query(7));
    assert_null(create_query(0xFFFFFFFF));
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &nothing), S_FALSE);
    twin_target(0, (int)target, 0);
    twin_viewport(0, 0, 16, 16);
    twin_set_declaration(twin_declare(&position, 1));
    twin_state(D3DRS_CULLMODE, D3DCULL_NONE);
    twin_state(D3DRS_LIGHTING, FALSE);
    twin_state(D3DRS_ZENABLE, FALSE);
    issue(occlusion, true, false);
    twin_draw_user(D3DPT_TRIANGLESTRIP, 2, corners, 4, 16);
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &nothing), S_FALSE);
    issue(occlusion, false, true);
    issue(event, false, true);
    issue(frequency, false, true);
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &nothing), S_OK);
    get.pData = answer;
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &get), S_OK);
    assert_int_equal(answer[0], 256);
    assert_int_equal(answer[1], 0xCCCCCCCC);
    get.hQuery = event;
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &get), S_OK);
    assert_int_equal(answer[0], TRUE);
    get.hQuery = frequency;
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &get), S_OK);
    assert_int_equal(answer[0], 1000000000);
    assert_int_equal(answer[1], 0);
    assert_int_equal(answer[2], 0xCCCCCCCC);
    assert_int_equal(umd_f.pfnDestroyQuery(umd_rt.device, event), S_OK);
    get.hQuery = event;
    assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &get), E_FAIL);
}

/* A query can be made, ended and asked if and only if GetCaps lists its type. */
static void test_listed_queries(void **state)
{
    D3DDDIQUERYTYPE types[32] = {0};
    UINT number = 0;
    D3DDDIARG_GETCAPS caps = {.Type = D3DDDICAPS_GETD3DQUERYCOUNT, .pData = &number, .DataSize = sizeof(number)};

    (void)state;
    assert_int_equal(umd_rt.adapter_functions.pfnGetCaps(umd_rt.adapter, &caps), S_OK);
    assert_in_range(number, 1, 32);
    caps =
        (D3DDDIARG_GETCAPS){.Type = D3DDDICAPS_GETD3DQUERYDATA, .pData = types, .DataSize = number * sizeof(types[0])};
    assert_int_equal(umd_rt.adapter_functions.pfnGetCaps(umd_rt.adapter, &caps), S_OK);
    for (UINT type = 0; type < 64; type++) {
        const HANDLE query = create_query(type);
        const D3DDDIARG_GETQUERYDATA get = {.hQuery = query};
        bool listed = false;

        for (UINT i = 0; i < number; i++)
            listed = listed || (UINT)types[i] == type;
        assert_int_equal(query != NULL, listed);
        if (!query)
            continue;
        issue(query, false, true);
        assert_int_equal(umd_f.pfnGetQueryData(umd_rt.device, &get), S_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_places_of_locks),    TEST(test_flags_of_locks),   TEST(test_forgotten_locks),
        TEST(test_texture_copies),     TEST(test_face_copies),      TEST(test_volume_and_buffer_copies),
        TEST(test_surface_copies),     TEST(test_color_keys),       TEST(test_mirrors),
        TEST(test_depth_fill),         TEST(test_generated_levels), TEST(test_present),
        TEST(test_present_of_samples), TEST(test_opened_resource),  TEST(test_queries),
        TEST(test_listed_queries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
