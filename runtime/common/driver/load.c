/* SPDX-License-Identifier: MIT */
/* Finds and loads halcyon.dll, next to the dll of the API. */
#include "runtime/common/driver/load.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "client/umd/bridge.h"

#define DRIVER     L"halcyon.dll"
#define PATH_UNITS 4096

/* The driver is loaded only from the directory of this dll: a search would also find a file in the current
 * directory. The path is in UTF-8; false: it is unknown, or too long. */
static bool driver_path(char *path, size_t size)
{
    static const WCHAR driver[] = DRIVER;
    WCHAR wide[PATH_UNITS], *name;
    HMODULE self = NULL;
    DWORD length = 0;

    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           (const WCHAR *)driver_path, &self))
        length = GetModuleFileNameW(self, wide, PATH_UNITS);
    if (length == 0 || length + ARRAY_COUNT(driver) >= PATH_UNITS)
        return false;
    for (name = wide + length; name > wide && name[-1] != '\\' && name[-1] != '/'; name--)
        ;
    if (name == wide)
        return false; /* no directory: the system would search */
    memcpy(name, driver, sizeof(driver));
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) > 0;
}

/* Why the driver cannot be used, as the end of a sentence. Machine types: PE/COFF specification, section 3.3.1. */
static const char *why_not(const char *path)
{
    static const char *const wrong = sizeof(void *) == 8 ? "is not a 64-bit dll, which this program needs"
                                                         : "is not a 32-bit dll, which this program needs";
    const uint16_t wanted = sizeof(void *) == 8 ? 0x8664 : 0x14c;
    WCHAR wide[PATH_UNITS];
    FILE *file = MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_UNITS) ? _wfopen(wide, L"rb") : NULL;
    uint32_t header = 0;
    uint16_t machine = 0;
    bool read;

    if (!file)
        return "is not there";
    read = fseek(file, 0x3c, SEEK_SET) == 0 && fread(&header, sizeof(header), 1, file) == 1 &&
           fseek(file, (long)(header & 0xffffff) + 4, SEEK_SET) == 0 && fread(&machine, sizeof(machine), 1, file) == 1;
    fclose(file);
    return !read ? "is not a dll" : machine != wanted ? wrong : "cannot be used";
}

static struct rt_adapter *load_adapter(const struct rt_driver_rules *rules)
{
    const bool through_umd = strcmp(config_string("ddi"), "umd") == 0;
    struct client_driver driver;
    char path[3 * PATH_UNITS] = "halcyon.dll";
    HRESULT hr = DDERR_NODIRECTDRAWHW;

    if (driver_path(path, sizeof(path)))
        hr = through_umd ? client_umd_load(&driver, path) : client_driver_load(&driver, path);
    if (FAILED(hr)) {
        log_error("no driver: %s, which must lie next to this dll, %s (%08lx)", path, why_not(path), (unsigned long)hr);
        return NULL;
    }
    log_info("driver %s%s, %u formats", path, through_umd ? ", through OpenAdapter" : "", driver.format_count);
    return rt_adapter_create(&driver, rules);
}

struct rt_adapter *rt_adapter_load(const struct rt_driver_rules *rules)
{
    static struct rt_adapter *adapter;
    static LONG state; /* 0 untried, 1 being loaded, 2 done */

    while (InterlockedCompareExchange(&state, 1, 0) == 1)
        Sleep(1);
    if (state == 1) {
        adapter = load_adapter(rules);
        InterlockedExchange(&state, adapter ? 2 : 0);
    }
    return adapter;
}
