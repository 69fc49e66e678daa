/* SPDX-License-Identifier: MIT */
/*
 * Random programs of clears, draws, points, copies, locks and textures, for two devices of which one has a setting that the program
 * must not notice: the pixels that it reads are the same.
 */
#ifndef TESTS_UNIT_RT_PROGRAM_H
#define TESTS_UNIT_RT_PROGRAM_H

#include "tests/unit/rt_fixture.h"

#include <math.h>

#include "base/base.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/device/states.h"
#include "tests/random.h"

#define PIXELS   (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
#define SIZED    (D3DFVF_XYZRHW | D3DFVF_PSIZE | D3DFVF_DIFFUSE)
#define SPACE    (D3DFVF_XYZ | D3DFVF_DIFFUSE)
#define SPACED   (D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_DIFFUSE)
#define SURFACES 5

/* How the surfaces of a world differ from what the program asks for. */
struct world_kind {
    uint32_t format, pool; /* of the targets; of the buffers */
    unsigned times;        /* the internal resolution; 0: none */
    unsigned samples;      /* of the surfaces of the back buffer's size that are not textures */
    bool asked; /* the program asks for the samples itself, and has another depth buffer for targets without */
};

struct world {
    struct rt_adapter *adapter;
    struct rt_device *device;
    struct rt_texture *texture; /* a target of the back buffer's size */
    struct rt_surface
        *surface[SURFACES]; /* two targets of that size, the texture's level, a small target, one in system memory */
    struct rt_surface *depth, *depth_of_textures; /* one, or two if only one has samples */
    struct rt_buffer *vertices, *indices;
};

static ULONG WINAPI parent_ref(IUnknown *iface)
{
    (void)iface;
    return 1;
}

static IUnknownVtbl parent_vtbl = {.AddRef = parent_ref, .Release = parent_ref};
static IUnknown parent = {&parent_vtbl};

static uint32_t current_fvf(const struct rt_device *device)
{
    return device->pipe.state.vertex_shader;
}

static unsigned vertex_bytes(const struct rt_device *device)
{
    return dp2_fvf_size(device->pipe.state.vertex_shader);
}

