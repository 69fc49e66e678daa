/* SPDX-License-Identifier: MIT */
/* The driver interface as a runtime uses it: init, GetDriverInfo and GetDriverInfo2, contexts,
 * refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/formats.h"
#include "client/client.h"
#include "dp2/dp2.h"

static struct client_driver driver;

static int open_driver(void **state)
{
    (void)state;
    return SUCCEEDED(client_driver_init(&driver, HalcyonDriverInit)) ? 0 : -1;
}

static int close_driver(void **state)
{
    (void)state;
    client_driver_close(&driver);
    return 0;
}

static void test_tables(void **state)
{
    (void)state;
    assert_int_equal(driver.info.dwSize, sizeof(DDHALINFO));
    assert_true(driver.info.dwFlags & DDHALINFO_GETDRIVERINFO2);
    assert_true(driver.info.dwFlags & DDHALINFO_GETDRIVERINFOSET);
    assert_true(driver.info.ddCaps.dwCaps & DDCAPS_3D);
    assert_non_null(driver.misc2.GetDriverState);
    assert_non_null(driver.misc2.DestroyDDLocal);
    assert_non_null(driver.d3d3.ValidateTextureStageState);
    assert_non_null(driver.buffer.LockExecuteBuffer);
    assert_true(((D3DHAL_GLOBALDRIVERDATA *)driver.info.lpD3DGlobalDriverData)->dwNumTextureFormats > 0);
}

/* DirectDraw programs create surfaces of a FOURCC if the list contains it: the DirectX 7 formats that have no masks,
 * each once, and no codes that only CheckDeviceFormat uses. */
static void test_fourccs(void **state)
{
    static const DWORD expected[] = {D3DFMT_DXT1, D3DFMT_DXT2, D3DFMT_DXT3,     D3DFMT_DXT4,    D3DFMT_DXT5,
                                     D3DFMT_UYVY, D3DFMT_YUY2, D3D_FORMAT_YV12, D3D_FORMAT_NV12};
    const DWORD *codes = driver.info.lpdwFourCC;

    (void)state;
    assert_int_equal(driver.info.ddCaps.dwNumFourCCCodes, ARRAY_COUNT(expected));
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
        unsigned found = 0;

        for (size_t k = 0; k < ARRAY_COUNT(expected); k++)
            found += codes[k] == expected[i];
        assert_int_equal(found, 1);
    }
}

/* The driver shows nothing: the runtime has the clock and the modes of the screen. */
static void test_screen(void **state)
{
    const struct client_chain_desc desc = {.format = D3DFMT_P8, .width = 9, .height = 9};
    struct client *client = client_create(&driver);
    struct client_chain *chain = NULL;
    DDHAL_SETMODEDATA mode = {.ddRVal = DD_OK};
    DDHAL_WAITFORVERTICALBLANKDATA wait = {.dwFlags = DDWAITVB_BLOCKBEGIN, .bIsInVB = TRUE, .ddRVal = DD_OK};
    DDHAL_GETSCANLINEDATA line = {.dwScanLine = 7, .ddRVal = DD_OK};
    DDHAL_SETEXCLUSIVEMODEDATA exclusive = {.dwEnterExcl = TRUE, .ddRVal = DDERR_GENERIC};
    DDHAL_FLIPTOGDISURFACEDATA gdi = {.dwToGDI = TRUE, .ddRVal = DDERR_GENERIC};
    DDHAL_SETCLIPLISTDATA clip = {.ddRVal = DDERR_GENERIC};

    (void)state;
    assert_int_equal(driver.info.vmiData.dwDisplayWidth, 0);
    assert_int_equal(driver.info.dwNumModes, 0);
    assert_int_equal(driver.dd.SetMode(&mode), DDHAL_DRIVER_HANDLED);
    assert_int_equal(mode.ddRVal, DDERR_INVALIDMODE);
    assert_int_equal(driver.dd.WaitForVerticalBlank(&wait), DDHAL_DRIVER_HANDLED);
    assert_int_equal(wait.ddRVal, DDERR_UNSUPPORTED);
    assert_int_equal(wait.bIsInVB, FALSE);
    assert_int_equal(driver.dd.GetScanLine(&line), DDHAL_DRIVER_HANDLED);
    assert_int_equal(line.ddRVal, DDERR_UNSUPPORTED);
    assert_int_equal(driver.info.ddCaps.dwCaps & DDCAPS_READSCANLINE, 0);
    driver.dd.SetExclusiveMode(&exclusive);
    assert_int_equal(exclusive.ddRVal, DD_OK);
    driver.dd.FlipToGDISurface(&gdi);
    assert_int_equal(gdi.ddRVal, DD_OK);
    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    driver.surface.SetClipList(&clip);
    assert_int_equal(clip.ddRVal, DDERR_INVALIDOBJECT);
    clip.lpDDSurface = &client_part(chain, 0)->lcl;
    driver.surface.SetClipList(&clip);
    assert_int_equal(clip.ddRVal, DD_OK);
    client_chain_destroy(chain);
    client_destroy(client);
}

