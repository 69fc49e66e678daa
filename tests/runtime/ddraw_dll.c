/* SPDX-License-Identifier: MIT */
#include "tests/runtime/ddraw_dll.h"

#include <stdio.h>
#include <wchar.h>

HMODULE load_ddraw(void)
{
    WCHAR path[MAX_PATH + 16], *name;
    HMODULE library;

    GetModuleFileNameW(NULL, path, MAX_PATH);
    name = wcsrchr(path, L'\\');
    wcscpy(name ? name + 1 : path, L"ddraw.dll");
    library = LoadLibraryW(path);
    if (!library)
        printf("# ddraw.dll is not in the program's folder\n");
    return library;
}

FARPROC ddraw_export(HMODULE library, const char *name)
{
    FARPROC function = library ? GetProcAddress(library, name) : NULL;

    if (library && !function)
        printf("# ddraw.dll does not export %s\n", name);
    return function;
}
