/* SPDX-License-Identifier: MIT */
/* Lights: the application's table, and the lighting formulas of shaders.md 8. */
#include "hal/front.h"

/* --- table -------------------------------------------------------------------------- */

struct hal_light_table *hal_lights_create(void)
{
    struct hal_light_table *table = mem_calloc(1, sizeof(*table));

    if (table) {
        hal_map_init(&table->map, HAL_MAX_LIGHT_ENTRIES);
    }
    return table;
}

void hal_lights_destroy(struct hal_light_table *table)
{
    if (table) {
        hal_map_clear(&table->map);
        free(table);
    }
}

struct hal_light_entry *hal_light_make(struct hal_light_table *table, uint32_t index)
{
    struct hal_light_entry *entry = hal_map_get(&table->map, index);

    if (entry) {
        return entry;
    }
    entry = hal_map_make(&table->map, index, sizeof(*entry));
    if (!entry) {
        log_once(LOG_WARN, 0, "light %u: more than %u lights, ignored", (unsigned)index,
                 HAL_MAX_LIGHT_ENTRIES);
        return NULL;
    }
    entry->index = index;
    entry->light.type = D3DLIGHT_DIRECTIONAL;
    for (int c = 0; c < 3; c++) {
        entry->light.diffuse[c] = 1.0f;
    }
    entry->light.direction[2] = 1.0f;
    return entry;
}

void hal_light_enable(struct hal_light_table *table, struct hal_light_entry *entry, bool enable)
{
    if (entry->enabled == enable) {
        return;
    }
    entry->enabled = enable;
    if (enable) {
        table->active[table->active_count++] = entry;
        return;
    }
    unsigned kept = 0;

    for (unsigned i = 0; i < table->active_count; i++) {
        if (table->active[i] != entry) {
            table->active[kept++] = table->active[i];
        }
    }
    table->active_count = kept;
}

/* --- preparing ---------------------------------------------------------------------- */

static void to_view(float out[3], const float v[3], float w, const struct hal_matrix *view)
{
    for (int c = 0; c < 3; c++) {
        out[c] =
            v[0] * view->m[0][c] + v[1] * view->m[1][c] + v[2] * view->m[2][c] + w * view->m[3][c];
    }
}

static void normalize3(float v[3])
{
    const float length = __builtin_sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

    for (int c = 0; length > 0 && c < 3; c++) {
        v[c] /= length;
    }
}

static void prepare_light(struct tnl_light *out, const struct hal_light *in,
                          const struct hal_matrix *view)
{
    out->type = in->type;
    memcpy(out->diffuse, in->diffuse, sizeof(out->diffuse));
    memcpy(out->specular, in->specular, sizeof(out->specular));
    memcpy(out->ambient, in->ambient, sizeof(out->ambient));
    memcpy(out->attenuation, in->attenuation, sizeof(out->attenuation));
    out->range = in->range;
    out->falloff = in->falloff;
    to_view(out->position, in->position, 1, view);
    to_view(out->direction, in->direction, 0, view);
    normalize3(out->direction);
    for (int c = 0; in->type == D3DLIGHT_DIRECTIONAL && c < 3; c++) {
        out->direction[c] = -out->direction[c];
    }
    if (in->type == D3DLIGHT_SPOT) {
        out->cos_inner = hal_cosf(in->theta * 0.5f);
        out->cos_outer = hal_cosf(in->phi * 0.5f);
    }
}

void tnl_prepare_lights(struct tnl_program *p, const struct hal_context *context)
{
    const struct hal_light_table *table = context->lights;

    p->light_count = BASE_MIN(table->active_count, (unsigned)HAL_MAX_LIGHTS);
    for (unsigned i = 0; i < p->light_count; i++) {
        prepare_light(&p->light[i], &table->active[i]->light, &context->view);
    }
}

/* --- lighting ----------------------------------------------------------------------- */

/* Four vertices at work. */
struct group {
    vec4f eye[3], normal[3];
    vec4f to_viewer[3]; /* from the vertex to the viewer, LOCALVIEWER */
    bool has_normal;
    vec4f ambient[3], diffuse[3], specular[3]; /* sums */
};

static vec4f power(vec4f base, vec4i wanted, float exponent)
{
    vec4f r = vec_set(0);

    for (int l = 0; l < VEC_LANES; l++) {
        if (wanted[l]) {
            r[l] = hal_powf(base[l], exponent);
        }
    }
    return r;
}

/* Strength of a spot by the angle from its axis. */
static vec4f spot_factor(const struct tnl_light *light, const vec4f to_light[3])
{
    const vec4f rho = -(to_light[0] * light->direction[0] + to_light[1] * light->direction[1] +
                        to_light[2] * light->direction[2]);
    const vec4i inside = rho > light->cos_inner;
    const vec4i between = ~inside & (rho > light->cos_outer);
    vec4f factor = vec_select(inside, vec_set(1), vec_set(0));

    if (vec_any(between)) {
        const vec4f x = (rho - light->cos_outer) / vec_set(light->cos_inner - light->cos_outer);
        const vec4f soft = light->falloff == 1.0f ? x : power(x, between, light->falloff);

        factor = vec_select(between, soft, factor);
    }
    return factor;
}