static void test_version_is_checked(void **state)
{
    DDHALINFO info = {.dwSize = sizeof(info)};
    (void)state;
    assert_true(FAILED(HalcyonDriverInit(HALCYON_DDI_VERSION + 1, &info)));
    assert_true(FAILED(HalcyonDriverInit(HALCYON_DDI_VERSION, NULL)));
}

static void test_caps(void **state)
{
    (void)state;
    /* required by a DirectX 8 runtime: docs/reference/driver-calls.md, section 8 */
    assert_true(driver.caps.MaxStreams >= 1);
    assert_true(driver.caps.MaxPointSize >= 1.0f);
    assert_true(driver.caps.DevCaps & D3DDEVCAPS_DRAWPRIMITIVES2EX);
    assert_int_equal(driver.caps.MaxTextureBlendStages, 8);
}

static void test_formats(void **state)
{
    const DDPIXELFORMAT *format = client_driver_format(&driver, D3DFMT_X8R8G8B8);
    (void)state;
    assert_non_null(format);
    assert_true(format->dwOperations & D3DFORMAT_OP_DISPLAYMODE);
    assert_true(format->dwOperations & D3DFORMAT_OP_TEXTURE);
    assert_non_null(client_driver_format(&driver, D3DFMT_DXT5));
    assert_non_null(client_driver_format(&driver, D3DFMT_D24S8));
    assert_null(client_driver_format(&driver, 0x12345678));
    for (unsigned i = 0; i < driver.format_count; i++) {
        uint32_t ops = driver.formats[i].dwOperations;
        assert_true(!(ops & D3DFORMAT_OP_3DACCELERATION) || (ops & D3DFORMAT_OP_DISPLAYMODE));
    }
}

static void test_info2_refuses(void **state)
{
    D3DCAPS8 room;
    DD_GETFORMATDATA format = {.dwFormatIndex = 100000};
    DD_GETDDIVERSIONDATA version = {.dwDXVersion = 9};
    DD_GETDRIVERINFO2DATA stereo = {0};
    size_t actual = 1;
    (void)state;
    assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETDDIVERSION, &version, sizeof(version)), DD_OK);
    assert_int_equal(version.dwDDIVersion, DX9_DDI_VERSION);
    assert_int_equal(client_driver_info2(&driver, 0x7777, &version, sizeof(version)), DDERR_CURRENTLYNOTAVAIL);
    assert_true(FAILED(client_driver_info2(&driver, D3DGDI2_TYPE_GETFORMAT, &format, sizeof(format))));
    /* without the magic number it is a question about stereo modes */
    assert_int_equal(client_driver_info(&driver, &DDI_GUID_GET_DRIVER_INFO2, &stereo, sizeof(stereo), &actual),
                     DDERR_CURRENTLYNOTAVAIL);
    /* the inner size limits: not a byte more is written */
    memset(&room, 0x5A, sizeof(room));
    assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETD3DCAPS8, &room, 32), DD_OK);
    assert_int_equal(((uint8_t *)&room)[32], 0x5A);
}

/* The size in the header of the request limits the answer, which overwrites the request; the size of GetDriverInfo
 * itself is meaningless. */
