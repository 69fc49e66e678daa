/* SPDX-License-Identifier: MIT */
/*
 * A picture gallery whose textures hold more than is ever visible, streamed by sampler feedback
 * (docs/sampler-feedback.md). Textures begin with their small levels. On some frames the program asks which levels
 * would be sampled if all were there; the driver answers when the frame is drawn, and the next frame takes the answer
 * without waiting, loads levels that are wanted and drops those that are not. On other frames it measures: it asks
 * which parts of the whole textures were sampled, builds textures with just these tiles, draws the same view with them,
 * and prints how much memory that saves and whether any pixel changed. On a driver without feedback it draws the
 * gallery and prints a message.
 */
#include "examples/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- sampler feedback in terms of Direct3D 8 -------------------------------------------------------------- */

/* A map of regions of 64x64 texels that says for each level which of them were read; commands for stage 0. */
#define MAP_FORMAT       ((D3DFORMAT)MAKEFOURCC('F', 'U', '6', '6'))
#define COMMAND_READS    MAKEFOURCC('S', 'F', 'B', '0') /* record reads */
#define COMMAND_REQUESTS MAKEFOURCC('S', 'F', 'R', '0') /* record what would be read if all levels were there */
#define COMMAND_CLEAR    MAKEFOURCC('S', 'F', 'C', '0')
#define COMMAND_DECODE   MAKEFOURCC('S', 'F', 'D', '0')
#define COMMAND_QUEUE    MAKEFOURCC('S', 'F', 'Q', '0') /* decode when the frame is drawn */
#define TILE             64                             /* texels */

/* The state keeps its own value; it is set again, so that the same command can come twice. */
static void command(IDirect3DDevice8 *device, DWORD what)
{
    const float size = 1.0f;
    DWORD bits;

    memcpy(&bits, &size, sizeof(bits));
    IDirect3DDevice8_SetRenderState(device, D3DRS_POINTSIZE, what);
    IDirect3DDevice8_SetRenderState(device, D3DRS_POINTSIZE, bits);
}

static void put_beside(IDirect3DDevice8 *device, IDirect3DTexture8 *map, DWORD what)
{
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)map);
    command(device, what);
}

static bool offers_feedback(IDirect3DDevice8 *device)
{
    IDirect3D8 *d3d;
    bool offered = false;

    if (SUCCEEDED(IDirect3DDevice8_GetDirect3D(device, &d3d))) {
        offered = IDirect3D8_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0,
                                               D3DRTYPE_TEXTURE, MAP_FORMAT) == D3D_OK;
        IDirect3D8_Release(d3d);
    }
    return offered;
}

/* --- the gallery --------------------------------------------------------------------------------------------- */

#define PICTURES    16
#define SURFACES    (PICTURES + 2) /* and floor, walls */
#define FLOOR       PICTURES
#define WALLS       (PICTURES + 1)
#define MEASURE     20 /* frames from one measurement to the next */
#define ASK         10 /* frames from one question to the next; the first frame after a question takes the answer */
#define SMALL       32 /* texels of the finest level that a texture begins with */
#define HALL_LENGTH 64.0f
#define HALL_HALF   4.0f
#define HALL_HEIGHT 5.2f
#define SPACING     7.5f

struct vertex {
    float x, y, z;
    D3DCOLOR color;
    float u, v;
};
#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1)

/* An object with its own texture: the whole texture, and its resident part by levels and by tiles. */
struct textured {
    IDirect3DVertexBuffer8 *vertices;
    unsigned triangles;
    unsigned size;  /* of the texture, texels */
    unsigned first; /* finest level that is streamed in */
    IDirect3DTexture8 *whole, *streamed, *resident, *map, *decoded;
    unsigned kept, tiles; /* of the resident texture, and all */
    uint64_t bytes_kept, bytes;
};

static struct {
    struct textured surface[SURFACES];
    IDirect3DSurface8 *shot[2];
    bool feedback;
    bool asked;               /* by the previous frame */
    unsigned loaded, dropped; /* levels, since the last measurement */
    unsigned seed;            /* of the picture that is currently painted */
} scene;