/* Direction towards the light and its strength at the vertices. */
static vec4f light_strength(const struct tnl_light *light, const struct group *g, vec4f to_light[3])
{
    if (light->type == D3DLIGHT_DIRECTIONAL) {
        for (int c = 0; c < 3; c++) {
            to_light[c] = vec_set(light->direction[c]);
        }
        return vec_set(1);
    }
    for (int c = 0; c < 3; c++) {
        to_light[c] = light->position[c] - g->eye[c];
    }
    const vec4f d2 = vec_dot3(to_light, to_light), d = vec_sqrt(d2);
    for (int c = 0; c < 3; c++) {
        to_light[c] = vec_select(d > 0.0f, to_light[c] / d, vec_set(0));
    }
    vec4f strength =
        1.0f / (light->attenuation[0] + light->attenuation[1] * d + light->attenuation[2] * d2);

    if (light->type == D3DLIGHT_SPOT) {
        strength *= spot_factor(light, to_light);
    }
    return vec_select(d <= light->range, strength, vec_set(0));
}

static void add_specular(const struct tnl_program *p, const struct tnl_light *light,
                         struct group *g, const vec4f to_light[3], vec4i lit, vec4f strength)
{
    vec4f half[3];

    for (int c = 0; c < 3; c++) {
        half[c] = to_light[c] + g->to_viewer[c];
    }
    const vec4f length = vec_sqrt(vec_dot3(half, half));
    const vec4f n_dot_h = vec_dot3(g->normal, half) / length;

    lit &= n_dot_h > 0.0f;
    if (!vec_any(lit)) {
        return;
    }
    const vec4f factor =
        vec_select(lit, power(n_dot_h, lit, p->material.power) * strength, vec_set(0));

    for (int c = 0; c < 3; c++) {
        g->specular[c] += light->specular[c] * factor;
    }
}

static void add_light(const struct tnl_program *p, const struct tnl_light *light, struct group *g)
{
    vec4f to_light[3];
    const vec4f strength = light_strength(light, g, to_light);

    for (int c = 0; c < 3; c++) {
        g->ambient[c] += light->ambient[c] * strength;
    }
    if (!g->has_normal) {
        return;
    }
    const vec4f n_dot_l = vec_dot3(g->normal, to_light);
    const vec4i lit = n_dot_l > 0.0f;

    if (!vec_any(lit)) {
        return;
    }
    const vec4f factor = vec_select(lit, n_dot_l * strength, vec_set(0));

    for (int c = 0; c < 3; c++) {
        g->diffuse[c] += light->diffuse[c] * factor;
    }
    if (p->specular) {
        add_specular(p, light, g, to_light, lit, strength);
    }
}

static void load_group(const struct tnl_program *p, const struct tnl_batch *b, unsigned at,
                       struct group *g)
{
    memset(g, 0, sizeof(*g));
    g->has_normal = b->has_normal;
    if (p->light_count == 0) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        g->eye[c] = vec_load(&b->eye[c][at]);
        if (b->has_normal) {
            g->normal[c] = vec_load(&b->normal[c][at]);
        }
    }
    g->to_viewer[2] = vec_set(-1);
    if (p->local_viewer && p->specular) {
        const vec4f length = vec_sqrt(vec_dot3(g->eye, g->eye));

        for (int c = 0; c < 3; c++) {
            g->to_viewer[c] = vec_select(length > 0.0f, -g->eye[c] / length, vec_set(0));
        }
    }
}

static vec4f source_value(const struct tnl_batch *b, uint8_t source, const float material[4],
                          unsigned component, unsigned at)
{
    switch (source) {
    case TNL_COLOR1:
        return vec_load(&b->color1[component][at]);
    case TNL_COLOR2:
        return vec_load(&b->color2[component][at]);
    default:
        return vec_set(material[component]);
    }
}

void tnl_light(const struct tnl_program *p, struct tnl_batch *b)
{
    const struct hal_material *m = &p->material;
    struct group g;

    for (unsigned at = 0; at < b->span.padded; at += VEC_LANES) {
        load_group(p, b, at, &g);
        for (unsigned i = 0; i < p->light_count; i++) {
            add_light(p, &p->light[i], &g);
        }
        for (unsigned c = 0; c < 3; c++) {
            const vec4f emissive = source_value(b, p->source_emissive, m->emissive, c, at);
            const vec4f ambient = source_value(b, p->source_ambient, m->ambient, c, at);
            const vec4f diffuse = source_value(b, p->source_diffuse, m->diffuse, c, at);
            const vec4f specular = source_value(b, p->source_specular, m->specular, c, at);

            vec_store(&b->lit_diffuse[c][at],
                      vec_saturate(emissive + ambient * (p->ambient[c] + g.ambient[c]) +
                                   diffuse * g.diffuse[c]));
            vec_store(&b->lit_specular[c][at], vec_saturate(specular * g.specular[c]));
        }
        vec_store(&b->lit_diffuse[3][at],
                  vec_saturate(source_value(b, p->source_diffuse, m->diffuse, 3, at)));
        vec_store(&b->lit_specular[3][at], vec_load(&b->color2[3][at]));
    }
}
