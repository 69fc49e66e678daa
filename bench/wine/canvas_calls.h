/* SPDX-License-Identifier: MIT */
/*
 * The functions of bench/wine/canvas.h, whose calls the two versions share except for names. A file includes
 * bench/wine/version8.h or version9.h, defines the functions that differ, with struct program, and includes this once.
 */
static struct {
    struct canvas canvas;
    D3D_FACE(Device) *device;
    D3D_FACE(Texture) *textures[CANVAS_MAX_OBJECTS];
    D3D_FACE(VertexBuffer) *vertices[CANVAS_MAX_OBJECTS];
    D3D_FACE(IndexBuffer) *indices[CANVAS_MAX_OBJECTS];
    struct program programs[CANVAS_MAX_OBJECTS];
    unsigned texture_count, vertices_count, indices_count, program_count;
    D3D_FACE(IndexBuffer) *current_indices;
    bool failed;
} board;

static bool check(HRESULT result)
{
    board.failed |= FAILED(result);
    return SUCCEEDED(result);
}

static void clear(struct canvas *canvas, uint32_t flags, uint32_t color)
{
    (void)canvas;
    check(D3D_CALL(Device, Clear)(board.device, 0, NULL, flags, color, 1, 0));
}

static void state(struct canvas *canvas, uint32_t number, uint32_t value)
{
    (void)canvas;
    check(D3D_CALL(Device, SetRenderState)(board.device, (D3DRENDERSTATETYPE)number, value));
}

static void stage_state(struct canvas *canvas, unsigned stage, uint32_t number, uint32_t value)
{
    (void)canvas;
    check(set_stage_state(board.device, stage, number, value));
}

static void transform(struct canvas *canvas, uint32_t which, const float matrix[16])
{
    D3DMATRIX m;

    (void)canvas;
    memcpy(&m, matrix, sizeof(m));
    check(D3D_CALL(Device, SetTransform)(board.device, (D3DTRANSFORMSTATETYPE)which, &m));
}

static void light(struct canvas *canvas, unsigned index, const struct canvas_light *from)
{
    const D3D_STRUCT(LIGHT) to = {.Type = (D3DLIGHTTYPE)from->type,
                                  .Diffuse = {from->diffuse[0], from->diffuse[1], from->diffuse[2], 1},
                                  .Position = {from->place[0], from->place[1], from->place[2]},
                                  .Direction = {from->direction[0], from->direction[1], from->direction[2]},
                                  .Range = from->range,
                                  .Attenuation0 = from->attenuation[0],
                                  .Attenuation1 = from->attenuation[1],
                                  .Attenuation2 = from->attenuation[2]};

    (void)canvas;
    check(D3D_CALL(Device, SetLight)(board.device, index, &to));
    check(D3D_CALL(Device, LightEnable)(board.device, index, TRUE));
}

static void material(struct canvas *canvas, const float diffuse[4], const float ambient[4])
{
    D3D_STRUCT(MATERIAL) to = {.Power = 0};

    (void)canvas;
    memcpy(&to.Diffuse, diffuse, sizeof(to.Diffuse));
    memcpy(&to.Ambient, ambient, sizeof(to.Ambient));
    check(D3D_CALL(Device, SetMaterial)(board.device, &to));
}

/* --- objects ---------------------------------------------------------------------------- */

static unsigned create_texture(struct canvas *canvas, uint32_t format, unsigned size, unsigned levels, canvas_fill fill)
{
    D3D_FACE(Texture) **texture = &board.textures[board.texture_count];

    (void)canvas;
    if (board.texture_count == CANVAS_MAX_OBJECTS ||
        !check(new_texture(board.device, size, levels, (D3DFORMAT)format, texture)))
        return 0;
    for (unsigned level = 0; level < levels; level++) {
        D3DLOCKED_RECT locked;

        if (check(D3D_CALL(Texture, LockRect)(*texture, level, &locked, NULL, 0))) {
            fill(locked.pBits, (size_t)locked.Pitch, size >> level);
            D3D_CALL(Texture, UnlockRect)(*texture, level);
        }
    }
    return ++board.texture_count;
}

static unsigned create_vertices(struct canvas *canvas, const void *data, unsigned bytes, uint32_t fvf)
{
    D3D_FACE(VertexBuffer) **buffer = &board.vertices[board.vertices_count];
    void *memory;

    (void)canvas;
    if (board.vertices_count == CANVAS_MAX_OBJECTS ||
        !check(new_vertices(board.device, bytes, data ? 0 : D3DUSAGE_DYNAMIC, fvf,
                            data ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT, buffer)))
        return 0;
    if (data && check(D3D_CALL(VertexBuffer, Lock)(*buffer, 0, 0, (void *)&memory, 0))) {
        memcpy(memory, data, bytes);
        D3D_CALL(VertexBuffer, Unlock)(*buffer);
    }
    return ++board.vertices_count;
}

