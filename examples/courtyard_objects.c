/* SPDX-License-Identifier: MIT */
/*
 * The objects in the courtyard: an arcade of bays 3 m wide on three sides, walks behind it, a parapet on the fourth, a
 * fountain with an armillary sphere, spheres of metal and glaze on pedestals, crates, barrels and urns, lamps at the
 * walls and one spirit that wanders.
 */
#include "examples/courtyard.h"

#define SIDE 9.0f /* from the middle to the columns */
#define BAY  3.0f

/* A building in progress: where the next object goes, and how much of the sky it sees. */
struct site {
    struct objects *objects;
    const struct bounded_model *models;
    float light;
};

static struct object *put_matrix(const struct site *site, enum model_name model, enum material_name material,
                                 const D3DMATRIX *world)
{
    struct objects *all = site->objects;
    struct object *object = &all->list[all->count];
    struct vec3 x = v3(world->_11, world->_12, world->_13);

    if (all->count == MAX_OBJECTS)
        fail("more objects", E_OUTOFMEMORY);
    *object = (struct object){.model = model,
                              .material = material,
                              .world = *world,
                              .center = courtyard_transformed(site->models[model].center, world),
                              .radius = site->models[model].radius * sqrtf(v3_dot(x, x)),
                              .light = site->light,
                              .casts = model != MODEL_GROUND && model != MODEL_PAVEMENT && model != MODEL_WALK &&
                                       model != MODEL_WATER};
    all->count++;
    return object;
}

static struct object *put_scaled(const struct site *site, enum model_name model, enum material_name material,
                                 struct vec3 place, float yaw, float size)
{
    D3DMATRIX turn = matrix_rotation_y(yaw), scale = matrix_scaling(size, size, size);
    D3DMATRIX world = matrix_product(&scale, &turn);

    world._41 = place.x, world._42 = place.y, world._43 = place.z;
    return put_matrix(site, model, material, &world);
}

static struct object *put(const struct site *site, enum model_name model, enum material_name material, float x, float y,
                          float z, float yaw)
{
    return put_scaled(site, model, material, v3(x, y, z), yaw, 1);
}

/* --- building ------------------------------------------------------------------------------------------ */

/* A place `along` and `out` of the middle of one of the three sides: 0 east, 1 north, 2 west. */
static struct vec3 on_side(unsigned side, float along, float out, float y)
{
    return side == 0 ? v3(out, y, along) : side == 1 ? v3(along, y, out) : v3(-out, y, along);
}

static float side_yaw(unsigned side)
{
    return side == 0 ? pi / 2 : side == 1 ? 0 : -pi / 2;
}

/* Leans against the wall and slopes down to the courtyard. */
static void put_roof(const struct site *site, unsigned side, float along)
{
    D3DMATRIX slope = matrix_rotation_x(-0.33f), turn = matrix_rotation_y(side_yaw(side));
    D3DMATRIX world = matrix_product(&slope, &turn);
    struct vec3 place = on_side(side, along, SIDE + 1.35f, 6.05f);

    world._41 = place.x, world._42 = place.y, world._43 = place.z;
    put_matrix(site, MODEL_ROOF, MATERIAL_TILES, &world);
}

/* The parts of a bay: its arch and cornice, the wall behind it, the walk in between. */
static void put_bay(struct site *site, unsigned side, float along)
{
    float yaw = side_yaw(side);
    struct vec3 front = on_side(side, along, SIDE, 3.2f), back = on_side(side, along, SIDE + 3.2f, 0);
    struct vec3 floor =
        on_side(side, along, SIDE + 1.5f, side == 1 ? 0.12f : 0.115f); /* where walks cross, the northern one shows */

    site->light = 0.85f;
    put(site, MODEL_ARCH, MATERIAL_LIMESTONE, front.x, front.y, front.z, yaw);
    put(site, MODEL_CORNICE, MATERIAL_LIMESTONE, front.x, 4.95f, front.z, yaw);
    site->light = 1;
    put_roof(site, side, along);
    site->light = 0.42f;
    put(site, MODEL_WALL, MATERIAL_MASONRY, back.x, back.y, back.z, yaw);
    put(site, MODEL_WALK, MATERIAL_PAVING, floor.x, floor.y, floor.z, yaw);
}

