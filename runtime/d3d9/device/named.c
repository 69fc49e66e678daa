/* SPDX-License-Identifier: MIT */
/* The handles under which the driver knows shaders and declarations. */
#include "runtime/d3d9/shader/declaration.h"
#include "runtime/d3d9/shader/shader.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAMED (1u << 20)

uint32_t d3d9_named_add(struct d3d9_named *named, struct rt_object *object)
{
    /* Index 0 stays empty: its number would be 1, which means "none". */
    unsigned at = BASE_MAX(named->first_free, 1u);

    while (at < named->count && named->objects[at])
        at++;
    if (at >= named->count) {
        const unsigned count = named->count ? 2 * named->count : 64;
        struct rt_object **objects = count <= MAX_NAMED ? mem_realloc(named->objects, count, sizeof(*objects)) : NULL;

        if (!objects)
            return 0;
        memset(objects + named->count, 0, (count - named->count) * sizeof(*objects));
        named->objects = objects;
        named->count = count;
    }
    named->objects[at] = object;
    named->first_free = at + 1;
    return at << 1 | 1;
}

void d3d9_named_remove(struct d3d9_named *named, uint32_t number)
{
    const unsigned at = number >> 1;

    named->objects[at] = NULL;
    named->first_free = BASE_MIN(named->first_free, at);
}

static void send_create(struct rt_object *object)
{
    if (object->kind == RT_KIND_DECLARATION)
        d3d9_declaration_send((struct d3d9_declaration *)object);
    else
        d3d9_shader_send((struct d3d9_shader *)object);
}

HRESULT d3d9_named_announce(struct rt_object *object)
{
    struct rt_link *link = object->device->link;

    /* Errors of earlier commands must not count for this one. */
    rt_flush(link);
    send_create(object);
    return FAILED(rt_flush(link)) ? D3DERR_INVALIDCALL : D3D_OK;
}

void d3d9_named_resend(struct d3d9_device *device)
{
    for (unsigned i = 1; i < device->named.count; i++)
        if (device->named.objects[i])
            send_create(device->named.objects[i]);
}

uint32_t d3d9_named_number(struct rt_resource *resource)
{
    struct rt_object *object = RT_FROM_RES(rt_object, resource);

    return object->kind == RT_KIND_DECLARATION ? ((struct d3d9_declaration *)object)->number
                                               : d3d9_shader_number((struct d3d9_shader *)object);
}

void d3d9_named_free(struct d3d9_named *named)
{
    free(named->objects);
    memset(named, 0, sizeof(*named));
}