static unsigned create_indices(struct canvas *canvas, const uint16_t *list, unsigned count)
{
    D3D_FACE(IndexBuffer) **buffer = &board.indices[board.indices_count];
    void *memory;

    (void)canvas;
    if (board.indices_count == CANVAS_MAX_OBJECTS || !check(new_indices(board.device, 2 * count, buffer)))
        return 0;
    if (check(D3D_CALL(IndexBuffer, Lock)(*buffer, 0, 0, (void *)&memory, 0))) {
        memcpy(memory, list, 2 * count);
        D3D_CALL(IndexBuffer, Unlock)(*buffer);
    }
    return ++board.indices_count;
}

static unsigned create_program(struct canvas *canvas, const struct canvas_program *program)
{
    (void)canvas;
    if (board.program_count == CANVAS_MAX_OBJECTS ||
        !check(new_program(board.device, program, &board.programs[board.program_count])))
        return 0;
    return ++board.program_count;
}

static void use_texture(struct canvas *canvas, unsigned stage, unsigned texture)
{
    (void)canvas;
    check(D3D_CALL(Device, SetTexture)(board.device, stage,
                                       texture ? (D3D_FACE(BaseTexture) *)board.textures[texture - 1] : NULL));
}

static void use_format(struct canvas *canvas, uint32_t fvf)
{
    (void)canvas;
    check(set_format(board.device, fvf));
}

static void use_program(struct canvas *canvas, unsigned program)
{
    (void)canvas;
    check(set_program(board.device, program ? &board.programs[program - 1] : NULL));
}

static void use_vertices(struct canvas *canvas, unsigned buffer, unsigned stride)
{
    (void)canvas;
    check(set_vertices(board.device, buffer ? board.vertices[buffer - 1] : NULL, stride));
}

static void use_indices(struct canvas *canvas, unsigned buffer)
{
    (void)canvas;
    board.current_indices = buffer ? board.indices[buffer - 1] : NULL;
    check(set_indices(board.device, board.current_indices));
}

static void constants(struct canvas *canvas, bool pixel, unsigned first, const float (*values)[4], unsigned count)
{
    (void)canvas;
    check(set_constants(board.device, pixel, first, values, count));
}

static void *lock(struct canvas *canvas, unsigned buffer)
{
    void *memory;

    (void)canvas;
    return buffer && check(D3D_CALL(VertexBuffer, Lock)(board.vertices[buffer - 1], 0, 0, (void *)&memory,
                                                        D3DLOCK_DISCARD))
               ? memory
               : NULL;
}

static void unlock(struct canvas *canvas, unsigned buffer)
{
    (void)canvas;
    D3D_CALL(VertexBuffer, Unlock)(board.vertices[buffer - 1]);
}

static void draw(struct canvas *canvas, uint32_t type, unsigned first, unsigned primitives)
{
    (void)canvas;
    check(D3D_CALL(Device, DrawPrimitive)(board.device, (D3DPRIMITIVETYPE)type, first, primitives));
}

static void draw_indexed(struct canvas *canvas, uint32_t type, unsigned base, unsigned vertices, unsigned primitives)
{
    (void)canvas;
    check(draw_indices(board.device, board.current_indices, (D3DPRIMITIVETYPE)type, base, vertices, primitives));
}

static const struct canvas_calls calls = {
    clear,           state,          stage_state,    transform,   light,      material,     create_texture,
    create_vertices, create_indices, create_program, use_texture, use_format, use_program,  use_vertices,
    use_indices,     constants,      lock,           unlock,      draw,       draw_indexed,
};

struct canvas *device_canvas_open(void *device, unsigned width, unsigned height)
{
    memset(&board, 0, sizeof(board));
    board.canvas = (struct canvas){&calls, width, height};
    board.device = device;
    return &board.canvas;
}

bool device_canvas_is_good(void)
{
    return !board.failed;
}

void device_canvas_close(void)
{
    for (unsigned i = 0; i < board.texture_count; i++)
        D3D_CALL(Texture, Release)(board.textures[i]);
    for (unsigned i = 0; i < board.vertices_count; i++)
        D3D_CALL(VertexBuffer, Release)(board.vertices[i]);
    for (unsigned i = 0; i < board.indices_count; i++)
        D3D_CALL(IndexBuffer, Release)(board.indices[i]);
    for (unsigned i = 0; i < board.program_count; i++)
        release_program(&board.programs[i]);
    memset(&board, 0, sizeof(board));
}