static void vertex_use(const struct rt_device *device, struct rt_vertex_use *use)
{
    const uint32_t fvf = device->pipe.state.vertex_shader;

    use->in_pixels = (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW;
    if (fvf & D3DFVF_PSIZE)
        use->size = use->in_pixels ? 16 : 12;
}

static const struct rt_state_ops state_ops = {rt_texture_handle, rt_buffer_handle, rt_shader_handle, rt_shader_handle,
                                              rt_no_handle};
static const struct rt_api api = {
    .state_rules = &d3d8_state_rules,
    .state_ops = &state_ops,
    .current_fvf = current_fvf,
    .vertex_bytes = vertex_bytes,
    .vertex_use = vertex_use,
};

/* --- the world ---------------------------------------------------------------------------------- */

static struct rt_surface *make_surface(struct world *w, uint32_t format, DWORD usage, uint32_t pool, unsigned size,
                                       unsigned samples)
{
    const struct rt_surface_desc desc = {
        .format = format, .usage = usage, .pool = pool, .width = size, .height = size, .samples = samples};
    struct rt_surface *surface;

    assert_int_equal(rt_surface_create(w->device, &desc, true, &surface), D3D_OK);
    return surface;
}

static struct rt_buffer *make_buffer(struct world *w, D3DRESOURCETYPE type, uint32_t pool)
{
    const struct rt_buffer_desc desc = {.type = type,
                                        .length = 4096,
                                        .usage = 0,
                                        .format = type == D3DRTYPE_INDEXBUFFER ? D3DFMT_INDEX16 : D3DFMT_VERTEXDATA,
                                        .pool = pool};
    struct rt_buffer *buffer;

    assert_int_equal(rt_buffer_create(w->device, &desc, &buffer), D3D_OK);
    return buffer;
}

static struct rt_surface *depth_for(const struct world *w, unsigned target)
{
    return target < 2 ? w->depth : w->depth_of_textures;
}

/* As a back buffer is made: it has samples from the beginning. */
static struct rt_surface *make_back_buffer(struct world *w, uint32_t format, unsigned samples)
{
    const struct rt_surface_desc desc = {
        .format = format, .usage = D3DUSAGE_RENDERTARGET, .width = RT_SIZE, .height = RT_SIZE};
    const struct rt_chain_desc memory = {.kind = RT_CHAIN_TARGET,
                                         .memory = RT_MEMORY_VIDEO,
                                         .format = format,
                                         .width = RT_SIZE * BASE_MAX(w->device->resolution.times, 1u),
                                         .height = RT_SIZE * BASE_MAX(w->device->resolution.times, 1u),
                                         .depth = 1,
                                         .levels = 1,
                                         .samples = samples};
    struct rt_surface *surface;
    struct rt_chain *chain;

    assert_int_equal(rt_chain_create(w->device->link, &memory, &chain), D3D_OK);
    surface = rt_surface_wrap(w->device, chain, 0, &desc, true);
    assert_non_null(surface);
    surface->owns_chain = true;
    rt_object_AddRef(surface);
    rt_resource_unhold(&surface->res);
    return surface;
}

static void open_world(struct world *w, const struct world_kind *kind)
{
    const uint32_t format = kind->format, pool = kind->pool;
    const unsigned asked = kind->asked ? kind->samples : 0;
    const struct rt_texture_desc texture = {.type = D3DRTYPE_TEXTURE,
                                            .width = RT_SIZE,
                                            .height = RT_SIZE,
                                            .depth = 1,
                                            .levels = 1,
                                            .usage = D3DUSAGE_RENDERTARGET,
                                            .format = format,
                                            .pool = D3DPOOL_DEFAULT};
    struct rt_device_desc desc = {
        .api = &api,
        .caps.MaxPointSize = 64.0f,
        .creation.BehaviorFlags = D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_FPU_PRESERVE,
    };

    memset(w, 0, sizeof(*w));
    desc.adapter = w->adapter = rt_open_adapter(&d3d8_driver_rules);
    w->device = calloc(1, sizeof(*w->device));
    assert_non_null(w->device);
    w->device->parent = &parent;
    assert_int_equal(rt_device_init(w->device, &desc), D3D_OK);
    w->device->resolution = (struct rt_resolution){RT_SIZE, RT_SIZE, kind->times};
    if (kind->samples && !kind->asked) {
        w->device->multisample = (struct rt_multisample){true, kind->samples, RT_SIZE, RT_SIZE};
        w->surface[0] = make_back_buffer(w, format, kind->samples);
    } else {
        w->surface[0] = make_surface(w, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, RT_SIZE, asked);
    }
    w->surface[1] = make_surface(w, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, RT_SIZE, asked);
    assert_int_equal(rt_texture_create(w->device, &texture, &w->texture), D3D_OK);
    w->surface[2] = &w->texture->surfaces[0];
    w->surface[2]->lockable = true;
    w->surface[3] = make_surface(w, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, RT_SIZE / 2, 0);
    w->surface[4] = make_surface(w, format, 0, D3DPOOL_SYSTEMMEM, RT_SIZE, 0);
    w->depth = make_surface(w, D3DFMT_D24S8, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT, RT_SIZE + 8, asked);
    w->depth_of_textures = w->depth;
    if (asked)
        w->depth_of_textures = make_surface(w, D3DFMT_D24S8, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT, RT_SIZE + 8, 0);
    w->vertices = make_buffer(w, D3DRTYPE_VERTEXBUFFER, pool);
    w->indices = make_buffer(w, D3DRTYPE_INDEXBUFFER, pool);
    assert_int_equal(rt_device_create_context(w->device, w->surface[0], w->depth), D3D_OK);
    rt_device_SetRenderState(w->device, D3DRS_LIGHTING, FALSE);
    rt_device_SetRenderState(w->device, D3DRS_CULLMODE, D3DCULL_NONE);
    rt_device_SetRenderState(w->device, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    for (unsigned i = 0; i < 4; i++) {
        rt_device_bind_target_and_depth(w->device, w->surface[i], depth_for(w, i));
        rt_device_reset_viewport(w->device);
        assert_int_equal(rt_device_Clear(w->device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, i * 0x203040, 1.0f, 0),
                         D3D_OK);
    }
}

static void close_world(struct world *w)
{
    rt_device_lose_context(w->device);
    for (unsigned i = 0; i < SURFACES; i++)
        if (i != 2)
            rt_object_Release(w->surface[i]);
    rt_object_Release(w->texture);
    rt_object_Release(w->depth);
    if (w->depth_of_textures != w->depth)
        rt_object_Release(w->depth_of_textures);
    rt_object_Release(w->vertices);
    rt_object_Release(w->indices);
    assert_int_equal(rt_device_Release(w->device), 0);
    rt_adapter_destroy(w->adapter);
}

/* --- a program ---------------------------------------------------------------------------------- */

struct vertex {
    float x, y, z, rhw;
    union {
        struct {
            uint32_t color;
            float u, v;
        } plain;
        struct {
            float size;
            uint32_t color;
        } sized;
    };
};
_Static_assert(sizeof(struct vertex) == 28, "as PIXELS has it");

static float pick_coordinate(void)
{
    return (float)random_below(4 * RT_SIZE) / 4.0f - 4.0f;
}

/* The texture coordinate at an edge, such that pixels hit texels. Edges between pixels stay there, and the middle of a texel stays the
 * middle. From other edges on, the place of a pixel in the middle of a texel would be an edge between the texels of the enlarged one, so
 * these have the place within the first of them. */
static float texel_at(float edge)
{
    const bool between = edge != floorf(edge) && 2.0f * edge == floorf(2.0f * edge);

    return (edge + (between ? 0.5f : 0.125f)) / RT_SIZE;
}

/* A rectangle of two triangles. */
static void make_rect(struct vertex v[6])
{
    static const uint8_t corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    const float left = pick_coordinate(), top = pick_coordinate();
    const float right = left + (float)random_below(40), bottom = top + (float)random_below(40);
    const uint32_t color = 0xff000000 | random_word();

    for (unsigned i = 0; i < 6; i++) {
        v[i] = (struct vertex){corners[i][0] ? right : left, corners[i][1] ? bottom : top, 0.5f, 1.0f,
                               .plain = {color, 0, 0}};
        v[i].plain.u = texel_at(v[i].x);
        v[i].plain.v = texel_at(v[i].y);
    }
}

struct draw {
    D3DPRIMITIVETYPE type;
    uint32_t fvf;
    unsigned stride, count, primitives;
    uint8_t bytes[6 * 28];
    unsigned way; /* from user memory, from buffers; indexed or not */
    unsigned first;
};

static void make_points(struct draw *d)
{
    d->type = D3DPT_POINTLIST;
    d->count = d->primitives = 6;
    for (unsigned i = 0; i < 6; i++) {
        const float size = (float)(1 + random_below(12));
        const uint32_t color = 0xff000000 | random_word();
        struct vertex v = {pick_coordinate(), pick_coordinate(), 0.5f, 1.0f, .plain = {color, 0, 0}};

        if (d->fvf == SIZED) {
            v.sized.size = size;
            v.sized.color = color;
        }
        memcpy(d->bytes + i * d->stride, &v, d->stride);
        if (d->fvf == SPACE || d->fvf == SPACED) {
            const float at[3] = {(float)random_below(65) / 32.0f - 1.0f, (float)random_below(65) / 32.0f - 1.0f, 0.5f};

            memcpy(d->bytes + i * d->stride, at, sizeof(at));
            memcpy(d->bytes + i * d->stride + 12, d->fvf == SPACED ? (const void *)&size : (const void *)&color, 4);
            memcpy(d->bytes + i * d->stride + d->stride - 4, &color, 4);
        }
    }
}

static void make_draw(struct draw *d)
{
    static const uint32_t formats[] = {PIXELS, SIZED, SPACE, SPACED};

    memset(d, 0, sizeof(*d));
    d->way = random_below(4);
    d->first = random_below(8);
    d->fvf = formats[random_below(4)];
    d->stride = dp2_fvf_size(d->fvf);
    if (d->fvf != PIXELS || random_below(3) == 0) {
        make_points(d);
        return;
    }
    d->type = D3DPT_TRIANGLELIST;
    d->count = 6;
    d->primitives = 2;
    make_rect((struct vertex *)d->bytes);
}

static void fill_buffer(struct rt_buffer *buffer, unsigned offset, const void *bytes, unsigned size)
{
    void *data;

    assert_int_equal(rt_buffer_Lock(buffer, offset, size, &data, 0), D3D_OK);
    memcpy(data, bytes, size);
    assert_int_equal(rt_buffer_Unlock(buffer), D3D_OK);
}

static void run_draw(struct world *w, const struct draw *d)
{
    static const uint16_t forward[6] = {0, 1, 2, 3, 4, 5}, from_two[6] = {2, 3, 4, 5, 6, 7};
    struct rt_pipe *pipe = &w->device->pipe;

    rt_set_vertex_shader(pipe, d->fvf);
    if (d->way == 0) {
        assert_int_equal(rt_draw_up(w->device, d->type, d->primitives, d->bytes, d->stride), D3D_OK);
        return;
    }
    if (d->way == 1) {
        assert_int_equal(rt_draw_indexed_up(w->device, d->type, 0, d->count, d->primitives, forward, D3DFMT_INDEX16,
                                            d->bytes, d->stride),
                         D3D_OK);
        return;
    }
    fill_buffer(w->vertices, d->first * d->stride, d->bytes, d->count * d->stride);
    rt_set_stream(pipe, 0, &w->vertices->res, d->stride);
    if (d->way == 2) {
        assert_int_equal(rt_draw(w->device, d->type, d->first, d->primitives), D3D_OK);
        return;
    }
    /* the promised range is wrong, as in many programs */
    fill_buffer(w->indices, 2 * d->first, from_two, sizeof(from_two));
    rt_set_indices(pipe, &w->indices->res, 0);
    assert_int_equal(rt_draw_indexed(w->device, d->type, (INT)d->first - 2, 0, 1, d->first, d->primitives), D3D_OK);
}

static RECT random_rect(unsigned size)
{
    const LONG left = (LONG)random_below(size), top = (LONG)random_below(size);

    return (RECT){left, top, left + 1 + (LONG)random_below(size - (unsigned)left),
                  top + 1 + (LONG)random_below(size - (unsigned)top)};
}

static unsigned size_of(unsigned surface)
{
    return surface == 3 ? RT_SIZE / 2 : RT_SIZE;
}

/* An operation with all of its numbers, so that both worlds do the same. */
struct step {
    unsigned kind, target, source, bytes;
    RECT rect, rects[3];
    POINT at;
    uint32_t color;
    struct draw draw;
    float value;
};

enum { CLEAR, TARGET, VIEWPORT, DRAW, WRITE, COPY, TEXTURE, POINT_STATE, KINDS };

static void make_step(struct step *s)
{
    memset(s, 0, sizeof(*s));
    s->kind = random_below(KINDS + 4);
    s->kind = s->kind < KINDS ? s->kind : DRAW;
    s->target = random_below(s->kind == WRITE || s->kind == COPY ? SURFACES : 4);
    s->source = random_below(SURFACES);
    s->rect = random_rect(RT_SIZE / 2);
    for (unsigned i = 0; i < 3; i++)
        s->rects[i] = random_rect(RT_SIZE);
    s->at = (POINT){(LONG)random_below(RT_SIZE / 2 - (unsigned)(s->rect.right - s->rect.left) + 1),
                    (LONG)random_below(RT_SIZE / 2 - (unsigned)(s->rect.bottom - s->rect.top) + 1)};
    s->color = 0xff000000 | random_word();
    s->value = (float)(1 + random_below(9));
    make_draw(&s->draw);
}

/* Writes a rectangle of texels by a lock of all or of the rectangle. */
static void write_surface(struct rt_surface *surface, unsigned bytes, const RECT *rect, uint32_t color)
{
    D3DLOCKED_RECT locked;

    assert_int_equal(rt_surface_lock(surface, &locked, color & 1 ? rect : NULL, 0), D3D_OK);
    for (LONG y = rect->top; y < rect->bottom; y++) {
        for (LONG x = rect->left; x < rect->right; x++) {
            const LONG row = color & 1 ? y - rect->top : y, column = color & 1 ? x - rect->left : x;
            memcpy((uint8_t *)locked.pBits + row * locked.Pitch + column * (LONG)bytes, &color, bytes);
        }
    }
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
}

static void set_point_state(struct world *w, const struct step *s)
{
    static const D3DRENDERSTATETYPE states[] = {D3DRS_POINTSIZE, D3DRS_POINTSIZE_MIN, D3DRS_POINTSCALEENABLE,
                                                D3DRS_POINTSCALE_A};
    const unsigned which = s->source % 4;
    /* 1 / 32 of the viewport's height, then */
    const float value = which == 3 ? s->value * s->value * 1024.0f : which == 1 ? 1.0f : s->value;
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    rt_device_SetRenderState(w->device, states[which], which == 2 ? s->target & 1 : bits);
}

static void take_step(struct world *w, const struct step *s, unsigned bytes)
{
    const D3DVIEWPORT8 viewport = {(DWORD)s->rect.left,
                                   (DWORD)s->rect.top,
                                   (DWORD)(s->rect.right - s->rect.left),
                                   (DWORD)(s->rect.bottom - s->rect.top),
                                   0.0f,
                                   1.0f};

    switch (s->kind) {
    case CLEAR:
        assert_int_equal(rt_device_Clear(w->device, s->target, s->target ? (const D3DRECT *)s->rects : NULL,
                                         D3DCLEAR_TARGET | (w->device->depth ? D3DCLEAR_ZBUFFER : 0), s->color, 1.0f,
                                         0),
                         D3D_OK);
        break;
    case TARGET:
        rt_set_texture(&w->device->pipe, 0, NULL);
        rt_set_vertex_shader(&w->device->pipe, s->draw.fvf); /* bound by the next draw, to another target */
        rt_device_bind_target_and_depth(w->device, w->surface[s->target],
                                        s->color & 1 ? depth_for(w, s->target) : NULL);
        rt_device_reset_viewport(w->device);
        break;
    case VIEWPORT:
        assert_int_equal(rt_device_SetViewport(w->device, &viewport), D3D_OK);
        break;
    case DRAW:
        run_draw(w, &s->draw);
        break;
    case WRITE:
        write_surface(w->surface[s->target], bytes, &s->rect, s->color);
        break;
    case COPY:
        if (s->source != s->target)
            assert_int_equal(rt_surface_copy(w->surface[s->target], s->at, w->surface[s->source], &s->rect), D3D_OK);
        break;
    case TEXTURE: /* not the target itself; the small target's pixels lie in the middle of texels, not in their first part */
        rt_set_texture(&w->device->pipe, 0,
                       w->device->target[0] != w->surface[2] && w->device->target[0] != w->surface[3] && s->target & 1
                           ? &w->texture->res
                           : NULL);
        break;
    default:
        set_point_state(w, s);
        break;
    }
}

/* Both worlds hold the same pixels. */
static void compare(struct world *plain, struct world *set, unsigned bytes, unsigned round, unsigned step)
{
    for (unsigned i = 0; i < SURFACES; i++) {
        D3DLOCKED_RECT a, b;

        assert_int_equal(rt_surface_lock(plain->surface[i], &a, NULL, D3DLOCK_READONLY), D3D_OK);
        assert_int_equal(rt_surface_lock(set->surface[i], &b, NULL, D3DLOCK_READONLY), D3D_OK);
        for (unsigned y = 0; y < size_of(i); y++) {
            for (unsigned x = 0; x < size_of(i); x++) {
                const uint8_t *p = (const uint8_t *)a.pBits + y * (unsigned)a.Pitch + x * bytes;
                const uint8_t *q = (const uint8_t *)b.pBits + y * (unsigned)b.Pitch + x * bytes;

                if (memcmp(p, q, bytes))
                    fail_msg("round %u, step %u, surface %u, pixel %u, %u: %02x%02x and %02x%02x", round, step, i, x, y,
                             p[0], p[1], q[0], q[1]);
            }
        }
        rt_surface_unlock(plain->surface[i]);
        rt_surface_unlock(set->surface[i]);
    }
}

#endif
