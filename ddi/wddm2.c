/* SPDX-License-Identifier: MIT */
/*
 * Rasterizer states of WDDM 2.0. A bound state becomes render states beyond those of the API (d3d/extension.h) and is
 * set by a command, so that captures, and ranges of captures, contain it like any other state.
 */
#include "d3d/wddm2.h"

#include "ddi/entry.h"
#include "d3d/extension.h"
#include "ddi/record/record.h"

#include <stddef.h>
#include <string.h>

#define DEVICE_MAGIC 0x44574448u /* "HDWD" */
#define STATE_MAGIC  0x53574448u

struct device {
    uint32_t magic;
    uint32_t context;
    D3D10DDI_HRTCORELAYER layer;
    PFND3D10DDI_SETERROR_CB set_error;
};

struct rasterizer_state {
    uint32_t magic;
    D3DWDDM2_0DDI_RASTERIZER_DESC desc;
};

static struct device *device_of(D3D10DDI_HDEVICE handle)
{
    struct device *device = handle.pDrvPrivate;

    if (!device || device->magic != DEVICE_MAGIC) {
        log_warn("WDDM 2.0: %p is not a device", handle.pDrvPrivate);
        return NULL;
    }
    return device;
}

/* Called without the driver's lock, because the callback may call the driver. */
static void wddm2_report(const struct device *device, HRESULT hr)
{
    if (FAILED(hr) && device->set_error)
        device->set_error(device->layer, hr);
}

/* --- capabilities, devices ------------------------------------------------------------- */

static HRESULT APIENTRY get_caps(const D3D10_2DDIARG_GETCAPS *args)
{
    D3DWDDM2_0DDICAPS_D3D11_OPTIONS2_DATA options = {
        .ConservativeRasterizationTier = (D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_TIER)caps_conservative_tier()};

    if (!args || args->Type != D3DWDDM2_0DDICAPS_D3D11_OPTIONS2 || !args->pData || args->DataSize < sizeof(options)) {
        log_warn("GetCaps: type %u in %u bytes", args ? (unsigned)args->Type : 0, args ? args->DataSize : 0);
        return E_INVALIDARG;
    }
    memcpy(args->pData, &options, sizeof(options));
    return S_OK;
}

static SIZE_T APIENTRY calc_device_size(void)
{
    return sizeof(struct device);
}

static HRESULT APIENTRY create_device(const WDDM2_CREATEDEVICE *args)
{
    bool exists;

    if (!args || !args->hDevice.pDrvPrivate)
        return E_INVALIDARG;
    DDI_ENTER();
    exists = ddi_root.driver && args->dwhContext <= UINT32_MAX &&
             hal_context_find(ddi_root.driver, (uint32_t)args->dwhContext);
    DDI_LEAVE();
    if (!exists) {
        log_warn("CreateDevice: no context %#llx", (unsigned long long)args->dwhContext);
        return E_INVALIDARG;
    }
    *(struct device *)args->hDevice.pDrvPrivate = (struct device){
        .magic = DEVICE_MAGIC,
        .context = (uint32_t)args->dwhContext,
        .layer = args->hRTCoreLayer,
        .set_error = args->pfnSetErrorCb,
    };
    return S_OK;
}

static VOID APIENTRY destroy_device(D3D10DDI_HDEVICE handle)
{
    struct device *device = device_of(handle);

    if (device)
        device->magic = 0;
}

/* --- rasterizer states: creation --------------------------------------------------------- */

static bool is_sample_count(UINT count)
{
    return count <= 16 && (count & (count - 1)) == 0;
}

/* Returns the error in a description; NULL: none. Source: Microsoft's DirectX-Specs, "Conservative Rasterization",
 * chapter "Validation". */
static const char *find_fault(const D3DWDDM2_0DDI_RASTERIZER_DESC *desc)
{
    if (desc->FillMode != D3D10_DDI_FILL_SOLID && desc->FillMode != D3D10_DDI_FILL_WIREFRAME)
        return "unknown fill mode";
    if (desc->CullMode < D3D10_DDI_CULL_NONE || desc->CullMode > D3D10_DDI_CULL_BACK)
        return "unknown cull mode";
    if (!is_sample_count(desc->ForcedSampleCount))
        return "impossible forced sample count";
    if (desc->ConservativeRasterizationMode == D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_OFF)
        return NULL;
    if (desc->ConservativeRasterizationMode != D3DWDDM2_0DDI_CONSERVATIVE_RASTERIZATION_ON)
        return "unknown conservative mode";
    if (caps_conservative_tier() == 0)
        return "conservative rasterization is not supported";
    return desc->FillMode == D3D10_DDI_FILL_SOLID ? NULL : "conservative rasterization fills: solid is the only mode";
}

static SIZE_T APIENTRY calc_state_size(D3D10DDI_HDEVICE handle, const D3DWDDM2_0DDI_RASTERIZER_DESC *desc)
{
    (void)desc;
    return device_of(handle) ? sizeof(struct rasterizer_state) : 0;
}

static VOID APIENTRY create_state(D3D10DDI_HDEVICE handle, const D3DWDDM2_0DDI_RASTERIZER_DESC *desc,
                                  D3D10DDI_HRASTERIZERSTATE state, D3D10DDI_HRTRASTERIZERSTATE runtime)
{
    const struct device *device = device_of(handle);
    const char *fault = !desc || !state.pDrvPrivate ? "nothing described" : find_fault(desc);

    (void)runtime;
    if (!device)
        return;
    if (fault) {
        log_warn("CreateRasterizerState: %s", fault);
        wddm2_report(device, E_INVALIDARG);
        return;
    }
    *(struct rasterizer_state *)state.pDrvPrivate = (struct rasterizer_state){STATE_MAGIC, *desc};
}