static void test_info2_sizes(void **state)
{
    static const DWORD outer[] = {0, 1, sizeof(DD_GETDRIVERINFO2DATA), sizeof(D3DCAPS8), 0xFFFFFFFF};
    (void)state;
    for (unsigned i = 0; i < sizeof(outer) / sizeof(outer[0]); i++) {
        uint8_t room[sizeof(D3DCAPS8) + 4];
        DD_GETDRIVERINFO2DATA request = {
            .dwMagic = D3DGDI2_MAGIC, .dwType = D3DGDI2_TYPE_GETD3DCAPS8, .dwExpectedSize = 40};
        DDHAL_GETDRIVERINFODATA data = {
            .dwSize = sizeof(data), .guidInfo = DDI_GUID_GET_DRIVER_INFO2, .dwExpectedSize = outer[i], .lpvData = room};
        request.dwReserved = sizeof(request);
        memset(room, 0x5A, sizeof(room));
        memcpy(room, &request, sizeof(request));
        assert_int_equal(driver.info.GetDriverInfo(&data), DDHAL_DRIVER_HANDLED);
        assert_int_equal(data.ddRVal, DD_OK);
        assert_int_equal(data.dwActualSize, 40);
        assert_memory_equal(room, &driver.caps, 40);
        assert_int_equal(room[40], 0x5A);
        request.dwExpectedSize = sizeof(room);
        memcpy(room, &request, sizeof(request));
        assert_int_equal(driver.info.GetDriverInfo(&data), DDHAL_DRIVER_HANDLED);
        assert_int_equal(data.dwActualSize, sizeof(D3DCAPS8));
        assert_memory_equal(room, &driver.caps, sizeof(D3DCAPS8));
        assert_int_equal(room[sizeof(D3DCAPS8)], 0x5A);
    }
}

static void test_info_guids(void **state)
{
    struct {
        DWORD count;
        DDPIXELFORMAT formats[32];
    } depth;
    D3DHAL_CALLBACKS3 callbacks;
    size_t actual;
    (void)state;
    assert_int_equal(client_driver_info(&driver, &DDI_GUID_Z_PIXEL_FORMATS, &depth, sizeof(depth), &actual), DD_OK);
    assert_int_equal(actual, 4 + depth.count * sizeof(DDPIXELFORMAT));
    assert_true(depth.formats[0].dwFlags & DDPF_ZBUFFER);
    memset(&callbacks, 0x5A, sizeof(callbacks));
    assert_int_equal(client_driver_info(&driver, &DDI_GUID_D3D_CALLBACKS3, &callbacks, 8, &actual), DD_OK);
    assert_int_equal(actual, sizeof(callbacks));
    assert_int_equal(((uint8_t *)&callbacks)[8], 0x5A);
    assert_int_equal(client_driver_info(&driver, &DDI_GUID_NT_CALLBACKS, &callbacks, 4, &actual),
                     DDERR_CURRENTLYNOTAVAIL);
}

/* --- contexts ---------------------------------------------------------------------------- */

struct scene {
    struct client *client;
    struct client_chain *target, *depth, *commands;
    uintptr_t context;
};

static struct client_chain *make(struct client *client, uint32_t usage, uint32_t format, unsigned w, unsigned h)
{
    struct client_chain_desc desc = {.usage = usage, .format = format, .width = w, .height = h};
    struct client_chain *chain = NULL;
    client_chain_create(client, &desc, &chain);
    assert_non_null(chain);
    return chain;
}

static int open_scene(void **state)
{
    static struct scene scene;
    memset(&scene, 0, sizeof(scene));
    scene.client = client_create(&driver);
    scene.target = make(scene.client, CLIENT_TARGET, D3DFMT_X8R8G8B8, 64, 48);
    scene.depth = make(scene.client, CLIENT_DEPTH, D3DFMT_D24S8, 64, 48);
    scene.commands = make(scene.client, CLIENT_COMMAND_BUFFER, 0, 4096, 1);
    *state = &scene;
    return client_context_create(scene.client, scene.target->parts[0], scene.depth->parts[0], DDI_LEVEL_DX8,
                                 &scene.context);
}