/* --- textures --------------------------------------------------------------------------------------------------- */

static const D3DCOLOR palettes[4][4] = {
    {0xff14243c, 0xff2f6c8f, 0xffe9c46a, 0xffe76f51},
    {0xff1d1a2f, 0xff6a3d6e, 0xffd98c5f, 0xfff7e3b5},
    {0xff10302a, 0xff3f7d58, 0xffc7c66b, 0xfff3efe0},
    {0xff2a1410, 0xff8f2f2f, 0xffd9a441, 0xfff2ead3},
};

static D3DCOLOR from_palette(const D3DCOLOR *palette, float t)
{
    t = fminf(fmaxf(t, 0), 0.999f) * 3;
    return color_mix(palette[(int)t], palette[(int)t + 1], t - floorf(t));
}

/* Four kinds of painting: hills under a sun, waves, rings, fields. */
static D3DCOLOR picture_texel(float u, float v)
{
    unsigned n = scene.seed;
    const D3DCOLOR *palette = palettes[(n / 4 + n) % 4];
    float shift = (float)n * 7.3f, grain = fractal_noise(u * 40, v * 40 + shift, 0, 2) - 0.5f, t;

    switch (n % 4) {
    case 0: {
        float hills = 0.45f + 0.3f * fractal_noise(u * 3 + shift, shift, 0, 4);
        float sun = hypotf(u - 0.3f - 0.4f * noise2(shift, 1, 0), v - 0.3f);

        t = v > hills ? 0.35f - 0.5f * (v - hills) : sun < 0.11f ? 0.98f : 0.85f - 0.5f * v;
        break;
    }
    case 1:
        t = 0.5f + 0.5f * sinf(14 * v + 5 * fractal_noise(u * 3 + shift, v * 6, 0, 4));
        break;
    case 2:
        t = 0.5f + 0.5f * sinf(22 * hypotf(u - 0.5f, v - 0.5f) + 4 * fractal_noise(u * 4, v * 4 + shift, 0, 3));
        break;
    default:
        t = noise2(floorf(u * 6) + shift, floorf(v * 5), 0) * 0.8f + 0.1f;
        break;
    }
    return from_palette(palette, t + 0.22f * grain);
}

static D3DCOLOR floor_texel(float u, float v)
{
    float x = u * 16 - floorf(u * 16), y = v * 16 - floorf(v * 16);
    float edge = fminf(fminf(x, 1 - x), fminf(y, 1 - y)), vein = fractal_noise(u * 24, v * 24, 24, 4);
    bool dark = ((int)(u * 16) + (int)(v * 16)) & 1;

    if (edge < 0.03f)
        return 0xff2a2320;
    return dark ? color_mix(0xff38302e, 0xff6a5248, vein) : color_mix(0xff8f8272, 0xffd9cdb8, vein);
}

static D3DCOLOR wall_texel(float u, float v)
{
    float weave = 0.5f + 0.5f * sinf(u * 64 * 2 * pi) * sinf(v * 64 * 2 * pi);

    return color_mix(0xff5e2a2c, 0xff8a4440, 0.6f * fractal_noise(u * 32, v * 32, 32, 3) + 0.35f * weave);
}

/* --- geometry ------------------------------------------------------------------------------------------------------- */

/* One lamp above each picture, and a little light everywhere. */
static D3DCOLOR light_at(struct vec3 p)
{
    float sum = 0.24f;

    for (unsigned i = 0; i < PICTURES; i++) {
        float side = i & 1 ? 1.0f : -1.0f, z = 5.0f + SPACING * (float)(i / 2);
        struct vec3 lamp = v3(side * (HALL_HALF - 1.1f), HALL_HEIGHT - 0.3f, z), d = v3_sub(lamp, p);

        sum += 4.2f / (1.6f + v3_dot(d, d));
    }
    return color_rgba(sum, sum * 0.93f, sum * 0.82f, 1);
}

