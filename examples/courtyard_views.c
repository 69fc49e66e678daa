/* SPDX-License-Identifier: MIT */
/*
 * The courtyard's views: the eyes, the visible objects, and the three cascades of shadows. A cascade is a square around
 * the bounding sphere of its part of the view, so that its size does not depend on the direction; it moves by whole
 * texels, so that the edges of shadows do not flicker.
 */
#include "examples/courtyard.h"

#define NEAR_Z       0.25f
#define FAR_Z        180.0f
#define SUN_DISTANCE 60.0f
#define SUN_DEPTH    120.0f
#define PENUMBRA     0.035f /* metres, where texels are not larger */

struct camera {
    struct vec3 eye, target;
    float angle, first, last; /* where shadows begin and end */
};

static struct camera camera_of(unsigned which, unsigned frame)
{
    float t = (float)frame, a = 3.72f + 0.25f * sinf(t * 0.006f);

    switch (which) {
    case 0: /* a visitor at the gate */
        return (struct camera){v3(10.4f * sinf(a), 2.5f + 0.4f * sinf(t * 0.011f), 9.6f * cosf(a)),
                               v3(0.6f, 2.0f, 1.5f), 0.92f, 0.5f, 30};
    case 1: /* in the northern walk */
        return (struct camera){v3(-8.0f + 0.6f * sinf(t * 0.009f), 1.75f, 10.5f), v3(2, 1.75f, 10.35f), 1.0f, 0.4f, 26};
    case 2: /* above the roofs */
        return (struct camera){v3(18 * sinf(2.5f + t * 0.004f), 21, 18 * cosf(2.5f + t * 0.004f)), v3(0, 0.5f, 1.2f),
                               0.72f, 12, 52};
    default: /* at the spheres on the western side */
        return (struct camera){v3(-2.2f, 1.8f, -4.6f + 0.4f * sinf(t * 0.013f)), v3(-4.0f, 1.45f, 0), 0.80f, 0.4f, 24};
    }
}

static struct vec3 axis(const D3DMATRIX *view, unsigned column)
{
    return v3(view->m[0][column], view->m[1][column], view->m[2][column]);
}

/* --- visibility -------------------------------------------------------------------------------------- */

/* The half-space where clip coordinate `column`, times `sign`, plus w is not negative. */
static struct plane side_plane(const D3DMATRIX *m, unsigned column, float sign)
{
    struct vec3 n =
        v3(m->_14 + sign * m->m[0][column], m->_24 + sign * m->m[1][column], m->_34 + sign * m->m[2][column]);
    float length = sqrtf(v3_dot(n, n));

    return (struct plane){v3_scale(n, 1 / length), (m->_44 + sign * m->m[3][column]) / length};
}

/* Four sides; the eye needs one more plane, the far end none. */
static void set_planes(struct view *view)
{
    struct vec3 ahead = axis(&view->matrix, 2);

    for (unsigned i = 0; i < 4; i++)
        view->planes[i] = side_plane(&view->both, i / 2, i & 1 ? 1 : -1);
    view->planes[4] = (struct plane){ahead, -v3_dot(ahead, view->eye)};
}

bool courtyard_view_sees(const struct view *view, const struct object *object)
{
    for (unsigned i = 0; i < COUNT(view->planes); i++)
        if (v3_dot(view->planes[i].normal, object->center) + view->planes[i].distance < -object->radius)
            return false;
    return true;
}

/* Anything nearer to the sun may cast a shadow into the cascade, however far away it is. */
bool courtyard_cascade_sees(const struct view *view, const struct cascade *cascade, const struct object *object)
{
    struct vec3 p = courtyard_transformed(object->center, &view->sun);
    float reach = cascade->radius + object->radius;

    return fabsf(p.x - cascade->x) < reach && fabsf(p.y - cascade->y) < reach &&
           p.z * SUN_DEPTH - object->radius < cascade->farthest;
}

/* --- cascades -------------------------------------------------------------------------------------------- */

