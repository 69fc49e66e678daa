/* SPDX-License-Identifier: MIT */
/* Values of a trace as arguments. */
#include "tools/import/arguments.h"
#include "tools/import/stream.h"

#include "base/base.h"
#include "d3d/primitives.h"

#include <stdlib.h>
#include <string.h>

#define PARAMETERS8 "ddddddhdddddd"
#define PARAMETERS9 "ddddddd.hdddddd"

static const struct {
    const char *type;
    enum argument_kind kind;
    const char *layout;
} types[] = {
    {"HWND", ARGUMENT_WINDOW, NULL},
    {"D3DPRESENT_PARAMETERS *", ARGUMENT_PARAMETERS, NULL},
    {"D3DLOCKED_RECT *", ARGUMENT_LOCK, NULL},
    {"D3DLOCKED_BOX *", ARGUMENT_LOCK, NULL},
    {"BYTE **", ARGUMENT_LOCK, NULL},
    {"HANDLE *", ARGUMENT_NULL, NULL},
    {"const RGNDATA *", ARGUMENT_NULL, NULL},
    {"REFIID", ARGUMENT_BYTES, "dwwbbbbbbbb"},
    {"const RECT *", ARGUMENT_BYTES, "dddd"},
    {"const D3DRECT *", ARGUMENT_BYTES, "dddd"},
    {"const POINT *", ARGUMENT_BYTES, "dd"},
    {"const D3DBOX *", ARGUMENT_BYTES, "dddddd"},
    {"const D3DMATRIX *", ARGUMENT_BYTES, "dddddddddddddddd"},
    {"const D3DVIEWPORT8 *", ARGUMENT_BYTES, "dddddd"},
    {"const D3DVIEWPORT9 *", ARGUMENT_BYTES, "dddddd"},
    {"const D3DMATERIAL8 *", ARGUMENT_BYTES, "ddddddddddddddddd"},
    {"const D3DMATERIAL9 *", ARGUMENT_BYTES, "ddddddddddddddddd"},
    {"const D3DLIGHT8 *", ARGUMENT_BYTES, "dddddddddddddddddddddddddd"},
    {"const D3DLIGHT9 *", ARGUMENT_BYTES, "dddddddddddddddddddddddddd"},
    {"const D3DCLIPSTATUS8 *", ARGUMENT_BYTES, "dd"},
    {"const D3DCLIPSTATUS9 *", ARGUMENT_BYTES, "dd"},
    {"const PALETTEENTRY *", ARGUMENT_BYTES, "bbbb"},
    {"const D3DGAMMARAMP *", ARGUMENT_BYTES, "w"},
    {"const D3DRECTPATCH_INFO *", ARGUMENT_BYTES, "ddddddd"},
    {"const D3DTRIPATCH_INFO *", ARGUMENT_BYTES, "dddd"},
    {"const D3DVERTEXELEMENT9 *", ARGUMENT_BYTES, "wwbbbb"},
    {"const D3DDISPLAYMODEFILTER *", ARGUMENT_BYTES, "ddd"},
    {"D3DDISPLAYMODEEX *", ARGUMENT_BYTES, "dddddd"},
    {"const float *", ARGUMENT_BYTES, "d"},
    {"const int *", ARGUMENT_BYTES, "d"},
    {"const BOOL *", ARGUMENT_BYTES, "d"},
    {"const DWORD *", ARGUMENT_BYTES, "d"},
    {"const void *", ARGUMENT_BYTES, ""},
    {"float *", ARGUMENT_BYTES,
     "d"}, /* of SetConvolutionMonoKernel; GetClipPlane is a question, which is not asked again */
    {"DWORD *", ARGUMENT_ANSWER, NULL},
    {"UINT *", ARGUMENT_ANSWER, NULL},
};

enum argument_kind import_argument_kind(const struct import_argument *argument, unsigned version, const char **layout)
{
    const size_t length = strlen(argument->type);

    *layout = "";
    if (argument->object)
        return ARGUMENT_RESULT;
    for (unsigned i = 0; i < ARRAY_COUNT(types); i++)
        if (strcmp(types[i].type, argument->type) == 0) {
            *layout = types[i].kind == ARGUMENT_PARAMETERS ? version == 8 ? PARAMETERS8 : PARAMETERS9 : types[i].layout;
            return types[i].kind;
        }
    if (strncmp(argument->type, "IDirect3D", 9) == 0 && length > 2 && strcmp(argument->type + length - 2, " *") == 0)
        return ARGUMENT_OBJECT;
    return strchr(argument->type, '*') || strncmp(argument->type, "REF", 3) == 0 || argument->type[0] == 'H'
               ? ARGUMENT_UNKNOWN
               : ARGUMENT_NUMBER;
}

/* --- bytes ---------------------------------------------------------------------------------------- */

bool import_bytes_add(struct import_bytes *bytes, const void *data, size_t size)
{
    uint8_t *grown = mem_grow(bytes->data, &bytes->capacity, bytes->size, size + 8);

    if (!grown)
        return false;
    bytes->data = grown;
    if (data)
        memcpy(grown + bytes->size, data, size);
    else
        memset(grown + bytes->size, 0, size);
    bytes->size += size;
    return true;
}

void import_bytes_align(struct import_bytes *bytes)
{
    while (bytes->size % 8)
        bytes->data[bytes->size++] = 0;
}

