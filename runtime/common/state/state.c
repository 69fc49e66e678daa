/* SPDX-License-Identifier: MIT */
#include "runtime/common/state/state.h"

#include "base/base.h"
#include "d3d/states.h"
#include "runtime/common/state/w_range.h"

#define STAGE_TEXTUREMAP 0 /* TSS number of the texture handle (DDI) */

int rt_transform_index(uint32_t type)
{
    if (type == D3DTS_VIEW)
        return RT_TRANSFORM_VIEW;
    if (type == D3DTS_PROJECTION)
        return RT_TRANSFORM_PROJECTION;
    if (type >= D3DTS_TEXTURE0 && type <= D3DTS_TEXTURE7)
        return (int)(RT_TRANSFORM_TEXTURE0 + type - D3DTS_TEXTURE0);
    if (type >= 256 && type < 512)
        return (int)(RT_TRANSFORM_WORLD0 + type - 256);
    return -1;
}

static uint32_t transform_type(int index)
{
    if (index == RT_TRANSFORM_VIEW)
        return D3DTS_VIEW;
    if (index == RT_TRANSFORM_PROJECTION)
        return D3DTS_PROJECTION;
    if (index < RT_TRANSFORM_WORLD0)
        return D3DTS_TEXTURE0 + (uint32_t)(index - RT_TRANSFORM_TEXTURE0);
    return 256 + (uint32_t)(index - RT_TRANSFORM_WORLD0);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* The states of Direct3D 8 with what they start as. */
struct default_state {
    uint8_t state, level;
    uint32_t value;
};

static const struct default_state render_defaults[] = {
#define RENDER_STATE(number, name, level, value, ...) {number, level, value},
#include "d3d/states.def"
};
static const struct default_state stage_defaults[] = {
#define STAGE_STATE(number, name, level, value, ...) {number, level, value},
#include "d3d/states.def"
};

static void set_stage_defaults(uint32_t *values, unsigned stage)
{
    for (size_t i = 0; i < ARRAY_COUNT(stage_defaults); i++)
        if (stage_defaults[i].level <= 8)
            values[stage_defaults[i].state] = stage_defaults[i].value;
    values[D3DTSS_COLOROP] = stage ? D3DTOP_DISABLE : D3DTOP_MODULATE;
    values[D3DTSS_ALPHAOP] = stage ? D3DTOP_DISABLE : D3DTOP_SELECTARG1;
    values[D3DTSS_TEXCOORDINDEX] = stage;
}

void rt_state_defaults(struct rt_state *state, bool depth_buffer, float max_point_size)
{
    memset(state, 0, sizeof(*state));
    for (size_t i = 0; i < ARRAY_COUNT(render_defaults); i++)
        if (render_defaults[i].level <= 8)
            state->render[render_defaults[i].state] = render_defaults[i].value;
    state->render[D3DRS_ZENABLE] = depth_buffer ? D3DZB_TRUE : D3DZB_FALSE;
    state->render[D3DRS_POINTSIZE_MAX] = float_bits(max_point_size);
    for (unsigned i = 0; i < RT_STAGES; i++)
        set_stage_defaults(state->stage[i], i);
    for (unsigned i = 0; i < RT_TRANSFORMS; i++) {
        D3DMATRIX *m = &state->transform[i];
        m->_11 = m->_22 = m->_33 = m->_44 = 1.0f;
    }
}

void rt_bind_resource(struct rt_resource **place, struct rt_resource *resource)
{
    struct rt_resource *old = *place;

    if (resource)
        rt_resource_hold(resource);
    *place = resource;
    if (old)
        rt_resource_unhold(old);
}

void rt_state_release(struct rt_state *state)
{
    for (unsigned i = 0; i < RT_STAGES; i++)
        rt_bind_resource(&state->texture[i], NULL);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        rt_bind_resource(&state->stream[i].buffer, NULL);
    rt_bind_resource(&state->indices, NULL);
    free(state->lights);
    state->lights = NULL;
    state->light_count = state->light_capacity = 0;
}

/* --- lights ---------------------------------------------------------------------------- */

struct rt_light *rt_light_find(const struct rt_state *state, uint32_t index)
{
    for (unsigned i = 0; i < state->light_count; i++)
        if (state->lights[i].index == index)
            return &state->lights[i];
    return NULL;
}

struct rt_light *rt_light_make(struct rt_state *state, uint32_t index)
{
    struct rt_light *light = rt_light_find(state, index);

    if (light)
        return light;
    if (state->light_count == state->light_capacity) {
        unsigned capacity = state->light_capacity ? state->light_capacity * 2 : 8;
        struct rt_light *lights = mem_realloc(state->lights, capacity, sizeof(*lights));
        if (!lights)
            return NULL;
        state->lights = lights;
        state->light_capacity = capacity;
    }
    light = &state->lights[state->light_count++];
    memset(light, 0, sizeof(*light));
    light->index = index;
    light->light.Type = D3DLIGHT_DIRECTIONAL;
    light->light.Diffuse.r = light->light.Diffuse.g = light->light.Diffuse.b = 1.0f;
    light->light.Direction.z = 1.0f;
    return light;
}

static void send_light(struct rt_pipe *pipe, const struct rt_light *light)
{
    struct {
        D3DHAL_DP2SETLIGHT head;
        D3DLIGHT8 light;
    } body = {{light->index, D3DHAL_SETLIGHT_DATA}, light->light};

    rt_put(pipe->link, D3DDP2OP_SETLIGHT, 1, &body, sizeof(body));
}

static void send_light_enable(struct rt_pipe *pipe, const struct rt_light *light)
{
    D3DHAL_DP2SETLIGHT body = {light->index, light->enabled ? D3DHAL_SETLIGHT_ENABLE : D3DHAL_SETLIGHT_DISABLE};

    rt_put(pipe->link, D3DDP2OP_SETLIGHT, 1, &body, sizeof(body));
}

static struct rt_light *make_sent_light(struct rt_pipe *pipe, uint32_t index)
{
    struct rt_light *light = rt_light_find(&pipe->state, index);

    if (light)
        return light;
    light = rt_light_make(&pipe->state, index);
    if (light) {
        D3DHAL_DP2CREATELIGHT create = {index};
        rt_put(pipe->link, D3DDP2OP_CREATELIGHT, 1, &create, sizeof(create));
        send_light(pipe, light);
    }
    return light;
}

bool rt_set_light(struct rt_pipe *pipe, uint32_t index, const D3DLIGHT8 *value)
{
    struct rt_light *light = make_sent_light(pipe, index);

    if (!light)
        return false;
    if (pipe->pure || memcmp(&light->light, value, sizeof(*value))) {
        light->light = *value;
        send_light(pipe, light);
    }
    return true;
}

bool rt_enable_light(struct rt_pipe *pipe, uint32_t index, bool enable)
{
    struct rt_light *light = make_sent_light(pipe, index);

    if (!light)
        return false;
    if (pipe->pure || light->enabled != enable) {
        light->enabled = enable;
        send_light_enable(pipe, light);
    }
    return true;
}

bool rt_create_light(struct rt_pipe *pipe, uint32_t index)
{
    return make_sent_light(pipe, index) != NULL;
}

/* --- plain values ---------------------------------------------------------------------- */

static void send_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    D3DHAL_DP2RENDERSTATE entry;

    entry.RenderState = (D3DRENDERSTATETYPE)state;
    entry.dwState = value;
    rt_put_entry(pipe->link, D3DDP2OP_RENDERSTATE, &entry, sizeof(entry));
}

