/* SPDX-License-Identifier: MIT */
/*
 * Random calls of Direct3D 9 and 9Ex with hostile parameters; the allocations of the dlls are watched, and fail on
 * request.
 *
 *   fuzz9.exe [--seed N] [--sequences N] [--calls N] [--minutes N] [--faults] [--trace]
 *
 * A sequence creates one or two devices, makes the calls that the seed gives, then releases everything. Each device
 * must still draw the right picture before and after a Reset, no reference and no memory may be left, and nothing may
 * have been written outside of allocated memory. Seeds count up from --seed. A sequence that fails prints its seed;
 * --trace names each call before it is made. --faults: in every second sequence, allocations fail. Exit status 0: all
 * is well; 1: not; 2: wrong usage; 3: a crash; 4: a call takes more than a minute.
 */
#include "tests/runtime/fuzz9.h"
#include "tests/runtime/heap.h"

#include <stdlib.h>

#define MOST_BYTES (400u << 20) /* the most that the dlls may allocate */
#define PICTURE    64           /* pixels of the picture, both ways */
#define HANGS      3600000      /* milliseconds of one call: more than any takes on a busy machine */

struct fuzz_device fuzz_devices[FUZZ_DEVICES];
HWND fuzz_windows[FUZZ_WINDOWS];
uint8_t *fuzz_memory;

static void *items[FUZZ_KINDS][FUZZ_ITEMS];
static uint64_t random_state;
static unsigned evil_percent, failures;
static bool trace;

/* The current sequence and call, for the watching thread and the crash handler. */
static volatile uint32_t current_seed, current_call;
static const char *volatile current_name = "nothing";
static volatile LONG current_start;

/* --- random values ----------------------------------------------------------------------------- */

/* splitmix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators". */
uint32_t rnd32(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(z >> 32);
}

uint32_t rnd(uint32_t n)
{
    return n ? (uint32_t)((uint64_t)rnd32() * n >> 32) : 0;
}

bool evil(void)
{
    return rnd(100) < evil_percent;
}

DWORD odd_dword(void)
{
    static const DWORD ends[] = {0,          1,          2,          3,          4,         16,
                                 255,        256,        0x7fff,     0x8000,     0xffff,    0x10000,
                                 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x40000000};

    return rnd(3) ? ends[rnd(sizeof(ends) / sizeof(ends[0]))] : rnd(2) ? 1u << rnd(32) : rnd32();
}

DWORD some(uint32_t n)
{
    return evil() && rnd(2) ? odd_dword() : rnd(n);
}

float some_float(void)
{
    const DWORD bits = rnd32();
    float f;

    memcpy(&f, &bits, sizeof(f));
    return rnd(3) ? (float)rnd(200) / 10 - 5 : rnd(4) ? (float)rnd(3) : f;
}

void *some_memory(size_t size)
{
    if (evil() && !rnd(8))
        return NULL;
    return fuzz_memory + 4 * rnd((uint32_t)(FUZZ_MEMORY / 2 - size) / 4);
}

HWND fuzz_any_window(void)
{
    return rnd(6) ? fuzz_windows[rnd(FUZZ_WINDOWS)] : evil() ? (HWND)(UINT_PTR)odd_dword() : NULL;
}