static void put_sides(struct site *site)
{
    for (unsigned side = 0; side < 3; side++) {
        for (int bay = 0; bay < (side == 1 ? 6 : 5); bay++) {
            float first = side == 1 ? -7.5f : -4.5f, along = first + BAY * (float)bay;
            struct vec3 foot = on_side(side, along - BAY / 2, SIDE, 0.12f);
            bool corner = side == 1 && bay == 0;

            put_bay(site, side, along);
            site->light = 0.8f;
            put(site, corner ? MODEL_PIER : MODEL_COLUMN, MATERIAL_LIMESTONE, foot.x, foot.y, foot.z, 0);
        }
        if (side == 1) /* roofs extend to the outer corners, where they meet */
            for (int end = -1; end <= 1; end += 2) {
                put_roof(site, 1, (float)end * 10.5f);
                site->light = 0.42f;
                put(site, MODEL_WALL, MATERIAL_MASONRY, (float)end * 10.5f, 0, SIDE + 3.2f, 0);
                put(site, MODEL_WALK, MATERIAL_PAVING, (float)end * 10.5f, 0.12f, SIDE + 1.5f, 0);
                site->light = 1;
            }
        else {
            site->light = 1;
            put_roof(site, side, 10.5f);
            site->light = 0.42f;
            put(site, MODEL_WALL, MATERIAL_MASONRY, side ? -SIDE - 3.2f : SIDE + 3.2f, 0, 10.5f, side_yaw(side));
        }
    }
    site->light = 0.8f;
    put(site, MODEL_PIER, MATERIAL_LIMESTONE, SIDE, 0.12f, SIDE, 0);
    site->light = 0.42f;
    for (int end = -1; end <= 1; end += 2) /* where walls only meet at an edge */
        put_scaled(site, MODEL_PIER, MATERIAL_LIMESTONE, v3((float)end * (SIDE + 3.45f), 0, SIDE + 3.45f), 0, 1.25f);
}

static void put_yard(struct site *site)
{
    site->light = 1;
    put(site, MODEL_GROUND, MATERIAL_EARTH, 0, -0.12f, 0, 0);
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 6; column++)
            put(site, MODEL_PAVEMENT, MATERIAL_PAVING, -7.5f + BAY * (float)column, 0, -7.5f + BAY * (float)row,
                (float)((row * 5 + column * 3) % 4) * pi / 2);
    site->light = 0.9f;
    for (int i = 0; i < 6; i++)
        if (i != 2 && i != 3)
            put(site, MODEL_PARAPET, MATERIAL_MASONRY, -7.5f + BAY * (float)i, 0, -SIDE, 0);
    for (int i = -1; i <= 1; i += 2) {
        put(site, MODEL_PEDESTAL, MATERIAL_LIMESTONE, (float)i * 2.6f, 0, -SIDE, 0);
        put_scaled(site, MODEL_URN, MATERIAL_CLAY, v3((float)i * 2.6f, 1.07f, -SIDE), 0, 0.9f);
    }
}