void rt_set_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    if (!pipe->pure) {
        if (pipe->state.render[state] == value)
            return;
        pipe->state.render[state] = value;
    }
    /* drivers take commands about the textures that are set through it (docs/extensions.md) */
    if (state == D3DRS_POINTSIZE && pipe->dirty_textures)
        rt_pipe_bind_textures(pipe);
    send_render_state(pipe, state, value);
}

static void send_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value)
{
    D3DHAL_DP2TEXTURESTAGESTATE entry = {(WORD)stage, (WORD)state, value};

    rt_put_entry(pipe->link, D3DDP2OP_TEXTURESTAGESTATE, &entry, sizeof(entry));
}

void rt_set_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value)
{
    if (!pipe->pure) {
        if (pipe->state.stage[stage][state] == value)
            return;
        pipe->state.stage[stage][state] = value;
    }
    send_stage_state(pipe, stage, state, value);
}

static void send_matrix(struct rt_pipe *pipe, uint8_t token, int index, const D3DMATRIX *matrix)
{
    D3DHAL_DP2SETTRANSFORM entry;

    entry.xfrmType = (D3DTRANSFORMSTATETYPE)transform_type(index);
    entry.matrix = *matrix;
    rt_put_entry(pipe->link, token, &entry, sizeof(entry));
}

