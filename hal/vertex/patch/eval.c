/* SPDX-License-Identifier: MIT */
/*
 * From control points to vertices. All components of a vertex are interpolated by the same basis,
 * as spline data; what a declaration asks the tessellator for (D3DVSD_TESSNORMAL, D3DVSD_TESSUV) is
 * added: the unit cross product of the tangents along u and v, and u and v. On a triangle v runs
 * from the top to the bottom and u from the left edge to the right (Direct3D SDK, "Using
 * Higher-Order Primitives": corners at (0,0), (1,1), (0,1)).
 */
#include "hal/vertex/patch/patch.h"
#include "hal/vertex/stream.h"

#include <string.h>

/* --- formats ------------------------------------------------------------------------ */

static void place_component(struct hal_layout *layout, unsigned component, unsigned type, unsigned word)
{
    layout->component[component].type = (uint8_t)type;
    layout->component[component].stream = 0;
    layout->components |= 1u << component;
    layout->component[component].offset = (uint16_t)(4 * word);
}

/* Named elements become floats after the components. */
static void place_named(struct patch_format *f)
{
    for (unsigned i = 0; i < f->layout.named_count; i++) {
        struct hal_named_element *named = &f->layout.named[i];
        const unsigned count = hal_element_components(named->type);

        named->type = (uint8_t)(HAL_ELEMENT_NONE + count);
        named->stream = 0;
        named->offset = (uint16_t)(4 * f->floats);
        f->floats += (uint16_t)count;
    }
}

static void add_generated(struct patch_format *f, const struct hal_layout *from)
{
    if (from->normal_to && f->part[from->normal_from].count >= 3) {
        f->has_normal = true;
        f->normal_from = f->part[from->normal_from].at;
        f->normal_at = f->words;
        place_component(&f->layout, from->normal_to, HAL_ELEMENT_FLOAT3, f->words);
        f->words += 3;
    }
    if (from->uv_to) {
        f->has_uv = true;
        f->uv_at = f->words;
        place_component(&f->layout, from->uv_to, HAL_ELEMENT_FLOAT2, f->words);
        f->words += 2;
    }
}

/* Matrices cannot be interpolated, so their indices, four bytes, are copied as one word. Other data in that register is
 * interpolated like the rest. */
static bool has_index_word(const struct hal_layout *from)
{
    const unsigned type = from->component[HAL_BLEND_INDEX].type;

    return type == HAL_ELEMENT_UBYTE4 ||
           (from->by_meaning && (type == HAL_ELEMENT_COLOR || type == HAL_ELEMENT_UBYTE4N));
}

/* a control point, an index, a normal, u and v */
_Static_assert(4 * (HAL_COMPONENT_COUNT + HAL_MAX_NAMED) + 1 + 3 + 2 <= PATCH_MAX_WORDS, "room for a vertex");

void patch_format_derive(struct patch_format *f, const struct hal_layout *from)
{
    memset(f, 0, sizeof(*f));
    memcpy(&f->layout, from, hal_layout_bytes(from));
    memset(f->layout.component, 0, sizeof(f->layout.component));
    memset(f->layout.stream_bytes, 0, sizeof(f->layout.stream_bytes));
    f->layout.normal_from = f->layout.normal_to = f->layout.uv_to = 0;
    f->has_index = has_index_word(from);
    for (unsigned i = 0; i < HAL_COMPONENT_COUNT; i++) {
        const unsigned count = hal_element_components(from->component[i].type);

        if (count == 0 || (i == HAL_BLEND_INDEX && f->has_index))
            continue;
        f->part[i].count = (uint8_t)count;
        f->part[i].at = f->floats;
        place_component(&f->layout, i, HAL_ELEMENT_NONE + count, f->floats);
        f->floats += (uint16_t)count;
    }
    place_named(f);
    f->control_words = (uint16_t)(f->floats + f->has_index);
    if (f->has_index)
        place_component(&f->layout, HAL_BLEND_INDEX, from->component[HAL_BLEND_INDEX].type, f->floats);
    f->words = f->control_words;
    add_generated(f, from);
    f->layout.streams = 1;
    f->layout.stream_bytes[0] = 4u * f->words;
    f->layout.fvf = hal_layout_fvf(&f->layout);
}