D3DPRESENT_PARAMETERS fuzz_params(void)
{
    D3DPRESENT_PARAMETERS p = {
        .BackBufferWidth = rnd(4) ? 16 + rnd(64) : 0,
        .BackBufferHeight = 16 + rnd(64),
        .BackBufferFormat = rnd(3)   ? D3DFMT_X8R8G8B8
                            : rnd(2) ? D3DFMT_UNKNOWN
                            : rnd(2) ? D3DFMT_A8R8G8B8
                                     : D3DFMT_R5G6B5,
        .BackBufferCount = rnd(3),
        .MultiSampleType = rnd(6) ? D3DMULTISAMPLE_NONE : D3DMULTISAMPLE_4_SAMPLES,
        .SwapEffect = (D3DSWAPEFFECT)(1 + rnd(3)),
        .hDeviceWindow = fuzz_any_window(),
        .Windowed = TRUE,
        .EnableAutoDepthStencil = rnd(2),
        .AutoDepthStencilFormat = D3DFMT_D24S8,
        .Flags = rnd(3) ? 0 : D3DPRESENTFLAG_LOCKABLE_BACKBUFFER,
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE,
    };

    if (!p.BackBufferWidth)
        p.BackBufferHeight = 0;
    if (rnd(30) == 0) {
        p.Windowed = FALSE;
        p.BackBufferFormat = D3DFMT_X8R8G8B8;
        p.BackBufferWidth = WIDTH;
        p.BackBufferHeight = HEIGHT;
    }
    if (evil()) {
        static const size_t members[] = {
            offsetof(D3DPRESENT_PARAMETERS, BackBufferWidth),        offsetof(D3DPRESENT_PARAMETERS, BackBufferFormat),
            offsetof(D3DPRESENT_PARAMETERS, BackBufferCount),        offsetof(D3DPRESENT_PARAMETERS, MultiSampleType),
            offsetof(D3DPRESENT_PARAMETERS, MultiSampleQuality),     offsetof(D3DPRESENT_PARAMETERS, SwapEffect),
            offsetof(D3DPRESENT_PARAMETERS, AutoDepthStencilFormat), offsetof(D3DPRESENT_PARAMETERS, Flags),
            offsetof(D3DPRESENT_PARAMETERS, PresentationInterval)};
        const DWORD value = odd_dword();

        memcpy((uint8_t *)&p + members[rnd(sizeof(members) / sizeof(members[0]))], &value, sizeof(value));
    }
    return p;
}

/* --- objects --------------------------------------------------------------------------------------- */

void *fuzz_self(enum fuzz_kind kind)
{
    const unsigned first = rnd(FUZZ_ITEMS);

    for (unsigned i = 0; i < FUZZ_ITEMS; i++)
        if (items[kind][(first + i) % FUZZ_ITEMS])
            return items[kind][(first + i) % FUZZ_ITEMS];
    return NULL;
}

void *fuzz_any(enum fuzz_kind kind)
{
    return rnd(12) ? fuzz_self(kind) : NULL;
}

IDirect3DBaseTexture9 *fuzz_any_texture(void)
{
    return fuzz_any((enum fuzz_kind)(FUZZ_TEXTURE + (rnd(2) ? 0 : rnd(3))));
}

static void release(void **place)
{
    IUnknown *unknown = *place;

    *place = NULL;
    if (unknown)
        IUnknown_Release(unknown);
}

void fuzz_take(enum fuzz_kind kind, void *object)
{
    unsigned at = rnd(FUZZ_ITEMS);

    if (!object)
        return;
    for (unsigned i = 0; i < FUZZ_ITEMS && items[kind][at]; i++)
        at = (at + 1) % FUZZ_ITEMS;
    release(&items[kind][at]);
    items[kind][at] = object;
}

void fuzz_drop(enum fuzz_kind kind)
{
    release(&items[kind][rnd(FUZZ_ITEMS)]);
}

static void drop_all(void)
{
    for (unsigned kind = 0; kind < FUZZ_KINDS; kind++)
        for (unsigned i = 0; i < FUZZ_ITEMS; i++)
            release(&items[kind][i]);
}

/* --- the right picture --------------------------------------------------------------------------------- */

static uint32_t right_picture[PICTURE * PICTURE];

