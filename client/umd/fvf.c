/* SPDX-License-Identifier: MIT */
/* Vertex formats as declarations. */
#include "client/umd/internal.h"

#include "base/base.h"
#include "client/umd/elements.h"

#include <stdlib.h>

static unsigned put(D3DDDIVERTEXELEMENT *elements, unsigned count, unsigned *offset, unsigned type, unsigned usage,
                    unsigned index)
{
    static const uint8_t bytes[] = {4, 8, 12, 16, 4, 4};

    elements[count] = (D3DDDIVERTEXELEMENT){
        .Offset = (WORD)*offset, .Type = (BYTE)type, .Usage = (BYTE)usage, .UsageIndex = (BYTE)index};
    *offset += bytes[type];
    return count + 1;
}

/* Position, and weights with indices, of a vertex format. */
static unsigned put_position(D3DDDIVERTEXELEMENT *elements, uint32_t fvf, unsigned *offset)
{
    const uint32_t position = fvf & D3DFVF_POSITION_MASK;
    unsigned count;

    if (position == D3DFVF_XYZRHW)
        return put(elements, 0, offset, TYPE_FLOAT4, USAGE_POSITIONT, 0);
    if (fvf & 0x4000) /* XYZW */
        return put(elements, 0, offset, TYPE_FLOAT4, USAGE_POSITION, 0);
    count = put(elements, 0, offset, TYPE_FLOAT3, USAGE_POSITION, 0);
    if (position > D3DFVF_XYZRHW) {
        const uint32_t betas = (position - D3DFVF_XYZRHW) / 2;
        const bool has_indices = fvf & (D3DFVF_LASTBETA_UBYTE4 | 0x8000) || betas == 5;
        const uint32_t weights = betas - has_indices;

        if (weights)
            count = put(elements, count, offset, TYPE_FLOAT1 + weights - 1, USAGE_WEIGHT, 0);
        if (has_indices)
            count = put(elements, count, offset, TYPE_UBYTE4, USAGE_INDICES, 0);
    }
    return count;
}

/* Elements of a vertex format; 0: it is none. Before DirectX 8 the point size is a gap. */
static unsigned format_elements(D3DDDIVERTEXELEMENT *elements, uint32_t fvf, bool has_sizes)
{
    static const uint8_t coordinates[] = {TYPE_FLOAT2, TYPE_FLOAT3, TYPE_FLOAT4, TYPE_FLOAT1};
    const unsigned sets = (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;
    unsigned offset = 0, count;

    if (!(fvf & D3DFVF_POSITION_MASK) || !dp2_fvf_size(fvf))
        return 0;
    count = put_position(elements, fvf, &offset);
    if (fvf & D3DFVF_NORMAL)
        count = put(elements, count, &offset, TYPE_FLOAT3, USAGE_NORMAL, 0);
    if (fvf & D3DFVF_PSIZE && has_sizes)
        count = put(elements, count, &offset, TYPE_FLOAT1, USAGE_SIZE, 0);
    else if (fvf & D3DFVF_PSIZE)
        offset += 4;
    if (fvf & D3DFVF_DIFFUSE)
        count = put(elements, count, &offset, TYPE_COLOR, USAGE_COLOR, 0);
    if (fvf & D3DFVF_SPECULAR)
        count = put(elements, count, &offset, TYPE_COLOR, USAGE_COLOR, 1);
    if (fvf & 0x2000) /* D3DFVF_FOG */
        count = put(elements, count, &offset, TYPE_FLOAT1, USAGE_FOG, 0);
    for (unsigned i = 0; i < sets; i++)
        count = put(elements, count, &offset, coordinates[fvf >> (16 + 2 * i) & 3], USAGE_TEXCOORD, i);
    return count;
}

HANDLE bridge_format_declaration(struct bridge_context *context, uint32_t fvf)
{
    struct bridge_object *object = base_map_get(&context->formats, fvf);
    D3DDDIVERTEXELEMENT elements[MOST_ELEMENTS];
    unsigned count;

    if (object)
        return object->handle;
    count = format_elements(elements, fvf, context->level > DDI_LEVEL_DX7);
    object = count ? mem_calloc(1, sizeof(*object)) : NULL;
    if (!object || FAILED(bridge_make_declaration(context, elements, count, &object->handle)) ||
        !base_map_put(&context->formats, fvf, object)) {
        free(object);
        return NULL;
    }
    return object->handle;
}
