/* SPDX-License-Identifier: MIT */
/*
 * The functions of struct device_api that the two versions share except for the names of interfaces. A file includes program.h or
 * program9.h, defines the functions that differ, and DEVICES as devices8 or devices9, and includes this once.
 */
static HRESULT reset(void *device, HWND window, unsigned options)
{
    D3DPRESENT_PARAMETERS p = parameters(window, options);

    return D3D_CALL(Device, Reset)((D3D_FACE(Device) *)device, &p);
}

static void clear(void *device, uint32_t rgb)
{
    CHECK_HR(D3D_CALL(Device, Clear)((D3D_FACE(Device) *)device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0),
             D3D_OK);
}

static HRESULT begin_scene(void *device)
{
    return D3D_CALL(Device, BeginScene)((D3D_FACE(Device) *)device);
}

static HRESULT end_scene(void *device)
{
    return D3D_CALL(Device, EndScene)((D3D_FACE(Device) *)device);
}

static HRESULT present(void *device, HWND window)
{
    return D3D_CALL(Device, Present)((D3D_FACE(Device) *)device, NULL, NULL, window, NULL);
}

static UINT free_memory(void *device)
{
    return D3D_CALL(Device, GetAvailableTextureMem)((D3D_FACE(Device) *)device);
}

const struct device_api DEVICES = {
    .open = open,
    .close = close,
    .reset = reset,
    .clear = clear,
    .begin_scene = begin_scene,
    .end_scene = end_scene,
    .present = present,
    .read = read,
    .free_memory = free_memory,
};