static VOID APIENTRY destroy_state(D3D10DDI_HDEVICE handle, D3D10DDI_HRASTERIZERSTATE state)
{
    struct rasterizer_state *object = state.pDrvPrivate;

    if (device_of(handle) && object && object->magic == STATE_MAGIC)
        object->magic = 0;
}

/* --- binding -------------------------------------------------------------------------------- */

struct commands {
    D3DHAL_DP2COMMAND head;
    D3DHAL_DP2RENDERSTATE state[EXTENSION_RS_RASTERIZER_COUNT];
};

static uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* desc NULL: off. */
static void wddm2_describe(const D3DWDDM2_0DDI_RASTERIZER_DESC *desc, struct commands *commands)
{
    static const D3DWDDM2_0DDI_RASTERIZER_DESC none;
    const D3DWDDM2_0DDI_RASTERIZER_DESC *d = desc ? desc : &none;
    const uint32_t value[EXTENSION_RS_RASTERIZER_COUNT] = {
        [EXTENSION_RS_BOUND - EXTENSION_RS_BOUND] = desc != NULL,
        [EXTENSION_RS_FILL - EXTENSION_RS_BOUND] = (uint32_t)d->FillMode,
        [EXTENSION_RS_CULL - EXTENSION_RS_BOUND] = (uint32_t)d->CullMode,
        [EXTENSION_RS_FRONT_CCW - EXTENSION_RS_BOUND] = d->FrontCounterClockwise != FALSE,
        [EXTENSION_RS_DEPTH_BIAS - EXTENSION_RS_BOUND] = (uint32_t)d->DepthBias,
        [EXTENSION_RS_DEPTH_BIAS_CLAMP - EXTENSION_RS_BOUND] = float_bits(d->DepthBiasClamp),
        [EXTENSION_RS_DEPTH_BIAS_SLOPE - EXTENSION_RS_BOUND] = float_bits(d->SlopeScaledDepthBias),
        [EXTENSION_RS_DEPTH_CLIP - EXTENSION_RS_BOUND] = d->DepthClipEnable != FALSE,
        [EXTENSION_RS_SCISSOR - EXTENSION_RS_BOUND] = d->ScissorEnable != FALSE,
        [EXTENSION_RS_MULTISAMPLE - EXTENSION_RS_BOUND] = d->MultisampleEnable != FALSE,
        [EXTENSION_RS_LINE_SMOOTH - EXTENSION_RS_BOUND] = d->AntialiasedLineEnable != FALSE,
        [EXTENSION_RS_FORCED_SAMPLES - EXTENSION_RS_BOUND] = d->ForcedSampleCount,
        [EXTENSION_RS_CONSERVATIVE - EXTENSION_RS_BOUND] = (uint32_t)d->ConservativeRasterizationMode,
    };

    memset(commands, 0, sizeof(*commands));
    commands->head.bCommand = D3DDP2OP_RENDERSTATE;
    commands->head.wStateCount = EXTENSION_RS_RASTERIZER_COUNT;
    for (uint32_t i = 0; i < EXTENSION_RS_RASTERIZER_COUNT; i++) {
        commands->state[i].RenderState = (D3DRENDERSTATETYPE)(EXTENSION_RS_BOUND + i);
        commands->state[i].dwState = value[i];
    }
}

static HRESULT wddm2_run(uint32_t handle, const struct commands *commands)
{
    const struct hal_execute execute = {.commands = (const uint8_t *)commands, .command_bytes = sizeof(*commands)};
    const struct record_draw_call call = {
        .context = handle, .commands = execute.commands, .command_bytes = execute.command_bytes};
    struct hal_context *context = ddi_root.driver ? hal_context_find(ddi_root.driver, handle) : NULL;
    uint32_t error;

    if (!context)
        return D3DHAL_CONTEXT_BAD;
    RECORD(draw, &call);
    return hal_context_execute(context, &execute, &error);
}

static VOID APIENTRY wddm2_set_state(D3D10DDI_HDEVICE handle, D3D10DDI_HRASTERIZERSTATE state)
{
    const struct device *device = device_of(handle);
    const struct rasterizer_state *object = state.pDrvPrivate;
    struct commands commands;
    HRESULT hr;

    if (!device)
        return;
    if (object && object->magic != STATE_MAGIC) {
        log_warn("SetRasterizerState: %p is not a rasterizer state", state.pDrvPrivate);
        wddm2_report(device, E_INVALIDARG);
        return;
    }
    wddm2_describe(object ? &object->desc : NULL, &commands);
    DDI_ENTER();
    hr = wddm2_run(device->context, &commands);
    DDI_LEAVE();
    wddm2_report(device, hr == D3DHAL_CONTEXT_BAD ? E_INVALIDARG : hr);
}

const WDDM2_CALLBACKS ddi_wddm2_callbacks = {
    .dwSize = sizeof(ddi_wddm2_callbacks),
    .pfnGetCaps = get_caps,
    .pfnCalcPrivateDeviceSize = calc_device_size,
    .pfnCreateDevice = create_device,
    .pfnDestroyDevice = destroy_device,
    .pfnCalcPrivateRasterizerStateSize = calc_state_size,
    .pfnCreateRasterizerState = create_state,
    .pfnDestroyRasterizerState = destroy_state,
    .pfnSetRasterizerState = wddm2_set_state,
};