static HRESULT draw_parts(IDirect3DDevice9Ex *device, IDirect3DTexture9 *texture, IDirect3DPixelShader9 *shader)
{
    static const struct {
        float x, y, z, w;
        DWORD color;
        float u, v;
    } triangle[3] = {{2, 2, 0, 1, 0xffff0000, 0, 0}, {60, 2, 0, 1, 0xff00ff00, 1, 0}, {2, 60, 0, 1, 0xff0000ff, 0, 1}},
      quad[4] = {{32, 32, 0, 1, 0xffffffff, 0, 0},
                 {62, 32, 0, 1, 0xffffffff, 1, 0},
                 {32, 62, 0, 1, 0xffffffff, 0, 1},
                 {62, 62, 0, 1, 0xffffffff, 1, 1}},
      strip[4] = {{40, 4, 0, 1, 0xff808080, 0, 0},
                  {62, 4, 0, 1, 0xff808080, 1, 0},
                  {40, 24, 0, 1, 0xff808080, 0, 1},
                  {62, 24, 0, 1, 0xff808080, 1, 1}};
    const float constant[4] = {0.25f, 0.5f, 1, 1};
    HRESULT hr = IDirect3DDevice9_BeginScene(device);

    hr |= IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1);
    hr |= IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0]));
    hr |= IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture);
    hr |= IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0]));
    hr |= IDirect3DDevice9_SetPixelShader(device, shader);
    hr |= IDirect3DDevice9_SetPixelShaderConstantF(device, 0, constant, 1);
    hr |= IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, strip, sizeof(strip[0]));
    hr |= IDirect3DDevice9_SetPixelShader(device, NULL);
    hr |= IDirect3DDevice9_SetTexture(device, 0, NULL);
    hr |= IDirect3DDevice9_EndScene(device);
    return hr;
}

static HRESULT fill_texture(IDirect3DTexture9 *texture)
{
    D3DLOCKED_RECT locked;
    HRESULT hr = IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0);

    for (unsigned y = 0; SUCCEEDED(hr) && y < 8; y++)
        for (unsigned x = 0; x < 8; x++)
            ((uint32_t *)((uint8_t *)locked.pBits + (size_t)locked.Pitch * y))[x] =
                (x + y) & 1 ? 0xffffff00 : 0xff204060;
    return SUCCEEDED(hr) ? IDirect3DTexture9_UnlockRect(texture, 0) : hr;
}

/* Into pixels[PICTURE * PICTURE]; the device's states are at their defaults. */
static HRESULT draw_picture(const struct fuzz_device *d, uint32_t *pixels)
{
    /* ps_2_0: dcl v0, dcl t0, dcl_2d s0, texld r0, t0, s0, mul r0, r0, c0, add r0, r0, v0, mov oC0, r0 */
    static const DWORD code[] = {0xffff0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x80000000, 0xb00f0000,
                                 0x0200001f, 0x90000000, 0xa00f0800, 0x03000042, 0x800f0000, 0xb0e40000, 0xa0e40800,
                                 0x03000005, 0x800f0000, 0x80e40000, 0xa0e40000, 0x03000002, 0x800f0000, 0x80e40000,
                                 0x90e40000, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};
    const D3DPOOL pool = d->ex ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED;
    IDirect3DSurface9 *target = NULL, *copy = NULL;
    IDirect3DPixelShader9 *shader = NULL;
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;
    HRESULT hr = IDirect3DDevice9_CreateRenderTarget(d->iface, PICTURE, PICTURE, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE,
                                                     0, FALSE, &target, NULL);

    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_CreateTexture(d->iface, 8, 8, 1, d->ex ? D3DUSAGE_DYNAMIC : 0, D3DFMT_A8R8G8B8, pool,
                                            &texture, NULL);
    if (SUCCEEDED(hr))
        hr = fill_texture(texture);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_CreatePixelShader(d->iface, code, &shader);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_CreateOffscreenPlainSurface(d->iface, PICTURE, PICTURE, D3DFMT_X8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, &copy, NULL);
    for (unsigned i = 1; i < 4 && SUCCEEDED(hr); i++)
        hr = IDirect3DDevice9_SetRenderTarget(d->iface, i, NULL);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_SetRenderTarget(d->iface, 0, target);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_SetDepthStencilSurface(d->iface, NULL);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_Clear(d->iface, 0, NULL, D3DCLEAR_TARGET, 0xff405060, 1, 0);
    if (SUCCEEDED(hr))
        hr = draw_parts(d->iface, texture, shader);
    if (SUCCEEDED(hr))
        hr = IDirect3DDevice9_GetRenderTargetData(d->iface, target, copy);
    if (SUCCEEDED(hr))
        hr = IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY);
    if (SUCCEEDED(hr)) {
        for (unsigned y = 0; y < PICTURE; y++)
            for (unsigned x = 0; x < PICTURE; x++)
                pixels[y * PICTURE + x] =
                    ((uint32_t *)((uint8_t *)locked.pBits + (size_t)locked.Pitch * y))[x] & 0xffffff;
        IDirect3DSurface9_UnlockRect(copy);
    }
    release((void **)&copy);
    release((void **)&shader);
    release((void **)&texture);
    release((void **)&target);
    return hr;
}

