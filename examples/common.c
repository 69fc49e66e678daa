/* SPDX-License-Identifier: MIT */
#include "examples/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float wave_table[WAVE_STEPS + 1];

struct options {
    unsigned frames; /* 0: until the window is closed */
    const char *shot;
};

void fail(const char *what, HRESULT result)
{
    fprintf(stderr, "%s failed: 0x%08lx\n", what, (unsigned long)result);
    exit(1);
}

/* --- window, device and loop ------------------------------------------------------ */

static LRESULT CALLBACK window_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_CLOSE || (message == WM_KEYDOWN && wparam == VK_ESCAPE)) {
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcA(window, message, wparam, lparam);
}

static HWND open_window(const char *title)
{
    WNDCLASSA class = {0};
    RECT rect = {0, 0, VIEW_WIDTH, VIEW_HEIGHT};
    DWORD style = WS_OVERLAPPED | WS_CAPTION | WS_SYSMENU | WS_MINIMIZEBOX;

    class.lpfnWndProc = window_procedure;
    class.hInstance = GetModuleHandleA(NULL);
    class.hCursor = LoadCursorA(NULL, (const char *)IDC_ARROW);
    class.lpszClassName = "example";
    RegisterClassA(&class);
    AdjustWindowRect(&rect, style, FALSE);
    return CreateWindowA("example", title, style | WS_VISIBLE, CW_USEDEFAULT, CW_USEDEFAULT, rect.right - rect.left,
                         rect.bottom - rect.top, NULL, NULL, class.hInstance, NULL);
}

static IDirect3DDevice8 *create_device(IDirect3D8 *d3d, HWND window)
{
    D3DPRESENT_PARAMETERS parameters = {0};
    IDirect3DDevice8 *device;
    HRESULT result;

    parameters.BackBufferWidth = VIEW_WIDTH;
    parameters.BackBufferHeight = VIEW_HEIGHT;
    parameters.BackBufferFormat = D3DFMT_X8R8G8B8;
    parameters.BackBufferCount = 1;
    parameters.SwapEffect = D3DSWAPEFFECT_DISCARD;
    parameters.hDeviceWindow = window;
    parameters.Windowed = TRUE;
    parameters.EnableAutoDepthStencil = TRUE;
    parameters.AutoDepthStencilFormat = D3DFMT_D24S8;
    result = IDirect3D8_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                     D3DCREATE_SOFTWARE_VERTEXPROCESSING, &parameters, &device);
    if (FAILED(result))
        fail("CreateDevice", result);
    return device;
}

static void put_u32(FILE *file, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        fputc((int)(value >> (8 * i) & 255), file);
}

/* 24 bits, bottom row first; 640 * 3 is a multiple of four, so rows need no padding. */
static void write_bmp(FILE *file, const D3DLOCKED_RECT *locked)
{
    const uint32_t header = 54, bytes = VIEW_WIDTH * VIEW_HEIGHT * 3;

    fputs("BM", file);
    put_u32(file, header + bytes);
    put_u32(file, 0);
    put_u32(file, header);
    put_u32(file, 40);
    put_u32(file, VIEW_WIDTH);
    put_u32(file, VIEW_HEIGHT);
    put_u32(file, 1 | 24 << 16);
    put_u32(file, 0);
    put_u32(file, bytes);
    for (unsigned i = 0; i < 4; i++)
        put_u32(file, 0);
    for (int y = VIEW_HEIGHT - 1; y >= 0; y--) {
        const uint8_t *row = (const uint8_t *)locked->pBits + y * locked->Pitch;

        for (int x = 0; x < VIEW_WIDTH; x++)
            fwrite(row + 4 * x, 1, 3, file);
    }
}

static void write_ppm(FILE *file, const D3DLOCKED_RECT *locked)
{
    fprintf(file, "P6\n%d %d\n255\n", VIEW_WIDTH, VIEW_HEIGHT);
    for (int y = 0; y < VIEW_HEIGHT; y++) {
        const uint8_t *row = (const uint8_t *)locked->pBits + y * locked->Pitch;

        for (int x = 0; x < VIEW_WIDTH; x++) {
            const uint8_t rgb[3] = {row[4 * x + 2], row[4 * x + 1], row[4 * x]};

            fwrite(rgb, 1, 3, file);
        }
    }
}

