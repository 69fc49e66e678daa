/* SPDX-License-Identifier: MIT */
/*
 * Texture coordinates of the stages: from the vertex or generated, through the texture matrix, with
 * the divisor of a projected stage put into slot 3 (shaders.md 8 "Texture coordinates").
 */
#include "hal/front.h"

/* D3DTSS_TCI_* >> 16 */
enum { GENERATE_NONE, GENERATE_NORMAL, GENERATE_POSITION, GENERATE_REFLECTION, GENERATE_SPHERE };

static void prepare_stage(struct tnl_program *p, const struct hal_context *context, unsigned stage)
{
    const uint32_t index = context->stage_state[stage][D3DTSS_TEXCOORDINDEX];
    const uint32_t flags = context->stage_state[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
    const uint32_t count = flags & ~(uint32_t)D3DTTFF_PROJECTED;
    const bool known = count <= D3DTTFF_COUNT4;
    struct tnl_texcoord *t = &p->texcoord[stage];

    memset(t, 0, sizeof(*t));
    t->set = (uint8_t)BASE_MIN(index & 0xffff, 8u); /* 8: no such set */
    t->generate = p->transformed ? GENERATE_NONE : (uint16_t)(index >> 16);
    if (t->generate > GENERATE_SPHERE) {
        t->generate = GENERATE_NONE;
    }
    /* COUNT1 differs from vendor to vendor; it does nothing here. */
    if (known && count >= D3DTTFF_COUNT2 && !p->transformed) {
        t->columns = (uint8_t)count;
    }
    t->projected = known && flags & D3DTTFF_PROJECTED && !p->raw_coordinates;
    t->last_component = count < D3DTTFF_COUNT2;
    t->divisor = (uint8_t)(count < D3DTTFF_COUNT2 ? 3 : count - 1);
}

void tnl_prepare_texcoords(struct tnl_program *p, const struct hal_context *context)
{
    p->texture_matrix = context->texture;
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++) {
        prepare_stage(p, context, i);
    }
}

/* --- generated coordinates ---------------------------------------------------------- */

static void copy_vector(const hal_lanes from[3], hal_lanes out[4], unsigned count)
{
    for (unsigned c = 0; c < 3; c++) {
        memcpy(out[c], from[c], count * sizeof(float));
    }
    for (unsigned i = 0; i < count; i++) {
        out[3][i] = 1.0f;
    }
}

/* r = u - 2 (u . n) n with u the direction from the viewer to the vertex. */
static void reflection(const struct tnl_batch *b, unsigned at, vec4f r[3])
{
    vec4f u[3], n[3];

    for (int c = 0; c < 3; c++) {
        u[c] = vec_load(&b->eye[c][at]);
        n[c] = b->has_normal ? vec_load(&b->normal[c][at]) : vec_set(0);
    }
    const vec4f length = vec_sqrt(vec_dot3(u, u));

    for (int c = 0; c < 3; c++) {
        u[c] = vec_select(length > 0.0f, u[c] / length, vec_set(0));
    }
    const vec4f twice = 2.0f * vec_dot3(u, n);

    for (int c = 0; c < 3; c++) {
        r[c] = u[c] - twice * n[c];
    }
}

static void generate_reflection(struct tnl_batch *b)
{
    for (unsigned at = 0; at < b->span.padded; at += VEC_LANES) {
        vec4f r[3];

        reflection(b, at, r);
        for (int c = 0; c < 3; c++) {
            vec_store(&b->out[c][at], r[c]);
        }
        vec_store(&b->out[3][at], vec_set(1));
    }
}

static void generate_sphere(struct tnl_batch *b)
{
    for (unsigned at = 0; at < b->span.padded; at += VEC_LANES) {
        vec4f r[3];

        reflection(b, at, r);
        const vec4f z = r[2] + 1.0f;
        const vec4f m = 2.0f * vec_sqrt(r[0] * r[0] + r[1] * r[1] + z * z);

        for (int c = 0; c < 2; c++) {
            vec_store(&b->out[c][at], vec_select(m > 0.0f, r[c] / m, vec_set(0)) + 0.5f);
        }
        vec_store(&b->out[2][at], vec_set(0));
        vec_store(&b->out[3][at], vec_set(1));
    }
}

/* Returns the number of components there are. */
static unsigned generate(const struct tnl_texcoord *t, struct tnl_batch *b,
                         const struct hal_source *source)
{
    switch (t->generate) {
    case GENERATE_NORMAL:
        if (b->has_normal) {
            copy_vector(b->normal, b->out, b->span.padded);
        } else {
            memset(b->out, 0, 3 * sizeof(b->out[0]));
            for (unsigned i = 0; i < b->span.padded; i++) {
                b->out[3][i] = 1.0f;
            }
        }
        return 4;
    case GENERATE_POSITION:
        copy_vector(b->eye, b->out, b->span.padded);
        return 4;
    case GENERATE_REFLECTION:
        generate_reflection(b);
        return 4;
    case GENERATE_SPHERE:
        generate_sphere(b);
        return 4;
    default:
        return t->set < 8 ? hal_fetch(source, HAL_TEXCOORD0 + t->set, &b->span, b->out)
                          : hal_fetch(source, HAL_COMPONENT_COUNT, &b->span, b->out);
    }
}

/* --- matrix and divisor ------------------------------------------------------------- */

/* A vector of k components gets 1 in the next place: that row of the matrix moves it. */
static void complete(hal_lanes v[4], unsigned components, unsigned count)
{
    for (unsigned c = components; c < 4; c++) {
        for (unsigned i = 0; i < count; i++) {
            v[c][i] = c == components ? 1.0f : 0.0f;
        }
    }
}

static void apply_matrix(const struct hal_matrix *m, unsigned columns, hal_lanes v[4],
                         unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vec4f in[4] = {vec_load(&v[0][i]), vec_load(&v[1][i]), vec_load(&v[2][i]),
                             vec_load(&v[3][i])};

        for (unsigned c = 0; c < 4; c++) {
            const vec4f product =
                in[0] * m->m[0][c] + in[1] * m->m[1][c] + in[2] * m->m[2][c] + in[3] * m->m[3][c];

            vec_store(&v[c][i], c < columns ? product : vec_set(c == 3 ? 1.0f : 0.0f));
        }
    }
}

/* The pixel program divides a projected stage by component 3. */
static void place_divisor(const struct tnl_texcoord *t, hal_lanes v[4], unsigned components,
                          unsigned count)
{
    unsigned from = t->divisor;

    if (t->columns == 0) {
        if (t->last_component) {
            from = components >= 3 ? components - 1 : 4;
        } else if (from >= components) {
            from = 4;
        }
    }
    if (from == 3) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        v[3][i] = from < 4 ? v[from][i] : 1.0f;
    }
}

void tnl_texcoord(const struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source,
                  unsigned stage)
{
    const struct tnl_texcoord *t = &p->texcoord[stage];
    const unsigned count = b->span.padded;
    const unsigned components = generate(t, b, source);

    if (t->columns) {
        complete(b->out, components, count);
        apply_matrix(&p->texture_matrix[stage], t->columns, b->out, count);
    }
    if (t->projected) {
        place_divisor(t, b->out, components, count);
    }
}