/* A rectangle of columns x rows lit squares, at `origin` with the sides `across` and `down`. */
static void put_rectangle(struct vertex *out, struct vec3 origin, struct vec3 across, struct vec3 down,
                          unsigned columns, unsigned rows, float repeat_u, float repeat_v)
{
    static const uint8_t corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};

    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++)
            for (unsigned i = 0; i < 6; i++) {
                float u = (float)(x + corners[i][0]) / (float)columns, v = (float)(y + corners[i][1]) / (float)rows;
                struct vec3 p = v3_add(origin, v3_add(v3_scale(across, u), v3_scale(down, v)));

                *out++ = (struct vertex){p.x, p.y, p.z, light_at(p), u * repeat_u, v * repeat_v};
            }
}

static void take_vertices(IDirect3DDevice8 *device, struct textured *s, const struct vertex *vertices, unsigned count)
{
    s->vertices = make_vertices(device, vertices, count * sizeof(*vertices), VERTEX_FVF);
    s->triangles = count / 3;
}

static void build_hall(IDirect3DDevice8 *device)
{
    enum { ALONG = 64, ACROSS = 8 };
    static struct vertex v[6 * ALONG * ACROSS * 2];
    const struct vec3 along = v3(0, 0, HALL_LENGTH), down = v3(0, -HALL_HEIGHT, 0);

    put_rectangle(v, v3(-HALL_HALF, 0, HALL_LENGTH), v3(2 * HALL_HALF, 0, 0), v3(0, 0, -HALL_LENGTH), ACROSS, ALONG, 1,
                  8);
    take_vertices(device, &scene.surface[FLOOR], v, 6 * ALONG * ACROSS);
    put_rectangle(v, v3(-HALL_HALF, HALL_HEIGHT, 0), along, down, ALONG, ACROSS, 16, 1.3f);
    put_rectangle(v + 6 * ALONG * ACROSS, v3(HALL_HALF, HALL_HEIGHT, HALL_LENGTH), v3_scale(along, -1), down, ALONG,
                  ACROSS, 16, 1.3f);
    take_vertices(device, &scene.surface[WALLS], v, 12 * ALONG * ACROSS);
    for (unsigned i = 0; i < PICTURES; i++) {
        float side = i & 1 ? 1.0f : -1.0f, z = 5.0f + SPACING * (float)(i / 2), half = 1.7f;
        struct vec3 corner = v3(side * (HALL_HALF - 0.06f), 4.1f, z - side * -half);

        put_rectangle(v, corner, v3(0, 0, side * -2 * half), v3(0, -2.9f, 0), 6, 6, 1, 1);
        take_vertices(device, &scene.surface[i], v, 6 * 6 * 6);
    }
}

/* --- residency --------------------------------------------------------------------------------------------------------- */

static unsigned tiles_along(unsigned size)
{
    return (size + TILE - 1) / TILE;
}

/* The map's contents for one level: one byte per tile, row after row. Levels with a single tile are always kept. */
static void read_level(const struct textured *s, unsigned level, uint8_t *used)
{
    unsigned side = tiles_along(s->size >> level);
    D3DLOCKED_RECT locked;

    if (side == 1 || FAILED(IDirect3DTexture8_LockRect(s->decoded, level, &locked, NULL, D3DLOCK_READONLY))) {
        memset(used, 0xff, (size_t)side * side);
        return;
    }
    for (unsigned y = 0; y < side; y++)
        memcpy(used + y * side, (const uint8_t *)locked.pBits + y * locked.Pitch, side);
    IDirect3DTexture8_UnlockRect(s->decoded, level);
}

