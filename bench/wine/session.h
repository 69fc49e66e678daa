/* SPDX-License-Identifier: MIT */
/*
 * The program's device and its scene: the functions of struct bench_api, whose calls the two versions share except for
 * names. A file includes bench/wine/version8.h or version9.h and its scenes, defines the functions that differ, and includes
 * this once.
 */
static struct {
    const struct scene *scene; /* NULL: one of the catalogue's */
    const struct catalogue_scene *entry;
    struct canvas *canvas;
    D3D_FACE() *d3d;
    D3D_FACE(Device) *device;
    D3D_FACE(Surface) *back, *copy; /* `copy`: system memory */
    D3D_FACE(Surface) *resolved;    /* a multisampled back buffer is copied through it; else NULL */
} session;

/* The catalogue's scenes come first; NULL: a scene of the catalogue. */
static const struct scene *scene_at(unsigned i)
{
    return i < catalogue_scene_count ? NULL : own_scene(i - catalogue_scene_count);
}

static const char *name(unsigned i)
{
    return scene_at(i) ? scene_at(i)->name : catalogue_scenes[i].name;
}

static const char *work(unsigned i)
{
    return scene_at(i) ? scene_at(i)->work : catalogue_scenes[i].work;
}

static void close_device(void)
{
    if (session.scene && session.scene->destroy)
        session.scene->destroy();
    device_canvas_close();
    if (session.resolved)
        D3D_CALL(Surface, Release)(session.resolved);
    if (session.copy)
        D3D_CALL(Surface, Release)(session.copy);
    if (session.back)
        D3D_CALL(Surface, Release)(session.back);
    if (session.device)
        D3D_CALL(Device, Release)(session.device);
    if (session.d3d)
        D3D_CALL(, Release)(session.d3d);
    memset(&session, 0, sizeof(session));
}

static bool create_device(HWND window, unsigned width, unsigned height, bool samples)
{
    D3DPRESENT_PARAMETERS parameters = {
        .BackBufferWidth = width,
        .BackBufferHeight = height,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .MultiSampleType = samples ? D3DMULTISAMPLE_4_SAMPLES : D3DMULTISAMPLE_NONE,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };

    do_not_wait(&parameters);
    session.d3d = create_d3d();
    return session.d3d &&
           SUCCEEDED(D3D_CALL(, CreateDevice)(session.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                              D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &session.device)) &&
           SUCCEEDED(get_back_buffer(session.device, &session.back)) &&
           SUCCEEDED(create_copy(session.device, width, height, &session.copy)) &&
           (!samples || SUCCEEDED(create_resolved(session.device, width, height, &session.resolved)));
}

static bool open_device(HWND window, unsigned which, unsigned width, unsigned height)
{
    const struct scene *scene = scene_at(which);
    const bool samples = scene ? wants_samples(scene) : catalogue_scenes[which].samples > 0;

    if (scene && (width != VIEW_WIDTH || height != VIEW_HEIGHT))
        return false;
    if (!create_device(window, width, height, samples))
        return false;
    session.scene = scene;
    if (!scene) {
        session.entry = &catalogue_scenes[which];
        session.canvas = device_canvas_open(session.device, width, height);
        catalogue_open(session.canvas, session.entry);
        return device_canvas_is_good();
    }
    if (scene->create)
        scene->create(session.device);
    return true;
}

static void draw(unsigned frame)
{
    D3D_CALL(Device, BeginScene)(session.device);
    if (session.scene)
        session.scene->draw(session.device, frame);
    else
        session.entry->draw(session.canvas, frame);
    D3D_CALL(Device, EndScene)(session.device);
}

static bool present(void)
{
    return SUCCEEDED(D3D_CALL(Device, Present)(session.device, NULL, NULL, NULL, NULL));
}

static bool lock_picture(const void **pixels, int *pitch)
{
    D3DLOCKED_RECT locked;

    if (FAILED(copy_picture(session.device, session.back, session.resolved, session.copy)) ||
        FAILED(D3D_CALL(Surface, LockRect)(session.copy, &locked, NULL, D3DLOCK_READONLY)))
        return false;
    *pixels = locked.pBits;
    *pitch = locked.Pitch;
    return true;
}

static void unlock_picture(void)
{
    D3D_CALL(Surface, UnlockRect)(session.copy);
}

static bool adapter(char *text, size_t size)
{
    D3D_FACE() *d3d = create_d3d();
    D3D_STRUCT(ADAPTER_IDENTIFIER) identifier;
    const bool good =
        d3d && SUCCEEDED(D3D_CALL(, GetAdapterIdentifier)(d3d, D3DADAPTER_DEFAULT, WITHOUT_WHQL, &identifier));

    if (good)
        snprintf(text, size, "%s, %s", identifier.Driver, identifier.Description);
    if (d3d)
        D3D_CALL(, Release)(d3d);
    return good;
}

int main(void)
{
    const struct bench_api api = {
        .scene_count = catalogue_scene_count + own_scene_count(),
        .name = name,
        .work = work,
        .open = open_device,
        .close = close_device,
        .draw = draw,
        .present = present,
        .lock_picture = lock_picture,
        .unlock_picture = unlock_picture,
        .adapter = adapter,
    };

    return bench_commands(&api);
}
