/* SPDX-License-Identifier: MIT */
/*
 * Rasterizer states of WDDM 2.0 (d3d/wddm2.h), by the list "Functional / Unit Tests" of Microsoft's specification of
 * conservative rasterization: capabilities, creation with its validation, binding, draws. Two of that list's conditions
 * are reversed (docs/conservative.md); the test follows "Validation".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "d3d/extension.h"
#include "d3d/wddm2.h"
#include "tests/stage/stage.h"

#define SIZE 4

static struct stage stage;
static WDDM2_CALLBACKS ddi;
static D3D10DDI_HDEVICE device;
static HRESULT last_error;
static void *error_layer;
static unsigned errors;

static VOID APIENTRY set_error(D3D10DDI_HRTCORELAYER layer, HRESULT hr)
{
    error_layer = layer.handle;
    last_error = hr;
    errors++;
}

static int open_device(void **state)
{
    WDDM2_CREATEDEVICE create = {.hRTCoreLayer = {&stage}, .pfnSetErrorCb = set_error};
    size_t actual;

    (void)state;
    if (!stage_open(&stage, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DFMT_D16))
        return -1;
    assert_int_equal(client_driver_info(&stage.driver, &DDI_GUID_WDDM2, &ddi, sizeof(ddi), &actual), DD_OK);
    assert_int_equal(actual, ddi.dwSize);
    create.dwhContext = stage.context;
    create.hDevice.pDrvPrivate = malloc(ddi.pfnCalcPrivateDeviceSize());
    assert_int_equal(ddi.pfnCreateDevice(&create), S_OK);
    device = create.hDevice;
    errors = 0;
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    ddi.pfnDestroyDevice(device);
    free(device.pDrvPrivate);
    stage_close(&stage);
    return 0;
}

#define device_test(name) cmocka_unit_test_setup_teardown(name, open_device, close_device)

/* The API's default, except that nothing is culled. */
static const D3DWDDM2_0DDI_RASTERIZER_DESC plain = {
    .FillMode = D3D10_DDI_FILL_SOLID, .CullMode = D3D10_DDI_CULL_NONE, .DepthClipEnable = TRUE};

static D3D10DDI_HRASTERIZERSTATE create(const D3DWDDM2_0DDI_RASTERIZER_DESC *desc)
{
    const SIZE_T size = ddi.pfnCalcPrivateRasterizerStateSize(device, desc);
    D3D10DDI_HRASTERIZERSTATE state = {calloc(1, size)};

    assert_true(size > 0);
    ddi.pfnCreateRasterizerState(device, desc, state, (D3D10DDI_HRTRASTERIZERSTATE){NULL});
    return state;
}

static void destroy(D3D10DDI_HRASTERIZERSTATE state)
{
    ddi.pfnDestroyRasterizerState(device, state);
    free(state.pDrvPrivate);
}

/* Binding copies the state, so the object may be destroyed at once. */
static void bind_state(const D3DWDDM2_0DDI_RASTERIZER_DESC *desc)
{
    D3D10DDI_HRASTERIZERSTATE state = create(desc);

    stage_submit(&stage);
    ddi.pfnSetRasterizerState(device, state);
    destroy(state);
    assert_int_equal(errors, 0);
}

static void unbind(void)
{
    stage_submit(&stage);
    ddi.pfnSetRasterizerState(device, (D3D10DDI_HRASTERIZERSTATE){NULL});
}

/* --- drawing ------------------------------------------------------------------------------ */

struct vertex {
    float x, y, z, rhw;
    uint32_t diffuse, specular;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR)

static void draw_at(const float corner[3][2], float z)
{
    struct vertex v[3];

    for (unsigned i = 0; i < 3; i++)
        v[i] = (struct vertex){corner[i][0] - 0.5f, corner[i][1] - 0.5f, z, 1, 0xffffffff, 0};
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, FVF, v, 3);
}

static void clear(void)
{
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1, 0);
}

static uint32_t pixel(unsigned x, unsigned y)
{
    struct client_lock lock;
    uint32_t value;

    stage_submit(&stage);
    assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&value, lock.bits + y * lock.pitch + 4 * x, 4);
    client_unlock(client_part(stage.target, 0));
    assert_null(stage.failed);
    return value;
}