static int close_scene(void **state)
{
    struct scene *scene = *state;
    client_context_destroy(scene->client, scene->context);
    client_chain_destroy(scene->commands);
    client_chain_destroy(scene->depth);
    client_chain_destroy(scene->target);
    client_destroy(scene->client);
    return 0;
}

static HRESULT execute(struct scene *scene, const void *bytes, size_t size, uint32_t *error)
{
    struct client_draw draw = {.context = scene->context, .commands = scene->commands->parts[0]};
    struct client_lock lock;
    HRESULT hr;
    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, bytes, size);
    client_unlock(draw.commands);
    draw.command_length = (uint32_t)size;
    hr = client_draw(scene->client, &draw);
    *error = draw.error_offset;
    return hr;
}

static uint32_t pixel(struct client_surface *surface, unsigned x, unsigned y)
{
    struct client_lock lock;
    uint32_t value;
    assert_int_equal(client_lock(surface, NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&value, lock.bits + y * lock.pitch + x * 4, 4);
    client_unlock(surface);
    return value;
}

static void test_clear_through_the_stream(void **state)
{
    struct scene *scene = *state;
    uint8_t stream[64];
    struct dp2_builder builder;
    D3DHAL_DP2CLEAR clear = {.dwFlags = 1, .dwFillColor = 0xFF336699, .Rects = {{0, 0, 64, 48}}};
    uint32_t error;
    dp2_builder_init(&builder, stream, sizeof(stream));
    dp2_put(&builder, D3DDP2OP_CLEAR, 1, &clear, sizeof(clear));
    assert_int_equal(execute(scene, stream, builder.length, &error), DD_OK);
    assert_int_equal(error, 0);
    assert_int_equal(pixel(scene->target->parts[0], 63, 47) & 0xFFFFFF, 0x336699);
}

static void test_clear_callback(void **state)
{
    struct scene *scene = *state;
    D3DRECT rect = {8, 8, 16, 16};
    assert_int_equal(client_clear(scene->client, scene->context, D3DCLEAR_TARGET, 0xFF112233, 1, 0, NULL, 0), DD_OK);
    assert_int_equal(client_clear(scene->client, scene->context, D3DCLEAR_TARGET, 0xFF445566, 1, 0, &rect, 1), DD_OK);
    assert_int_equal(pixel(scene->target->parts[0], 7, 8) & 0xFFFFFF, 0x112233);
    assert_int_equal(pixel(scene->target->parts[0], 8, 8) & 0xFFFFFF, 0x445566);
    assert_int_equal(pixel(scene->target->parts[0], 16, 8) & 0xFFFFFF, 0x112233);
}

static void test_unknown_command(void **state)
{
    struct scene *scene = *state;
    static const uint8_t stream[] = {D3DDP2OP_RENDERSTATE, 0, 0, 0, 5, 0, 0, 0};
    uint32_t error;
    assert_int_equal(execute(scene, stream, sizeof(stream), &error), D3DERR_COMMAND_UNPARSED);
    assert_int_equal(error, 4);
    assert_int_equal(execute(scene, stream, 0, &error), DD_OK);
}

static HRESULT CALLBACK skip_eight(LPVOID command, LPVOID *next)
{
    *next = (uint8_t *)command + 8;
    return DD_OK;
}

/* Knows only token 5, of eight bytes. */
static HRESULT CALLBACK skip_fives(LPVOID command, LPVOID *next)
{
    *next = (uint8_t *)command + 8;
    return *(uint8_t *)command == 5 ? DD_OK : E_FAIL;
}

static void test_parser_of_the_runtime(void **state)
{
    struct scene *scene = *state;
    static const uint8_t stream[] = {5, 0, 1, 0, 1, 2, 3, 4, D3DDP2OP_RENDERSTATE, 0, 0, 0};
    PFND3DPARSEUNKNOWNCOMMAND parse = skip_eight;
    void *pointer;
    uint32_t error;
    memcpy(&pointer, &parse, sizeof(pointer));
    assert_int_equal(client_driver_info(&driver, &DDI_GUID_D3D_PARSE_UNKNOWN, pointer, 0, NULL), DD_OK);
    assert_int_equal(execute(scene, stream, sizeof(stream), &error), DD_OK);
    /* a token that would leave the buffer is not followed */
    assert_int_equal(execute(scene, stream, 6, &error), D3DERR_COMMAND_UNPARSED);
}

/* A command buffer that holds the commands of two calls: D3DRENDERSTATE_AMBIENT twice, an unknown token, and what the
 * runtime's parser takes. Each call reads its part, and offsets of errors count from the start of the buffer. */
static void test_command_offset(void **state)
{
    struct scene *scene = *state;
    struct client_draw draw = {.context = scene->context, .commands = scene->commands->parts[0]};
    D3DHAL_DP2CLEAR clear = {.dwFlags = 1, .dwFillColor = 0xFF336699, .Rects = {{0, 0, 64, 48}}};
    static const uint8_t unknown[8] = {70}, parsed[8] = {5};
    PFND3DPARSEUNKNOWNCOMMAND parse = skip_fives;
    struct dp2_builder builder;
    struct client_lock lock;
    uint8_t stream[256];
    uint32_t second, third, end;
    void *pointer;

    dp2_builder_init(&builder, stream, sizeof(stream));
    dp2_put(&builder, D3DDP2OP_CLEAR, 1, &clear, sizeof(clear));
    second = (uint32_t)builder.length;
    clear.dwFillColor = 0xFF996633;
    dp2_put(&builder, D3DDP2OP_CLEAR, 1, &clear, sizeof(clear));
    third = (uint32_t)builder.length;
    memcpy(stream + third, parsed, sizeof(parsed));
    memcpy(stream + third + 8, unknown, sizeof(unknown));
    end = third + 16;
    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, stream, end);
    client_unlock(draw.commands);

    draw.command_length = second;
    assert_int_equal(client_draw(scene->client, &draw), DD_OK);
    assert_int_equal(draw.error_offset, 0);
    assert_int_equal(pixel(scene->target->parts[0], 63, 47) & 0xFFFFFF, 0x336699);
    draw.command_offset = second;
    draw.command_length = third - second;
    assert_int_equal(client_draw(scene->client, &draw), DD_OK);
    assert_int_equal(draw.error_offset, 0);
    assert_int_equal(pixel(scene->target->parts[0], 63, 47) & 0xFFFFFF, 0x996633);

    draw.command_length = end - second;
    memcpy(&pointer, &parse, sizeof(pointer));
    assert_int_equal(client_driver_info(&driver, &DDI_GUID_D3D_PARSE_UNKNOWN, pointer, 0, NULL), DD_OK);
    assert_int_equal(client_draw(scene->client, &draw), D3DERR_COMMAND_UNPARSED);
    assert_int_equal(draw.error_offset, third + 8);
}

