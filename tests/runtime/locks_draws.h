/* SPDX-License-Identifier: MIT */
/*
 * The draws of struct locks_api, and the device for them, which the two versions share except for names. A file includes
 * program.h or program9.h, defines the functions that differ, and includes this once.
 */
static void set_viewport(void *device, unsigned x, unsigned y, unsigned width, unsigned height)
{
    const VIEWPORT viewport = {x, y, width, height, 0, 1};

    D3D_CALL(Device, SetViewport)((D3D_FACE(Device) *)device, &viewport);
}

static void draw_buffer(void *any_device, IUnknown *vertices, IUnknown *indices)
{
    D3D_FACE(Device) *device = any_device;

    set_format(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    D3D_CALL(Device, SetTextureStageState)(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    set_vertices(device, (D3D_FACE(VertexBuffer) *)vertices, sizeof(struct locks_vertex));
    if (indices)
        draw_indexed(device, (D3D_FACE(IndexBuffer) *)indices);
    else
        D3D_CALL(Device, DrawPrimitive)(device, D3DPT_TRIANGLESTRIP, 0, 2);
}

static void draw_texture(void *any_device, IUnknown *texture, const struct locks_corner corners[LOCKS_CORNERS])
{
    D3D_FACE(Device) *device = any_device;

    set_format(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0));
    D3D_CALL(Device, SetTexture)(device, 0, (D3D_FACE(BaseTexture) *)texture);
    D3D_CALL(Device, SetTextureStageState)(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    D3D_CALL(Device, DrawPrimitiveUP)(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
    D3D_CALL(Device, SetTexture)(device, 0, NULL);
}

/* Runs all cases on a device with a lockable back buffer, which is `back` meanwhile. */
static void run(const struct locks_api *api)
{
    HWND window = open_window();
    D3D_FACE(Device) *device = api->devices->open(window, DEVICE_LOCKABLE, 0);

    if (!device)
        return;
    CHECK_HR(get_back_buffer(device, &back), D3D_OK);
    D3D_CALL(Device, SetRenderState)(device, D3DRS_LIGHTING, FALSE);
    D3D_CALL(Device, SetRenderState)(device, D3DRS_CULLMODE, D3DCULL_NONE);
    D3D_CALL(Device, SetRenderState)(device, D3DRS_ZENABLE, FALSE);
    D3D_CALL(Device, SetTextureStageState)(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    locks_run(api, device);
    D3D_CALL(Surface, Release)(back);
    api->devices->close(device, window);
}
