/* SPDX-License-Identifier: MIT */
/* The mesh of a draw as a Wavefront OBJ file: vertices in order, each once, then the primitives. */
#include "tools/debug/mesh_obj.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- vertices that have been written ------------------------------------------------------------- */

static size_t slot_of(const struct mesh_obj *obj, uint64_t key)
{
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & (obj->capacity - 1);

    while (obj->slots[at] && obj->keys[at] != key)
        at = (at + 1) & (obj->capacity - 1);
    return at;
}

static bool grow_table(struct mesh_obj *obj)
{
    struct mesh_obj bigger = {.capacity = obj->capacity ? 2 * obj->capacity : 1024};

    bigger.slots = mem_calloc(bigger.capacity, sizeof(*bigger.slots));
    bigger.keys = mem_calloc(bigger.capacity, sizeof(*bigger.keys));
    if (!bigger.slots || !bigger.keys) {
        mesh_obj_free(&bigger);
        obj->failed = true;
        return false;
    }
    for (size_t i = 0; i < obj->capacity; i++) {
        if (obj->slots[i]) {
            const size_t at = slot_of(&bigger, obj->keys[i]);

            bigger.slots[at] = obj->slots[i];
            bigger.keys[at] = obj->keys[i];
        }
    }
    mesh_obj_free(obj);
    obj->slots = bigger.slots;
    obj->keys = bigger.keys;
    obj->capacity = bigger.capacity;
    return true;
}

void mesh_obj_free(struct mesh_obj *obj)
{
    free(obj->slots);
    free(obj->keys);
    obj->slots = NULL;
    obj->keys = NULL;
}

/* --- writing ------------------------------------------------------------------------------------- */

static const float *element_of(const struct inspect_format *format, const struct inspect_corner *corner,
                               const char *name)
{
    for (unsigned e = 0; e < format->count; e++)
        if (strcmp(format->element[e].name, name) == 0)
            return corner->fetched[e];
    return NULL;
}

static bool has_position(const struct mesh_obj *obj, const struct inspect_format *format,
                         const struct inspect_corner *corner)
{
    return obj->space == INSPECT_WINDOW ? corner->has_window : element_of(format, corner, "position") != NULL;
}

static void write_vertex(struct mesh_obj *obj, const struct inspect_format *format, const struct inspect_corner *corner)
{
    const float *position = obj->space == INSPECT_WINDOW ? corner->window : element_of(format, corner, "position");
    const float *texcoord = element_of(format, corner, "texcoord 0"), *normal = element_of(format, corner, "normal");
    /* Pixels count downwards. */
    const float up = obj->space == INSPECT_WINDOW || format->transformed ? -1.0f : 1.0f;

    obj->has_normals = normal && obj->space == INSPECT_FETCHED;
    obj->has_texcoords = texcoord != NULL;
    fprintf(obj->file, "v %.9g %.9g %.9g\n", (double)position[0], (double)(up * position[1]), (double)position[2]);
    if (obj->has_texcoords)
        fprintf(obj->file, "vt %.9g %.9g\n", (double)texcoord[0], (double)(1.0f - texcoord[1]));
    if (obj->has_normals)
        fprintf(obj->file, "vn %.9g %.9g %.9g\n", (double)normal[0], (double)normal[1], (double)normal[2]);
}

/* The vertex's number in the file. 0: no memory. */
static uint32_t number_of(struct mesh_obj *obj, const struct inspect_primitive *primitive, unsigned c)
{
    const struct inspect_corner *corner = &primitive->corner[c];
    const uint64_t key = (uint64_t)primitive->part << 40 ^ (uint64_t)corner->vertex;
    size_t at;

    if (obj->count * 2 >= obj->capacity && !grow_table(obj))
        return 0;
    at = slot_of(obj, key);
    if (!obj->slots[at]) {
        write_vertex(obj, primitive->format, corner);
        obj->keys[at] = key;
        obj->slots[at] = (uint32_t)++obj->count;
    }
    return obj->slots[at];
}

void mesh_obj_primitive(struct mesh_obj *obj, const struct inspect_primitive *primitive)
{
    static const char kinds[] = {'-', 'p', 'l', 'f'};
    uint32_t number[3] = {0};

    for (unsigned c = 0; c < primitive->corners; c++)
        if (!has_position(obj, primitive->format, &primitive->corner[c]))
            return;
    for (unsigned c = 0; c < primitive->corners; c++)
        if (!(number[c] = number_of(obj, primitive, c)))
            return;
    putc(kinds[primitive->corners], obj->file);
    for (unsigned c = 0; c < primitive->corners; c++) {
        fprintf(obj->file, " %" PRIu32, number[c]);
        if (primitive->corners == 1)
            continue;
        if (obj->has_texcoords)
            fprintf(obj->file, "/%" PRIu32, number[c]);
        if (obj->has_normals && primitive->corners == 3)
            fprintf(obj->file, "%s/%" PRIu32, obj->has_texcoords ? "" : "/", number[c]);
    }
    putc('\n', obj->file);
}