static unsigned lit(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SIZE * SIZE; i++)
        count += (pixel(i % SIZE, i / SIZE) & 0xffffff) != 0;
    return count;
}

static const float bring_up[3][2] = {{0, 1}, {2, 1}, {1, 0.5f}}; /* counter-clockwise on the screen */
static const float whole[3][2] = {{-8, -8}, {24, -8}, {-8, 24}};

/* --- CheckFeatureSupport -------------------------------------------------------------------- */

static HRESULT options2(D3DWDDM2_0DDICAPS_D3D11_OPTIONS2_DATA *options, UINT size)
{
    const D3D10_2DDIARG_GETCAPS args = {D3DWDDM2_0DDICAPS_D3D11_OPTIONS2, NULL, options, size};

    return ddi.pfnGetCaps(&args);
}

static void test_check_feature_support(void **state)
{
    D3DWDDM2_0DDICAPS_D3D11_OPTIONS2_DATA options;
    D3D10_2DDIARG_GETCAPS unknown = {(D3D10_2DDICAPS_TYPE)7, NULL, &options, sizeof(options)};

    (void)state;
    assert_int_equal(D3DWDDM2_0DDICAPS_D3D11_OPTIONS2, 140);
    assert_int_equal(options2(&options, sizeof(options)), S_OK);
    assert_int_equal(options.ConservativeRasterizationTier, D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER_3);
    assert_int_equal(options2(&options, sizeof(options) - 1), E_INVALIDARG);
    assert_int_equal(options2(NULL, sizeof(options)), E_INVALIDARG);
    assert_int_equal(ddi.pfnGetCaps(&unknown), E_INVALIDARG);
    assert_int_equal(ddi.pfnGetCaps(NULL), E_INVALIDARG);
}

/* In a process for each tier of HALCYON_CONSERVATIVE_TIER. */
static void test_tier(void **state)
{
    const unsigned tier = (unsigned)atoi(getenv("HALCYON_CONSERVATIVE_TIER"));
    D3DWDDM2_0DDI_RASTERIZER_DESC desc = plain;
    D3DWDDM2_0DDICAPS_D3D11_OPTIONS2_DATA options;

    (void)state;
    assert_int_equal(options2(&options, sizeof(options)), S_OK);
    assert_int_equal(options.ConservativeRasterizationTier, tier);
    desc.ConservativeRasterizationMode = D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_ON;
    free(create(&desc).pDrvPrivate);
    assert_int_equal(errors, tier == 0);
    assert_int_equal(last_error, tier ? 0 : E_INVALIDARG);
}

static int run_tiers(void)
{
    const struct CMUnitTest tests[] = {device_test(test_tier)};
    int failed = 0;

    for (char tier[] = "0"; tier[0] <= '3'; tier[0]++) {
        const pid_t child = fork();
        int status = 1;

        if (child == 0) {
            setenv("HALCYON_CONSERVATIVE_TIER", tier, 1);
            exit(cmocka_run_group_tests_name(tier, tests, NULL, NULL));
        }
        waitpid(child, &status, 0);
        failed += status != 0;
    }
    return failed;
}

/* --- CreateRasterizerState ------------------------------------------------------------------ */

static void expect_refused(D3DWDDM2_0DDI_RASTERIZER_DESC desc)
{
    const unsigned before = errors;
    D3D10DDI_HRASTERIZERSTATE state = create(&desc);

    assert_int_equal(errors, before + 1);
    assert_int_equal(last_error, E_INVALIDARG);
    assert_ptr_equal(error_layer, &stage);
    ddi.pfnSetRasterizerState(device, state); /* an object that was not created cannot be bound */
    assert_int_equal(errors, before + 2);
    free(state.pDrvPrivate);
}

#define WITH(...)                     \
    ((D3DWDDM2_0DDI_RASTERIZER_DESC){ \
        .FillMode = D3D10_DDI_FILL_SOLID, .CullMode = D3D10_DDI_CULL_NONE, .DepthClipEnable = TRUE, __VA_ARGS__})
