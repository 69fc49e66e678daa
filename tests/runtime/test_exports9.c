/* SPDX-License-Identifier: MIT */
/* The exports of the dlls of Direct3D 9 and 8, the SDK versions for which there is an object, and the place where hooks
 * find the device's vtable. */
#include "tests/runtime/program9.h"

typedef IDirect3D9 *(WINAPI *create_function)(UINT version);
typedef HRESULT(WINAPI *create_ex_function)(UINT version, IDirect3D9Ex **out);
typedef IDirect3D9 *(WINAPI *create_on12_function)(UINT version, void *overrides, UINT count);
typedef HRESULT(WINAPI *create_on12_ex_function)(UINT version, void *overrides, UINT count, IDirect3D9Ex **out);

static FARPROC export(const char *dll, const char *name)
{
    HMODULE module = LoadLibraryA(dll);
    FARPROC function = module ? GetProcAddress(module, name) : NULL;

    if (!function)
        failed(__FILE__, __LINE__, "%s does not export %s", dll, (UINT_PTR)name >> 16 ? name : "an ordinal");
    return function;
}

/* Named on pages of the documentation, and in import libraries. */
static void exports9_names(void)
{
    static const char *const names[] = {"Direct3DCreate9",
                                        "Direct3DCreate9Ex",
                                        "Direct3DCreate9On12",
                                        "Direct3DCreate9On12Ex",
                                        "D3DPERF_BeginEvent",
                                        "D3DPERF_EndEvent",
                                        "D3DPERF_GetStatus",
                                        "D3DPERF_QueryRepeatFrame",
                                        "D3DPERF_SetMarker",
                                        "D3DPERF_SetOptions",
                                        "D3DPERF_SetRegion",
                                        "DebugSetLevel",
                                        "DebugSetMute",
                                        "Direct3DShaderValidatorCreate9",
                                        "PSGPError",
                                        "PSGPSampleTexture",
                                        "Direct3D9EnableMaximizedWindowedModeShim"};
    static const char *const names8[] = {"Direct3DCreate8", "ValidateVertexShader", "ValidatePixelShader",
                                         "DebugSetMute", "D3D8GetSWInfo"};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        export("d3d9.dll", names[i]);
    for (unsigned i = 0; i < sizeof(names8) / sizeof(names8[0]); i++)
        export("d3d8.dll", names8[i]);
}

/* Bytes that a function removes from the stack in 32 bits, apart from `arguments` words; 64 bits have no such
 * number. */
static int taken_too_much(FARPROC function, unsigned arguments)
{
#ifdef __i386__
    int difference;

    __asm__ volatile("movl %%esp, %%esi\n\t"
                     "subl $64, %%esp\n\t"
                     "movl $0, (%%esp)\n\t"
                     "movl $0, 4(%%esp)\n\t"
                     "call *%1\n\t"
                     "movl %%esp, %%edi\n\t"
                     "movl %%esi, %%esp\n\t"
                     "subl %%esi, %%edi\n\t"
                     "addl $64, %%edi"
                     : "=&D"(difference)
                     : "r"(function)
                     : "eax", "ecx", "edx", "esi", "memory", "cc");
    return difference - 4 * (int)arguments;
#else
    ((void(WINAPI *)(int, UINT))(void (*)(void))function)(0, 0);
    return 0 * (int)arguments;
#endif
}

/* Functions that are imported by number: compatibility fixes of Windows call those without a name, and programs linked
 * with the Windows SDK call the two that have one. No other function may have their ordinals. */
static void exports9_ordinals(void)
{
    static const struct {
        uint8_t ordinal, arguments;
        const char *name; /* NULL: it has none */
    } rows[] = {{16, 1, NULL},
                {17, 2, NULL},
                {18, 1, NULL},
                {19, 1, NULL},
                {20, 3, "Direct3DCreate9On12"},
                {21, 4, "Direct3DCreate9On12Ex"},
                {22, 1, NULL},
                {23, 1, NULL}};
    const uint8_t *dll = (const uint8_t *)LoadLibraryA("d3d9.dll");
    const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(dll + ((const IMAGE_DOS_HEADER *)dll)->e_lfanew);
    const IMAGE_EXPORT_DIRECTORY *exports =
        (const IMAGE_EXPORT_DIRECTORY *)(dll + headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT]
                                                   .VirtualAddress);
    const WORD *numbers = (const WORD *)(dll + exports->AddressOfNameOrdinals);

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        FARPROC function = export("d3d9.dll", (const char *)(UINT_PTR)rows[i].ordinal);
        bool named = false;

        for (DWORD k = 0; k < exports->NumberOfNames; k++)
            named |= numbers[k] + exports->Base == rows[i].ordinal;
        CHECK_EQUAL(named, rows[i].name != NULL);
        if (rows[i].name)
            CHECK(function == export("d3d9.dll", rows[i].name));
        else if (function)
            CHECK_EQUAL(taken_too_much(function, rows[i].arguments), 0);
    }
}