/* Copies `count` floats of component or named element c to words `at` of the points. */
static void fetch_floats(const struct patch_format *f, const struct hal_source *source, const struct hal_span *span,
                         unsigned c, unsigned at, unsigned count, float *points)
{
    hal_lanes lanes[4];

    hal_fetch(source, c, span, lanes);
    for (unsigned i = 0; i < span->count; i++)
        for (unsigned k = 0; k < count; k++)
            points[(size_t)i * f->control_words + at + k] = lanes[k][i];
}

void patch_fetch(const struct patch_format *f, const struct hal_source *source, const struct hal_span *span,
                 float *points)
{
    uint32_t indices[HAL_BATCH];

    for (unsigned c = 0; c < HAL_COMPONENT_COUNT; c++)
        if (f->part[c].count)
            fetch_floats(f, source, span, c, f->part[c].at, f->part[c].count, points);
    for (unsigned n = 0; n < f->layout.named_count; n++) {
        const struct hal_named_element *named = &f->layout.named[n];

        fetch_floats(f, source, span, HAL_FIRST_NAMED + n, named->offset / 4u, hal_element_components(named->type),
                     points);
    }
    if (f->has_index && hal_fetch_bytes(source, HAL_BLEND_INDEX, span, indices))
        for (unsigned i = 0; i < span->count; i++)
            memcpy(&points[(size_t)i * f->control_words + f->floats], &indices[i], 4);
}

/* --- sums --------------------------------------------------------------------------- */

static double sum_by_size(double *terms, unsigned count)
{
    double sum = 0;

    for (unsigned i = 1; i < count; i++) {
        const double term = terms[i];
        unsigned k = i;

        for (; k > 0 && terms[k - 1] > term; k--)
            terms[k] = terms[k - 1];
        terms[k] = term;
    }
    for (unsigned i = 0; i < count; i++)
        sum += terms[i];
    return sum;
}

double patch_sum(const double *weights, const double *values, size_t stride, unsigned count, bool edge)
{
    double terms[PATCH_MAX_TERMS], sum = 0;
    unsigned used = 0;

    for (unsigned i = 0; i < count; i++)
        if (weights[i] != 0)
            terms[used++] = weights[i] * values[i * stride];
    if (edge)
        return sum_by_size(terms, used);
    for (unsigned i = 0; i < used; i++)
        sum += terms[i];
    return sum;
}

/* --- places ------------------------------------------------------------------------- */

/* The control points that contribute to a point, with weights of the point and of two tangents. */
struct terms {
    unsigned count;
    double value[PATCH_MAX_TERMS], along_u[PATCH_MAX_TERMS], along_v[PATCH_MAX_TERMS];
    const float *point[PATCH_MAX_TERMS];
};

static void rectangle_terms(struct terms *out, const struct patch_net *net, const double at[4])
{
    struct patch_span u, v;
    unsigned n = 0;

    patch_span_at(&u, net->basis, net->degree, net->width, at[0], at[1]);
    patch_span_at(&v, net->basis, net->degree, net->height, at[2], at[3]);
    for (unsigned y = 0; y < v.count; y++) {
        const size_t first = (size_t)(v.first + y) * net->width + u.first;

        for (unsigned x = 0; x < u.count; x++, n++) {
            out->value[n] = u.value[x] * v.value[y];
            out->along_u[n] = u.slope[x] * v.value[y];
            out->along_v[n] = u.value[x] * v.slope[y];
            out->point[n] = net->points + (first + x) * net->format.control_words;
        }
    }
    out->count = n;
}

