/* SPDX-License-Identifier: MIT */
/* Colour keys of surfaces: SetColorKey, GetColorKey. */
#include "client/client.h"
#include "runtime/ddraw/surface/surface.h"

/* Enters the keys of blits in the structures that the driver reads; native runtimes also tell it of new ones. A driver without the call
 * only misses the news: each blit names its keys. */
static void tell_driver(struct surface *surface)
{
    static const struct {
        enum ddraw_key_kind kind;
        DWORD flag, name;
    } blits[] = {{DDRAW_KEY_SRCBLT, DDRAWISURF_HASCKEYSRCBLT, DDCKEY_SRCBLT},
                 {DDRAW_KEY_DESTBLT, DDRAWISURF_HASCKEYDESTBLT, DDCKEY_DESTBLT}};
    struct client_surface *driver = surface->root->chain->parts[surface->part].surface;

    if (!driver)
        return;
    for (unsigned i = 0; i < 2; i++) {
        const DDCOLORKEY key = surface->keys.key[blits[i].kind];

        driver->lcl.dwFlags &= ~blits[i].flag;
        if (!surface->keys.is_set[blits[i].kind])
            continue;
        driver->lcl.dwFlags |= blits[i].flag;
        *(blits[i].kind == DDRAW_KEY_SRCBLT ? &driver->lcl.ddckCKSrcBlt : &driver->lcl.ddckCKDestBlt) = key;
        client_set_color_key(driver, blits[i].name, key.dwColorSpaceLowValue);
    }
}

HRESULT surface_SetColorKey(struct dd_call *call, DWORD flags, DDCOLORKEY *key)
{
    struct surface *surface = surface_of(call);
    const bool is_sublevel = surface->desc.ddsCaps.dwCaps2 & DDSCAPS2_MIPMAPSUBLEVEL;
    HRESULT hr = ddraw_set_key(&surface->keys, call->version, is_sublevel, flags, key);

    if (FAILED(hr))
        return hr;
    ddraw_keys_describe(&surface->keys, &surface->desc);
    tell_driver(surface);
    return DD_OK;
}

HRESULT surface_GetColorKey(struct dd_call *call, DWORD flags, DDCOLORKEY *key)
{
    return ddraw_get_key(&surface_of(call)->keys, flags, key);
}
