/* SPDX-License-Identifier: MIT */
/* Checks vertex elements, and converts between them and flexible vertex formats. */
#include "runtime/d3d9/shader/elements.h"

#include "base/base.h"
#include "d3d/bindings.h"

#include <string.h>

#define MAX_USAGE_INDEX 15
#define MAX_FVF_SETS    8
/* Besides the position types, D3DFVF_POSITION_MASK holds the bit that makes XYZW of XYZ. */
#define BLENDED(fvf) (((fvf)&D3DFVF_POSITION_MASK) >= D3DFVF_XYZB1 && ((fvf)&D3DFVF_POSITION_MASK) <= D3DFVF_XYZB5)

static const uint8_t type_sizes[] = {
    [D3DDECLTYPE_FLOAT1] = 4,    [D3DDECLTYPE_FLOAT2] = 8,  [D3DDECLTYPE_FLOAT3] = 12, [D3DDECLTYPE_FLOAT4] = 16,
    [D3DDECLTYPE_D3DCOLOR] = 4,  [D3DDECLTYPE_UBYTE4] = 4,  [D3DDECLTYPE_SHORT2] = 4,  [D3DDECLTYPE_SHORT4] = 8,
    [D3DDECLTYPE_UBYTE4N] = 4,   [D3DDECLTYPE_SHORT2N] = 4, [D3DDECLTYPE_SHORT4N] = 8, [D3DDECLTYPE_USHORT2N] = 4,
    [D3DDECLTYPE_USHORT4N] = 8,  [D3DDECLTYPE_UDEC3] = 4,   [D3DDECLTYPE_DEC3N] = 4,   [D3DDECLTYPE_FLOAT16_2] = 4,
    [D3DDECLTYPE_FLOAT16_4] = 8,
};

unsigned d3d9_element_size(BYTE type)
{
    return type < ARRAY_COUNT(type_sizes) ? type_sizes[type] : 0;
}

/* --- rules ------------------------------------------------------------------------------- */

HRESULT d3d9_elements_check(const D3DVERTEXELEMENT9 *elements, unsigned *count)
{
    unsigned n = 0;

    for (; elements[n].Stream != 0xff; n++) {
        const D3DVERTEXELEMENT9 *e = &elements[n];

        if (n == D3D9_MAX_ELEMENTS)
            return D3DERR_INVALIDCALL;
        if (e->Offset % 4 || !d3d9_element_size(e->Type) || e->Stream >= D3D_STREAMS ||
            e->Method > D3DDECLMETHOD_LOOKUPPRESAMPLED || e->Usage > D3DDECLUSAGE_SAMPLE ||
            e->UsageIndex > MAX_USAGE_INDEX)
            return E_FAIL;
    }
    *count = n;
    return D3D_OK;
}

unsigned d3d9_elements_bytes(const D3DVERTEXELEMENT9 *elements, unsigned count)
{
    unsigned bytes = 0;

    for (unsigned i = 0; i < count; i++)
        if (elements[i].Stream == 0)
            bytes = BASE_MAX(bytes, elements[i].Offset + d3d9_element_size(elements[i].Type));
    return bytes;
}

/* --- from formats -------------------------------------------------------------------------- */

struct list {
    D3DVERTEXELEMENT9 *elements;
    unsigned count;
    WORD offset; /* bytes: of the next one */
};

static void append_element(struct list *list, BYTE type, BYTE usage, BYTE index)
{
    list->elements[list->count++] = (D3DVERTEXELEMENT9){0, list->offset, type, D3DDECLMETHOD_DEFAULT, usage, index};
    list->offset = (WORD)(list->offset + d3d9_element_size(type));
}