static void triangle_terms(struct terms *out, const struct patch_net *net, const double at[4])
{
    out->count = patch_triangle_weights(out->value, net->degree, at);
    patch_triangle_slopes(out->along_u, out->along_v, net->degree, at);
    for (unsigned i = 0; i < out->count; i++)
        out->point[i] = net->points + (size_t)i * net->format.control_words;
}

static void terms_at(struct terms *out, const struct patch_net *net, const double at[4])
{
    if (net->triangle)
        triangle_terms(out, net, at);
    else
        rectangle_terms(out, net, at);
}

/* Values of one float of the contributing control points, packed. */
static void patch_gather(const struct terms *terms, unsigned word, double *values)
{
    for (unsigned i = 0; i < terms->count; i++)
        values[i] = terms->point[i][word];
}

static void sum_on_border(const struct terms *terms, unsigned floats, float *vertex)
{
    double values[PATCH_MAX_TERMS];

    for (unsigned word = 0; word < floats; word++) {
        patch_gather(terms, word, values);
        vertex[word] = (float)patch_sum(terms->value, values, 1, terms->count, true);
    }
}

static void sum_inside(const struct terms *terms, unsigned floats, float *vertex)
{
    double sum[PATCH_MAX_WORDS];

    memset(sum, 0, floats * sizeof(*sum));
    for (unsigned i = 0; i < terms->count; i++) {
        const double weight = terms->value[i];
        const float *point = terms->point[i];

        for (unsigned word = 0; weight != 0 && word < floats; word++)
            sum[word] += weight * (double)point[word];
    }
    for (unsigned word = 0; word < floats; word++)
        vertex[word] = (float)sum[word];
}

/* --- normals ------------------------------------------------------------------------ */

static bool normal_of(const struct terms *terms, const struct patch_net *net, float normal[3])
{
    double u[3], v[3], cross[3], length = 0, values[PATCH_MAX_TERMS];

    for (unsigned c = 0; c < 3; c++) {
        patch_gather(terms, net->format.normal_from + c, values);
        u[c] = patch_sum(terms->along_u, values, 1, terms->count, false);
        v[c] = patch_sum(terms->along_v, values, 1, terms->count, false);
    }
    for (unsigned c = 0; c < 3; c++) {
        cross[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
        length += cross[c] * cross[c];
    }
    if (!(length > 0))
        return false;
    length = __builtin_sqrt(length);
    for (unsigned c = 0; c < 3; c++)
        normal[c] = (float)(cross[c] / length);
    return true;
}

/* Where a tangent vanishes, as at the tip of a cone, the normal is computed a little further inside. */
static void generate_normal(const struct terms *terms, const struct patch_net *net, const struct patch_place *place,
                            float normal[3])
{
    const double centre = net->triangle ? 1.0 / 3 : 0.5;
    struct terms inside;
    double at[4];

    normal[0] = normal[1] = normal[2] = 0;
    if (normal_of(terms, net, normal))
        return;
    for (unsigned i = 0; i < 4; i++)
        at[i] = place->at[i] + (centre - place->at[i]) / 1024;
    terms_at(&inside, net, at);
    normal_of(&inside, net, normal);
}

void patch_evaluate(const struct patch_net *net, const struct patch_place *place, float *vertex)
{
    const struct patch_format *f = &net->format;
    struct terms terms;

    terms_at(&terms, net, place->at);
    if (place->edge)
        sum_on_border(&terms, f->floats, vertex);
    else
        sum_inside(&terms, f->floats, vertex);
    if (f->has_index) /* matrices cannot be interpolated: use those of the first control point */
        memcpy(&vertex[f->floats], &net->points[f->floats], 4);
    if (f->has_normal)
        generate_normal(&terms, net, place, &vertex[f->normal_at]);
    if (f->has_uv) {
        vertex[f->uv_at] = (float)(net->triangle ? place->at[1] : place->at[0]);
        vertex[f->uv_at + 1] = (float)(net->triangle ? place->at[1] + place->at[2] : place->at[2]);
    }
}