static void wrong(const char *what, HRESULT hr)
{
    if (!failures++)
        printf("not ok seed %u\n", current_seed);
    printf("# %s: %08lx\n", what, (unsigned long)hr);
    fflush(stdout);
}

static void check_picture(const struct fuzz_device *d, const char *when)
{
    uint32_t pixels[PICTURE * PICTURE];
    unsigned differing = 0, first = 0;
    HRESULT hr;

    memset(pixels, 0, sizeof(pixels));
    hr = draw_picture(d, pixels);
    for (unsigned i = PICTURE * PICTURE; i-- > 0;)
        if (pixels[i] != right_picture[i]) {
            differing++;
            first = i;
        }
    if (FAILED(hr))
        wrong(when, hr);
    else if (differing) {
        wrong(when, D3D_OK);
        printf("# %u pixels differ, the first at %u,%u: %06x, not %06x\n", differing, first % PICTURE, first / PICTURE,
               (unsigned)pixels[first], (unsigned)right_picture[first]);
    }
}

/* --- devices ---------------------------------------------------------------------------------------------- */

static D3DPRESENT_PARAMETERS plain_params(HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed9(window);

    p.BackBufferWidth = p.BackBufferHeight = PICTURE;
    return p;
}

static void open_windows(void)
{
    for (unsigned i = 0; i < FUZZ_WINDOWS; i++)
        if (!IsWindow(fuzz_windows[i]))
            fuzz_windows[i] = open_window();
}

/* A resource that a state block has recorded is held, and keeps a Reset from succeeding. */
static void stop_recording(struct fuzz_device *d)
{
    IDirect3DStateBlock9 *recorded = NULL;

    if (SUCCEEDED(IDirect3DDevice9_EndStateBlock(d->iface, &recorded)))
        release((void **)&recorded);
}

void fuzz_reset(struct fuzz_device *d)
{
    D3DPRESENT_PARAMETERS p;

    open_windows();
    p = plain_params(fuzz_windows[0]);
    drop_all();
    stop_recording(d);
    IDirect3DDevice9_Reset(d->iface, &p);
}

static void open_fuzz_device(struct fuzz_device *d, bool ex, const D3DPRESENT_PARAMETERS *params, DWORD flags)
{
    D3DPRESENT_PARAMETERS p = *params;
    D3DDISPLAYMODEEX mode = {
        sizeof(mode), p.BackBufferWidth, p.BackBufferHeight, 0, p.BackBufferFormat, D3DSCANLINEORDERING_PROGRESSIVE};

    memset(d, 0, sizeof(*d));
    d->ex = ex;
    if (ex)
        Direct3DCreate9Ex(D3D_SDK_VERSION, &d->d3d);
    else
        d->d3d = (IDirect3D9Ex *)Direct3DCreate9(D3D_SDK_VERSION);
    if (!d->d3d)
        return;
    if (ex)
        IDirect3D9Ex_CreateDeviceEx(d->d3d, 0, D3DDEVTYPE_HAL, fuzz_windows[0], flags, &p, p.Windowed ? NULL : &mode,
                                    &d->iface);
    else
        IDirect3D9_CreateDevice((IDirect3D9 *)d->d3d, 0, D3DDEVTYPE_HAL, fuzz_windows[0], flags, &p,
                                (IDirect3DDevice9 **)&d->iface);
    if (d->iface)
        IDirect3DDevice9_CreateStateBlock(d->iface, D3DSBT_ALL, &d->defaults);
}

