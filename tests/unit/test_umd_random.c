/* SPDX-License-Identifier: MIT */
/*
 * Random scenes through both faces of the driver: states, textures, targets, draws from buffers and from the caller's memory, clears,
 * locks, blits, state blocks, in any order, with the same bytes in every surface at the end. TEST_SEED=N runs one of them.
 */
#include "tests/random.h"
#include "tests/unit/umd_twin.h"

#include <stdio.h>

#include "tests/unit/rounds.h"

#define SIDE     48
#define VERTICES 60

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
    float u, v;
};

static unsigned pick(unsigned count)
{
    return random_below(count);
}

static uint8_t random_byte(void)
{
    return (uint8_t)random_word();
}

static RECT random_rect(unsigned side)
{
    const LONG left = (LONG)pick(side), top = (LONG)pick(side);

    return (RECT){left, top, left + 1 + (LONG)pick(side - (unsigned)left), top + 1 + (LONG)pick(side - (unsigned)top)};
}

/* Numbers of resources in the twin. */
static unsigned targets[3], depth, textures[4], vertex_buffers[2], index_buffer, system_texture, system_surface;
static HANDLE blocks[4];
static struct vertex user[VERTICES];
static uint16_t user_indices[VERTICES];

static struct vertex random_vertex(void)
{
    return (struct vertex){(float)pick(8 * SIDE) / 6.0f - 8.0f,
                           (float)pick(8 * SIDE) / 6.0f - 8.0f,
                           (float)pick(1000) / 999.0f,
                           1.0f / (float)(1 + pick(4)),
                           random_word(),
                           (float)pick(64) / 16.0f,
                           (float)pick(64) / 16.0f};
}

static void fill_vertices(unsigned resource)
{
    struct vertex vertices[VERTICES];

    for (unsigned i = 0; i < VERTICES; i++)
        vertices[i] = random_vertex();
    twin_write(resource, vertices, sizeof(vertices));
}

static void fill_indices(void)
{
    uint16_t indices[VERTICES];

    for (unsigned i = 0; i < VERTICES; i++)
        indices[i] = (uint16_t)pick(VERTICES);
    twin_write(index_buffer, indices, sizeof(indices));
}

static void start(void)
{
    static const D3DDDIVERTEXELEMENT elements[] = {{0, 0, 3, 0, 9, 0}, {0, 16, 4, 0, 10, 0}, {0, 20, 1, 0, 5, 0}};
    const uint32_t texture = CLIENT_TEXTURE;

    memset(blocks, 0, sizeof(blocks));
    for (unsigned i = 0; i < 3; i++)
        targets[i] = twin_create(i == 2 ? texture | CLIENT_TARGET : CLIENT_TARGET,
                                 i == 1 ? D3DFMT_R5G6B5 : D3DFMT_A8R8G8B8, SIDE, SIDE, 1, 1, 0);
    depth = twin_create(CLIENT_DEPTH, D3DFMT_D24S8, SIDE, SIDE, 1, 1, 0);
    textures[0] = twin_create(texture, D3DFMT_A8R8G8B8, 16, 16, 1, 5, 0);
    textures[1] = twin_create(texture | CLIENT_DYNAMIC, D3DFMT_R5G6B5, 32, 8, 1, 1, 0);
    textures[2] = twin_create(texture | CLIENT_CUBE, D3DFMT_A8R8G8B8, 8, 8, 1, 4, 0);
    textures[3] = twin_create(texture | CLIENT_VOLUME, D3DFMT_A8R8G8B8, 8, 8, 4, 1, 0);
    system_texture = twin_create(texture | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 16, 16, 1, 5, 0);
    system_surface = twin_create(CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, SIDE, SIDE, 1, 1, 0);
    for (unsigned i = 0; i < 2; i++) {
        vertex_buffers[i] = twin_create(CLIENT_VERTEX_BUFFER, 0, sizeof(user), 1, 1, 1, 0);
        fill_vertices(vertex_buffers[i]);
    }
    index_buffer = twin_create(CLIENT_INDEX_BUFFER, 0, sizeof(user_indices), 1, 1, 1, 0);
    fill_indices();
    for (unsigned i = 0; i < VERTICES; i++) {
        user[i] = random_vertex();
        user_indices[i] = (uint16_t)pick(VERTICES);
    }
    twin_target(0, (int)targets[0], 0);
    twin_depth((int)depth);
    twin_viewport(0, 0, SIDE, SIDE);
    twin_clear(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff203040, 1.0f, 0, 0, NULL);
    twin_set_declaration(twin_declare(elements, 3));
    twin_stream(0, (int)vertex_buffers[0], 0, sizeof(struct vertex));
    twin_indices((int)index_buffer, 2);
    twin_state(D3DRS_CULLMODE, D3DCULL_NONE);
    twin_state(D3DRS_LIGHTING, FALSE);
}

