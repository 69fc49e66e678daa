/* SPDX-License-Identifier: MIT */
/*
 * The henge's grass: a tuft of blades in stream 0, drawn once for each element of stream 1, by its stream frequency
 * (SetStreamSourceFreq). The vertex shader (examples/shaders/henge_grass.vsa) places the tuft by the element.
 */
#include "examples/henge.h"

#define TUFTS          15000
#define BLADES         4
#define BLADE_VERTICES 5

struct place {
    struct vec3 foot;
    float size, cosine, sine, phase, tint;
};

static const D3DVERTEXELEMENT9 grass_elements[] = {
    {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
    {1, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
    {1, 16, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 1},
    D3DDECL_END(),
};

/* Blades lean away from the tuft's middle: two quads and a tip that get narrower. */
static struct model create_tuft(IDirect3DDevice9 *device)
{
    static const uint16_t strip[9] = {0, 1, 2, 2, 1, 3, 2, 3, 4};
    struct vec3 vertices[BLADES * BLADE_VERTICES];
    uint16_t indices[BLADES * COUNT(strip)];
    struct model tuft = {0};

    for (unsigned blade = 0; blade < BLADES; blade++) {
        float a = (float)blade * 2 * pi / BLADES + 0.4f, c = cosf(a), s = sinf(a);
        float height = 0.7f + 0.3f * (float)(blade % 3) / 2, lean = 0.14f + 0.1f * (float)(blade % 2);

        for (unsigned i = 0; i < BLADE_VERTICES; i++) {
            static const float width[BLADE_VERTICES] = {-0.04f, 0.04f, -0.032f, 0.032f, 0};
            static const float up[BLADE_VERTICES] = {0, 0, 0.55f, 0.55f, 1};
            float out = 0.06f + lean * up[i] * up[i] * 2, x = width[i];

            vertices[blade * BLADE_VERTICES + i] = v3(c * out - s * x, up[i] * height, s * out + c * x);
        }
        for (unsigned i = 0; i < COUNT(strip); i++)
            indices[blade * COUNT(strip) + i] = (uint16_t)(blade * BLADE_VERTICES + strip[i]);
    }
    tuft.vertices = make_vertices(device, vertices, sizeof(vertices));
    tuft.indices = make_indices(device, indices, COUNT(indices));
    tuft.declaration = make_declaration(device, grass_elements);
    tuft.stride = sizeof(vertices[0]);
    tuft.vertex_count = COUNT(vertices);
    tuft.triangle_count = COUNT(indices) / 3;
    return tuft;
}

/* As dense in the picture at a distance as nearby, seen from where the camera is most of the time. */
struct grass grass_create(IDirect3DDevice9 *device)
{
    static struct place places[TUFTS];
    uint32_t seed = 9;

    for (unsigned i = 0; i < TUFTS; i++) {
        float away = random_float(&seed), d = 1.6f + 34 * powf(away, 1.7f), a = (random_float(&seed) - 0.5f) * 2.1f;
        float x = sinf(a) * d, z = cosf(a) * d - 17, turn = random_float(&seed) * 2 * pi;
        float lush = fractal_noise(x * 0.35f + 20, z * 0.35f + 20, 0, 3);

        places[i] = (struct place){.foot = v3(x, ground_height(x, z) - 0.03f, z),
                                   .size = (0.16f + 0.5f * lush) * (0.7f + 0.5f * random_float(&seed)),
                                   .cosine = cosf(turn),
                                   .sine = sinf(turn),
                                   .phase = fractal_noise(x * 0.16f, z * 0.16f, 0, 2) * 2 + 0.1f * random_float(&seed),
                                   .tint = fminf(random_float(&seed) * lush * 1.5f, 1)};
    }
    return (struct grass){create_tuft(device), make_vertices(device, places, sizeof(places)), TUFTS};
}

void grass_draw(IDirect3DDevice9 *device, const struct grass *grass)
{
    IDirect3DDevice9_SetStreamSource(device, 1, grass->places, 0, sizeof(struct place));
    IDirect3DDevice9_SetStreamSourceFreq(device, 0, D3DSTREAMSOURCE_INDEXEDDATA | grass->count);
    IDirect3DDevice9_SetStreamSourceFreq(device, 1, D3DSTREAMSOURCE_INSTANCEDATA | 1);
    model_draw(device, &grass->tuft);
    IDirect3DDevice9_SetStreamSourceFreq(device, 0, 1);
    IDirect3DDevice9_SetStreamSourceFreq(device, 1, 1);
    IDirect3DDevice9_SetStreamSource(device, 1, NULL, 0, 0);
}

void grass_destroy(struct grass *grass)
{
    model_destroy(&grass->tuft);
    IDirect3DVertexBuffer9_Release(grass->places);
}