static void close_fuzz_device(struct fuzz_device *d)
{
    ULONG refs = 0;

    release((void **)&d->defaults);
    if (d->iface)
        refs = IDirect3DDevice9_Release(d->iface);
    if (refs)
        wrong("references on a device are left", (HRESULT)refs);
    d->iface = NULL;
    if (d->d3d)
        refs = IDirect3D9_Release((IDirect3D9 *)d->d3d);
    if (refs)
        wrong("references on the IDirect3D9 are left", (HRESULT)refs);
    d->d3d = NULL;
}

/* Ends the scene; all states get their initial values. */
static HRESULT set_defaults(struct fuzz_device *d)
{
    IDirect3DDevice9_EndScene(d->iface);
    IDirect3DDevice9_SetSoftwareVertexProcessing(d->iface, FALSE);
    IDirect3DDevice9_SetNPatchMode(d->iface, 0);
    for (unsigned i = 0; i < 16; i++) {
        IDirect3DDevice9_SetTexture(d->iface, i, NULL);
        IDirect3DDevice9_SetStreamSourceFreq(d->iface, i, 1);
    }
    return IDirect3DStateBlock9_Apply(d->defaults);
}

/* The picture as it is, then after a Reset. */
static void check_device(struct fuzz_device *d, bool memory_was_short)
{
    D3DPRESENT_PARAMETERS p = plain_params(fuzz_windows[0]);
    HRESULT hr;

    if (!d->iface || !d->defaults)
        return;
    stop_recording(d);
    if (!memory_was_short && IDirect3DDevice9_TestCooperativeLevel(d->iface) == D3D_OK &&
        (!d->ex || IDirect3DDevice9Ex_CheckDeviceState(d->iface, NULL) == D3D_OK)) {
        hr = set_defaults(d);
        if (FAILED(hr))
            wrong("Apply of the first state block", hr);
        check_picture(d, "the picture after the calls");
    }
    for (unsigned i = 0; i < 100 && IDirect3DDevice9_TestCooperativeLevel(d->iface) == D3DERR_DEVICELOST; i++) {
        SetForegroundWindow(fuzz_windows[0]);
        pump();
        Sleep(10);
    }
    hr = IDirect3DDevice9_Reset(d->iface, &p);
    if (FAILED(hr)) {
        wrong("Reset", hr);
        return;
    }
    hr = set_defaults(d);
    if (FAILED(hr))
        wrong("Apply after Reset", hr);
    check_picture(d, "the picture after a Reset");
    hr = IDirect3DDevice9_Present(d->iface, NULL, NULL, NULL, NULL);
    if (FAILED(hr))
        wrong("Present after Reset", hr);
}

/* --- sequences ------------------------------------------------------------------------------------------------- */

static void begin_call(const char *name)
{
    current_name = name;
    current_start = (LONG)GetTickCount();
    if (trace) {
        printf("# seed %u call %u: %s\n", current_seed, current_call, name);
        fflush(stdout);
    }
}

static const struct fuzz_call *choose(const struct fuzz_call *calls, unsigned count)
{
    unsigned total = 0, at;

    for (unsigned i = 0; i < count; i++)
        total += calls[i].weight;
    at = rnd(total);
    for (unsigned i = 0;; i++) {
        if (at < calls[i].weight)
            return &calls[i];
        at -= calls[i].weight;
    }
}

static const struct fuzz_call *random_call(void)
{
    switch (rnd(10)) {
    case 0:
    case 1:
        return choose(fuzz_creations, fuzz_creation_count);
    case 2:
    case 3:
    case 4:
        return choose(fuzz_resources, fuzz_resource_count);
    case 5:
    case 6:
        return choose(fuzz_draws, fuzz_draw_count);
    default:
        return choose(fuzz_states, fuzz_state_count);
    }
}

