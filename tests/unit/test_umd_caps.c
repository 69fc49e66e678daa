/* SPDX-License-Identifier: MIT */
/* The two faces of the driver report the same, bit by bit; questions with too little room are refused. */
#include "tests/unit/umd_runtime.h"

#include "client/client.h"
#include "d3d/caps9.h"
#include "d3d/ddi.h"

static struct client_driver driver;

static int set_up(void **state)
{
    umd_rt_set_up(state);
    return FAILED(client_driver_init(&driver, HalcyonDriverInit)) ? -1 : 0;
}

static int tear_down(void **state)
{
    client_driver_close(&driver);
    return umd_rt_tear_down(state);
}

static HRESULT ask(UINT type, void *data, UINT size)
{
    const D3DDDIARG_GETCAPS caps = {.Type = (D3DDDICAPS_TYPE)type, .pData = data, .DataSize = size};

    return umd_rt.adapter_functions.pfnGetCaps(umd_rt.adapter, &caps);
}

static UINT ask_number(UINT type)
{
    UINT number = 0xAAAAAAAA;

    assert_int_equal(ask(type, &number, sizeof(number)), S_OK);
    return number;
}

static void test_device_caps(void **state)
{
    struct d3d_caps9 caps9, first9;
    D3DCAPS8 caps8;
    D3DHAL_D3DEXTENDEDCAPS caps7;
    D3DHAL_GLOBALDRIVERDATA caps3;
    const D3DHAL_GLOBALDRIVERDATA *first3 = (const D3DHAL_GLOBALDRIVERDATA *)driver.info.lpD3DGlobalDriverData;

    (void)state;
    assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETD3DCAPS9, &first9, sizeof(first9)), DD_OK);
    assert_int_equal(ask(D3DDDICAPS_GETD3D9CAPS, &caps9, sizeof(caps9)), S_OK);
    assert_memory_equal(&caps9, &first9, sizeof(caps9));
    assert_true(caps9.PS20Caps.NumTemps > 0);
    assert_int_equal(ask(D3DDDICAPS_GETD3D8CAPS, &caps8, sizeof(caps8)), S_OK);
    assert_memory_equal(&caps8, &driver.caps, sizeof(caps8));
    assert_int_equal(ask(D3DDDICAPS_GETD3D7CAPS, &caps7, sizeof(caps7)), S_OK);
    assert_memory_equal(&caps7, &driver.extended_caps, sizeof(caps7));
    assert_int_equal(ask(D3DDDICAPS_GETD3D3CAPS, &caps3, sizeof(caps3)), S_OK);
    assert_memory_equal(&caps3.hwCaps, &first3->hwCaps, sizeof(caps3.hwCaps));
    assert_null(caps3.lpTextureFormats);
}

static void test_formats(void **state)
{
    DD_GETFORMATCOUNTDATA count = {.dwFormatCount = 0};
    FORMATOP *formats;
    UINT number;

    (void)state;
    assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETFORMATCOUNT, &count, sizeof(count)), DD_OK);
    number = ask_number(D3DDDICAPS_GETFORMATCOUNT);
    assert_int_equal(number, count.dwFormatCount);
    formats = calloc(number, sizeof(*formats));
    assert_int_equal(ask(D3DDDICAPS_GETFORMATDATA, formats, number * sizeof(*formats)), S_OK);
    for (UINT i = 0; i < number; i++) {
        DD_GETFORMATDATA first = {.dwFormatIndex = i};

        first.format.dwSize = 0x900;
        assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETFORMAT, &first, sizeof(first)), DD_OK);
        assert_int_equal(formats[i].Format, first.format.dwFourCC);
        assert_int_equal(formats[i].Operations, first.format.dwOperations);
        assert_int_equal(formats[i].FlipMsTypes, first.format.MultiSampleCaps.wFlipMSTypes);
        assert_int_equal(formats[i].BltMsTypes, first.format.MultiSampleCaps.wBltMSTypes);
    }
    memset(formats, 0xEE, sizeof(*formats));
    assert_int_equal(ask(D3DDDICAPS_GETFORMATDATA, formats, number * sizeof(*formats) - 1), E_FAIL);
    assert_int_equal(formats[0].Format, 0xEEEEEEEE);
    free(formats);
}

