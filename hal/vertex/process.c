/* SPDX-License-Identifier: MIT */
/*
 * ProcessVertices: the vertices of a draw after vertex processing, in pixels, stored so that they can be drawn later.
 * The same stages run as for a draw; only the requested outputs differ. Coordinate set i of the result is the one that
 * stage i would read. Vertex fog is stored as in transformed vertices: in the alpha of the specular colour.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "dp2/dp2.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/pixel/pipeline.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "hal/work.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <string.h>

#define CHUNK 1024 /* vertices processed before they are written out */

/* Byte offsets of the components in a vertex of the result; 0: absent. */
struct result_layout {
    unsigned point_size, diffuse, specular;
    unsigned coordinates[HAL_MAX_STAGES], components[HAL_MAX_STAGES];
    unsigned sets;
};

struct processing {
    const struct hal_process *call;
    struct result_layout layout;
    int slot[HAL_ATTRIBUTE_COUNT]; /* index of an attribute in raster_vertex.input; -1: unused */
};

static void measure(struct result_layout *layout, uint32_t fvf)
{
    static const uint8_t components[] = {2, 3, 4, 1}; /* by D3DFVF_TEXTUREFORMATn */
    unsigned at = 4 * sizeof(float);

    memset(layout, 0, sizeof(*layout));
    if (fvf & D3DFVF_PSIZE) {
        layout->point_size = at;
        at += sizeof(float);
    }
    if (fvf & D3DFVF_DIFFUSE) {
        layout->diffuse = at;
        at += sizeof(uint32_t);
    }
    if (fvf & D3DFVF_SPECULAR) {
        layout->specular = at;
        at += sizeof(uint32_t);
    }
    layout->sets = BASE_MIN((fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT, HAL_MAX_STAGES);
    for (unsigned i = 0; i < layout->sets; i++) {
        layout->coordinates[i] = at;
        layout->components[i] = components[fvf >> (16 + 2 * i) & 3];
        at += layout->components[i] * (unsigned)sizeof(float);
    }
}

/* --- the request ---------------------------------------------------------------------- */

static bool makes_fog(const struct hal_state *state, const struct shader_program *program)
{
    const uint32_t *r = state->render_state;

    return r[D3DRS_FOGENABLE] && r[D3DRS_FOGTABLEMODE] == D3DFOG_NONE &&
           (program || r[D3DRS_FOGVERTEXMODE] != D3DFOG_NONE);
}

/* Coordinates that are not processed. */
static bool stage_copies(const struct hal_state *state, unsigned stage)
{
    const uint32_t *t = state->stage_state[stage];

    return !(t[D3DTSS_TEXCOORDINDEX] >> 16) && !(t[D3DTSS_TEXTURETRANSFORMFLAGS] & 0xff);
}

/* Bit a: attribute a is wanted. only_changed: attributes that processing would only copy are not. */
static uint32_t wanted_attributes(const struct hal_state *state, const struct shader_program *program,
                                  const struct result_layout *layout, bool only_changed)
{
    const bool copies = only_changed && !program;
    const bool colors = !copies || state->render_state[D3DRS_LIGHTING];
    uint32_t wanted = 0;

    if (layout->diffuse && colors)
        wanted |= 1u << HAL_ATTRIBUTE_DIFFUSE;
    if (layout->specular && (colors || makes_fog(state, program)))
        wanted |= 1u << HAL_ATTRIBUTE_SPECULAR;
    if (wanted >> HAL_ATTRIBUTE_SPECULAR & 1 && makes_fog(state, program))
        wanted |= 1u << HAL_ATTRIBUTE_FOG;
    for (unsigned i = 0; i < layout->sets; i++)
        if (!copies || !stage_copies(state, i))
            wanted |= 1u << (HAL_ATTRIBUTE_TEXCOORD0 + i);
    return wanted;
}

/* --- the result --------------------------------------------------------------------------- */

static uint32_t color_byte(float v)
{
    return !(v > 0.0f) ? 0 : v >= 1.0f ? 255 : (uint32_t)(v * 255.0f + 0.5f);
}

static void write_color(uint8_t *to, const float rgb[4], float alpha)
{
    const uint32_t color =
        color_byte(alpha) << 24 | color_byte(rgb[0]) << 16 | color_byte(rgb[1]) << 8 | color_byte(rgb[2]);

    memcpy(to, &color, sizeof(color));
}

static void write_vertex(const struct processing *w, const struct hal_vertex *vertex,
                         const struct raster_vertex *projected, uint8_t *to)
{
    const struct result_layout *layout = &w->layout;
    const int diffuse = w->slot[HAL_ATTRIBUTE_DIFFUSE], specular = w->slot[HAL_ATTRIBUTE_SPECULAR];
    const int fog = w->slot[HAL_ATTRIBUTE_FOG];

    memcpy(to, &projected->x, 4 * sizeof(float));
    if (layout->point_size)
        memcpy(to + layout->point_size, &vertex->point_size, sizeof(float));
    if (diffuse >= 0)
        write_color(to + layout->diffuse, projected->input[diffuse], projected->input[diffuse][3]);
    if (specular >= 0) {
        write_color(to + layout->specular, projected->input[specular],
                    fog >= 0 ? projected->input[fog][0] : projected->input[specular][3]);
    }
    for (unsigned i = 0; i < layout->sets; i++) {
        const int slot = w->slot[HAL_ATTRIBUTE_TEXCOORD0 + i];

        if (slot >= 0)
            memcpy(to + layout->coordinates[i], projected->input[slot], layout->components[i] * sizeof(float));
    }
}

static HRESULT process_run(struct hal_renderer *renderer, const struct processing *w, const struct hal_source *source)
{
    const struct hal_process *call = w->call;
    const uint64_t price = renderer->front->vertex_stage.price;

    for (uint32_t done = 0; done < call->count; done += CHUNK) {
        const uint32_t count = BASE_MIN(call->count - done, (uint32_t)CHUNK);

        if (!raster_spend(renderer->scene->raster, count * price))
            return HAL_TOO_MUCH_WORK;
        if (!hal_process_range(renderer, source, hal_source_number(source, (int64_t)call->first + done), count))
            return DDERR_OUTOFMEMORY;
        for (uint32_t i = 0; i < count; i++) {
            write_vertex(w, &renderer->front->vertices[i], &renderer->front->projected[i],
                         call->result + (size_t)(done + i) * call->stride);
        }
    }
    return DD_OK;
}

/* Process without lighting or shaders. The vertex stage still holds the last draw's setup, so set it up from scratch
 * here, and again before the next draw. */
static bool process_prepare(struct hal_renderer *renderer, struct processing *w, const struct hal_layout *layout,
                            const struct shader_program *program)
{
    const uint32_t wanted = wanted_attributes(renderer->state, program, &w->layout, w->call->only_changed);
    unsigned inputs = 0;

    hal_vertex_stage_textures(renderer, program);
    if (!hal_pipeline_want(renderer, wanted))
        return false;
    for (unsigned a = 0; a < HAL_ATTRIBUTE_COUNT; a++)
        w->slot[a] = wanted >> a & 1 ? (int)inputs++ : -1;
    hal_renderer_forget(renderer);
    return hal_vertex_stage_prepare(renderer, layout, program, w->layout.point_size != 0);
}

HRESULT hal_vertices_process(struct hal_renderer *renderer, const struct hal_process *call)
{
    const struct hal_layout *layout =
        hal_stream_layout(renderer->front, renderer->state, &renderer->resources->shaders);
    struct hal_stream_memory buffers[HAL_MAX_STREAMS] = {0};
    struct processing w = {.call = call};
    struct hal_source source;

    renderer->scene->driver->calls++;
    if (!layout || layout->transformed || (call->fvf & D3DFVF_POSITION_MASK) != D3DFVF_XYZRHW ||
        call->fvf & (D3DFVF_NORMAL | D3DFVF_FOG) || dp2_fvf_size(call->fvf) > call->stride ||
        !renderer->state->viewport.width || !renderer->state->viewport.height) {
        log_warn("ProcessVertices: cannot make vertices of format %#x, %u bytes each", (unsigned)call->fvf,
                 (unsigned)call->stride);
        return DDERR_INVALIDPARAMS;
    }
    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++)
        if (layout->streams & 1u << i)
            hal_stream_find_memory(renderer->state, renderer->resources, i, &buffers[i]);
    hal_source_bind(&source, layout, buffers);
    measure(&w.layout, call->fvf);
    hal_work_begin(&renderer->scene->work);
    const bool prepared =
        process_prepare(renderer, &w, layout,
                        hal_stream_program(renderer->front, renderer->state, &renderer->resources->shaders, layout));
    const HRESULT result = prepared ? process_run(renderer, &w, &source) : DDERR_INVALIDPARAMS;
    const HRESULT ended = hal_work_end(&renderer->scene->work, "ProcessVertices");

    return FAILED(ended) ? ended : result;
}
