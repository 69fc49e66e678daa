/* SPDX-License-Identifier: MIT */
/* The state of a device, and the commands that tell the driver about changes. */
#include "runtime/common/state/state_send.h"

#include "base/base.h"
#include "d3d/states.h"
#include "runtime/common/state/enlarge.h"
#include "runtime/common/state/points.h"
#include "runtime/common/state/w_range.h"

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

int rt_sampler_index(uint32_t sampler)
{
    const unsigned place = d3d_sampler_place(sampler);

    return place < RT_SAMPLERS ? (int)place : -1;
}

unsigned rt_sampler_state(uint32_t type)
{
    static const uint8_t states[] = {
#define SAMPLER_STATE(number, name) [number] = D3D_TSS_##name,
#include "d3d/states.def"
    };

    return type < ARRAY_COUNT(states) ? states[type] : 0;
}

/* The stage states by which the states of samplers are passed to the driver. ADDRESS sets two others. */
static bool belongs_to_samplers(uint32_t type)
{
    for (unsigned i = 1; rt_sampler_state(i); i++)
        if (rt_sampler_state(i) == type)
            return true;
    return type == D3D_TSS_ADDRESS;
}

bool rt_is_stage_state(const struct rt_state_rules *rules, uint32_t type)
{
    return type >= D3D_TSS_COLOROP && type <= rules->last_stage_state &&
           !(rules->has_sampler_states && belongs_to_samplers(type));
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* The states with their initial values. */
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

static void set_stage_defaults(struct rt_state *state, unsigned stage)
{
    uint32_t *values = state->stage[stage];

    for (size_t i = 0; i < ARRAY_COUNT(stage_defaults); i++)
        if (stage_defaults[i].level <= state->rules->state_level && stage_defaults[i].state < RT_STAGE_STATES)
            values[stage_defaults[i].state] = stage_defaults[i].value;
    values[D3DTSS_COLOROP] = stage ? D3DTOP_DISABLE : D3DTOP_MODULATE;
    values[D3DTSS_ALPHAOP] = stage ? D3DTOP_DISABLE : D3DTOP_SELECTARG1;
    values[D3DTSS_TEXCOORDINDEX] = stage;
}

static void set_render_defaults(struct rt_state *state, const struct rt_state_options *options)
{
    for (size_t i = 0; i < ARRAY_COUNT(render_defaults); i++)
        if (render_defaults[i].level <= state->rules->state_level)
            state->render[render_defaults[i].state] = render_defaults[i].value;
    state->render[D3DRS_ZENABLE] = options->depth_buffer ? D3DZB_TRUE : D3DZB_FALSE;
    state->render[D3DRS_POINTSIZE_MAX] = float_bits(options->max_point_size);
    state->render[D3DRS_POINTSIZE_MIN] = state->rules->point_size_min;
    state->render[D3D_RS_PATCHSEGMENTS] = state->rules->patch_segments;
}

bool rt_state_init(struct rt_state *state, const struct rt_state_options *options)
{
    memset(state, 0, sizeof(*state));
    state->rules = options->rules;
    set_render_defaults(state, options);
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        set_stage_defaults(state, i);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        state->stream[i].frequency = 1;
    for (unsigned i = 0; i < RT_TRANSFORMS; i++) {
        D3DMATRIX *m = &state->transform[i];
        m->_11 = m->_22 = m->_33 = m->_44 = 1.0f;
    }
    if (options->software)
        state->vs_software = mem_calloc(RT_SOFTWARE_CONSTANTS - RT_VS_CONSTANTS, sizeof(*state->vs_software));
    return !options->software || state->vs_software;
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
    for (unsigned i = 0; i < RT_SAMPLERS; i++)
        rt_bind_resource(&state->texture[i], NULL);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        rt_bind_resource(&state->stream[i].buffer, NULL);
    rt_bind_resource(&state->indices, NULL);
    rt_bind_resource(&state->declaration, NULL);
    rt_bind_resource(&state->vertex_function, NULL);
    rt_bind_resource(&state->pixel_function, NULL);
    free(state->vs_software);
    state->vs_software = NULL;
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

void rt_light_default(struct rt_light *light, uint32_t index)
{
    memset(light, 0, sizeof(*light));
    light->index = index;
    light->light.Type = D3DLIGHT_DIRECTIONAL;
    light->light.Diffuse.r = light->light.Diffuse.g = light->light.Diffuse.b = 1.0f;
    light->light.Direction.z = 1.0f;
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
    rt_light_default(light, index);
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

/* A program that asks for no samples may switch off what has no effect then. Other values than FALSE are commands (docs/extensions.md). */
static uint32_t with_all_samples(const struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    if (pipe->samples_hidden && state == D3DRS_MULTISAMPLEANTIALIAS && !value)
        return TRUE;
    return pipe->samples_hidden && state == D3DRS_MULTISAMPLEMASK ? UINT32_MAX : value;
}

void rt_send_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    D3DHAL_DP2RENDERSTATE entry;

    if (state >= D3DRS_POINTSIZE && state <= D3DRS_POINTSIZE_MAX)
        rt_pipe_note_point_state(pipe, state, value);
    entry.RenderState = (D3DRENDERSTATETYPE)state;
    entry.dwState = with_all_samples(pipe, state, value);
    rt_put_entry(pipe->link, D3DDP2OP_RENDERSTATE, &entry, sizeof(entry));
}

void rt_set_render_state(struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    if (!pipe->pure) {
        if (pipe->state.render[state] == value)
            return;
        pipe->state.render[state] = value;
    }
    /* drivers accept commands about textures that are set through it (docs/extensions.md) */
    if (state == D3DRS_POINTSIZE && pipe->dirty_textures)
        rt_pipe_bind_textures(pipe);
    rt_send_render_state(pipe, state, value);
}

/* Drivers without displacement maps do not know this sampler. */
static bool has_displacement_maps(const struct rt_pipe *pipe)
{
    const DWORD maps = 0x02 | 0x20; /* D3DDEVCAPS2_DMAPNPATCH, PRESAMPLEDDMAPNPATCH */
    const struct d3d_caps9 *caps = rt_adapter_caps9(rt_link_adapter(pipe->link));

    return caps && (caps->DevCaps2 & maps);
}

/* The user's anisotropy in place of linear filtering. The program reads back what it has set. */
static uint32_t with_anisotropy(const struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value)
{
    if (pipe->anisotropy < 2 || stage >= D3D_PIXEL_SAMPLERS)
        return value;
    if (state == D3D_TSS_MAXANISOTROPY)
        return BASE_MAX(value, pipe->anisotropy);
    return state == D3D_TSS_MINFILTER && value == D3DTEXF_LINEAR ? D3DTEXF_ANISOTROPIC : value;
}

void rt_send_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value)
{
    const uint32_t entry[] = {d3d_stage_and_state(d3d_sampler_number(stage), state),
                              with_anisotropy(pipe, stage, state, value)};

    if (stage == RT_DISPLACEMENT_SAMPLER && !has_displacement_maps(pipe))
        return;
    rt_put_entry(pipe->link, D3DDP2OP_TEXTURESTAGESTATE, &entry, sizeof(entry));
}

void rt_set_stage_state(struct rt_pipe *pipe, unsigned stage, unsigned state, uint32_t value)
{
    if (!pipe->pure) {
        if (pipe->state.stage[stage][state] == value)
            return;
        pipe->state.stage[stage][state] = value;
    }
    rt_send_stage_state(pipe, stage, state, value);
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

/* The range of W buffers follows the projection; a projection without perspective leaves it unchanged. */
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
    D3DHAL_DP2VIEWPORTINFO info = {rt_enlarge_count(v->X, pipe->times), rt_enlarge_count(v->Y, pipe->times),
                                   rt_enlarge_count(v->Width, pipe->times), rt_enlarge_count(v->Height, pipe->times)};
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

void rt_set_scissor(struct rt_pipe *pipe, const RECT *scissor)
{
    pipe->state.scissor = *scissor;
    rt_send_scissor(pipe, scissor);
}

void rt_send_scissor(struct rt_pipe *pipe, const RECT *scissor)
{
    const RECT rect = {rt_enlarge_place(scissor->left, pipe->times), rt_enlarge_place(scissor->top, pipe->times),
                       rt_enlarge_place(scissor->right, pipe->times), rt_enlarge_place(scissor->bottom, pipe->times)};

    rt_put(pipe->link, D3DDP2OP_SETSCISSORRECT, 1, &rect, sizeof(rect));
}

void rt_pipe_set_times(struct rt_pipe *pipe, uint32_t times)
{
    times = times > 1 ? times : 0;
    if (pipe->times == times)
        return;
    pipe->times = times;
    rt_send_viewport(pipe, &pipe->state.viewport);
    if (pipe->state.rules->has_scissor)
        rt_send_scissor(pipe, &pipe->state.scissor);
    if (pipe->state.rules->shaders == RT_SHADERS_OBJECTS)
        pipe->dirty_pixel_shader = pipe->dirty_vertex_shader = true;
}

void rt_pipe_hide_samples(struct rt_pipe *pipe, bool hide)
{
    static const D3DRENDERSTATETYPE states[] = {D3DRS_MULTISAMPLEANTIALIAS, D3DRS_MULTISAMPLEMASK};

    if (pipe->samples_hidden == hide)
        return;
    pipe->samples_hidden = hide;
    for (unsigned i = 0; i < ARRAY_COUNT(states); i++)
        rt_send_render_state(pipe, states[i], pipe->state.render[states[i]]);
}

/* --- everything ------------------------------------------------------------------------ */

/* The states that a context is told: those of state blocks, and some others. */
static bool is_sent(const struct rt_state_rules *rules, unsigned state)
{
    static const uint8_t blocks[RT_BLOCK_COLUMNS][RT_RENDER_STATES] = {
#define RENDER_STATE(number, name, level, value, kind, group, blocks8, blocks9) \
    [RT_BLOCK_COLUMN_8][number] = D3D_BLOCK_##blocks8, [RT_BLOCK_COLUMN_9][number] = D3D_BLOCK_##blocks9,
#include "d3d/states.def"
    };

    for (const uint8_t *other = rules->unblocked_states; other && *other; other++)
        if (*other == state)
            return true;
    return blocks[rules->block_column][state] & D3D_BLOCK_BOTH;
}

static void resend_states(struct rt_pipe *pipe)
{
    const struct rt_state *s = &pipe->state;

    for (unsigned i = 0; i < RT_RENDER_STATES; i++)
        if (is_sent(s->rules, i))
            rt_send_render_state(pipe, i, s->render[i]);
    for (unsigned i = 0; i < s->rules->samplers; i++) {
        /* ADDRESS has set two others */
        for (unsigned k = 1; i < RT_STAGES && k < RT_STAGE_STATES; k++)
            if (rt_is_stage_state(s->rules, k) && k != D3D_TSS_ADDRESS)
                rt_send_stage_state(pipe, i, k, s->stage[i][k]);
        for (unsigned k = 1; s->rules->has_sampler_states && rt_sampler_state(k); k++)
            rt_send_stage_state(pipe, i, rt_sampler_state(k), s->stage[i][rt_sampler_state(k)]);
    }
}

static bool is_identity(const D3DMATRIX *m)
{
    static const D3DMATRIX identity = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

    return !memcmp(m, &identity, sizeof(*m));
}

void rt_pipe_resend(struct rt_pipe *pipe)
{
    const struct rt_state *s = &pipe->state;

    resend_states(pipe);
    /* A context starts with identity matrices and the range 0 to 1. */
    for (int i = 0; i < RT_TRANSFORMS; i++)
        if (i <= RT_TRANSFORM_WORLD0 || !is_identity(&s->transform[i]))
            send_transform(pipe, i);
    pipe->w_range[0] = 0.0f;
    pipe->w_range[1] = 1.0f;
    send_w_range(pipe, &s->transform[RT_TRANSFORM_PROJECTION]);
    rt_send_viewport(pipe, &s->viewport);
    if (s->rules->has_scissor)
        rt_send_scissor(pipe, &s->scissor);
    rt_put(pipe->link, D3DDP2OP_SETMATERIAL, 1, &s->material, sizeof(s->material));
    for (unsigned i = 0; i < RT_CLIP_PLANES; i++)
        send_clip_plane(pipe, i, s->plane[i]);
    for (unsigned i = 0; i < s->light_count; i++) {
        D3DHAL_DP2CREATELIGHT create = {s->lights[i].index};
        rt_put(pipe->link, D3DDP2OP_CREATELIGHT, 1, &create, sizeof(create));
        send_light(pipe, &s->lights[i]);
        send_light_enable(pipe, &s->lights[i]);
    }
    rt_pipe_resend_bindings(pipe);
}