static void send_transform(struct rt_pipe *pipe, int index)
{
    send_matrix(pipe, D3DDP2OP_SETTRANSFORM, index, &pipe->state.transform[index]);
}

/* The range of W buffers follows the projection; one without perspective leaves it as it is. */
static void send_w_range(struct rt_pipe *pipe, const D3DMATRIX *projection)
{
    float range[2] = {pipe->w_range[0], pipe->w_range[1]};

    if (!rt_w_range(projection->m, range) || !memcmp(range, pipe->w_range, sizeof(range)))
        return;
    memcpy(pipe->w_range, range, sizeof(range));
    D3DHAL_DP2WINFO info = {range[0], range[1]};
    rt_put(pipe->link, D3DDP2OP_WINFO, 1, &info, sizeof(info));
}

void rt_set_transform(struct rt_pipe *pipe, int index, const D3DMATRIX *matrix)
{
    if (!pipe->pure) {
        if (!memcmp(&pipe->state.transform[index], matrix, sizeof(*matrix)))
            return;
        pipe->state.transform[index] = *matrix;
    }
    send_matrix(pipe, D3DDP2OP_SETTRANSFORM, index, matrix);
    if (index == RT_TRANSFORM_PROJECTION)
        send_w_range(pipe, matrix);
}

void rt_multiply_transform(struct rt_pipe *pipe, int index, const D3DMATRIX *matrix)
{
    const D3DMATRIX *now = &pipe->state.transform[index];
    D3DMATRIX product;

    if (pipe->pure) {
        send_matrix(pipe, D3DDP2OP_MULTIPLYTRANSFORM, index, matrix);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++)
            product.m[i][j] = matrix->m[i][0] * now->m[0][j] + matrix->m[i][1] * now->m[1][j] +
                              matrix->m[i][2] * now->m[2][j] + matrix->m[i][3] * now->m[3][j];
    }
    rt_set_transform(pipe, index, &product);
}

void rt_send_viewport(struct rt_pipe *pipe, const D3DVIEWPORT8 *v)
{
    D3DHAL_DP2VIEWPORTINFO info = {v->X, v->Y, v->Width, v->Height};
    D3DHAL_DP2ZRANGE range = {v->MinZ, v->MaxZ};

    rt_put(pipe->link, D3DDP2OP_VIEWPORTINFO, 1, &info, sizeof(info));
    rt_put(pipe->link, D3DDP2OP_ZRANGE, 1, &range, sizeof(range));
}

void rt_set_viewport(struct rt_pipe *pipe, const D3DVIEWPORT8 *viewport)
{
    pipe->state.viewport = *viewport;
    rt_send_viewport(pipe, viewport);
}

void rt_set_material(struct rt_pipe *pipe, const D3DMATERIAL8 *material)
{
    if (!pipe->pure) {
        if (!memcmp(&pipe->state.material, material, sizeof(*material)))
            return;
        pipe->state.material = *material;
    }
    rt_put(pipe->link, D3DDP2OP_SETMATERIAL, 1, material, sizeof(*material));
}

static void send_clip_plane(struct rt_pipe *pipe, unsigned index, const float *plane)
{
    D3DHAL_DP2SETCLIPPLANE entry;

    entry.dwIndex = index;
    memcpy(entry.plane, plane, sizeof(entry.plane));
    rt_put(pipe->link, D3DDP2OP_SETCLIPPLANE, 1, &entry, sizeof(entry));
}

void rt_set_clip_plane(struct rt_pipe *pipe, unsigned index, const float *plane)
{
    if (!pipe->pure)
        memcpy(pipe->state.plane[index], plane, 4 * sizeof(*plane));
    send_clip_plane(pipe, index, plane);
}

static void send_constants(struct rt_pipe *pipe, uint8_t token, unsigned first, unsigned count, const float *values)
{
    D3DHAL_DP2SETVERTEXSHADERCONST head = {first, count};
    size_t bytes = (size_t)count * 16;
    uint8_t *body = rt_put(pipe->link, token, 1, NULL, sizeof(head) + bytes);

    if (!body)
        return;
    memcpy(body, &head, sizeof(head));
    memcpy(body + sizeof(head), values, bytes);
}