static void test_qualities(void **state)
{
    const UINT formats[] = {D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_DXT1, D3DFMT_D24S8, 0, 0xFFFFFFFF};

    (void)state;
    for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
        for (UINT type = 0; type <= 17; type++) {
            DDIMULTISAMPLEQUALITYLEVELSDATA data = {.Format = formats[f], .MsType = type, .QualityLevels = 77};
            DD_MULTISAMPLEQUALITYLEVELSDATA first = {.Format = formats[f]};

            first.MSType = type;
            assert_int_equal(
                client_driver_info2(&driver, D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS, &first, sizeof(first)), DD_OK);
            assert_int_equal(ask(D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS, &data, sizeof(data)), S_OK);
            assert_int_equal(data.QualityLevels, type ? first.QualityLevels : 0);
        }
}

static void test_queries(void **state)
{
    DD_GETD3DQUERYCOUNTDATA count = {.dwNumQueries = 0};
    const UINT number = ask_number(D3DDDICAPS_GETD3DQUERYCOUNT);
    D3DDDIQUERYTYPE types[32] = {0};

    (void)state;
    assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETD3DQUERYCOUNT, &count, sizeof(count)), DD_OK);
    assert_int_equal(number, count.dwNumQueries);
    assert_in_range(number, 1, 32);
    assert_int_equal(ask(D3DDDICAPS_GETD3DQUERYDATA, types, number * sizeof(types[0])), S_OK);
    for (UINT i = 0; i < number; i++) {
        DD_GETD3DQUERYDATA first = {.dwQueryIndex = i};

        assert_int_equal(client_driver_info2(&driver, D3DGDI2_TYPE_GETD3DQUERY, &first, sizeof(first)), DD_OK);
        assert_int_equal(types[i], first.QueryType);
    }
    assert_int_equal(ask(D3DDDICAPS_GETD3DQUERYDATA, types, 3), E_FAIL);
}

/* Video, extensions, gamma: none. The head of the mode's capabilities is the caller's. */
static void test_nothing_is_promised(void **state)
{
    const UINT counts[] = {D3DDDICAPS_GETDECODEGUIDCOUNT,
                           D3DDDICAPS_GETDECODERTFORMATCOUNT,
                           D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFOCOUNT,
                           D3DDDICAPS_GETDECODECONFIGURATIONCOUNT,
                           D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDCOUNT,
                           D3DDDICAPS_GETVIDEOPROCESSORRTFORMATCOUNT,
                           D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATCOUNT,
                           D3DDDICAPS_GETEXTENSIONGUIDCOUNT,
                           D3DDDICAPS_GETGAMMARAMPCAPS};
    const DDRAW_CAPS none = {.Caps = 0};
    DDRAW_CAPS ddraw;
    DDRAW_MODE_SPECIFIC_CAPS mode;

    (void)state;
    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        assert_int_equal(ask_number(counts[i]), 0);
    memset(&ddraw, 0xFF, sizeof(ddraw));
    assert_int_equal(ask(D3DDDICAPS_DDRAW, &ddraw, sizeof(ddraw)), S_OK);
    assert_memory_equal(&ddraw, &none, sizeof(ddraw));
    memset(&mode, 0xFF, sizeof(mode));
    mode.Head = 3;
    assert_int_equal(ask(D3DDDICAPS_DDRAW_MODE_SPECIFIC, &mode, sizeof(mode)), S_OK);
    assert_int_equal(mode.Head, 3);
    assert_int_equal(mode.Caps | mode.CKeyCaps | mode.FxCaps | mode.MaxVisibleOverlays, 0);
}

/* A type is answered whole, refused without a write, or left alone. */
static void test_room(void **state)
{
    uint8_t data[8192];

    (void)state;
    for (UINT type = 0; type < 200; type++) {
        memset(data, 0xCD, sizeof(data));
        ask(type, data, 0);
        ask(type, data, 1);
        for (unsigned i = 0; i < sizeof(data); i++)
            assert_int_equal(data[i], 0xCD);
        assert_int_equal(ask(type, data, sizeof(data)), S_OK);
    }
    assert_int_equal(ask(35, data, 0), S_OK);
    assert_int_equal(ask(D3DDDICAPS_GETFORMATCOUNT, NULL, 4), E_FAIL);
    assert_int_equal(umd_rt.adapter_functions.pfnGetCaps(umd_rt.adapter, NULL), E_FAIL);
    assert_int_equal(ask_number(D3DDDICAPS_GETFORMATCOUNT) > 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_caps),         cmocka_unit_test(test_formats),
        cmocka_unit_test(test_qualities),           cmocka_unit_test(test_queries),
        cmocka_unit_test(test_nothing_is_promised), cmocka_unit_test(test_room),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
