/* SPDX-License-Identifier: MIT */
/* Reports about the formats, modes and capabilities that Direct3D 9 reports to programs. */
#include "tests/reports/scene9.h"

#define FORMAT_INTZ ((D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'))
#define FORMAT_NULL ((D3DFORMAT)MAKEFOURCC('N', 'U', 'L', 'L'))

static HRESULT check(IDirect3D9 *d3d, DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
    return IDirect3D9_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type, format);
}

static HRESULT check_samples(IDirect3D9 *d3d, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples)
{
    return IDirect3D9_CheckDeviceMultiSampleType(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, format, TRUE, samples, NULL);
}

/*
 * Symptom: Empire: Total War takes INTZ for its multisampled depth buffer, which then does not fit. Right: INTZ is a texture, which
 * has no samples, and is not offered with any. As the cards have it that programs were tested with.
 */
static void samples_of_depth_textures(void)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);

    if (check(d3d, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE, FORMAT_INTZ) == D3D_OK) {
        CHECK_HR(check_samples(d3d, FORMAT_INTZ, D3DMULTISAMPLE_4_SAMPLES), D3DERR_NOTAVAILABLE);
        CHECK_HR(check_samples(d3d, FORMAT_INTZ, D3DMULTISAMPLE_NONE), D3D_OK);
    }
    IDirect3D9_Release(d3d);
}

/* Symptom: a game switches antialiasing off. Right: targets of the format NULL have what other targets have; current cards. */
static void samples_of_no_target(void)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);

    if (check(d3d, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, FORMAT_NULL) == D3D_OK)
        for (unsigned samples = 2; samples <= 8; samples *= 2)
            CHECK_HR(check_samples(d3d, FORMAT_NULL, (D3DMULTISAMPLE_TYPE)samples),
                     check_samples(d3d, D3DFMT_X8R8G8B8, (D3DMULTISAMPLE_TYPE)samples));
    IDirect3D9_Release(d3d);
}

/* Symptom: pictures of D3DFMT_L8 are black. Right: L8 has no form that is read as sRGB; wined3d says so, too. */
static void luminance_is_not_srgb(void)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);

    CHECK_HR(check(d3d, 0, D3DRTYPE_TEXTURE, D3DFMT_L8), D3D_OK);
    CHECK_HR(check(d3d, D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, D3DFMT_L8), D3DERR_NOTAVAILABLE);
    CHECK_HR(check(d3d, D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8), D3D_OK);
    IDirect3D9_Release(d3d);
}

/* Symptom: a benchmark ends at once, because it asks for volumes and floats before it makes them. Right: what is made is offered. */
static void what_is_made_is_offered(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_A16B16G16R16F, D3DFMT_G16R16, D3DFMT_R32F, D3DFMT_L8};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3D9 *d3d = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetDirect3D(device, &d3d), D3D_OK);
    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        IDirect3DVolumeTexture9 *volume = NULL;
        IDirect3DCubeTexture9 *cube = NULL;
        IDirect3DTexture9 *texture = NULL;

        CHECK_EQUAL(IDirect3DDevice9_CreateVolumeTexture(device, 4, 4, 4, 1, 0, formats[i], D3DPOOL_MANAGED, &volume,
                                                         NULL) == D3D_OK,
                    check(d3d, 0, D3DRTYPE_VOLUMETEXTURE, formats[i]) == D3D_OK);
        CHECK_EQUAL(IDirect3DDevice9_CreateCubeTexture(device, 4, 1, 0, formats[i], D3DPOOL_MANAGED, &cube, NULL) ==
                        D3D_OK,
                    check(d3d, 0, D3DRTYPE_CUBETEXTURE, formats[i]) == D3D_OK);
        CHECK_EQUAL(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, formats[i], D3DPOOL_MANAGED, &texture, NULL) ==
                        D3D_OK,
                    check(d3d, 0, D3DRTYPE_TEXTURE, formats[i]) == D3D_OK);
        if (volume)
            IDirect3DVolumeTexture9_Release(volume);
        if (cube)
            IDirect3DCubeTexture9_Release(cube);
        if (texture)
            IDirect3DTexture9_Release(texture);
    }
    IDirect3D9_Release(d3d);
    close_scene9(device);
}

/* Symptom: an engine creates 24-bit textures. Right: R8G8B8 is not offered as a texture; no card had it. */
static void three_bytes_a_texel(void)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);

    CHECK_HR(check(d3d, 0, D3DRTYPE_TEXTURE, D3DFMT_R8G8B8), D3DERR_NOTAVAILABLE);
    CHECK_HR(check(d3d, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_R8G8B8), D3DERR_NOTAVAILABLE);
    IDirect3D9_Release(d3d);
}

/*
 * Symptom: figures are moved by the processor. Right: a device that processes vertices in software has 256 matrices for indexed
 * blending (documented: D3DCAPS9.MaxVertexBlendMatrixIndex); whatever a device claims, it has.
 */