void rt_set_vs_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values)
{
    if (!count)
        return;
    if (!pipe->pure)
        memcpy(pipe->state.vs_constant[first], values, (size_t)count * 16);
    send_constants(pipe, D3DDP2OP_SETVERTEXSHADERCONST, first, count, values);
}

void rt_set_ps_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values)
{
    if (!count)
        return;
    if (!pipe->pure)
        memcpy(pipe->state.ps_constant[first], values, (size_t)count * 16);
    send_constants(pipe, D3DDP2OP_SETPIXELSHADERCONST, first, count, values);
}

/* --- bindings -------------------------------------------------------------------------- */

void rt_pipe_bind_textures(struct rt_pipe *pipe)
{
    for (unsigned i = 0; i < RT_STAGES; i++) {
        struct rt_resource *texture = pipe->state.texture[i];
        if (!(pipe->dirty_textures >> i & 1))
            continue;
        send_stage_state(pipe, i, STAGE_TEXTUREMAP, texture ? pipe->ops->texture_handle(texture) : 0);
    }
    pipe->dirty_textures = 0;
}

void rt_set_texture(struct rt_pipe *pipe, unsigned stage, struct rt_resource *texture)
{
    if (pipe->state.texture[stage] == texture)
        return;
    rt_bind_resource(&pipe->state.texture[stage], texture);
    pipe->dirty_textures |= 1u << stage;
}

void rt_set_stream(struct rt_pipe *pipe, unsigned stream, struct rt_resource *buffer, uint32_t stride)
{
    struct rt_stream *s = &pipe->state.stream[stream];

    if (s->buffer == buffer && s->stride == stride)
        return;
    rt_bind_resource(&s->buffer, buffer);
    s->stride = stride;
    pipe->dirty_streams |= 1u << stream;
}

void rt_set_indices(struct rt_pipe *pipe, struct rt_resource *buffer, uint32_t base_vertex)
{
    pipe->state.base_vertex = base_vertex;
    if (pipe->state.indices == buffer)
        return;
    rt_bind_resource(&pipe->state.indices, buffer);
    pipe->dirty_indices = true;
}

void rt_set_vertex_shader(struct rt_pipe *pipe, uint32_t handle)
{
    if (pipe->state.vertex_shader == handle)
        return;
    pipe->state.vertex_shader = handle;
    pipe->dirty_vertex_shader = true;
}

void rt_set_pixel_shader(struct rt_pipe *pipe, uint32_t handle)
{
    if (pipe->state.pixel_shader == handle)
        return;
    pipe->state.pixel_shader = handle;
    pipe->dirty_pixel_shader = true;
}

static void bind_streams(struct rt_pipe *pipe, uint32_t um_stride)
{
    if (um_stride) {
        D3DHAL_DP2SETSTREAMSOURCEUM um = {0, um_stride};
        if (pipe->um_stride != um_stride)
            rt_put(pipe->link, D3DDP2OP_SETSTREAMSOURCEUM, 1, &um, sizeof(um));
        pipe->um_stride = um_stride;
        pipe->dirty_streams |= 1;
    } else {
        pipe->um_stride = 0;
    }
    for (unsigned i = um_stride ? 1 : 0; i < RT_STREAMS && pipe->dirty_streams >> i; i++) {
        const struct rt_stream *s = &pipe->state.stream[i];
        D3DHAL_DP2SETSTREAMSOURCE body = {i, 0, s->stride};
        if (!(pipe->dirty_streams >> i & 1))
            continue;
        if (s->buffer)
            body.dwVBHandle = pipe->ops->buffer_handle(s->buffer);
        rt_put(pipe->link, D3DDP2OP_SETSTREAMSOURCE, 1, &body, sizeof(body));
    }
    pipe->dirty_streams &= um_stride ? 1u : 0u;
}

uint32_t rt_send_vertex_shader(struct rt_pipe *pipe, uint32_t handle)
{
    D3DHAL_DP2VERTEXSHADER body = {pipe->ops->vertex_shader(pipe->user, handle)};

    rt_put(pipe->link, D3DDP2OP_SETVERTEXSHADER, 1, &body, sizeof(body));
    return body.dwHandle;
}

uint32_t rt_send_pixel_shader(struct rt_pipe *pipe, uint32_t handle)
{
    D3DHAL_DP2PIXELSHADER body = {pipe->ops->pixel_shader(pipe->user, handle)};

    rt_put(pipe->link, D3DDP2OP_SETPIXELSHADER, 1, &body, sizeof(body));
    return body.dwHandle;
}

