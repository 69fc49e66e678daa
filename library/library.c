/* SPDX-License-Identifier: MIT */
/* The lock of the library, results and messages, options, pictures. */
#include "library/internal.h"

#include "base/base.h"
#include "base/config.h"
#include "base/lock.h"
#include "replay/picture.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct base_lock library_lock = BASE_LOCK_INITIALIZER;
static bool options_fixed; /* an object has been created */

/* Each thread has one. It needs no memory when memory is short. */
static _Thread_local char message[320];

/* --- the lock, messages ---------------------------------------------------------------------- */

void library_enter(void)
{
    base_lock(&library_lock);
    message[0] = 0;
}

enum halcyon_result library_leave(enum halcyon_result result)
{
    base_unlock(&library_lock);
    return result;
}

enum halcyon_result library_fail(enum halcyon_result result, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    return result;
}

enum halcyon_result library_no_memory(void)
{
    return library_fail(HALCYON_NO_MEMORY, "out of memory");
}

enum halcyon_result library_fail_with(const struct capture_error *error, enum halcyon_result otherwise)
{
    if (error->system == ENOMEM)
        return library_no_memory();
    if (error->system)
        return library_fail(HALCYON_UNREADABLE, "%s", error->text[0] ? error->text : strerror(error->system));
    if (error->offset)
        return library_fail(otherwise, "%s (at byte %llu)", error->text, (unsigned long long)error->offset);
    return library_fail(otherwise, "%s", error->text);
}

const char *halcyon_message(void)
{
    return message;
}

const char *halcyon_result_name(int result)
{
    static const char *const names[HALCYON_RESULT_COUNT] = {
        [HALCYON_OK] = "ok",
        [HALCYON_INVALID] = "invalid argument",
        [HALCYON_NO_MEMORY] = "out of memory",
        [HALCYON_UNREADABLE] = "unreadable file",
        [HALCYON_DAMAGED] = "damaged capture",
        [HALCYON_NO_FRAME] = "no frame",
        [HALCYON_NO_PICTURE] = "no picture",
        [HALCYON_TOO_MUCH_WORK] = "too much work",
        [HALCYON_REFUSED] = "refused by the driver",
        [HALCYON_BAD_TEXT] = "mistake in the text",
        [HALCYON_NO_DRIVER] = "no driver",
    };

    return result >= 0 && result < HALCYON_RESULT_COUNT ? names[result] : "unknown result";
}

/* --- version, options, the driver ------------------------------------------------------------- */

uint32_t halcyon_api_version(void)
{
    return HALCYON_API_VERSION;
}

const char *halcyon_version(void)
{
    return HALCYON_VERSION;
}

static const struct config_key *find_option(const char *name)
{
    size_t count;
    const struct config_key *keys = config_keys(&count);

    for (size_t i = 0; i < count; i++)
        if (!strcmp(keys[i].name, name))
            return &keys[i];
    return NULL;
}

static enum halcyon_result set_option(const char *name, const char *value)
{
    const struct config_key *key = name ? find_option(name) : NULL;
    const char *wrong = key && value ? config_check(key, value) : NULL;
    char variable[64] = "HALCYON_";
    size_t length = strlen(variable);

    if (!name || !value)
        return library_fail(HALCYON_INVALID, "an option has a name and a value");
    if (options_fixed)
        return library_fail(HALCYON_INVALID, "options are set before the first object is created");
    if (!key)
        return library_fail(HALCYON_INVALID, "no option is called \"%.60s\"", name);
    if (wrong)
        return library_fail(HALCYON_INVALID, "%s=%.60s %s", key->name, value, wrong);
    for (const char *at = key->name; *at && length + 1 < sizeof(variable); at++)
        variable[length++] = (char)toupper((unsigned char)*at);
    variable[length] = 0;
    return setenv(variable, value, 1) == 0 ? HALCYON_OK : library_no_memory();
}

enum halcyon_result halcyon_set_option(const char *name, const char *value)
{
    library_enter();
    return library_leave(set_option(name, value));
}

enum halcyon_result library_start_driver(struct client_driver *driver)
{
    HRESULT hr;

    options_fixed = true;
    hr = client_driver_init(driver, HalcyonDriverInit);
    if (hr == DDERR_OUTOFMEMORY)
        return library_no_memory();
    if (FAILED(hr))
        return library_fail(HALCYON_NO_DRIVER, "the driver does not start: %#x", (unsigned)hr);
    return HALCYON_OK;
}

/* --- pictures ---------------------------------------------------------------------------------- */

void library_picture_drop(struct library_picture *picture)
{
    free(picture->grabbed.pixels);
    *picture = (struct library_picture){0};
}

void library_picture_set(struct library_picture *picture, const struct player_picture *grabbed)
{
    library_picture_drop(picture);
    picture->grabbed = *grabbed;
    picture->hash = picture_hash(grabbed);
    picture->valid = true;
}

void library_picture_give(const struct library_picture *picture, struct halcyon_picture *out)
{
    *out = (struct halcyon_picture){
        .width = picture->grabbed.width,
        .height = picture->grabbed.height,
        .stride = picture->grabbed.width * 4,
        .hash = picture->hash,
        .pixels = (const uint8_t *)picture->grabbed.pixels,
    };
}