static void matrices_for_blending(void)
{
    IDirect3DDevice9 *device = open_scene9(D3DCREATE_SOFTWARE_VERTEXPROCESSING, NULL);
    D3DCAPS9 caps;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetDeviceCaps(device, &caps), D3D_OK);
    CHECK_EQUAL(caps.MaxVertexBlendMatrixIndex, 255);
    close_scene9(device);
}

/* Right: factors with the shader's second colour belong to 9Ex and are not offered without it; Wine's tests. */
static void factors_of_9ex(void)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DCAPS9 caps;

    CHECK_HR(IDirect3D9_GetDeviceCaps(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, &caps), D3D_OK);
    CHECK_EQUAL(caps.SrcBlendCaps & (D3DPBLENDCAPS_SRCCOLOR2 | D3DPBLENDCAPS_INVSRCCOLOR2), 0);
    CHECK_EQUAL(caps.DestBlendCaps & (D3DPBLENDCAPS_SRCCOLOR2 | D3DPBLENDCAPS_INVSRCCOLOR2), 0);
    IDirect3D9_Release(d3d);
}

/* Symptom: a program that orders its vertices for the cache sees none. Right: the answer says CACH; documented (D3DDEVINFO_VCACHE). */
static void query_of_the_vertex_cache(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DQuery9 *query = NULL;
    D3DDEVINFO_VCACHE cache = {0};

    if (!device)
        return;
    if (IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_VCACHE, &query) == D3D_OK) {
        CHECK_EQUAL(IDirect3DQuery9_GetDataSize(query), sizeof(cache));
        CHECK_HR(IDirect3DQuery9_Issue(query, D3DISSUE_END), D3D_OK);
        CHECK_HR(IDirect3DQuery9_GetData(query, &cache, sizeof(cache), D3DGETDATA_FLUSH), S_OK);
        CHECK_EQUAL(cache.Pattern, MAKEFOURCC('C', 'A', 'C', 'H'));
        IDirect3DQuery9_Release(query);
    }
    close_scene9(device);
}

static WORD control_word(void)
{
    WORD word;

    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

/*
 * Symptom: emulated games compute wrongly once a device exists. Right: the FPU of a 32-bit program is then set to
 * single precision (bits 8 and 9 are 0), unless the program asks to preserve it; documented
 * (D3DCREATE_FPU_PRESERVE).
 */
static void precision_of_the_processor(void)
{
    const WORD extended = 0x37f;
    WORD seen[2];

    for (unsigned i = 0; i < 2; i++) {
        HWND window = open_window();
        IDirect3DDevice9 *device;

        __asm__ volatile("fldcw %0" : : "m"(extended));
        device =
            open_device9(window, false, D3DCREATE_HARDWARE_VERTEXPROCESSING | (i ? D3DCREATE_FPU_PRESERVE : 0), NULL);
        seen[i] = control_word() & 0x300;
        close_device9(device, window);
    }
    __asm__ volatile("fldcw %0" : : "m"(extended));
    CHECK_EQUAL(seen[0], sizeof(void *) == 4 ? 0 : 0x300);
    CHECK_EQUAL(seen[1], 0x300);
}

/* Symptom: Microsoft's own tests of Direct3D do not start. Right: d3d9.dll has Direct3D9ForceHybridEnumeration, ordinal 16. */
static void function_without_a_name(void)
{
    HMODULE d3d9 = GetModuleHandleA("d3d9.dll");

    CHECK(d3d9);
    CHECK(GetProcAddress(d3d9, MAKEINTRESOURCEA(16)));
}

/* Symptom: a train simulator does not start: d3d9.dll has no ordinal 20. Right: it is Direct3DCreate9On12, as import libraries say. */
static void function_by_its_number(void)
{
    HMODULE d3d9 = GetModuleHandleA("d3d9.dll");
    const FARPROC function = GetProcAddress(d3d9, "Direct3DCreate9On12");

    CHECK(function);
    CHECK(GetProcAddress(d3d9, MAKEINTRESOURCEA(20)) == function);
}

static const struct report reports[] = {
    {"samples_of_depth_textures", "doitsujin/dxvk#3017", samples_of_depth_textures},
    {"samples_of_no_target", "doitsujin/dxvk#5212", samples_of_no_target},
    {"luminance_is_not_srgb", "doitsujin/dxvk#5608", luminance_is_not_srgb},
    {"what_is_made_is_offered", "athei/mtld3d#502", what_is_made_is_offered},
    {"three_bytes_a_texel", "doitsujin/dxvk#5613", three_bytes_a_texel},
    {"matrices_for_blending", "doitsujin/dxvk#3461", matrices_for_blending},
    {"factors_of_9ex", "doitsujin/dxvk#4492", factors_of_9ex},
    {"query_of_the_vertex_cache", "doitsujin/dxvk#4020", query_of_the_vertex_cache},
    {"precision_of_the_processor", "project64/project64#626", precision_of_the_processor},
    {"function_without_a_name", "doitsujin/dxvk#2742", function_without_a_name},
    {"function_by_its_number", "doitsujin/dxvk#3445", function_by_its_number},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
