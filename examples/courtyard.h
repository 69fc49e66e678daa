/* SPDX-License-Identifier: MIT */
/* Shared by the files of the courtyard example: its models, materials and objects, its views and how they are drawn. */
#ifndef EXAMPLES_COURTYARD_H
#define EXAMPLES_COURTYARD_H

#include "examples/common9.h"

/* --- models: courtyard_models.c -------------------------------------------------------------------- */

enum model_name {
    MODEL_GROUND,
    MODEL_PAVEMENT,
    MODEL_WALK,
    MODEL_COLUMN,
    MODEL_PIER,
    MODEL_ARCH,
    MODEL_CORNICE,
    MODEL_WALL,
    MODEL_ROOF,
    MODEL_PARAPET,
    MODEL_PEDESTAL,
    MODEL_BENCH,
    MODEL_CRATE,
    MODEL_BARREL,
    MODEL_HOOPS,
    MODEL_URN,
    MODEL_BASIN,
    MODEL_WATER,
    MODEL_SPHERE,
    MODEL_RING,
    MODEL_BRACKET,
    MODEL_CYPRESS,
    MODEL_COUNT
};

/* A model and its bounding sphere. */
struct bounded_model {
    struct model model;
    struct vec3 center;
    float radius;
};

void courtyard_models_create(IDirect3DDevice9 *device, struct bounded_model models[MODEL_COUNT]);

/* --- materials: courtyard_materials.c ---------------------------------------------------------------- */

/* In the order of drawing: materials that hide much come early, the ground late, because other things hide much of
 * it. */
enum material_name {
    MATERIAL_MASONRY,
    MATERIAL_LIMESTONE,
    MATERIAL_TILES,
    MATERIAL_WOOD,
    MATERIAL_IRON,
    MATERIAL_GOLD,
    MATERIAL_COPPER,
    MATERIAL_STEEL,
    MATERIAL_RED_GLAZE,
    MATERIAL_BLUE_GLAZE,
    MATERIAL_CLAY,
    MATERIAL_LEAVES,
    MATERIAL_WATER,
    MATERIAL_LAMP,
    MATERIAL_SPIRIT,
    MATERIAL_PAVING,
    MATERIAL_EARTH,
    MATERIAL_COUNT
};

/* Colours with roughness, and normals with hollows. */
struct material_textures {
    IDirect3DTexture9 *colors, *normals;
};

#define TEXTURE_SETS 9
struct materials {
    struct material_textures textures[TEXTURE_SETS];
    IDirect3DTexture9 *clouds;
};

struct materials courtyard_materials_create(IDirect3DDevice9 *device);
void courtyard_materials_destroy(struct materials *materials);
/* Textures and constants of a material; `light`: how much of the sky an object sees. */
void courtyard_material_use(IDirect3DDevice9 *device, const struct materials *materials, enum material_name material);
void courtyard_material_constants(IDirect3DDevice9 *device, enum material_name material, float light);

/* --- sky: courtyard_sky.c ------------------------------------------------------------------------------- */

extern const struct vec3 courtyard_haze, courtyard_zenith, courtyard_halo, courtyard_sunlight;
struct vec3 courtyard_to_sun(void);
/* The surroundings of the courtyard's middle, in half floats; each level is blurred for rougher surfaces than the
 * previous one. */
IDirect3DCubeTexture9 *courtyard_surroundings_create(IDirect3DDevice9 *device);

/* --- objects: courtyard_objects.c ------------------------------------------------------------------------ */

#define MAX_OBJECTS 240
#define MAX_LAMPS   8

struct object {
    enum model_name model;
    enum material_name material;
    D3DMATRIX world; /* with the same scale in all directions */
    struct vec3 center;
    float radius, light;
    bool casts; /* the material casts a shadow */
};

struct lamp {
    struct vec3 place, color;
    float range;
};

struct objects {
    struct object list[MAX_OBJECTS];
    unsigned count;
    struct lamp lamps[MAX_LAMPS];
    unsigned lamp_count;
};

/* The objects of a frame. */
void courtyard_objects_place(struct objects *objects, const struct bounded_model *models, unsigned frame);

/* --- views: courtyard_views.c ------------------------------------------------------------------------------- */

#define CASCADES     3
#define VIEW_COUNT   4
#define ATLAS_SIZE   1024 /* of the shadow map; a cascade is a quarter of it */
#define CASCADE_SIZE (ATLAS_SIZE / 2)

struct plane {
    struct vec3 normal; /* inwards */
    float distance;
};

struct cascade {
    D3DMATRIX matrix;             /* from the world to clip space */
    float scale_x, scale_y, u, v; /* from metres in the sun's view to the shadow map */
    float x, y, radius;           /* its extent, in metres in the sun's view */
    float farthest;               /* from the sun, of objects that may cast a shadow into it */
    float end;                    /* along the line of sight */
    float filter;                 /* texture coordinates */
    D3DVIEWPORT9 viewport;
};

struct view {
    struct vec3 eye;
    D3DMATRIX matrix, projection, both;
    D3DMATRIX sun; /* metres across, depth in 0..1 along the sun's rays */
    struct plane planes[5];
    struct cascade cascades[CASCADES];
    D3DVIEWPORT9 viewport;
    unsigned frame;
};

/* Transforms a place by a matrix whose fourth column is 0, 0, 0, 1. */
static inline struct vec3 courtyard_transformed(struct vec3 p, const D3DMATRIX *m)
{
    return v3(p.x * m->_11 + p.y * m->_21 + p.z * m->_31 + m->_41, p.x * m->_12 + p.y * m->_22 + p.z * m->_32 + m->_42,
              p.x * m->_13 + p.y * m->_23 + p.z * m->_33 + m->_43);
}

/* One of the four, in a viewport of `width` by `height` at x, y. */
struct view courtyard_view(unsigned which, unsigned frame, const D3DVIEWPORT9 *viewport);
bool courtyard_view_sees(const struct view *view, const struct object *object);
bool courtyard_cascade_sees(const struct view *view, const struct cascade *cascade, const struct object *object);

/* --- draws: courtyard_draws.c ---------------------------------------------------------------------------------- */

struct courtyard {
    struct bounded_model models[MODEL_COUNT];
    struct materials materials;
    struct program depth_only, lit, sky, tone;
    struct objects objects;
    IDirect3DCubeTexture9 *surroundings;
    IDirect3DVertexDeclaration9 *flat;
    IDirect3DTexture9 *shadow, *shadow_color; /* a depth texture, and the colour target that must be bound with it */
    IDirect3DTexture9 *light;                 /* all views in half floats */
    IDirect3DSurface9 *depth;                 /* for the scene: the device's own */
};

void courtyard_draw_cascades(IDirect3DDevice9 *device, struct courtyard *scene, const struct view *view);
void courtyard_draw_objects(IDirect3DDevice9 *device, struct courtyard *scene, const struct view *view);

/* --- frames: courtyard_frame.c ----------------------------------------------------------------------------------- */

/* The view that fills the picture; VIEW_COUNT: all of them share it. */
void courtyard_show(unsigned view);
bool courtyard_create(IDirect3DDevice9 *device);
void courtyard_draw(IDirect3DDevice9 *device, unsigned frame);
void courtyard_destroy(void);

#endif