/* Between even steps, which suit distant parts, and even factors, which suit near ones. */
static float split(float first, float last, unsigned i)
{
    float t = (float)i / CASCADES, even = first + (last - first) * t, factor = first * powf(last / first, t);

    return 0.45f * even + 0.55f * factor;
}

/* The smallest sphere around the part of the view from `start` to `end`: how far its middle is, and its radius. */
static float slice_sphere(const struct view *view, float start, float end, float *radius)
{
    float x = 1 / view->projection._11, y = 1 / view->projection._22, k = x * x + y * y;
    float middle = fminf((start + end) / 2 * (1 + k), end);

    *radius = sqrtf((end - middle) * (end - middle) + end * end * k);
    return middle;
}

/* The square's viewport, and the transform from metres to coordinates in it: pixel centres are at integers, texel
 * centres at halves. */
static void place_cascade(struct cascade *c, unsigned which)
{
    const float half = CASCADE_SIZE / 2, x = (float)(which % 2 * CASCADE_SIZE), y = (float)(which / 2 * CASCADE_SIZE);

    c->viewport = (D3DVIEWPORT9){which % 2 * CASCADE_SIZE, which / 2 * CASCADE_SIZE, CASCADE_SIZE, CASCADE_SIZE, 0, 1};
    c->scale_x = half / (c->radius * ATLAS_SIZE);
    c->scale_y = -c->scale_x;
    c->u = (x + half + 0.5f) / ATLAS_SIZE - c->x * c->scale_x;
    c->v = (y + half + 0.5f) / ATLAS_SIZE - c->y * c->scale_y;
}

static void make_cascade(struct view *view, unsigned which, float start, float end)
{
    struct cascade *c = &view->cascades[which];
    D3DMATRIX square;
    struct vec3 middle;
    float texel, distance = slice_sphere(view, start, end, &c->radius);

    c->radius *= (float)CASCADE_SIZE / (CASCADE_SIZE - 8); /* room for the filter */
    texel = 2 * c->radius / CASCADE_SIZE;
    middle = courtyard_transformed(v3_add(view->eye, v3_scale(axis(&view->matrix, 2), distance)), &view->sun);
    c->x = floorf(middle.x / texel) * texel;
    c->y = floorf(middle.y / texel) * texel;
    c->farthest = middle.z * SUN_DEPTH + c->radius;
    c->end = end;
    c->filter = fminf(fmaxf(PENUMBRA / texel, 0.9f), 2.2f) / ATLAS_SIZE;
    square = matrix_scaling(1 / c->radius, 1 / c->radius, 1);
    square._41 = -c->x / c->radius;
    square._42 = -c->y / c->radius;
    c->matrix = matrix_product(&view->sun, &square);
    place_cascade(c, which);
}

/* Metres across, from the middle of the courtyard; depth 0..1 over all of it. */
static D3DMATRIX sun_view(void)
{
    D3DMATRIX look = matrix_look_at(v3_scale(courtyard_to_sun(), SUN_DISTANCE), v3(0, 0, 0));
    D3DMATRIX depth = matrix_scaling(1, 1, 1 / SUN_DEPTH);

    return matrix_product(&look, &depth);
}

struct view courtyard_view(unsigned which, unsigned frame, const D3DVIEWPORT9 *viewport)
{
    struct camera camera = camera_of(which, frame);
    struct view view = {.eye = camera.eye, .viewport = *viewport, .frame = frame, .sun = sun_view()};

    view.matrix = matrix_look_at(camera.eye, camera.target);
    view.projection = matrix_perspective(camera.angle, (float)viewport->Width / (float)viewport->Height, NEAR_Z, FAR_Z);
    view.both = matrix_product(&view.matrix, &view.projection);
    set_planes(&view);
    for (unsigned i = 0; i < CASCADES; i++)
        make_cascade(&view, i, split(camera.first, camera.last, i), split(camera.first, camera.last, i + 1));
    return view;
}