#define CONSERVATIVE .ConservativeRasterizationMode = D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_ON

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static void test_create_rasterizer_state2(void **state)
{
    (void)state;
    /* D3D11_FILL_MODE is only D3D11_FILL_SOLID */
    expect_refused(WITH(CONSERVATIVE, .FillMode = D3D10_DDI_FILL_WIREFRAME));
    /* values outside their enumerations */
    expect_refused(WITH(.FillMode = (D3D10_DDI_FILL_MODE)1));
    expect_refused(WITH(.CullMode = (D3D10_DDI_CULL_MODE)0));
    expect_refused(WITH(.CullMode = (D3D10_DDI_CULL_MODE)4));
    expect_refused(WITH(.ForcedSampleCount = 3));
    expect_refused(WITH(.ForcedSampleCount = 32));
    expect_refused(WITH(.ConservativeRasterizationMode = (D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_MODE)2));
    errors = 0;
    /* wireframe is fine without the mode, the mode with every way to cull */
    destroy(create(&WITH(.FillMode = D3D10_DDI_FILL_WIREFRAME)));
    destroy(create(&WITH(CONSERVATIVE)));
    destroy(create(&WITH(CONSERVATIVE, .CullMode = D3D10_DDI_CULL_FRONT)));
    destroy(create(&WITH(CONSERVATIVE, .CullMode = D3D10_DDI_CULL_BACK, .ForcedSampleCount = 16)));
    assert_int_equal(errors, 0);
}

static void test_hostile_handles(void **state)
{
    WDDM2_CREATEDEVICE bad = {.dwhContext = 99999, .hDevice = device};
    D3D10DDI_HRASTERIZERSTATE made = create(&plain);

    (void)state;
    assert_int_equal(ddi.pfnCreateDevice(&bad), E_INVALIDARG);
    assert_int_equal(ddi.pfnCreateDevice(NULL), E_INVALIDARG);
    assert_int_equal(ddi.pfnCalcPrivateRasterizerStateSize((D3D10DDI_HDEVICE){NULL}, &plain), 0);
    ddi.pfnSetRasterizerState((D3D10DDI_HDEVICE){NULL}, made); /* only the log can be told */
    ddi.pfnCreateRasterizerState(device, NULL, made, (D3D10DDI_HRTRASTERIZERSTATE){NULL});
    assert_int_equal(errors, 1);
    destroy(made);
}

/* --- RSSetState ------------------------------------------------------------------------------- */

/* "IHV-Bring-up Test" */
static void test_set_state(void **state)
{
    (void)state;
    clear();
    bind_state(&plain);
    draw_at(bring_up, 0.5f);
    assert_int_equal(lit(), 0);
    bind_state(&WITH(CONSERVATIVE));
    draw_at(bring_up, 0.5f);
    assert_int_equal(lit(), 6); /* 4 in the document's 2x2, and the column right of (2, 1) */
    clear();
    bind_state(&plain);
    draw_at(bring_up, 0.5f);
    assert_int_equal(lit(), 0);
    bind_state(&WITH(CONSERVATIVE));
    unbind();
    draw_at(bring_up, 0.5f);
    assert_int_equal(lit(), 0);
}

/* Each member replaces the context's own state, which returns with NULL. */
static void test_members(void **state)
{
    static const struct {
        D3DWDDM2_0DDI_RASTERIZER_DESC desc;
        bool clockwise;
        unsigned lit;
    } cases[] = {
        {WITH(.CullMode = D3D10_DDI_CULL_NONE), true, 16},
        {WITH(.CullMode = D3D10_DDI_CULL_FRONT), true, 0},
        {WITH(.CullMode = D3D10_DDI_CULL_FRONT), false, 16},
        {WITH(.CullMode = D3D10_DDI_CULL_BACK), true, 16},
        {WITH(.CullMode = D3D10_DDI_CULL_BACK), false, 0},
        {WITH(.CullMode = D3D10_DDI_CULL_BACK, .FrontCounterClockwise = TRUE), true, 0},
        {WITH(.CullMode = D3D10_DDI_CULL_BACK, .FrontCounterClockwise = TRUE), false, 16},
        {WITH(.FillMode = D3D10_DDI_FILL_WIREFRAME), true, 0}, /* its edges are out of view */
        {WITH(.ScissorEnable = TRUE), true, 4},
    };
    const uint32_t scissor[4] = {1, 1, 3, 3};

    (void)state;
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_CW);
    stage_state(&stage, D3DRS_FILLMODE, D3DFILL_POINT);
    stage_command(&stage, D3DDP2OP_SETSCISSORRECT, 1, scissor, sizeof(scissor));
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const float turned[3][2] = {{-8, -8}, {-8, 24}, {24, -8}};

        clear();
        bind_state(&cases[i].desc);
        draw_at(cases[i].clockwise ? whole : turned, 0.5f);
        if (lit() != cases[i].lit)
            fail_msg("case %u: %u pixels", i, lit());
        unbind();
        clear();
        draw_at(whole, 0.5f);
        assert_int_equal(lit(), 0); /* D3DCULL_CW */
    }
}

