/* SPDX-License-Identifier: MIT */
/* The process we are in. */
#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#ifdef _WIN32
#include <process.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

/* --- differences of the systems --------------------------------------------------------- */

#ifdef _WIN32

unsigned process_number(void)
{
    return (unsigned)_getpid();
}

time_t process_begin(void)
{
    FILETIME begin, end, kernel, user;
    ULARGE_INTEGER ticks; /* of 100 ns since 1601 */

    if (!GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user))
        return time(NULL);
    ticks.LowPart = begin.dwLowDateTime;
    ticks.HighPart = begin.dwHighDateTime;
    return (time_t)(ticks.QuadPart / 10000000u - 11644473600u);
}

static size_t native_path(char *path, size_t size)
{
    DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);

    return length < size ? length : 0;
}

static void from_wide(const wchar_t *wide, char *text, size_t size)
{
    int needed = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *all = needed > 0 ? malloc((size_t)needed) : NULL;

    text[0] = 0;
    if (all && WideCharToMultiByte(CP_UTF8, 0, wide, -1, all, needed, NULL, NULL) > 0)
        utf8_clean(text, size, all);
    free(all);
}

void process_path(char *path, size_t size)
{
    wchar_t wide[1024];
    DWORD length = GetModuleFileNameW(NULL, wide, 1024);

    wide[length < 1024 ? length : 0] = 0;
    from_wide(wide, path, size);
}

void process_command(char *command, size_t size)
{
    from_wide(GetCommandLineW(), command, size);
}

const char *process_wine_version(void)
{
    const char *(CDECL * version)(void);
    FARPROC symbol = GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version");

    memcpy(&version, &symbol, sizeof(version));
    return version ? version() : "";
}

#else

unsigned process_number(void)
{
    return (unsigned)getpid();
}

/* A native process has one library and one log: no second instance needs the same time. */
time_t process_begin(void)
{
    return time(NULL);
}

static size_t native_path(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);

    return length > 0 ? (size_t)length : 0;
}

void process_path(char *path, size_t size)
{
    char raw[4096];

    raw[native_path(raw, sizeof(raw))] = 0;
    utf8_clean(path, size, raw);
}

void process_command(char *command, size_t size)
{
    char raw[4096];
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, raw, sizeof(raw) - 1) : 0;

    if (file >= 0)
        close(file);
    while (length > 0 && !raw[length - 1])
        length--;
    for (ssize_t i = 0; i < length; i++)
        raw[i] = raw[i] ? raw[i] : ' ';
    raw[length > 0 ? length : 0] = 0;
    utf8_clean(command, size, raw);
}

const char *process_wine_version(void)
{
    return "";
}

#endif

/* ----------------------------------------------------------------------------------------------- */

void process_title(char *title, size_t size)
{
    char path[4096];
    char *name = path, *dot;

    path[native_path(path, sizeof(path))] = 0;
    for (char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
    snprintf(title, size, "%s", *name ? name : "program");
}