static void append_position(struct list *list, DWORD fvf)
{
    const DWORD position = fvf & D3DFVF_POSITION_MASK;

    if (position == D3DFVF_XYZRHW)
        append_element(list, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, 0);
    else if (position == D3DFVF_XYZW)
        append_element(list, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0);
    else if (position)
        append_element(list, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
}

/* The last of the betas holds indices if the format says so, and the fifth always does. */
static void append_betas(struct list *list, DWORD fvf)
{
    const unsigned betas = ((fvf & D3DFVF_POSITION_MASK) - D3DFVF_XYZB1) / 2 + 1;
    const bool indices = betas == 5 || fvf & (D3DFVF_LASTBETA_UBYTE4 | D3DFVF_LASTBETA_D3DCOLOR);
    const unsigned weights = betas - indices;
    /* The original runtime swaps the types for this one format; programs that read the declaration see it. */
    const bool exchanged = betas == 2 && fvf & D3DFVF_LASTBETA_D3DCOLOR;

    if (weights)
        append_element(list, exchanged ? D3DDECLTYPE_D3DCOLOR : (BYTE)(D3DDECLTYPE_FLOAT1 + weights - 1),
                       D3DDECLUSAGE_BLENDWEIGHT, 0);
    if (indices)
        append_element(list,
                       fvf & D3DFVF_LASTBETA_UBYTE4 || exchanged ? D3DDECLTYPE_UBYTE4
                       : fvf & D3DFVF_LASTBETA_D3DCOLOR          ? D3DDECLTYPE_D3DCOLOR
                                                                 : D3DDECLTYPE_FLOAT1,
                       D3DDECLUSAGE_BLENDINDICES, 0);
}

static void append_coordinates(struct list *list, DWORD fvf, unsigned set)
{
    /* D3DFVF_TEXTUREFORMAT2, 3, 4, 1 */
    static const BYTE types[] = {D3DDECLTYPE_FLOAT2, D3DDECLTYPE_FLOAT3, D3DDECLTYPE_FLOAT4, D3DDECLTYPE_FLOAT1};

    append_element(list, types[fvf >> (16 + 2 * set) & 3], D3DDECLUSAGE_TEXCOORD, (BYTE)set);
}

unsigned d3d9_elements_of_fvf(DWORD fvf, D3DVERTEXELEMENT9 elements[D3D9_MAX_FVF_ELEMENTS])
{
    const unsigned sets = (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;
    struct list list = {.elements = elements};

    if (sets > MAX_FVF_SETS)
        return 0;
    append_position(&list, fvf);
    if (BLENDED(fvf))
        append_betas(&list, fvf);
    if (fvf & D3DFVF_NORMAL)
        append_element(&list, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0);
    if (fvf & D3DFVF_PSIZE)
        append_element(&list, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE, 0);
    if (fvf & D3DFVF_DIFFUSE)
        append_element(&list, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0);
    if (fvf & D3DFVF_SPECULAR)
        append_element(&list, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1);
    for (unsigned set = 0; set < sets; set++)
        append_coordinates(&list, fvf, set);
    elements[list.count] = (D3DVERTEXELEMENT9)D3DDECL_END();
    return list.count + 1;
}

/* --- to formats ------------------------------------------------------------------------------ */

/* Position bits of the format that these elements would have. */
static DWORD guess_position(const D3DVERTEXELEMENT9 *elements, unsigned count)
{
    unsigned betas = 0;
    DWORD last = 0;

    if (!count)
        return 0;
    if (elements[0].Usage == D3DDECLUSAGE_POSITIONT)
        return D3DFVF_XYZRHW;
    if (elements[0].Usage != D3DDECLUSAGE_POSITION)
        return 0;
    if (elements[0].Type == D3DDECLTYPE_FLOAT4)
        return D3DFVF_XYZW;
    for (unsigned i = 1; i < count && i < 3; i++) {
        const BYTE type = elements[i].Type;

        if (elements[i].Usage == D3DDECLUSAGE_BLENDWEIGHT)
            betas += type <= D3DDECLTYPE_FLOAT4 ? type + 1u : 1;
        if (elements[i].Usage != D3DDECLUSAGE_BLENDINDICES)
            continue;
        betas++;
        last = type == D3DDECLTYPE_UBYTE4     ? D3DFVF_LASTBETA_UBYTE4
               : type == D3DDECLTYPE_D3DCOLOR ? D3DFVF_LASTBETA_D3DCOLOR
                                              : 0;
        if (elements[i - 1].Usage == D3DDECLUSAGE_BLENDWEIGHT && elements[i - 1].Type == D3DDECLTYPE_D3DCOLOR)
            last = D3DFVF_LASTBETA_D3DCOLOR;
    }
    return betas ? (D3DFVF_XYZB1 + 2 * (betas - 1)) | last : D3DFVF_XYZ;
}

DWORD d3d9_fvf_of_elements(const D3DVERTEXELEMENT9 *elements, unsigned count)
{
    static const BYTE sizes[] = {D3DFVF_TEXTUREFORMAT1, D3DFVF_TEXTUREFORMAT2, D3DFVF_TEXTUREFORMAT3,
                                 D3DFVF_TEXTUREFORMAT4};
    D3DVERTEXELEMENT9 back[D3D9_MAX_FVF_ELEMENTS];
    DWORD fvf = guess_position(elements, count);
    unsigned sets = 0;

    for (unsigned i = 0; i < count; i++)
        if (elements[i].Usage == D3DDECLUSAGE_NORMAL)
            fvf |= D3DFVF_NORMAL;
        else if (elements[i].Usage == D3DDECLUSAGE_PSIZE)
            fvf |= D3DFVF_PSIZE;
        else if (elements[i].Usage == D3DDECLUSAGE_COLOR)
            fvf |= elements[i].UsageIndex ? D3DFVF_SPECULAR : D3DFVF_DIFFUSE;
        else if (elements[i].Usage == D3DDECLUSAGE_TEXCOORD && sets < MAX_FVF_SETS &&
                 elements[i].Type < ARRAY_COUNT(sizes))
            fvf |= (DWORD)sizes[elements[i].Type] << (16 + 2 * sets++);
    fvf |= sets << D3DFVF_TEXCOUNT_SHIFT;
    /* The guess is right if it converts back to exactly the same elements. */
    return d3d9_elements_of_fvf(fvf, back) == count + 1 && !memcmp(back, elements, count * sizeof(back[0])) ? fvf : 0;
}

DWORD d3d9_told_fvf(const D3DVERTEXELEMENT9 *elements, unsigned count)
{
    const DWORD fvf = d3d9_fvf_of_elements(elements, count);

    return fvf == D3DFVF_XYZ || fvf == D3DFVF_XYZRHW ? fvf : 0;
}
