/* SPDX-License-Identifier: MIT */
/* The card that the adapter claims to be: settings adapter and adapter_*, in GetAdapterIdentifier and in the codes that
 * CheckDeviceFormat knows. */
#include "tests/runtime/program9.h"

#include <stdlib.h>

static D3DFORMAT code(const char *name)
{
    return (D3DFORMAT)MAKEFOURCC(name[0], name[1], name[2], name[3]);
}

static bool has(IDirect3D9 *d3d, const char *name, DWORD usage, D3DRESOURCETYPE type)
{
    return IDirect3D9_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type, code(name)) == D3D_OK;
}

/* One bit per code. */
static unsigned codes_of(IDirect3D9 *d3d)
{
    return (unsigned)has(d3d, "NVDB", 0, D3DRTYPE_SURFACE) << 0 | (unsigned)has(d3d, "ATOC", 0, D3DRTYPE_SURFACE) << 1 |
           (unsigned)has(d3d, "A2M1", 0, D3DRTYPE_SURFACE) << 2 | (unsigned)has(d3d, "INST", 0, D3DRTYPE_SURFACE) << 3 |
           (unsigned)has(d3d, "RESZ", D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE) << 4 |
           (unsigned)has(d3d, "DF16", D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE) << 5 |
           (unsigned)has(d3d, "DF24", D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE) << 6 |
           (unsigned)has(d3d, "INTZ", D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE) << 7 |
           (unsigned)has(d3d, "NULL", D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE) << 8 |
           (unsigned)has(d3d, "ATI2", 0, D3DRTYPE_TEXTURE) << 9;
}

static const struct {
    const char *adapter;
    DWORD vendor, device;
    unsigned codes;
} rows[] = {{"halcyon", 0, 0, 0x3ff},
            {"nvidia", 0x10de, 0x0611, 0x383},
            {"amd", 0x1002, 0x9442, 0x3fc},
            {"intel", 0x8086, 0x2a42, 0x3f2}};

/* In a process whose settings are row `index`, then with all of them set. */
static int look(unsigned index)
{
    const bool all = index >= 4;
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER9 id;
    unsigned bad = 0;

    if (!d3d)
        return 1;
    CHECK_HR(IDirect3D9_GetAdapterIdentifier(d3d, 0, 0, &id), D3D_OK);
    bad |= (id.VendorId != rows[index % 4].vendor) << 1;
    bad |= (id.DeviceId != (all ? 0x1234 : rows[index % 4].device)) << 2;
    bad |= (codes_of(d3d) != rows[index % 4].codes) << 3;
    if (all) {
        bad |= (strcmp(id.Description, "A card of mine") != 0) << 4 | (strcmp(id.Driver, "mine.dll") != 0) << 5;
        bad |= (id.DriverVersion.QuadPart != 0x000600050004fffe) << 6;
    } else {
        bad |= (!id.Description[0] || !id.Driver[0]) << 4;
        bad |= (index && id.DriverVersion.QuadPart >> 32 != 0x6000e) << 6;
    }
    IDirect3D9_Release(d3d);
    return (int)bad;
}

static void identity(void)
{
    char option[16];

    for (unsigned i = 0; i < 8; i++) {
        SetEnvironmentVariableA("HALCYON_ADAPTER", rows[i % 4].adapter);
        SetEnvironmentVariableA("HALCYON_ADAPTER_DEVICE", i >= 4 ? "0x1234" : NULL);
        SetEnvironmentVariableA("HALCYON_ADAPTER_DESCRIPTION", i >= 4 ? "A card of mine" : NULL);
        SetEnvironmentVariableA("HALCYON_ADAPTER_DRIVER", i >= 4 ? "mine.dll" : NULL);
        SetEnvironmentVariableA("HALCYON_ADAPTER_DRIVER_VERSION", i >= 4 ? "6.5.4.65534" : NULL);
        snprintf(option, sizeof(option), "--look%u", i);
        CHECK_EQUAL(run_self(option), 0);
    }
    /* Invalid settings are ignored. */
    SetEnvironmentVariableA("HALCYON_ADAPTER", "nvidia");
    SetEnvironmentVariableA("HALCYON_ADAPTER_DEVICE", "70000");
    SetEnvironmentVariableA("HALCYON_ADAPTER_DESCRIPTION", NULL);
    SetEnvironmentVariableA("HALCYON_ADAPTER_DRIVER", NULL);
    SetEnvironmentVariableA("HALCYON_ADAPTER_DRIVER_VERSION", "6.14.x");
    CHECK_EQUAL(run_self("--look1"), 0);
}

static const struct test tests[] = {{"identity9", identity}};

int main(int argc, char **argv)
{
    if (argc == 2 && !strncmp(argv[1], "--look", 6))
        return look((unsigned)atoi(argv[1] + 6));
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
