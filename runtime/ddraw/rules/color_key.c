/* SPDX-License-Identifier: MIT */
/* Colour keys (test_range_colorkey, test_ck_operation, test_ck_complex). */
#include "runtime/ddraw/rules/color_key.h"

#include <stddef.h>
#include <string.h>

#include "base/base.h"

static const struct {
    DWORD flag, member_flag;
    size_t member; /* of DDSURFACEDESC2 */
} kinds[DDRAW_KEY_COUNT] = {
    [DDRAW_KEY_SRCBLT] = {DDCKEY_SRCBLT, DDSD_CKSRCBLT, offsetof(DDSURFACEDESC2, ddckCKSrcBlt)},
    [DDRAW_KEY_DESTBLT] = {DDCKEY_DESTBLT, DDSD_CKDESTBLT, offsetof(DDSURFACEDESC2, ddckCKDestBlt)},
    [DDRAW_KEY_SRCOVERLAY] = {DDCKEY_SRCOVERLAY, DDSD_CKSRCOVERLAY, offsetof(DDSURFACEDESC2, ddckCKSrcOverlay)},
    [DDRAW_KEY_DESTOVERLAY] = {DDCKEY_DESTOVERLAY, DDSD_CKDESTOVERLAY, offsetof(DDSURFACEDESC2, ddckCKDestOverlay)},
};

/* DDRAW_KEY_COUNT: the flags name no kind, or several. */
static unsigned kind_of(DWORD flags)
{
    for (unsigned i = 0; i < DDRAW_KEY_COUNT; i++)
        if ((flags & ~(DWORD)DDCKEY_COLORSPACE) == kinds[i].flag)
            return i;
    return DDRAW_KEY_COUNT;
}

HRESULT ddraw_set_key(struct ddraw_keys *keys, unsigned version, bool is_sublevel, DWORD flags, const DDCOLORKEY *key)
{
    const unsigned kind = kind_of(flags);

    if (version == 7 && is_sublevel)
        return DDERR_NOTONMIPMAPSUBLEVEL;
    if (kind == DDRAW_KEY_COUNT)
        return DDERR_INVALIDPARAMS;
    if (!key) {
        keys->is_set[kind] = false;
        return DD_OK;
    }
    if (flags & DDCKEY_COLORSPACE && key->dwColorSpaceLowValue != key->dwColorSpaceHighValue)
        return DDERR_NOCOLORKEYHW;
    keys->is_set[kind] = true;
    keys->key[kind] = (DDCOLORKEY){key->dwColorSpaceLowValue, key->dwColorSpaceLowValue};
    return DD_OK;
}

HRESULT ddraw_get_key(const struct ddraw_keys *keys, DWORD flags, DDCOLORKEY *key)
{
    const unsigned kind = kind_of(flags);

    if (kind == DDRAW_KEY_COUNT || !key)
        return DDERR_INVALIDPARAMS;
    if (!keys->is_set[kind])
        return DDERR_NOCOLORKEY;
    *key = keys->key[kind];
    return DD_OK;
}

void ddraw_keys_take(struct ddraw_keys *keys, const DDSURFACEDESC2 *desc)
{
    for (unsigned i = 0; i < DDRAW_KEY_COUNT; i++) {
        keys->is_set[i] = desc->dwFlags & kinds[i].member_flag;
        memcpy(&keys->key[i], (const uint8_t *)desc + kinds[i].member, sizeof(keys->key[i]));
    }
}

void ddraw_keys_describe(const struct ddraw_keys *keys, DDSURFACEDESC2 *desc)
{
    for (unsigned i = 0; i < DDRAW_KEY_COUNT; i++) {
        const DDCOLORKEY key = keys->is_set[i] ? keys->key[i] : (DDCOLORKEY){0};

        desc->dwFlags = keys->is_set[i] ? desc->dwFlags | kinds[i].member_flag : desc->dwFlags & ~kinds[i].member_flag;
        memcpy((uint8_t *)desc + kinds[i].member, &key, sizeof(key));
    }
}