static void check_created(IDirect3D9 *d3d, bool expected, UINT version)
{
    if ((d3d != NULL) != expected)
        failed(__FILE__, __LINE__, "version %#x: %s", version, d3d ? "an object" : "no object");
    if (d3d)
        IDirect3D9_Release(d3d);
}

static void exports9_versions(void)
{
    static const struct {
        UINT version;
        bool good;
    } rows[] = {{D3D_SDK_VERSION, true},
                {31, true},
                {D3D_SDK_VERSION | 0x80000000u, true},
                {31 | 0x80000000u, true},
                {0, false},
                {30, false},
                {33, false},
                {220, false},
                {0x80000000u, false},
                {D3D_SDK_VERSION | 0x40000000u, false},
                {0xffffffffu, false}};
    create_function create = (create_function)(void (*)(void)) export("d3d9.dll", "Direct3DCreate9");
    create_ex_function create_ex = (create_ex_function)(void (*)(void)) export("d3d9.dll", "Direct3DCreate9Ex");

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        IDirect3D9Ex *ex = (IDirect3D9Ex *)1;
        const HRESULT hr = create_ex(rows[i].version, &ex);

        check_created(create(rows[i].version), rows[i].good, rows[i].version);
        CHECK_EQUAL(SUCCEEDED(hr), rows[i].good);
        check_created((IDirect3D9 *)ex, rows[i].good, rows[i].version);
    }
}

static void exports9_on12(void)
{
    const struct {
        BOOL enable;
        void *device, *queues[2];
        UINT queue_count, node;
    } arguments = {FALSE, NULL, {NULL, NULL}, 0, 0};
    create_on12_function create = (create_on12_function)(void (*)(void)) export("d3d9.dll", "Direct3DCreate9On12");
    create_on12_ex_function create_ex =
        (create_on12_ex_function)(void (*)(void)) export("d3d9.dll", "Direct3DCreate9On12Ex");
    IDirect3D9Ex *ex = NULL;

    if (!create || !create_ex)
        return;
    check_created(create(D3D_SDK_VERSION, NULL, 0), true, D3D_SDK_VERSION);
    check_created(create(D3D_SDK_VERSION, (void *)&arguments, 1), true, D3D_SDK_VERSION);
    check_created(create(7, NULL, 0), false, 7);
    CHECK_HR(create_ex(D3D_SDK_VERSION, NULL, 0, &ex), D3D_OK);
    check_created((IDirect3D9 *)ex, true, D3D_SDK_VERSION);
    CHECK_HR(create_ex(D3D_SDK_VERSION, NULL, 0, NULL), D3DERR_INVALIDCALL);
}

/* Overlays search the 32-bit dll for the code that stores the vtable: mov [esi], imm32, then twice mov [esi + disp32], eax. */
static void exports9_vtable(void)
{
#ifdef __i386__
    const uint8_t *dll = (const uint8_t *)GetModuleHandleA("d3d9.dll");
    const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(dll + ((const IMAGE_DOS_HEADER *)dll)->e_lfanew);
    HWND window = open_window();
    unsigned found = 0;

    for (unsigned ex = 0; ex < 2; ex++) {
        IDirect3DDevice9 *device = open_device9(window, ex, 0, NULL);

        for (const uint8_t *at = dll; device && at + 18 <= dll + headers->OptionalHeader.SizeOfImage; at++) {
            void *vtable;

            if (at[0] != 0xc7 || at[1] != 0x06 || at[6] != 0x89 || at[7] != 0x86 || at[12] != 0x89 || at[13] != 0x86)
                continue;
            memcpy(&vtable, at + 2, sizeof(vtable));
            CHECK(vtable == (void *)device->lpVtbl);
            found++;
        }
        close_device9(device, ex ? window : NULL);
    }
    CHECK_EQUAL(found, 2);
#endif
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"exports9_names", exports9_names},
                                        {"exports9_ordinals", exports9_ordinals},
                                        {"exports9_versions", exports9_versions},
                                        {"exports9_on12", exports9_on12},
                                        {"exports9_vtable", exports9_vtable}};

    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