/* --- steps --------------------------------------------------------------------------------------------- */

static void step_state(void)
{
    static const struct {
        uint32_t state, first, count;
    } states[] = {
        {D3DRS_ZENABLE, 0, 2},
        {D3DRS_ZWRITEENABLE, 0, 2},
        {D3DRS_ZFUNC, 1, 8},
        {D3DRS_ALPHABLENDENABLE, 0, 2},
        {D3DRS_SRCBLEND, 1, 11},
        {D3DRS_DESTBLEND, 1, 10},
        {D3DRS_ALPHATESTENABLE, 0, 2},
        {D3DRS_ALPHAFUNC, 1, 8},
        {D3DRS_ALPHAREF, 0, 256},
        {D3DRS_SHADEMODE, 1, 2},
        {D3DRS_FILLMODE, 1, 3},
        {D3DRS_CULLMODE, 1, 3},
        {D3DRS_STENCILENABLE, 0, 2},
        {D3DRS_STENCILFUNC, 1, 8},
        {D3DRS_STENCILPASS, 1, 8},
        {D3DRS_STENCILREF, 0, 256},
        {D3DRS_COLORWRITEENABLE, 0, 16},
        {D3DRS_BLENDOP, 1, 5},
        {D3DRS_DITHERENABLE, 0, 2},
        {174 /* SCISSORTESTENABLE */, 0, 2},
        {D3DRS_FOGENABLE, 0, 2},
    };
    const unsigned row = pick(sizeof(states) / sizeof(states[0]));

    twin_state(states[row].state, states[row].first + pick(states[row].count));
}

static void step_stage(void)
{
    static const struct {
        uint32_t state, first, count;
    } states[] = {
        {D3DTSS_COLOROP, 1, 12},  {D3DTSS_COLORARG1, 0, 4},   {D3DTSS_COLORARG2, 0, 4}, {D3DTSS_ALPHAOP, 2, 6},
        {D3DTSS_ADDRESSU, 1, 5},  {D3DTSS_ADDRESSV, 1, 5},    {D3DTSS_MAGFILTER, 1, 2}, {D3DTSS_MINFILTER, 1, 2},
        {D3DTSS_MIPFILTER, 0, 3}, {D3DTSS_MAXMIPLEVEL, 0, 3},
    };
    const unsigned row = pick(sizeof(states) / sizeof(states[0]));

    twin_stage(pick(2), states[row].state, states[row].first + pick(states[row].count));
}

static void step_texture(void)
{
    const unsigned which = pick(6);

    twin_texture(pick(2), which < 4 ? (int)textures[which] : which == 4 ? (int)system_texture : -1);
}

static void step_target(void)
{
    const RECT scissor = random_rect(SIDE);

    twin_target(0, (int)targets[pick(3)], 0);
    twin_depth(pick(4) ? (int)depth : -1);
    twin_viewport(pick(8), pick(8), 8 + pick(SIDE - 16), 8 + pick(SIDE - 16));
    twin_scissor(scissor);
}