/* The back buffer as the program can read it, before it is presented. */
static void save_shot(IDirect3DDevice8 *device, const char *path)
{
    IDirect3DSurface8 *back, *copy;
    D3DLOCKED_RECT locked;
    const char *extension = strrchr(path, '.');
    FILE *file = fopen(path, "wb");
    HRESULT result;

    if (!file)
        fail(path, E_FAIL);
    IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, &back);
    result = IDirect3DDevice8_CreateImageSurface(device, VIEW_WIDTH, VIEW_HEIGHT, D3DFMT_X8R8G8B8, &copy);
    if (SUCCEEDED(result))
        result = IDirect3DDevice8_CopyRects(device, back, NULL, 0, copy, NULL);
    if (SUCCEEDED(result))
        result = IDirect3DSurface8_LockRect(copy, &locked, NULL, D3DLOCK_READONLY);
    if (FAILED(result))
        fail("reading the back buffer", result);
    if (extension && !strcmp(extension, ".ppm"))
        write_ppm(file, &locked);
    else
        write_bmp(file, &locked);
    fclose(file);
    IDirect3DSurface8_UnlockRect(copy);
    IDirect3DSurface8_Release(copy);
    IDirect3DSurface8_Release(back);
}

static bool handle_messages(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE)) {
        if (message.message == WM_QUIT)
            return false;
        TranslateMessage(&message);
        DispatchMessageA(&message);
    }
    return true;
}

static double seconds(void)
{
    LARGE_INTEGER now, frequency;

    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

static void run_frames(const struct example *example, IDirect3DDevice8 *device, const struct options *options)
{
    double start = seconds(), shot_time = 0;
    unsigned frame = 0;

    while (handle_messages() && (!options->frames || frame < options->frames)) {
        IDirect3DDevice8_BeginScene(device);
        example->draw(device, frame++);
        IDirect3DDevice8_EndScene(device);
        if (options->shot && frame == options->frames) {
            double before = seconds();

            save_shot(device, options->shot);
            shot_time = seconds() - before;
        }
        IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL);
    }
    start += shot_time;
    printf("%u frames in %.2f s: %.1f frames/s\n", frame, seconds() - start, frame / (seconds() - start));
}

static bool parse_options(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--frames") && i + 1 < argc)
            options->frames = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--shot") && i + 1 < argc)
            options->shot = argv[++i];
        else
            return false;
    return !options->shot || options->frames;
}

static void fill_wave_table(void)
{
    for (unsigned i = 0; i <= WAVE_STEPS; i++)
        wave_table[i] = cosf((float)i * 2 * pi / WAVE_STEPS);
}

int example_run(const struct example *example, int argc, char **argv)
{
    struct options options = {0};
    IDirect3DDevice8 *device;
    IDirect3D8 *d3d;
    HWND window;

    if (!parse_options(&options, argc, argv)) {
        fprintf(stderr,
                "usage: %s [--frames N [--shot FILE.bmp|FILE.ppm]]\n"
                "  --frames N   draw N frames and leave (else until the window is closed)\n"
                "  --shot FILE  save the last frame's back buffer\n",
                argv[0]);
        return 2;
    }
    d3d = Direct3DCreate8(D3D_SDK_VERSION);
    if (!d3d)
        fail("Direct3DCreate8", E_FAIL);
    window = open_window(example->title);
    device = create_device(d3d, window);
    fill_wave_table();
    if (!example->create(device))
        fail("creating the scene", E_FAIL);
    run_frames(example, device, &options);
    example->destroy();
    IDirect3DDevice8_Release(device);
    IDirect3D8_Release(d3d);
    DestroyWindow(window);
    return 0;
}

/* --- vectors and matrices ------------------------------------------------------------ */

struct vec3 v3_normal(struct vec3 a)
{
    float length = sqrtf(v3_dot(a, a));

    return length > 0 ? v3_scale(a, 1 / length) : v3(0, 1, 0);
}

D3DMATRIX matrix_identity(void)
{
    return matrix_scaling(1, 1, 1);
}

D3DMATRIX matrix_scaling(float x, float y, float z)
{
    D3DMATRIX m = {0};

    m._11 = x;
    m._22 = y;
    m._33 = z;
    m._44 = 1;
    return m;
}

D3DMATRIX matrix_translation(float x, float y, float z)
{
    D3DMATRIX m = matrix_identity();

    m._41 = x;
    m._42 = y;
    m._43 = z;
    return m;
}

D3DMATRIX matrix_rotation_x(float angle)
{
    D3DMATRIX m = matrix_identity();

    m._22 = m._33 = cosf(angle);
    m._23 = sinf(angle);
    m._32 = -m._23;
    return m;
}