bool import_number(const struct trace_value *value, uint64_t *number)
{
    uint32_t bits;
    float single;

    switch (value->type) {
    case TRACE_NULL:
    case TRACE_FALSE:
        *number = 0;
        return true;
    case TRACE_TRUE:
        *number = 1;
        return true;
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_OPAQUE:
        *number = value->number;
        return true;
    case TRACE_FLOAT:
        memcpy(&bits, &value->f, sizeof(bits));
        *number = bits;
        return true;
    case TRACE_DOUBLE:
        single = (float)value->d;
        memcpy(&bits, &single, sizeof(bits));
        *number = bits;
        return true;
    default:
        return false;
    }
}

bool import_member(const struct trace_value *value, unsigned index, uint64_t *number)
{
    if (value->type == TRACE_ARRAY && value->list.count == 1 && value->list.items[0].type == TRACE_STRUCT)
        value = &value->list.items[0];
    if (value->type != TRACE_ARRAY && value->type != TRACE_STRUCT)
        return false;
    return index < value->list.count && import_number(&value->list.items[index], number);
}

struct layout {
    const char *text;
    size_t at; /* of the next member */
};

static bool put_member(struct import_bytes *bytes, struct layout *layout, uint64_t number)
{
    static const uint64_t padding;

    if (layout->text[layout->at] == '.') {
        if (!import_bytes_add(bytes, &padding, 4))
            return false;
        layout->at++;
    }
    switch (layout->text[layout->at]) {
    case 'd':
        if (!import_bytes_add(bytes, &number, 4))
            return false;
        break;
    case 'w':
        if (!import_bytes_add(bytes, &number, 2))
            return false;
        break;
    case 'b':
        if (!import_bytes_add(bytes, &number, 1))
            return false;
        break;
    case 'h':
        if (!import_bytes_add(bytes, &number, 8))
            return false;
        break;
    default:
        return false;
    }
    layout->at = layout->text[layout->at + 1] ? layout->at + 1 : 0;
    return true;
}

/* (values nest no deeper than CALLS_DEPTH) */
static bool put_value(struct import_bytes *bytes, const struct trace_value *value, struct layout *layout)
{
    uint64_t number;

    if (value->type == TRACE_BLOB)
        return layout->at == 0 && import_bytes_add(bytes, value->blob.bytes, value->blob.size);
    if (value->type != TRACE_ARRAY && value->type != TRACE_STRUCT)
        return import_number(value, &number) && put_member(bytes, layout, number);
    for (size_t i = 0; i < value->list.count; i++)
        if (!put_value(bytes, &value->list.items[i], layout))
            return false;
    return true;
}

bool import_put(struct import_bytes *bytes, const struct trace_value *value, const char *layout)
{
    struct layout place = {.text = layout};

    return put_value(bytes, value, &place) && place.at == 0;
}

/* --- lengths -------------------------------------------------------------------------------------- */

/* Vertices of `count` primitives; an unknown type has as many as any other. */
static uint64_t vertices_of(uint64_t type, uint64_t count)
{
    return d3d_vertices_of((uint32_t)type, 1) ? d3d_vertices_of((uint32_t)type, count) : 3 * count + 2;
}

#define FORMAT_INDEX32 102 /* D3DFMT_INDEX32 */

/* Rows of the table: bytes = numbers[count] * each + constant; count -1: only the constant. */
static const struct {
    const char *method;
    unsigned index;
    int count;
    unsigned bytes;
} lengths[] = {
    {"Clear", 1, 0, 16},
    {"CopyRects", 1, 2, 16},
    {"CopyRects", 4, 2, 8},
    {"SetVertexShaderConstant", 1, 2, 16},
    {"SetPixelShaderConstant", 1, 2, 16},
    {"SetVertexShaderConstantF", 1, 2, 16},
    {"SetPixelShaderConstantF", 1, 2, 16},
    {"SetVertexShaderConstantI", 1, 2, 16},
    {"SetPixelShaderConstantI", 1, 2, 16},
    {"SetVertexShaderConstantB", 1, 2, 4},
    {"SetPixelShaderConstantB", 1, 2, 4},
    {"SetConvolutionMonoKernel", 2, 0, 4},
    {"SetConvolutionMonoKernel", 3, 1, 4},
    {"SetClipPlane", 1, -1, 16},
    {"SetPaletteEntries", 1, -1, 1024},
    {"SetGammaRamp", 1, -1, 1536},
    {"SetGammaRamp", 2, -1, 1536},
    {"DrawRectPatch", 1, -1, 16}, /* the tracer records one of four */
    {"DrawTriPatch", 1, -1, 12},
};

size_t import_needed(const char *method, unsigned index, const uint64_t *numbers, bool *fits)
{
    uint64_t count = 1, each = 1;

    if (strcmp(method, "DrawPrimitiveUP") == 0) {
        count = vertices_of(numbers[0], (uint32_t)numbers[1]);
        each = (uint32_t)numbers[3];
    } else if (strcmp(method, "DrawIndexedPrimitiveUP") == 0 && index == 4) {
        count = vertices_of(numbers[0], (uint32_t)numbers[3]);
        each = numbers[5] == FORMAT_INDEX32 ? 4 : 2;
    } else if (strcmp(method, "DrawIndexedPrimitiveUP") == 0) {
        count = (numbers[1] & UINT32_MAX) + (numbers[2] & UINT32_MAX);
        each = (uint32_t)numbers[7];
    }
    for (unsigned i = 0; i < ARRAY_COUNT(lengths); i++)
        if (lengths[i].index == index && strcmp(lengths[i].method, method) == 0) {
            count = lengths[i].count < 0 ? 1 : (uint32_t)numbers[lengths[i].count];
            each = lengths[i].bytes;
        }
    *fits = !each || count <= STREAM_RECORD / each;
    return *fits ? (size_t)(count * each) : 0;
}