/* Copies the used tiles (NULL: all); missing tiles are magenta, which must never be visible. */
static void copy_level(const struct textured *s, unsigned level, IDirect3DTexture8 *into, unsigned to,
                       const uint8_t *used)
{
    unsigned size = s->size >> level ? s->size >> level : 1, side = tiles_along(size);
    D3DLOCKED_RECT in, out;

    if (FAILED(IDirect3DTexture8_LockRect(s->whole, level, &in, NULL, D3DLOCK_READONLY)) ||
        FAILED(IDirect3DTexture8_LockRect(into, to, &out, NULL, 0)))
        fail("LockRect", E_FAIL);
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++)
            ((D3DCOLOR *)((BYTE *)out.pBits + y * out.Pitch))[x] =
                !used || used[y / TILE * side + x / TILE] ? ((D3DCOLOR *)((BYTE *)in.pBits + y * in.Pitch))[x]
                                                          : 0xffff00ff;
    IDirect3DTexture8_UnlockRect(into, to);
    IDirect3DTexture8_UnlockRect(s->whole, level);
}

static void count_tiles(struct textured *s, unsigned level, const uint8_t *used)
{
    unsigned size = s->size >> level ? s->size >> level : 1, side = tiles_along(size);

    for (unsigned i = 0; i < side * side; i++)
        if (used[i]) {
            s->kept++;
            s->bytes_kept += (uint64_t)(size < TILE ? size * size : TILE * TILE) * 4;
        }
}

static bool any(const uint8_t *used, unsigned count)
{
    while (count--)
        if (used[count])
            return true;
    return false;
}

/* The map's contents for all levels; returns the finest level that has any. */
static unsigned read_map(const struct textured *s, uint8_t used[16][1024])
{
    unsigned levels = IDirect3DTexture8_GetLevelCount(s->whole), first = 0;

    for (unsigned level = 0; level < levels; level++)
        read_level(s, level, used[level]);
    while (first + 1 < levels && !any(used[first], tiles_along(s->size >> first) * tiles_along(s->size >> first)))
        first++;
    return first;
}

/* A texture in the place of another (NULL: none), with room for the levels from `first` on. */
static void replace(IDirect3DDevice8 *device, const struct textured *s, unsigned first, IDirect3DTexture8 **texture)
{
    unsigned levels = IDirect3DTexture8_GetLevelCount(s->whole) - first;
    HRESULT result;

    if (*texture)
        IDirect3DTexture8_Release(*texture);
    result = IDirect3DDevice8_CreateTexture(device, s->size >> first, s->size >> first, levels, 0, D3DFMT_A8R8G8B8,
                                            D3DPOOL_MANAGED, texture);
    if (FAILED(result))
        fail("CreateTexture", result);
}

/* Rebuilds the texture from the finest level that was read, with the tiles that were read. */
static void make_resident(IDirect3DDevice8 *device, struct textured *s)
{
    static uint8_t used[16][1024];
    unsigned levels = IDirect3DTexture8_GetLevelCount(s->whole), first = read_map(s, used);

    replace(device, s, first, &s->resident);
    s->kept = 0;
    s->bytes_kept = 0;
    for (unsigned level = first; level < levels; level++) {
        copy_level(s, level, s->resident, level - first, used[level]);
        count_tiles(s, level, used[level]);
    }
}

/* Complete levels from `first` on. */
static void stream(IDirect3DDevice8 *device, struct textured *s, unsigned first)
{
    unsigned levels = IDirect3DTexture8_GetLevelCount(s->whole);

    scene.loaded += first < s->first ? s->first - first : 0;
    scene.dropped += first > s->first ? first - s->first : 0;
    s->first = first;
    replace(device, s, first, &s->streamed);
    for (unsigned level = first; level < levels; level++)
        copy_level(s, level, s->streamed, level - first, NULL);
}

/* Takes the answer to the previous frame's question: the frame's picture has been shown, so the map is decoded and
 * there is no wait here. */
static void take_answer(IDirect3DDevice8 *device, struct textured *s)
{
    static uint8_t used[16][1024];
    unsigned wanted = read_map(s, used);

    if (wanted != s->first)
        stream(device, s, wanted);
}

