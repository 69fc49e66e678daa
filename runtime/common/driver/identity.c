/* SPDX-License-Identifier: MIT */
/* The name and numbers of the adapter that programs see, by the settings adapter_*. */
#include "runtime/common/driver/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define MOST_TEXT 511 /* MAX_DEVICE_IDENTIFIER_STRING, less its end */

static const struct row {
    const char *name;
    uint16_t vendor, device;
    const char *description, *driver;
    uint16_t version[4];
} rows[] = {
#define VENDOR(name, NAME, vendor, device, description, driver, a, b, c, d) \
    {#name, vendor, device, description, driver, {a, b, c, d}},
#include "d3d/vendors.def"
};

static const struct row *chosen_row(void)
{
    const char *name = config_string("adapter");

    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return &rows[0];
}

static const char *text_of(const char *key, const char *usual)
{
    const char *text = config_string(key);

    if (strlen(text) > MOST_TEXT) {
        log_once(LOG_WARN, 0, "%s: more than %u bytes", key, MOST_TEXT);
        return usual;
    }
    return text[0] ? text : usual;
}

static uint32_t device_of(const struct row *row)
{
    const char *text = config_string("adapter_device");
    char *end;
    const unsigned long number = strtoul(text, &end, 0);

    if (!text[0])
        return row->device;
    if (*end || number > 0xffff) {
        log_once(LOG_WARN, 0, "adapter_device = %s: not a number of 16 bits", text);
        return row->device;
    }
    return (uint32_t)number;
}

/* The dll's version if the row has none: 8.1.1.0, 9.0.1.0. */
static LARGE_INTEGER version_of(const struct row *row, unsigned product, unsigned version)
{
    const char *text = config_string("adapter_driver_version");
    unsigned n[4] = {product, version, 1, 0}, given[4];
    char more;
    LARGE_INTEGER result;

    for (unsigned i = 0; i < 4 && row->version[0]; i++)
        n[i] = row->version[i];
    if (text[0]) {
        if (sscanf(text, "%5u.%5u.%5u.%5u%c", &given[0], &given[1], &given[2], &given[3], &more) == 4 &&
            !((given[0] | given[1] | given[2] | given[3]) >> 16))
            memcpy(n, given, sizeof(n));
        else
            log_once(LOG_WARN, 0, "adapter_driver_version = %s: not four numbers of 16 bits with dots between them",
                     text);
    }
    result.HighPart = (LONG)(n[0] << 16 | n[1]);
    result.LowPart = n[2] << 16 | n[3];
    return result;
}

void rt_identity(unsigned product, unsigned version, struct rt_identity *identity)
{
    static const GUID own = {0x9a2c3e10, 0x5b7d, 0x4c1e, {0x8f, 0x30, 0x48, 0x41, 0x4c, 0x43, 0x59, 0x4e}};
    const struct row *row = chosen_row();

    identity->driver = text_of("adapter_driver", row->driver);
    identity->description = text_of("adapter_description", row->description);
    identity->vendor = row->vendor;
    identity->device = device_of(row);
    identity->version = version_of(row, product, version);
    identity->guid = own;
    if (row->vendor || identity->device) {
        identity->guid.Data1 ^= identity->vendor << 16 | identity->device;
        identity->guid.Data2 ^= (uint16_t)identity->version.LowPart;
    }
}
