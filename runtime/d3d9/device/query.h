/* SPDX-License-Identifier: MIT */
/* IDirect3DQuery9 over the queries of the link (runtime/common/driver/query.h). */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_QUERY_H
#define HALCYON_RUNTIME_D3D9_DEVICE_QUERY_H

/* It has the headers of Direct3D 9, which must come before what follows. */
#include "runtime/d3d9/device/d3d9_objects.h"

#include "runtime/common/driver/query.h"

struct d3d9_query {
    RT_OBJECT;
    struct rt_query *query;
};

extern const IDirect3DQuery9Vtbl d3d9_query_vtbl;
extern const GUID *const d3d9_query_ids[];

/* out NULL: only asks whether there are such queries. On failure *out stays as it was. */
HRESULT WINAPI d3d9_device_CreateQuery(IDirect3DDevice9Ex *iface, D3DQUERYTYPE type, IDirect3DQuery9 **out);

#endif