static void step_clear(void)
{
    const RECT rects[2] = {random_rect(SIDE), random_rect(SIDE)};
    const uint32_t flags = 1 + pick(7);

    twin_clear(flags | (pick(2) ? 8 : 0), random_word(), (float)pick(100) / 99.0f, pick(256), pick(3), rects);
}

static void step_draw(void)
{
    const unsigned primitives = 1 + pick(12);

    if (pick(2))
        twin_stream(0, (int)vertex_buffers[pick(2)], 0, sizeof(struct vertex));
    if (pick(2))
        twin_draw(1 + pick(6), pick(20), primitives);
    else
        twin_draw_indexed(1 + pick(6), (int)pick(9) - 4, pick(4), VERTICES, pick(12), primitives);
}

/* The same vertices, and perhaps indices, of the caller's as from buffers of the first face. */
static void step_user(void)
{
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE draw = {1 + pick(6), 0, 0, VERTICES, pick(10), 1 + pick(10)};
    const unsigned start = pick(20), primitives = 1 + pick(12);

    if (pick(2)) {
        const D3DDDIARG_SETSTREAMSOURCEUM source = {0, sizeof(struct vertex)};
        const D3DDDIARG_DRAWPRIMITIVE args = {1 + pick(6), start, primitives};

        twin_write(vertex_buffers[0], user, sizeof(user));
        twin_stream(0, (int)vertex_buffers[0], 0, sizeof(struct vertex));
        twin_token(D3DDP2OP_DRAWPRIMITIVE, &args, sizeof(args));
        TWIN_CALL(SetStreamSourceUm, &source, user);
        TWIN_CALL(DrawPrimitive, &args, NULL);
        twin_stream(0, (int)vertex_buffers[pick(2)], 0, sizeof(struct vertex));
        return;
    }
    twin_write(index_buffer, user_indices, sizeof(user_indices));
    twin_stream(0, (int)vertex_buffers[pick(2)], 0, sizeof(struct vertex));
    if (pick(2)) {
        twin_token(D3DDP2OP_DRAWINDEXEDPRIMITIVE, &draw, sizeof(draw));
        TWIN_CALL(SetIndicesUm, 2, user_indices);
        TWIN_CALL(DrawIndexedPrimitive, &draw);
        twin_indices((int)index_buffer, 2);
    } else { /* the next draws use the buffer that was set before, which the driver's own has not displaced */
        const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 args = {D3DPT_LINELIST, 0, 0, VERTICES, 0, 5};

        twin_token(D3DDP2OP_DRAWINDEXEDPRIMITIVE2, &args, sizeof(args));
        TWIN_CALL(DrawIndexedPrimitive2, &args, 2, user_indices, NULL);
    }
}

static void step_lock(void)
{
    const unsigned which = pick(8);

    if (which < 2)
        fill_vertices(vertex_buffers[which]);
    else if (which == 2)
        fill_indices();
    else if (which == 3)
        twin_fill(textures[1], 0, pick(2) ? 8 /* Discard */ : 0, random_byte);
    else if (which == 4)
        twin_fill(textures[0], pick(5), 0, random_byte);
    else if (which == 5)
        twin_fill(textures[2], pick(24), 0, random_byte);
    else if (which == 6)
        twin_fill(system_texture, pick(5), 0, random_byte);
    else
        twin_fill(textures[3], 0, 0, random_byte);
}

static void step_blt(void)
{
    const unsigned from = targets[pick(3)], to = targets[pick(3)];

    if (pick(3) == 0)
        twin_color_fill(targets[pick(3)], 0, random_rect(SIDE), random_word());
    else if (from != to)
        twin_blt(to, 0, random_rect(SIDE), from, 0, random_rect(SIDE), pick(2));
}