/* Hedges behind the walls, and balls of leaves on the urns at the gate. */
static void put_plants(struct site *site)
{
    static const struct {
        float x, z, size;
    } trees[] = {{-15, 17, 1.5f},   {-9, 18.5f, 1.3f}, {-2, 17.5f, 1.55f},  {4.5f, 18, 1.25f}, {11, 17.5f, 1.6f},
                 {16.5f, 14, 1.3f}, {17, 7.5f, 1.5f},  {16.5f, 0.5f, 1.2f}, {-17, 9, 1.4f},    {-16.5f, 2, 1.6f}};

    site->light = 0.9f;
    for (unsigned i = 0; i < COUNT(trees); i++)
        put_scaled(site, MODEL_CYPRESS, MATERIAL_LEAVES, v3(trees[i].x, -0.12f, trees[i].z), (float)i, trees[i].size);
    for (int i = -1; i <= 1; i += 2)
        put_scaled(site, MODEL_SPHERE, MATERIAL_LEAVES, v3((float)i * 2.6f, 2.3f, -SIDE), 0, 1.05f);
}

/* --- things --------------------------------------------------------------------------------------------- */

/* A pedestal, and on it a sphere of each material. */
static void put_spheres(struct site *site)
{
    static const struct {
        float x, z;
        enum material_name material;
    } places[] = {
        {-4.3f, -2.4f, MATERIAL_GOLD},     {-4.3f, 0.2f, MATERIAL_BLUE_GLAZE}, {-4.3f, 2.8f, MATERIAL_COPPER},
        {-4.3f, 5.4f, MATERIAL_RED_GLAZE}, {5.4f, -2.4f, MATERIAL_STEEL},      {5.4f, 0.2f, MATERIAL_LIMESTONE},
        {5.4f, 2.8f, MATERIAL_BLUE_GLAZE}, {5.4f, 5.4f, MATERIAL_GOLD},
    };

    site->light = 0.95f;
    for (unsigned i = 0; i < COUNT(places); i++) {
        put(site, MODEL_PEDESTAL, MATERIAL_LIMESTONE, places[i].x, 0, places[i].z, 0);
        put(site, MODEL_SPHERE, places[i].material, places[i].x, 1.47f, places[i].z, (float)i);
    }
}

/* Rings about rings, each turning at its own rate, and a globe within. */
static void put_fountain(struct site *site, unsigned frame)
{
    const float t = (float)frame * 0.02f;
    static const enum material_name rings[3] = {MATERIAL_GOLD, MATERIAL_STEEL, MATERIAL_GOLD};

    site->light = 1;
    put(site, MODEL_BASIN, MATERIAL_LIMESTONE, 0, 0, 0, 0);
    put(site, MODEL_WATER, MATERIAL_WATER, 0, 0.48f, 0, t * 0.2f);
    for (unsigned i = 0; i < 3; i++) {
        float size = 1.05f - 0.13f * (float)i;
        D3DMATRIX scale = matrix_scaling(size, size, size),
                  tilt = matrix_rotation_x(0.5f + 1.1f * (float)i + t * (float)i);
        D3DMATRIX turn = matrix_rotation_y(t * (1.3f - 0.5f * (float)i) + (float)i),
                  world = matrix_product(&scale, &tilt);

        world = matrix_product(&world, &turn);
        world._42 = 2.55f;
        put_matrix(site, MODEL_RING, rings[i], &world);
    }
    put_scaled(site, MODEL_SPHERE, MATERIAL_COPPER, v3(0, 2.55f, 0), t, 1.1f);
}