static void fill_memory(void)
{
    for (unsigned i = 0; i < FUZZ_MEMORY / 8; i++) {
        const float f = rnd(50) ? (float)rnd(1600) / 16 - 20 : some_float();

        memcpy(fuzz_memory + 4 * i, &f, 4);
    }
    for (unsigned i = FUZZ_MEMORY / 8; i < FUZZ_MEMORY / 4; i++) {
        const uint32_t index = rnd(20) ? rnd(64) : rnd32();

        memcpy(fuzz_memory + 4 * i, &index, 4);
    }
}

static void arm(bool faults)
{
    if (faults && !rnd(8))
        heap_fail(1 + rnd(100), rnd(3) ? 1 : 1 + rnd(40));
}

static void run_calls(unsigned calls, bool faults)
{
    for (unsigned i = 0; i < calls; i++) {
        struct fuzz_device *d = &fuzz_devices[rnd(FUZZ_DEVICES)];
        const struct fuzz_call *call = random_call();

        current_call = i;
        if (!d->iface)
            continue;
        begin_call(call->name);
        arm(faults);
        call->call(d);
        if (rnd(40) == 0)
            pump();
        if (rnd(400) == 0) {
            DestroyWindow(fuzz_windows[rnd(FUZZ_WINDOWS)]);
            pump();
        }
        if (rnd(100) == 0)
            open_windows();
    }
}

static void run_sequence(uint32_t seed, unsigned calls, bool faults)
{
    static const DWORD flags[] = {D3DCREATE_HARDWARE_VERTEXPROCESSING, D3DCREATE_SOFTWARE_VERTEXPROCESSING,
                                  D3DCREATE_MIXED_VERTEXPROCESSING,
                                  D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE,
                                  D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED};
    static const unsigned percents[] = {0, 2, 8, 25};
    bool short_of_memory;

    current_seed = seed;
    random_state = seed * 0x2545f4914f6cdd1dull;
    evil_percent = percents[rnd(4)];
    faults &= seed & 1;
    begin_call("CreateDevice");
    fill_memory();
    open_windows();
    if (faults)
        heap_fail(1 + rnd(1000), 1);
    for (unsigned i = 0; i < FUZZ_DEVICES; i++) {
        D3DPRESENT_PARAMETERS p = rnd(2) ? plain_params(fuzz_windows[i]) : fuzz_params();

        if (i == 0 || rnd(3) == 0)
            open_fuzz_device(&fuzz_devices[i], rnd(2), &p, flags[rnd(sizeof(flags) / sizeof(flags[0]))]);
        if (i == 0 && !fuzz_devices[i].iface) {
            close_fuzz_device(&fuzz_devices[i]);
            p = plain_params(fuzz_windows[0]);
            open_fuzz_device(&fuzz_devices[i], rnd(2), &p, D3DCREATE_HARDWARE_VERTEXPROCESSING);
        }
    }
    short_of_memory = heap_has_failed();
    run_calls(calls, faults);
    begin_call("the end of a sequence");
    short_of_memory |= faults || heap_has_failed();
    heap_fail(0, 0);
    open_windows();
    drop_all();
    for (unsigned i = 0; i < FUZZ_DEVICES; i++) {
        check_device(&fuzz_devices[i], short_of_memory);
        close_fuzz_device(&fuzz_devices[i]);
    }
    while (D3DPERF_EndEvent() >= 0)
        ;
    pump();
    if (heap_damage())
        wrong("the heap is damaged", E_FAIL);
}

/* Memory that stays from one sequence to the next is what the driver keeps for all devices. */
static void check_growth(struct heap_use *most, unsigned long long since, unsigned sequence)
{
    const struct heap_use now = heap_use();

    if (sequence < 3) {
        most->blocks = max(most->blocks, now.blocks);
        most->bytes = max(most->bytes, now.bytes);
    } else if (now.blocks > most->blocks + 100 || now.bytes > most->bytes + (256u << 10)) {
        wrong("memory is left", E_FAIL);
        printf("# %zu blocks of %zu bytes, after %zu of %zu\n", now.blocks, now.bytes, most->blocks, most->bytes);
        heap_list(since);
        *most = now;
    }
}

/* --- crashes and hangs ----------------------------------------------------------------------------------------- */