/* 65535 steps of D16 are the whole range; the sum is clamped. */
static void test_depth_bias(void **state)
{
    static const struct {
        INT bias;
        float clamp;
        bool drawn; /* at 0.5 against 0.6, D3DCMP_GREATER */
    } cases[] = {{0, 0, false}, {5000, 0, false}, {7000, 0, true}, {7000, 0.05f, false}, {20000, 0.2f, true}};

    (void)state;
    stage_state(&stage, D3DRS_ZENABLE, D3DZB_TRUE);
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_GREATER);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 0.6f, 0);
        bind_state(&WITH(.DepthBias = cases[i].bias, .DepthBiasClamp = cases[i].clamp));
        draw_at(whole, 0.5f);
        if ((lit() == 16) != cases[i].drawn)
            fail_msg("case %u: %u pixels", i, lit());
    }
}

/* Off: primitives beyond near and far are drawn, with the depth of the viewport's nearest limit. */
static void test_depth_clip(void **state)
{
    static const struct {
        float x, y, z;
    } beyond[3] = {{-4, -4, 1.5f}, {-4, 12, 1.5f}, {12, -4, 1.5f}};
    const float range[2] = {0.2f, 0.7f};

    (void)state;
    stage_command(&stage, D3DDP2OP_ZRANGE, 1, range, sizeof(range));
    stage_state(&stage, D3DRS_ZENABLE, D3DZB_TRUE);
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    for (unsigned conservative = 0; conservative < 2; conservative++) {
        D3DWDDM2_0DDI_RASTERIZER_DESC desc = plain;

        desc.ConservativeRasterizationMode = (D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_MODE)conservative;
        clear();
        bind_state(&desc);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ, beyond, 3);
        assert_int_equal(lit(), 0);
        desc.DepthClipEnable = FALSE;
        bind_state(&desc);
        stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 0.71f, 0);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ, beyond, 3);
        assert_int_equal(lit(), 16);
        stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 0.69f, 0);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 1, D3DFVF_XYZ, beyond, 3);
        assert_int_equal(lit(), 0);
    }
}

/* "TIR": the low bits of InputCoverage, on a target of one sample. */
static void test_forced_sample_count(void **state)
{
    static const float corner[3][2] = {{-4, -4}, {0.5f, -4}, {0.5f, 40}}; /* right of its edge samples are bare */

    (void)state;
    stage_texture_state(&stage, 0, D3DTSS_COLORARG2, D3DTA_SPECULAR);
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INPUT_COVERAGE);
    clear();
    bind_state(&WITH(CONSERVATIVE, .ForcedSampleCount = 4));
    draw_at(bring_up, 0.5f);
    assert_int_equal(pixel(0, 0) & 0xffffff, 0x0f0000);
    clear();
    bind_state(&WITH(.ForcedSampleCount = 16));
    draw_at(whole, 0.5f);
    assert_int_equal(pixel(3, 3) & 0xffffff, 0xffff00);
    clear();
    bind_state(&WITH(.ForcedSampleCount = 2));
    draw_at(corner, 0.5f);
    assert_int_equal(pixel(0, 0) & 0xffffff, 0x020000); /* sample 1, at (0.25, 0.25), alone */
    assert_int_equal(pixel(1, 0) & 0xffffff, 0);
}

/* --- draw-time validation ------------------------------------------------------------------------ */

static char log_path[64];

static bool log_says(const char *words)
{
    char text[16384];
    FILE *file = fopen(log_path, "r");
    size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

    if (file)
        fclose(file);
    text[size] = 0;
    return strstr(text, words) != NULL;
}

/* The same states set one by one cannot be refused, only ignored: with a fill mode that is not solid there is no
 * conservative mode, as CreateRasterizerState2 would demand; values outside their enumerations do nothing. */