/* Vertices begin at dwVertexOffset, both in the program's memory and in a buffer. */
static void test_vertex_offset(void **state)
{
    struct scene *scene = *state;
    struct client_chain *buffer = make(scene->client, CLIENT_VERTEX_BUFFER, 0, 256, 1);
    struct client_draw draw = {.context = scene->context, .commands = scene->commands->parts[0]};
    static const struct {
        float x, y, z, rhw;
    } v[4] = {{-1e6f, -1e6f, 0, 1}, {0, 0, 0, 1}, {128, 0, 0, 1}, {0, 128, 0, 1}};
    static const uint32_t states[4] = {D3DRS_CULLMODE, D3DCULL_NONE, D3DRS_ZENABLE, 0};
    const uint16_t start = 0;
    struct dp2_builder builder;
    struct client_lock lock;
    uint8_t stream[256];

    dp2_builder_init(&builder, stream, sizeof(stream));
    dp2_put(&builder, D3DDP2OP_RENDERSTATE, 2, states, sizeof(states));
    dp2_put(&builder, D3DDP2OP_TRIANGLELIST, 1, &start, sizeof(start));
    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, stream, builder.length);
    client_unlock(draw.commands);
    assert_int_equal(client_lock(buffer->parts[0], NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, v, sizeof(v));
    client_unlock(buffer->parts[0]);
    draw.command_length = (uint32_t)builder.length;
    draw.vertex_type = D3DFVF_XYZRHW;
    draw.vertex_offset = sizeof(v[0]);
    draw.vertex_count = 3;
    for (unsigned i = 0; i < 2; i++) {
        client_clear(scene->client, scene->context, D3DCLEAR_TARGET, 0, 1, 0, NULL, 0);
        draw.user_vertices = i ? v : NULL;
        draw.vertices = i ? NULL : buffer->parts[0];
        assert_int_equal(client_draw(scene->client, &draw), DD_OK);
        assert_int_equal(pixel(scene->target->parts[0], 40, 30) & 0xFFFFFF, 0xFFFFFF);
    }
    client_chain_destroy(buffer);
}

