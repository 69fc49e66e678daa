/* SPDX-License-Identifier: MIT */
/* The canvas of the catalogue's scenes as calls of the driver interface. */
#include "bench/canvas_stage.h"

#include "base/base.h"

#include <string.h>

static struct stage_canvas *of(struct canvas *canvas)
{
    return (struct stage_canvas *)canvas;
}

static bool check(struct stage_canvas *board, HRESULT result, const char *what)
{
    if (FAILED(result) && !board->stage.failed) {
        board->stage.error = result;
        board->stage.failed = what;
    }
    return !board->stage.failed;
}

static void clear(struct canvas *canvas, uint32_t flags, uint32_t color)
{
    stage_clear(&of(canvas)->stage, flags, color, 1, 0);
}

static void state(struct canvas *canvas, uint32_t number, uint32_t value)
{
    stage_state(&of(canvas)->stage, number, value);
}

static void set_stage_state(struct canvas *canvas, unsigned index, uint32_t number, uint32_t value)
{
    stage_texture_state(&of(canvas)->stage, index, number, value);
}

static void transform(struct canvas *canvas, uint32_t which, const float matrix[16])
{
    stage_transform(&of(canvas)->stage, which, matrix);
}

static void light(struct canvas *canvas, unsigned index, const struct canvas_light *from)
{
    const D3DLIGHT8 to = {.Type = (D3DLIGHTTYPE)from->type,
                          .Diffuse = {from->diffuse[0], from->diffuse[1], from->diffuse[2], 1},
                          .Position = {from->place[0], from->place[1], from->place[2]},
                          .Direction = {from->direction[0], from->direction[1], from->direction[2]},
                          .Range = from->range,
                          .Attenuation0 = from->attenuation[0],
                          .Attenuation1 = from->attenuation[1],
                          .Attenuation2 = from->attenuation[2]};

    stage_light(&of(canvas)->stage, index, &to);
}

static void material(struct canvas *canvas, const float diffuse[4], const float ambient[4])
{
    D3DMATERIAL8 to = {.Power = 0};

    memcpy(&to.Diffuse, diffuse, sizeof(to.Diffuse));
    memcpy(&to.Ambient, ambient, sizeof(to.Ambient));
    stage_material(&of(canvas)->stage, &to);
}

/* --- objects ---------------------------------------------------------------------------- */

static unsigned create_texture(struct canvas *canvas, uint32_t format, unsigned size, unsigned levels, canvas_fill fill)
{
    struct stage_canvas *board = of(canvas);
    const struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = format, .width = size, .height = size, .levels = levels};
    struct client_chain **chain = &board->textures[board->texture_count];

    if (board->stage.failed || board->texture_count == CANVAS_MAX_OBJECTS ||
        !check(board, client_chain_create(board->stage.client, &desc, chain), "texture"))
        return 0;
    board->texture_count++;
    for (unsigned level = 0; level < levels; level++) {
        struct client_surface *surface = client_level(*chain, 0, level);
        struct client_lock locked;

        if (!check(board, client_lock(surface, NULL, 0, &locked), "lock of a texture"))
            return 0;
        fill(locked.bits, locked.pitch, size >> level);
        client_unlock(surface);
    }
    return board->texture_count;
}

static unsigned create_buffer(struct stage_canvas *board, uint32_t usage, const void *data, unsigned bytes,
                              uint32_t fvf)
{
    const struct client_chain_desc desc = {
        .usage = usage | (data ? 0 : (uint32_t)CLIENT_DYNAMIC), .width = bytes, .fvf = fvf};
    struct client_chain **chain = &board->buffers[board->buffer_count];
    struct client_lock locked;

    if (board->stage.failed || board->buffer_count == CANVAS_MAX_OBJECTS ||
        !check(board, client_chain_create(board->stage.client, &desc, chain), "buffer"))
        return 0;
    board->buffer_count++;
    if (data && check(board, client_lock(client_part(*chain, 0), NULL, 0, &locked), "lock of a buffer")) {
        memcpy(locked.bits, data, bytes);
        client_unlock(client_part(*chain, 0));
    }
    return board->buffer_count;
}

static unsigned create_vertices(struct canvas *canvas, const void *data, unsigned bytes, uint32_t fvf)
{
    return create_buffer(of(canvas), CLIENT_VERTEX_BUFFER, data, bytes, fvf);
}

static unsigned create_indices(struct canvas *canvas, const uint16_t *indices, unsigned count)
{
    return create_buffer(of(canvas), CLIENT_INDEX_BUFFER, indices, 2 * count, 0);
}

static unsigned create_program(struct canvas *canvas, const struct canvas_program *program)
{
    struct stage_canvas *board = of(canvas);
    struct stage_canvas_program *made = &board->programs[board->program_count];

    if (board->program_count == ARRAY_COUNT(board->programs))
        return 0;
    canvas_program_of_version_8(program, made->vertex, made->declaration);
    made->pixel = program->pixel;
    return ++board->program_count;
}

/* --- objects that draws use ------------------------------------------------------------------------ */

static void use_texture(struct canvas *canvas, unsigned index, unsigned texture)
{
    struct stage_canvas *board = of(canvas);
    const uint32_t handle = texture ? client_handle(client_part(board->textures[texture - 1], 0)) : 0;

    stage_texture_state(&board->stage, index, D3DTSS_TEXTUREMAP, handle);
}