static void put_stores(struct site *site)
{
    static const struct {
        enum model_name model;
        float x, y, z, yaw, size;
    } places[] = {
        {MODEL_CRATE, 6.9f, 0, -6.9f, 0.1f, 1},       {MODEL_CRATE, 7.1f, 0, -5.8f, -0.15f, 1},
        {MODEL_CRATE, 5.8f, 0, -7.2f, 0.5f, 1},       {MODEL_CRATE, 6.95f, 0.9f, -6.3f, 0.35f, 0.9f},
        {MODEL_BARREL, 5.6f, 0, -6.0f, 0, 1},         {MODEL_BARREL, 4.7f, 0, -6.9f, 1, 1},
        {MODEL_CRATE, -6.9f, 0, -7.2f, 0.2f, 1},      {MODEL_BARREL, -5.8f, 0, -7.3f, 0, 1},
        {MODEL_BARREL, -7.1f, 0, -6.0f, 2, 1},        {MODEL_CRATE, -10.9f, 0.12f, 5.2f, 0.1f, 1},
        {MODEL_CRATE, -11.2f, 0.12f, 6.3f, -0.1f, 1}, {MODEL_CRATE, 8.2f, 0.12f, 11.3f, 0.2f, 0.9f},
        {MODEL_BARREL, -3.1f, 0.12f, 11.4f, 0, 1},    {MODEL_BARREL, -4.0f, 0.12f, 11.5f, 1, 0.95f},
    };

    for (unsigned i = 0; i < COUNT(places); i++) {
        bool crate = places[i].model == MODEL_CRATE;
        struct vec3 place = v3(places[i].x, places[i].y, places[i].z);

        site->light = places[i].y == 0.12f ? 0.45f : 0.9f;
        put_scaled(site, places[i].model, MATERIAL_WOOD, place, places[i].yaw, places[i].size);
        if (!crate)
            put_scaled(site, MODEL_HOOPS, MATERIAL_IRON, place, places[i].yaw, places[i].size);
    }
    site->light = 0.5f;
    for (int i = -1; i <= 1; i++) {
        put(site, MODEL_BENCH, MATERIAL_LIMESTONE, (float)i * 6, 0.12f, 11.5f, 0);
        put(site, MODEL_URN, i ? MATERIAL_CLAY : MATERIAL_BLUE_GLAZE, (float)i * 6 + 1.5f, 0.12f, 11.4f, 0);
    }
}

/* --- lamps -------------------------------------------------------------------------------------------------- */

static void put_lamp(struct objects *objects, struct lamp lamp)
{
    if (objects->lamp_count < MAX_LAMPS)
        objects->lamps[objects->lamp_count++] = lamp;
}

static void put_lamps(struct site *site, unsigned frame)
{
    static const struct {
        unsigned side;
        float along;
    } places[] = {{1, -4.5f}, {1, 0.4f}, {1, 5.3f}, {2, 3}, {2, -3}, {0, 3}};

    for (unsigned i = 0; i < COUNT(places); i++) {
        struct vec3 place = on_side(places[i].side, places[i].along, SIDE + 2.2f, 2.9f);
        float flicker = 1 + 0.06f * sinf((float)frame * 0.31f + 2 * (float)i);

        site->light = 0.5f;
        put(site, MODEL_BRACKET, MATERIAL_IRON, place.x, place.y, place.z, side_yaw(places[i].side));
        put_scaled(site, MODEL_SPHERE, MATERIAL_LAMP, v3_add(place, v3(0, -0.02f, 0)), 0, 0.32f)->casts = false;
        put_lamp(site->objects, (struct lamp){place, v3_scale(v3(6.4f, 3.5f, 1.35f), flicker), 6});
    }
}

/* A light that moves around the fountain. */
static void put_spirit(struct site *site, unsigned frame)
{
    float a = 3.9f + (float)frame * 0.03f;
    struct vec3 place = v3(2.6f * cosf(a), 1.15f + 0.2f * sinf(2.3f * a), 2.6f * sinf(a));

    site->light = 1;
    put_scaled(site, MODEL_SPHERE, MATERIAL_SPIRIT, place, 0, 0.22f)->casts = false;
    put_lamp(site->objects, (struct lamp){place, v3(0.9f, 2.9f, 4.6f), 4.5f});
}

void courtyard_objects_place(struct objects *objects, const struct bounded_model *models, unsigned frame)
{
    struct site site = {objects, models, 1};

    objects->count = objects->lamp_count = 0;
    put_yard(&site);
    put_sides(&site);
    put_plants(&site);
    put_spheres(&site);
    put_fountain(&site, frame);
    put_stores(&site);
    put_lamps(&site, frame);
    put_spirit(&site, frame);
}