static void test_bad_calls(void **state)
{
    struct scene *scene = *state;
    D3DHAL_DRAWPRIMITIVES2DATA data = {.dwhContext = 0x7777};
    struct client_draw draw = {.context = scene->context, .commands = scene->commands->parts[0]};
    DWORD passes;
    assert_int_equal(driver.d3d3.DrawPrimitives2(&data), DDHAL_DRIVER_HANDLED);
    assert_int_equal(data.ddrval, D3DHAL_CONTEXT_BAD);
    draw.command_offset = 4000;
    draw.command_length = 4000;
    assert_true(FAILED(client_draw(scene->client, &draw)));
    draw.command_offset = 0xFFFFFFF0;
    draw.command_length = 0x20;
    assert_true(FAILED(client_draw(scene->client, &draw)));
    assert_true(FAILED(client_context_destroy(scene->client, 0x7777)));
    assert_int_equal(client_validate_stages(scene->client, scene->context, &passes), DD_OK);
    assert_int_equal(passes, 1);
    /* a texture is not a render target */
    assert_true(FAILED(client_set_target(scene->client, scene->context, scene->depth->parts[0], NULL)));
}

/* The target is destroyed while a scene waits: the context survives without a target. */
static void test_target_destroyed(void **state)
{
    struct scene *scene = *state;
    struct client_chain *other = make(scene->client, CLIENT_TARGET, D3DFMT_R5G6B5, 16, 16);
    assert_int_equal(client_set_target(scene->client, scene->context, other->parts[0], NULL), DD_OK);
    client_clear(scene->client, scene->context, D3DCLEAR_TARGET, 0, 1, 0, NULL, 0);
    client_chain_destroy(other);
    client_clear(scene->client, scene->context, D3DCLEAR_TARGET, 0, 1, 0, NULL, 0);
    assert_int_equal(client_set_target(scene->client, scene->context, scene->target->parts[0], scene->depth->parts[0]),
                     DD_OK);
}

/* A caller that closes the driver first and cleans up afterwards. */
static void test_surfaces_outlive_the_driver(void **state)
{
    struct client_driver second;
    struct client *late;
    struct client_chain *chain;
    (void)state;
    client_driver_close(&driver);
    assert_int_equal(client_driver_init(&second, HalcyonDriverInit), DD_OK);
    late = client_create(&second);
    chain = make(late, CLIENT_TARGET, D3DFMT_X8R8G8B8, 16, 16);
    second.dd.DestroyDriver(&(DDHAL_DESTROYDRIVERDATA){0});
    client_chain_destroy(chain);
    client_destroy(late);
    client_driver_close(&second);
    assert_int_equal(client_driver_init(&driver, HalcyonDriverInit), DD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_fourccs),
        cmocka_unit_test(test_screen),
        cmocka_unit_test(test_version_is_checked),
        cmocka_unit_test(test_caps),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_info2_refuses),
        cmocka_unit_test(test_info2_sizes),
        cmocka_unit_test(test_info_guids),
        cmocka_unit_test(test_surfaces_outlive_the_driver),
        cmocka_unit_test_setup_teardown(test_clear_through_the_stream, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_clear_callback, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_unknown_command, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_parser_of_the_runtime, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_command_offset, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_vertex_offset, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_bad_calls, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_target_destroyed, open_scene, close_scene),
    };
    return cmocka_run_group_tests(tests, open_driver, close_driver);
}