static void print_stack(void)
{
    void *frames[40];
    const unsigned count = RtlCaptureStackBackTrace(0, 40, frames, NULL);

    printf("#");
    for (unsigned i = 0; i < count; i++)
        heap_print_address(frames[i]);
    printf("\n");
    fflush(stdout);
}

static LONG WINAPI crashed(EXCEPTION_POINTERS *pointers)
{
    printf("not ok seed %u\n# call %u, %s: exception %08lx at", current_seed, current_call, current_name,
           pointers->ExceptionRecord->ExceptionCode);
    heap_print_address(pointers->ExceptionRecord->ExceptionAddress);
    printf(" address %p\n", (void *)pointers->ExceptionRecord->ExceptionInformation[1]);
    print_stack();
    TerminateProcess(GetCurrentProcess(), 3);
    return EXCEPTION_EXECUTE_HANDLER;
}

static DWORD WINAPI watch(void *unused)
{
    (void)unused;
    while (Sleep(1000), true) {
        if ((LONG)GetTickCount() - current_start > HANGS) {
            printf("not ok seed %u\n# call %u, %s: it hangs\n", current_seed, current_call, current_name);
            fflush(stdout);
            TerminateProcess(GetCurrentProcess(), 4);
        }
    }
    return 0;
}

static void make_right_picture(void)
{
    for (unsigned ex = 0; ex < 2; ex++) {
        D3DPRESENT_PARAMETERS p = plain_params(fuzz_windows[0]);

        open_fuzz_device(&fuzz_devices[0], ex, &p, D3DCREATE_HARDWARE_VERTEXPROCESSING);
        if (!ex) {
            HRESULT hr = draw_picture(&fuzz_devices[0], right_picture);

            if (FAILED(hr))
                wrong("the first picture", hr);
            if (right_picture[10 * PICTURE + 10] == right_picture[0] ||
                right_picture[40 * PICTURE + 40] == right_picture[0])
                wrong("the first picture is empty", E_FAIL);
        } else {
            check_picture(&fuzz_devices[0], "the first picture of 9Ex");
        }
        close_fuzz_device(&fuzz_devices[0]);
    }
}

static int usage(void)
{
    printf("usage: fuzz9 [--seed N] [--sequences N] [--calls N] [--minutes N] [--faults] [--trace]\n");
    return 2;
}

int main(int argc, char **argv)
{
    unsigned seed = 1, sequences = 20, calls = 400, minutes = 0, bad = 0, done = 0;
    struct heap_use most = {0, 0};
    bool faults = false;
    DWORD start = GetTickCount();

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--faults"))
            faults = true;
        else if (!strcmp(argv[i], "--trace"))
            trace = true;
        else if (i + 1 == argc)
            return usage();
        else if (!strcmp(argv[i], "--seed"))
            seed = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--sequences"))
            sequences = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--calls"))
            calls = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--minutes"))
            minutes = (unsigned)strtoul(argv[++i], NULL, 0);
        else
            return usage();
    if (!heap_watch(LoadLibraryA("halcyon.dll")) || !heap_watch(GetModuleHandleA("d3d9.dll")))
        return usage();
    SetUnhandledExceptionFilter(crashed);
    current_start = (LONG)start;
    CreateThread(NULL, 0, watch, NULL, 0, NULL);
    fuzz_memory = malloc(FUZZ_MEMORY);
    open_windows();
    heap_guard(16);
    heap_limit(MOST_BYTES);
    make_right_picture();
    bad += failures != 0;
    for (unsigned i = 0; minutes ? GetTickCount() - start < minutes * 60000 : i < sequences; i++) {
        const unsigned long long since = heap_serial();

        failures = 0;
        run_sequence(seed + i, calls, faults);
        check_growth(&most, since, i);
        bad += failures != 0;
        done++;
    }
    printf("%s fuzz9: %u sequences from seed %u on, %u calls each, %lu s, %u bad\n", bad ? "not ok" : "ok", done, seed,
           calls, (unsigned long)(GetTickCount() - start) / 1000, bad);
    return bad != 0;
}