static void prepare(IDirect3DDevice8 *device, struct textured *s, unsigned size, texel_function texel)
{
    unsigned side = tiles_along(size);
    HRESULT result;

    s->size = size;
    s->whole = make_texture(device, size, texel);
    for (unsigned at = size; at; at /= 2) {
        s->tiles += tiles_along(at) * tiles_along(at);
        s->bytes += (uint64_t)at * at * 4;
    }
    if (!scene.feedback)
        return;
    result = IDirect3DDevice8_CreateTexture(device, size, size, 0, 0, MAP_FORMAT, D3DPOOL_DEFAULT, &s->map);
    if (SUCCEEDED(result))
        result = IDirect3DDevice8_CreateTexture(device, side, side, 0, D3DUSAGE_DYNAMIC, D3DFMT_L8, D3DPOOL_DEFAULT,
                                                &s->decoded);
    if (FAILED(result))
        fail("CreateTexture of a feedback map", result);
    while (s->size >> s->first > SMALL)
        s->first++;
    stream(device, s, s->first);
}

static bool create(IDirect3DDevice8 *device)
{
    scene.feedback = offers_feedback(device);
    if (!scene.feedback)
        printf("this driver has no sampler feedback: nothing to save\n");
    for (scene.seed = 0; scene.seed < PICTURES; scene.seed++)
        prepare(device, &scene.surface[scene.seed], 512, picture_texel);
    prepare(device, &scene.surface[FLOOR], 1024, floor_texel);
    prepare(device, &scene.surface[WALLS], 512, wall_texel);
    build_hall(device);
    for (unsigned i = 0; i < 2; i++)
        if (FAILED(
                IDirect3DDevice8_CreateImageSurface(device, VIEW_WIDTH, VIEW_HEIGHT, D3DFMT_X8R8G8B8, &scene.shot[i])))
            return false;
    return true;
}

static void destroy(void)
{
    for (unsigned i = 0; i < SURFACES; i++) {
        struct textured *s = &scene.surface[i];
        IDirect3DTexture8 *const textures[] = {s->whole, s->streamed, s->resident, s->map, s->decoded};

        for (unsigned k = 0; k < COUNT(textures); k++)
            if (textures[k])
                IDirect3DTexture8_Release(textures[k]);
        IDirect3DVertexBuffer8_Release(s->vertices);
    }
    for (unsigned i = 0; i < 2; i++)
        IDirect3DSurface8_Release(scene.shot[i]);
}

/* --- frames ------------------------------------------------------------------------------------------------------------ */

static void set_camera(IDirect3DDevice8 *device, unsigned frame)
{
    float t = (float)frame * 0.02f, z = 1.0f + 0.06f * (float)(frame % 700);
    struct vec3 eye = v3(1.4f * sinf(t * 0.7f), 2.1f + 0.1f * sinf(t), z);
    D3DMATRIX world = matrix_identity();
    D3DMATRIX view = matrix_look_at(eye, v3_add(eye, v3(0.9f * sinf(t * 0.5f), 0.05f, 1.6f)));
    D3DMATRIX projection = matrix_perspective(1.05f, 4.0f / 3.0f, 0.1f, 120);

    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
}

/* Draws with whole textures; the same, recorded; with the tiles that were read; with the resident levels; the same, and
 * a question about the missing ones. */
enum pass { PLAIN, RECORDED, RESIDENT, STREAMED, ASKING };

static IDirect3DTexture8 *texture_of(const struct textured *s, enum pass pass)
{
    return pass == RESIDENT ? s->resident : pass >= STREAMED ? s->streamed : s->whole;
}