static void step_copy(void)
{
    const RECT rect = random_rect(16);
    const D3DDDIARG_TEXBLT args = {.hDstResource = twin.resources[textures[0]].handle,
                                   .hSrcResource = twin.resources[system_texture].handle,
                                   .DstPoint = {rect.left, rect.top},
                                   .SrcRect = rect};
    D3DHAL_DP2TEXBLT entry = {.dwDDDestSurface = twin_number(textures[0], 0),
                              .dwDDSrcSurface = twin_number(system_texture, 0),
                              .pDest = {rect.left, rect.top}};
    const D3DHAL_DP2GENERATEMIPSUBLEVELS levels = {twin_number(textures[0], 0), D3DTEXF_LINEAR};
    const D3DDDIARG_GENERATEMIPSUBLEVELS level_args = {twin.resources[textures[0]].handle, D3DTEXF_LINEAR};

    if (pick(2)) {
        memcpy(&entry.rSrc, &rect, sizeof(rect));
        twin_token(D3DDP2OP_TEXBLT, &entry, sizeof(entry));
        TWIN_CALL(TexBlt, &args);
    } else {
        twin_token(D3DDP2OP_GENERATEMIPSUBLEVELS, &levels, sizeof(levels));
        TWIN_CALL(GenerateMipSubLevels, &level_args);
    }
}

/* Into system memory, by the Blt call. */
static void step_read_back(void)
{
    const RECT rect = random_rect(SIDE);
    const D3DDDIARG_BLT args = {.hSrcResource = twin.resources[targets[0]].handle,
                                .SrcRect = rect,
                                .hDstResource = twin.resources[system_surface].handle,
                                .DstRect = rect};

    assert_int_equal(client_batch_flush(&twin.batch), DD_OK);
    assert_int_equal(client_blt(client_part(twin.resources[system_surface].chain, 0), &rect,
                                client_part(twin.resources[targets[0]].chain, 0), &rect, 0),
                     DD_OK);
    TWIN_CALL(Blt, &args);
}

static void operate_block(unsigned which, uint32_t operation, uint32_t type)
{
    const D3DHAL_DP2STATESET entry = {operation, 100 + which, type};
    D3DDDIARG_STATESET args = {operation, type, blocks[which]};

    twin_token(D3DDP2OP_STATESET, &entry, sizeof(entry));
    TWIN_CALL(StateSet, &args);
    blocks[which] = operation == D3DHAL_STATESETDELETE ? NULL : args.hStateSet;
}

static void step_block(void)
{
    const unsigned which = pick(4);

    if (!blocks[which] && pick(2)) {
        operate_block(which, D3DHAL_STATESETBEGIN, 0);
        for (unsigned i = 0; i < 4; i++)
            step_state();
        if (pick(2))
            twin_stream(0, (int)vertex_buffers[pick(2)], 0, sizeof(struct vertex));
        operate_block(which, D3DHAL_STATESETEND, 0);
    } else if (!blocks[which]) {
        operate_block(which, D3DHAL_STATESETCREATE, 1 + pick(3));
    } else {
        static const uint32_t operations[] = {D3DHAL_STATESETEXECUTE, D3DHAL_STATESETCAPTURE, D3DHAL_STATESETDELETE};

        operate_block(which, operations[pick(3)], 0);
    }
}

static void run_scene(uint32_t number)
{
    static void (*const steps[])(void) = {step_state, step_state,     step_stage, step_texture, step_target,
                                          step_clear, step_draw,      step_draw,  step_draw,    step_user,
                                          step_lock,  step_read_back, step_blt,   step_copy,    step_block};

    random_seed = number * 2654435761u + 1;
    twin_open();
    start();
    for (unsigned i = 0; i < 150; i++)
        steps[pick(sizeof(steps) / sizeof(steps[0]))]();
    for (unsigned i = 0; i < twin.count; i++)
        twin_compare(i);
    twin_close();
}

static void test_random_scenes(void **state)
{
    const char *one = getenv("TEST_SEED");

    (void)state;
    for (uint32_t round = first_round(300); !one && round < end_round(300); round++) {
        if (getenv("TEST_VERBOSE"))
            printf("TEST_SEED=%u\n", (unsigned)round);
        run_scene(round);
    }
    if (one)
        run_scene((uint32_t)strtoul(one, NULL, 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_scenes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