static void use_format(struct canvas *canvas, uint32_t fvf)
{
    const D3DHAL_DP2VERTEXSHADER shader = {fvf};

    stage_command(&of(canvas)->stage, D3DDP2OP_SETVERTEXSHADER, 1, &shader, sizeof(shader));
}

/* Handles of shaders are odd. */
static void use_program(struct canvas *canvas, unsigned program)
{
    struct stage_canvas *board = of(canvas);
    const struct stage_canvas_program *made = &board->programs[program - 1];
    const uint32_t handle = 2 * program + 1;
    const D3DHAL_DP2VERTEXSHADER shader = {handle};

    stage_vertex_shader(&board->stage, handle, made->declaration, made->vertex);
    stage_pixel_shader(&board->stage, handle, made->pixel);
    stage_command(&board->stage, D3DDP2OP_SETVERTEXSHADER, 1, &shader, sizeof(shader));
}

static uint32_t handle_of(const struct stage_canvas *board, unsigned buffer)
{
    return buffer ? client_handle(client_part(board->buffers[buffer - 1], 0)) : 0;
}

static void use_vertices(struct canvas *canvas, unsigned buffer, unsigned stride)
{
    const D3DHAL_DP2SETSTREAMSOURCE source = {0, handle_of(of(canvas), buffer), stride};

    stage_command(&of(canvas)->stage, D3DDP2OP_SETSTREAMSOURCE, 1, &source, sizeof(source));
}

static void use_indices(struct canvas *canvas, unsigned buffer)
{
    const D3DHAL_DP2SETINDICES indices = {handle_of(of(canvas), buffer), 2};

    stage_command(&of(canvas)->stage, D3DDP2OP_SETINDICES, 1, &indices, sizeof(indices));
}

static void constants(struct canvas *canvas, bool pixel, unsigned first, const float (*values)[4], unsigned count)
{
    stage_constants(&of(canvas)->stage, pixel, first, count, values[0]);
}

/* Draws from the old contents must have reached the driver. */
static void *lock(struct canvas *canvas, unsigned buffer)
{
    struct stage_canvas *board = of(canvas);
    struct client_lock locked;

    stage_submit(&board->stage);
    if (!buffer || !check(board,
                          client_lock(client_part(board->buffers[buffer - 1], 0), NULL,
                                      DDLOCK_WRITEONLY | DDLOCK_DISCARDCONTENTS, &locked),
                          "lock of a dynamic buffer"))
        return NULL;
    return locked.bits;
}

static void unlock(struct canvas *canvas, unsigned buffer)
{
    client_unlock(client_part(of(canvas)->buffers[buffer - 1], 0));
}

static void draw(struct canvas *canvas, uint32_t type, unsigned first, unsigned primitives)
{
    const D3DHAL_DP2DRAWPRIMITIVE body = {(D3DPRIMITIVETYPE)type, first, primitives};

    stage_command(&of(canvas)->stage, D3DDP2OP_DRAWPRIMITIVE, 1, &body, sizeof(body));
}

static void draw_indexed(struct canvas *canvas, uint32_t type, unsigned base, unsigned vertices, unsigned primitives)
{
    const D3DHAL_DP2DRAWINDEXEDPRIMITIVE body = {(D3DPRIMITIVETYPE)type, (INT)base, 0, vertices, 0, primitives};

    stage_command(&of(canvas)->stage, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, &body, sizeof(body));
}

/* --- life ------------------------------------------------------------------------------------ */

static const struct canvas_calls calls = {
    .clear = clear,
    .state = state,
    .stage_state = set_stage_state,
    .transform = transform,
    .light = light,
    .material = material,
    .create_texture = create_texture,
    .create_vertices = create_vertices,
    .create_indices = create_indices,
    .create_program = create_program,
    .use_texture = use_texture,
    .use_format = use_format,
    .use_program = use_program,
    .use_vertices = use_vertices,
    .use_indices = use_indices,
    .constants = constants,
    .lock = lock,
    .unlock = unlock,
    .draw = draw,
    .draw_indexed = draw_indexed,
};

bool stage_canvas_open(struct stage_canvas *board, unsigned width, unsigned height, unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_SYSTEM_MEMORY, .format = D3DFMT_X8R8G8B8, .width = width, .height = height};

    memset(board, 0, sizeof(*board));
    board->canvas = (struct canvas){&calls, width, height};
    if (stage_open_samples(&board->stage, width, height, D3DFMT_X8R8G8B8, D3DFMT_D24S8, samples))
        check(board, client_chain_create(board->stage.client, &desc, &board->copy), "copy of the target");
    return !board->stage.failed;
}

void stage_canvas_close(struct stage_canvas *board)
{
    if (board->stage.client) {
        stage_finish(&board->stage);
        for (unsigned i = 0; i < board->texture_count; i++)
            client_chain_destroy(board->textures[i]);
        for (unsigned i = 0; i < board->buffer_count; i++)
            client_chain_destroy(board->buffers[i]);
        client_chain_destroy(board->copy);
    }
    stage_close(&board->stage);
}

void stage_canvas_end_frame(struct stage_canvas *board, bool readback)
{
    struct client_surface *copy = client_part(board->copy, 0);
    struct client_lock locked;

    if (!readback) {
        stage_finish(&board->stage);
        return;
    }
    stage_submit(&board->stage);
    if (!board->stage.failed &&
        check(board, client_blt(copy, NULL, client_part(board->stage.target, 0), NULL, 0), "copy of the target") &&
        check(board, client_lock(copy, NULL, DDLOCK_READONLY, &locked), "lock of the copy"))
        client_unlock(copy);
}