void rt_pipe_bind_shaders(struct rt_pipe *pipe)
{
    if (pipe->dirty_vertex_shader) {
        pipe->dirty_vertex_shader = false;
        /* Handle 0 unbinds the streams (docs/reference/device-state.md, section 3); say them again. */
        if (!rt_send_vertex_shader(pipe, pipe->state.vertex_shader)) {
            pipe->dirty_streams |= (1u << RT_STREAMS) - 1;
            pipe->um_stride = 0;
        }
    }
    if (pipe->dirty_pixel_shader) {
        pipe->dirty_pixel_shader = false;
        rt_send_pixel_shader(pipe, pipe->state.pixel_shader);
    }
}

void rt_pipe_bind(struct rt_pipe *pipe, uint32_t um_stride, uint32_t index_handle, uint32_t index_stride)
{
    if (pipe->dirty_vertex_shader | pipe->dirty_pixel_shader)
        rt_pipe_bind_shaders(pipe);
    if (pipe->dirty_textures)
        rt_pipe_bind_textures(pipe);
    if (pipe->dirty_streams || um_stride || pipe->um_stride)
        bind_streams(pipe, um_stride);
    if (index_handle) {
        D3DHAL_DP2SETINDICES body = {index_handle, index_stride};
        rt_put(pipe->link, D3DDP2OP_SETINDICES, 1, &body, sizeof(body));
        pipe->dirty_indices = true;
    }
}

/* --- everything ------------------------------------------------------------------------ */

/* Numbers the Direct3D 8 API knows; the gaps are never sent. */
static bool is_render_state(unsigned state)
{
    static const uint8_t ranges[][2] = {{7, 10},    {14, 16},   {19, 20},   {22, 30},   {34, 38},
                                        {40, 40},   {47, 48},   {52, 60},   {128, 137}, {139, 143},
                                        {145, 148}, {151, 164}, {166, 168}, {170, 173}};

    for (size_t i = 0; i < ARRAY_COUNT(ranges); i++)
        if (state >= ranges[i][0] && state <= ranges[i][1])
            return true;
    return false;
}

static bool is_identity(const D3DMATRIX *m)
{
    static const D3DMATRIX identity = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

    return !memcmp(m, &identity, sizeof(*m));
}

void rt_pipe_resend(struct rt_pipe *pipe)
{
    const struct rt_state *s = &pipe->state;

    for (unsigned i = 0; i < RT_RENDER_STATES; i++)
        if (is_render_state(i))
            send_render_state(pipe, i, s->render[i]);
    for (unsigned i = 0; i < RT_STAGES; i++) {
        for (unsigned k = D3DTSS_COLOROP; k <= D3DTSS_RESULTARG; k++)
            if (k != 12)
                send_stage_state(pipe, i, k, s->stage[i][k]);
    }
    /* A context starts with identity matrices and the range 0 to 1. */
    for (int i = 0; i < RT_TRANSFORMS; i++)
        if (i <= RT_TRANSFORM_WORLD0 || !is_identity(&s->transform[i]))
            send_transform(pipe, i);
    pipe->w_range[0] = 0.0f;
    pipe->w_range[1] = 1.0f;
    send_w_range(pipe, &s->transform[RT_TRANSFORM_PROJECTION]);
    rt_send_viewport(pipe, &s->viewport);
    rt_put(pipe->link, D3DDP2OP_SETMATERIAL, 1, &s->material, sizeof(s->material));
    for (unsigned i = 0; i < RT_CLIP_PLANES; i++)
        send_clip_plane(pipe, i, s->plane[i]);
    for (unsigned i = 0; i < s->light_count; i++) {
        D3DHAL_DP2CREATELIGHT create = {s->lights[i].index};
        rt_put(pipe->link, D3DDP2OP_CREATELIGHT, 1, &create, sizeof(create));
        send_light(pipe, &s->lights[i]);
        send_light_enable(pipe, &s->lights[i]);
    }
    pipe->dirty_textures = (1u << RT_STAGES) - 1;
    pipe->dirty_streams = (1u << RT_STREAMS) - 1;
    pipe->dirty_indices = pipe->dirty_vertex_shader = pipe->dirty_pixel_shader = true;
    pipe->um_stride = 0;
}