static void test_states_one_by_one(void **state)
{
    static const float corner[3][2] = {{0.6f, 0.6f}, {3.4f, 0.6f}, {0.6f, 3.4f}};
    static const struct {
        uint32_t fill, cull, conservative, samples;
        unsigned lit;
    } cases[] = {
        {D3D10_DDI_FILL_SOLID, D3D10_DDI_CULL_NONE, 0, 0, 1},
        {D3D10_DDI_FILL_SOLID, D3D10_DDI_CULL_NONE, 1, 0, 13},
        {0, 0, 1, 0, 13}, /* never set */
        {D3D10_DDI_FILL_WIREFRAME, D3D10_DDI_CULL_NONE, 0, 0, 9},
        {D3D10_DDI_FILL_WIREFRAME, D3D10_DDI_CULL_NONE, 1, 0, 9},
        {D3D10_DDI_FILL_SOLID, D3D10_DDI_CULL_NONE, 2, 0, 1},
        {D3D10_DDI_FILL_SOLID, 6, 1, 0, 13}, /* not CULL_FRONT, although its lower bits are */
        {7, 7, 7, 0, 1},
        {D3D10_DDI_FILL_SOLID, D3D10_DDI_CULL_NONE, 1, 3, 13},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        clear();
        stage_state(&stage, EXTENSION_RS_BOUND, 1);
        stage_state(&stage, EXTENSION_RS_FILL, cases[i].fill);
        stage_state(&stage, EXTENSION_RS_CULL, cases[i].cull);
        stage_state(&stage, EXTENSION_RS_CONSERVATIVE, cases[i].conservative);
        stage_state(&stage, EXTENSION_RS_FORCED_SAMPLES, cases[i].samples);
        draw_at(corner, 0.5f);
        if (lit() != cases[i].lit)
            fail_msg("case %u: %u pixels", i, lit());
    }
    stage_state(&stage, EXTENSION_RS_BOUND, 0);
    assert_true(log_says("conservative rasterization fills"));
    assert_true(log_says("unknown fill mode"));
    assert_true(log_says("unknown cull mode"));
    assert_true(log_says("unknown conservative mode"));
    assert_true(log_says("impossible forced sample count"));
}

/* Lines and points: a message, and they are drawn as without the mode; triangles: no message. InnerCoverage without the
 * mode: a message. */
static void test_draw_time_validation(void **state)
{
    const struct vertex v[2] = {{0, 1, 0.5f, 1, ~0u, 0}, {3, 1, 0.5f, 1, ~0u, 0}};

    (void)state;
    bind_state(&WITH(CONSERVATIVE));
    clear();
    draw_at(bring_up, 0.5f);
    assert_int_equal(lit(), 6);
    assert_false(log_says("points and lines"));
    clear();
    stage_draw(&stage, D3DPT_LINELIST, 1, FVF, v, 2);
    assert_int_equal(lit(), 4);
    assert_true(log_says("points and lines"));
    assert_false(log_says("InnerCoverage"));
    stage_texture_state(&stage, 0, D3DTSS_COLORARG2, D3DTA_SPECULAR);
    stage_state(&stage, D3DRS_SPECULARMATERIALSOURCE, EXTENSION_INNER_COVERAGE);
    draw_at(bring_up, 0.5f);
    assert_false(log_says("InnerCoverage"));
    bind_state(&plain);
    draw_at(whole, 0.5f);
    assert_int_equal(lit(), 0);
    assert_true(log_says("InnerCoverage"));
}
#pragma GCC diagnostic pop

int main(void)
{
    const struct CMUnitTest tests[] = {
        device_test(test_draw_time_validation),
        device_test(test_check_feature_support),
        device_test(test_create_rasterizer_state2),
        device_test(test_hostile_handles),
        device_test(test_set_state),
        device_test(test_members),
        device_test(test_states_one_by_one),
        device_test(test_depth_bias),
        device_test(test_depth_clip),
        device_test(test_forced_sample_count),
    };
    int failed = run_tiers();

    snprintf(log_path, sizeof(log_path), "/tmp/test_wddm2.%ld.log", (long)getpid());
    setenv("HALCYON_LOG_PATH", log_path, 1);
    failed += cmocka_run_group_tests(tests, NULL, NULL);
    remove(log_path);
    return failed;
}