D3DMATRIX matrix_rotation_y(float angle)
{
    D3DMATRIX m = matrix_identity();

    m._11 = m._33 = cosf(angle);
    m._31 = sinf(angle);
    m._13 = -m._31;
    return m;
}

D3DMATRIX matrix_rotation_z(float angle)
{
    D3DMATRIX m = matrix_identity();

    m._11 = m._22 = cosf(angle);
    m._12 = sinf(angle);
    m._21 = -m._12;
    return m;
}

D3DMATRIX matrix_product(const D3DMATRIX *a, const D3DMATRIX *b)
{
    D3DMATRIX m = {0};

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                m.m[i][j] += a->m[i][k] * b->m[k][j];
    return m;
}

D3DMATRIX matrix_look_at(struct vec3 eye, struct vec3 target)
{
    struct vec3 z = v3_normal(v3_sub(target, eye));
    struct vec3 x = v3_normal(v3_cross(v3(0, 1, 0), z));
    struct vec3 y = v3_cross(z, x);
    D3DMATRIX m = {0};

    m._11 = x.x, m._21 = x.y, m._31 = x.z, m._41 = -v3_dot(x, eye);
    m._12 = y.x, m._22 = y.y, m._32 = y.z, m._42 = -v3_dot(y, eye);
    m._13 = z.x, m._23 = z.y, m._33 = z.z, m._43 = -v3_dot(z, eye);
    m._44 = 1;
    return m;
}

D3DMATRIX matrix_perspective(float vertical_angle, float aspect, float near_z, float far_z)
{
    D3DMATRIX m = {0};

    m._22 = 1 / tanf(vertical_angle / 2);
    m._11 = m._22 / aspect;
    m._33 = far_z / (far_z - near_z);
    m._34 = 1;
    m._43 = -near_z * m._33;
    return m;
}

D3DMATRIX matrix_shadow(struct vec3 light, float height)
{
    D3DMATRIX m = matrix_identity();

    m._21 = -light.x / light.y;
    m._23 = -light.z / light.y;
    m._22 = 0;
    m._41 = -height * m._21;
    m._42 = height;
    m._43 = -height * m._23;
    return m;
}

/* --- colours and noise ---------------------------------------------------------------- */

static unsigned channel(float value)
{
    return value <= 0 ? 0 : value >= 1 ? 255 : (unsigned)(value * 255 + 0.5f);
}

D3DCOLOR color_rgba(float r, float g, float b, float a)
{
    return D3DCOLOR_ARGB(channel(a), channel(r), channel(g), channel(b));
}

D3DCOLOR color_mix(D3DCOLOR a, D3DCOLOR b, float t)
{
    D3DCOLOR result = 0;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);

        result |= (D3DCOLOR)(from + (to - from) * t + 0.5f) << shift;
    }
    return result;
}

static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

float random_float(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(hash(*seed) >> 8) / 16777216.0f;
}

static float lattice(int x, int y, unsigned wrap)
{
    if (wrap) {
        x = (int)((unsigned)x % wrap);
        y = (int)((unsigned)y % wrap);
    }
    return (float)(hash((uint32_t)x * 73856093u ^ hash((uint32_t)y)) >> 8) / 16777216.0f;
}

float noise2(float x, float y, unsigned wrap)
{
    int ix = (int)floorf(x), iy = (int)floorf(y);
    float fx = x - (float)ix, fy = y - (float)iy;
    float top, bottom;

    fx *= fx * (3 - 2 * fx);
    fy *= fy * (3 - 2 * fy);
    top = lattice(ix, iy, wrap) * (1 - fx) + lattice(ix + 1, iy, wrap) * fx;
    bottom = lattice(ix, iy + 1, wrap) * (1 - fx) + lattice(ix + 1, iy + 1, wrap) * fx;
    return top * (1 - fy) + bottom * fy;
}

float fractal_noise(float x, float y, unsigned wrap, unsigned octaves)
{
    float sum = 0, weight = 0.5f;

    for (unsigned i = 0; i < octaves; i++) {
        sum += noise2(x, y, wrap) * weight;
        weight *= 0.5f;
        x *= 2;
        y *= 2;
        wrap *= 2;
    }
    return sum / (1 - weight * 2);
}

/* --- resources ---------------------------------------------------------------------------- */

