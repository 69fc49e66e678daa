/* SPDX-License-Identifier: MIT */
/*
 * Where the driver is loaded from: the folder of d3d8.dll, and nowhere else. A d3d8.dll in a folder without a driver
 * finds none, although there is one in the program's folder and in the current directory; with one in its own folder it
 * works, whatever the folder is called.
 */
#include "program.h"

typedef IDirect3D8 *(WINAPI *create_fn)(UINT version);

static WCHAR here[MAX_PATH], folder[MAX_PATH];

static void in_folder(WCHAR *path, const WCHAR *where, const WCHAR *name)
{
    lstrcpyW(path, where);
    lstrcatW(path, L"\\");
    lstrcatW(path, name);
}

static bool copy(const WCHAR *name, const WCHAR *as)
{
    WCHAR from[2 * MAX_PATH], to[2 * MAX_PATH];

    in_folder(from, here, name);
    in_folder(to, folder, as);
    return CopyFileW(from, to, FALSE);
}

static void remove_file(const WCHAR *name)
{
    WCHAR path[2 * MAX_PATH];

    in_folder(path, folder, name);
    DeleteFileW(path);
}

/* Does the d3d8.dll in the folder give an object? */
static bool works(void)
{
    WCHAR path[2 * MAX_PATH];
    HMODULE module;
    create_fn create;
    IDirect3D8 *d3d = NULL;

    in_folder(path, folder, L"d3d8.dll");
    module = LoadLibraryW(path);
    CHECK(module);
    create = module ? (create_fn)(void (*)(void))GetProcAddress(module, "Direct3DCreate8") : NULL;
    CHECK(create);
    if (create)
        d3d = create(D3D_SDK_VERSION);
    if (d3d)
        IDirect3D8_Release(d3d);
    if (module)
        FreeLibrary(module);
    return d3d != NULL;
}

static void beside(void)
{
    WCHAR *slash = NULL;

    GetModuleFileNameW(NULL, here, MAX_PATH);
    for (WCHAR *p = here; *p; p++)
        slash = *p == '\\' ? p : slash;
    if (slash)
        *slash = 0;
    in_folder(folder, here, L"loading-\u017eluv\u03b1");
    SetCurrentDirectoryW(here);
    CHECK(CreateDirectoryW(folder, NULL));
    CHECK(copy(L"d3d8.dll", L"d3d8.dll"));
    CHECK(!works());
    CHECK(copy(L"halcyon.dll", L"halcyon.dll"));
    CHECK(works());
    remove_file(L"halcyon.dll");
    remove_file(L"d3d8.dll");
    RemoveDirectoryW(folder);
}

static const struct test tests[] = {{"driver_beside_the_dll", beside}};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