static void draw_hall(IDirect3DDevice8 *device, enum pass pass)
{
    bool records = pass == RECORDED || pass == ASKING;

    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff140d0c, 1, 0);
    for (unsigned i = 0; i < SURFACES; i++) {
        struct textured *s = &scene.surface[i];

        if (records) {
            put_beside(device, s->map, pass == ASKING ? COMMAND_REQUESTS : COMMAND_READS);
            command(device, COMMAND_CLEAR);
        }
        use_texture(device, texture_of(s, pass), true);
        IDirect3DDevice8_SetStreamSource(device, 0, s->vertices, sizeof(struct vertex));
        IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, s->triangles);
        if (records) {
            IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)s->decoded);
            command(device, pass == ASKING ? COMMAND_QUEUE : COMMAND_DECODE);
        }
    }
    if (records)
        put_beside(device, NULL, COMMAND_READS);
}

static void take_shot(IDirect3DDevice8 *device, IDirect3DSurface8 *to)
{
    IDirect3DSurface8 *back;

    IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, &back);
    IDirect3DDevice8_CopyRects(device, back, NULL, 0, to, NULL);
    IDirect3DSurface8_Release(back);
}

/* The number of pixels that differ between the two shots. */
static unsigned compare_shots(void)
{
    D3DLOCKED_RECT a, b;
    unsigned different = 0;

    if (FAILED(IDirect3DSurface8_LockRect(scene.shot[0], &a, NULL, D3DLOCK_READONLY)) ||
        FAILED(IDirect3DSurface8_LockRect(scene.shot[1], &b, NULL, D3DLOCK_READONLY)))
        fail("LockRect", E_FAIL);
    for (unsigned y = 0; y < VIEW_HEIGHT; y++)
        for (unsigned x = 0; x < VIEW_WIDTH; x++)
            different += ((const D3DCOLOR *)((const BYTE *)a.pBits + y * a.Pitch))[x] !=
                         ((const D3DCOLOR *)((const BYTE *)b.pBits + y * b.Pitch))[x];
    IDirect3DSurface8_UnlockRect(scene.shot[0]);
    IDirect3DSurface8_UnlockRect(scene.shot[1]);
    return different;
}

static void report(unsigned frame)
{
    unsigned tiles = 0, kept = 0, different = compare_shots();
    uint64_t bytes = 0, bytes_kept = 0, bytes_streamed = 0;

    for (unsigned i = 0; i < SURFACES; i++) {
        tiles += scene.surface[i].tiles;
        kept += scene.surface[i].kept;
        bytes += scene.surface[i].bytes;
        bytes_kept += scene.surface[i].bytes_kept;
        for (unsigned size = scene.surface[i].size >> scene.surface[i].first; size; size /= 2)
            bytes_streamed += (uint64_t)size * size * 4;
    }
    printf("frame %3u: %4u of %u tiles, %5.2f of %.2f MiB of texels: %.0f %% saved, %s\n", frame, kept, tiles,
           (double)bytes_kept / 1048576, (double)bytes / 1048576, 100 - 100 * (double)bytes_kept / (double)bytes,
           different ? "PIXELS DIFFER" : "the same pixels");
    printf("           streamed: %5.2f MiB in whole levels; levels loaded: %u, dropped: %u\n",
           (double)bytes_streamed / 1048576, scene.loaded, scene.dropped);
    scene.loaded = scene.dropped = 0;
    fflush(stdout);
    if (different)
        fail("drawing with the resident tiles", E_FAIL);
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    set_camera(device, frame);
    if (!scene.feedback) {
        draw_hall(device, PLAIN);
        return;
    }
    for (unsigned i = 0; scene.asked && i < SURFACES; i++)
        take_answer(device, &scene.surface[i]);
    scene.asked = frame % ASK == 1;
    if (frame % MEASURE) {
        draw_hall(device, scene.asked ? ASKING : STREAMED);
        return;
    }
    draw_hall(device, RECORDED);
    take_shot(device, scene.shot[0]);
    for (unsigned i = 0; i < SURFACES; i++)
        make_resident(device, &scene.surface[i]);
    draw_hall(device, RESIDENT);
    take_shot(device, scene.shot[1]);
    report(frame);
}

int main(int argc, char **argv)
{
    static const struct example example = {"Streaming", create, draw, destroy};

    return example_run(&example, argc, argv);
}