IDirect3DVertexBuffer8 *make_vertices(IDirect3DDevice8 *device, const void *data, unsigned bytes, DWORD fvf)
{
    IDirect3DVertexBuffer8 *buffer;
    BYTE *memory;
    HRESULT result =
        IDirect3DDevice8_CreateVertexBuffer(device, bytes, D3DUSAGE_WRITEONLY, fvf, D3DPOOL_MANAGED, &buffer);

    if (SUCCEEDED(result))
        result = IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &memory, 0);
    if (FAILED(result))
        fail("CreateVertexBuffer", result);
    memcpy(memory, data, bytes);
    IDirect3DVertexBuffer8_Unlock(buffer);
    return buffer;
}

IDirect3DIndexBuffer8 *make_indices(IDirect3DDevice8 *device, const uint16_t *data, unsigned count)
{
    IDirect3DIndexBuffer8 *buffer;
    BYTE *memory;
    HRESULT result = IDirect3DDevice8_CreateIndexBuffer(device, count * 2, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                                        D3DPOOL_MANAGED, &buffer);

    if (SUCCEEDED(result))
        result = IDirect3DIndexBuffer8_Lock(buffer, 0, 0, &memory, 0);
    if (FAILED(result))
        fail("CreateIndexBuffer", result);
    memcpy(memory, data, count * 2);
    IDirect3DIndexBuffer8_Unlock(buffer);
    return buffer;
}

/* Each texel becomes the mean of four; in place, from `size` to `size` / 2. */
static void halve(D3DCOLOR *texels, unsigned size)
{
    unsigned half = size / 2;

    for (unsigned y = 0; y < half; y++) {
        for (unsigned x = 0; x < half; x++) {
            const D3DCOLOR *from = texels + 2 * y * size + 2 * x;
            D3DCOLOR mean = 0;

            for (unsigned shift = 0; shift < 32; shift += 8) {
                unsigned sum = (from[0] >> shift & 255) + (from[1] >> shift & 255) + (from[size] >> shift & 255) +
                               (from[size + 1] >> shift & 255);

                mean |= (sum + 2) / 4 << shift;
            }
            texels[y * half + x] = mean;
        }
    }
}

static void upload_level(IDirect3DTexture8 *texture, unsigned level, const D3DCOLOR *texels, unsigned size)
{
    D3DLOCKED_RECT locked;
    HRESULT result = IDirect3DTexture8_LockRect(texture, level, &locked, NULL, 0);

    if (FAILED(result))
        fail("IDirect3DTexture8::LockRect", result);
    for (unsigned y = 0; y < size; y++)
        memcpy((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch, texels + y * size, size * 4);
    IDirect3DTexture8_UnlockRect(texture, level);
}

IDirect3DTexture8 *make_texture(IDirect3DDevice8 *device, unsigned size, texel_function texel)
{
    D3DCOLOR *texels = malloc(size * size * sizeof(*texels));
    IDirect3DTexture8 *texture;
    HRESULT result =
        IDirect3DDevice8_CreateTexture(device, size, size, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture);

    if (FAILED(result) || !texels)
        fail("CreateTexture", result);
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++)
            texels[y * size + x] = texel(((float)x + 0.5f) / (float)size, ((float)y + 0.5f) / (float)size);
    for (unsigned level = 0; size; level++, size /= 2) {
        upload_level(texture, level, texels, size);
        halve(texels, size);
    }
    free(texels);
    return texture;
}

void set(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetRenderState(device, state, value);
}

void set_stencil(IDirect3DDevice8 *device, D3DCMPFUNC function, DWORD reference, D3DSTENCILOP pass)
{
    set(device, D3DRS_STENCILENABLE, TRUE);
    set(device, D3DRS_STENCILFUNC, function);
    set(device, D3DRS_STENCILREF, reference);
    set(device, D3DRS_STENCILPASS, pass);
}

void use_texture(IDirect3DDevice8 *device, IDirect3DTexture8 *texture, bool mips)
{
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, texture ? D3DTOP_MODULATE : D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_ALPHAOP, texture ? D3DTOP_MODULATE : D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_MIPFILTER, mips ? D3DTEXF_LINEAR : D3DTEXF_POINT);
}

void use_material(IDirect3DDevice8 *device, D3DCOLORVALUE diffuse, float specular, float power)
{
    D3DMATERIAL8 material = {0};

    material.Diffuse = material.Ambient = diffuse;
    material.Specular = (D3DCOLORVALUE){specular, specular, specular, 1};
    material.Power = power;
    IDirect3DDevice8_SetMaterial(device, &material);
}
