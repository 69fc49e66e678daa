/* SPDX-License-Identifier: MIT */
/* Reports about states, texture stages and fog without shaders, as programs of Direct3D 9 set them. */
#include "tests/reports/scene9.h"

/* --- fog ---------------------------------------------------------------------------------------- */

/*
 * Symptom: transformed vertices without a specular colour are not fogged while fog is on and no formula is chosen. Right: wholly
 * fogged; the factor is the specular colour's alpha, and what a vertex lacks is 0. Measured on Windows, too, besides the layer.
 */
static void fog_without_specular(void)
{
    const struct {
        float x, y, z, w;
        DWORD diffuse, specular;
    } both[4] = {{0, 0, 0.5f, 1, 0xffff0000, 0xff000000},
                 {WIDTH, 0, 0.5f, 1, 0xffff0000, 0xff000000},
                 {0, HEIGHT, 0.5f, 1, 0xffff0000, 0xff000000},
                 {WIDTH, HEIGHT, 0.5f, 1, 0xffff0000, 0xff000000}};
    const struct {
        float x, y, z, w;
        DWORD diffuse;
    } diffuse[4] = {{0, 0, 0.5f, 1, 0xffff0000},
                    {WIDTH, 0, 0.5f, 1, 0xffff0000},
                    {0, HEIGHT, 0.5f, 1, 0xffff0000},
                    {WIDTH, HEIGHT, 0.5f, 1, 0xffff0000}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_FOGENABLE, TRUE);
    state9(device, D3DRS_FOGCOLOR, 0x00ff00);
    draw_strip9(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR, both, sizeof(both[0]));
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 1);
    draw_strip9(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, diffuse, sizeof(diffuse[0]));
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x00ff00, 1);
    clear_all9(device, 0);
    fill9(device, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x00ff00, 1);
    close_scene9(device);
}

/* --- textures that are not there ------------------------------------------------------------------ */

/*
 * Symptom: sprites of Empire Earth 2 are opaque. Right: where an operation reads the texture without an argument that names it, an
 * unbound one is (0, 0, 0, 0). Found on Windows by the authors of one layer; another followed.
 */
static void unbound_texture(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_TEXTUREFACTOR, 0xff0000ff);
    stage9(device, 0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
    stage9(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    stage9(device, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    stage9(device, 0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
    stage9(device, 0, D3DTSS_COLOROP, D3DTOP_BLENDTEXTUREALPHA);
    fill9(device, 0x80ff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x0000ff, 1);
    stage9(device, 0, D3DTSS_COLOROP, D3DTOP_BLENDTEXTUREALPHAPM);
    fill9(device, 0x80ff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff00ff, 1);
    clear_all9(device, 0);
    stage9(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage9(device, 0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
    state9(device, D3DRS_ALPHATESTENABLE, TRUE);
    state9(device, D3DRS_ALPHAREF, 0x40);
    state9(device, D3DRS_ALPHAFUNC, D3DCMP_GREATER);
    fill9(device, 0x80ff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000,
                0); /* one that is named is not 0 (Wine's test_per_stage_constant) */
    close_scene9(device);
}

/* Right: a stage whose first colour argument is a texture that is not there ends the cascade; documented ("Texture Blending"). */
static void unbound_texture_ends(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_TEXTUREFACTOR, 0xff0000ff);
    stage9(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage9(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage9(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    select9(device, 1, D3DTA_TFACTOR);
    fill9(device, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 0);
    close_scene9(device);
}

/* --- values out of range -------------------------------------------------------------------------- */

/*
 * Symptom: what is tested against a reference above 255 vanishes: a game writes a float into D3DRS_ALPHAREF, another 65488. Right:
 * the low byte counts. One layer's behaviour, and three more that came to the same.
 */
static void alpha_reference(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_ALPHATESTENABLE, TRUE);
    state9(device, D3DRS_ALPHAFUNC, D3DCMP_GREATER);
    state9(device, D3DRS_ALPHAREF, float_bits(0.5f)); /* its low byte is 0 */
    draw_rect9(device, 0, 0, 320, HEIGHT, 0x40ff0000);
    state9(device, D3DRS_ALPHAREF, 65488); /* 0xd0 */
    draw_rect9(device, 320, 0, 480, HEIGHT, 0xff00ff00);
    draw_rect9(device, 480, 0, WIDTH, HEIGHT, 0x800000ff);
    CHECK_COLOR(read_pixel9(device, 160, 240), 0xff0000, 0);
    CHECK_COLOR(read_pixel9(device, 400, 240), 0x00ff00, 0);
    CHECK_COLOR(read_pixel9(device, 560, 240), 0, 0);
    close_scene9(device);
}

/* Symptom: trees of S.T.A.L.K.E.R. are rectangles: the game switches the alpha test on with 0xff. Right: all but 0 is on. */
static void true_is_not_one(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_ALPHATESTENABLE, 0xff);
    state9(device, D3DRS_ALPHAFUNC, D3DCMP_GREATER);
    state9(device, D3DRS_ALPHAREF, 0x80);
    draw_rect9(device, 0, 0, 320, HEIGHT, 0x40ff0000);
    state9(device, D3DRS_ALPHATESTENABLE, FALSE);
    state9(device, D3DRS_FOGENABLE, 0xff00);
    state9(device, D3DRS_FOGCOLOR, 0x00ff00);
    state9(device, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    state9(device, D3DRS_FOGSTART, float_bits(0));
    state9(device, D3DRS_FOGEND, float_bits(0.25f));
    draw_rect9(device, 320, 0, WIDTH, HEIGHT, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 160, 240), 0, 0);
    CHECK_COLOR(read_pixel9(device, 480, 240), 0x00ff00, 1);
    close_scene9(device);
}

/* Symptom: only points are seen; the game left 0xfafbfcfd in D3DRS_FILLMODE. Right: solid. Microsoft's own layer was mended so. */
static void fill_mode_of_nonsense(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    IDirect3DDevice9_SetRenderState(device, D3DRS_FILLMODE, 0xfafbfcfd);
    fill9(device, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 0);
    CHECK_COLOR(read_pixel9(device, 101, 77), 0xff0000, 0);
    close_scene9(device);
}

/* Right: comparisons above the last are the last, which always passes, and below the first the first, which never does. Measured on
 * Windows by a layer's authors. */
static void comparison_out_of_range(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_ALPHATESTENABLE, TRUE);
    state9(device, D3DRS_ALPHAREF, 0xff);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHAFUNC, 0x10000);
    draw_rect9(device, 0, 0, 320, HEIGHT, 0x40ff0000);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ALPHAFUNC, 0);
    draw_rect9(device, 320, 0, WIDTH, HEIGHT, 0xff00ff00);
    CHECK_COLOR(read_pixel9(device, 160, 240), 0xff0000, 0);
    CHECK_COLOR(read_pixel9(device, 480, 240), 0, 0);
    close_scene9(device);
}

/* Right: a state that does not exist is taken without a word, and nothing is drawn otherwise; a game sets some. Tried on Windows. */
static void states_that_do_not_exist(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)0, 0xffffffff), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)6, 0xffffffff), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, (D3DRENDERSTATETYPE)255, 0xffffffff), D3D_OK);
    fill9(device, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 0);
    close_scene9(device);
}

/*
 * Symptom: nothing but the HUD is seen, because a level-of-detail bias that is not a number made the layer drop the sampler. Right:
 * as without a bias. Two layers behave like this; one of them names several games that depend on it.
 */
static void bias_that_is_not_a_number(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *texture = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 256, 256, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
             D3D_OK);
    fill_level9(texture, 0, 0, 0xffff0000);
    fill_level9(texture, 1, 0, 0xff00ff00);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    select9(device, 0, D3DTA_TEXTURE);
    sampler9(device, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
    sampler9(device, 0, D3DSAMP_MIPMAPLODBIAS, 0xffc00000);
    draw_rect9(device, 0, 0, 256, 256, 0);
    CHECK_COLOR(read_pixel9(device, 128, 128), 0xff0000, 0);
    draw_rect9(device, 256, 0, 384, 128, 0);
    CHECK_COLOR(read_pixel9(device, 320, 64), 0x00ff00, 0);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* Symptom: a picture hangs over the minimap's frame. Right: the viewport clips transformed vertices too, without a
 * scissor test. */
static void viewport_cuts_transformed(void)
{
    const D3DVIEWPORT9 viewport = {100, 100, 100, 100, 0, 1};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetViewport(device, &viewport), D3D_OK);
    fill9(device, 0xffff0000);
    CHECK_COLOR(read_pixel9(device, 99, 150), 0, 0);
    CHECK_COLOR(read_pixel9(device, 100, 100), 0xff0000, 0);
    CHECK_COLOR(read_pixel9(device, 199, 199), 0xff0000, 0);
    CHECK_COLOR(read_pixel9(device, 200, 150), 0, 0);
    close_scene9(device);
}

/* --- stages --------------------------------------------------------------------------------------- */

/*
 * Symptom: the motion tracker of Halo is blended wrongly: the border's alpha of an A8L8 texture came from the wrong channel. Right:
 * alpha is the border colour's alpha whatever the format; as two vendors' drivers have it.
 */
static void border_of_two_channels(void)
{
    static const uint8_t texel[2] = {0xff, 0xff};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *texture;

    if (!device)
        return;
    texture = texture9(device, D3DFMT_A8L8, 1, 1, texel, sizeof(texel));
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    sampler9(device, 0, D3DSAMP_ADDRESSU, D3DTADDRESS_BORDER);
    sampler9(device, 0, D3DSAMP_BORDERCOLOR, 0x4000ff00);
    select9(device, 0, D3DTA_TEXTURE);
    stage9(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE | D3DTA_ALPHAREPLICATE);
    stage9(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    {
        const struct {
            float x, y, z, w, u, v;
        } corners[4] = {{0, 0, 0.5f, 1, 2, 0},
                        {WIDTH, 0, 0.5f, 1, 2, 0},
                        {0, HEIGHT, 0.5f, 1, 2, 1},
                        {WIDTH, HEIGHT, 0.5f, 1, 2, 1}};

        draw_strip9(device, D3DFVF_XYZRHW | D3DFVF_TEX1, corners, sizeof(corners[0]));
    }
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x404040, 1);
    IDirect3DTexture9_Release(texture);
    close_scene9(device);
}

/* Symptom: reflections without ripples, because the bump map was unbound as no argument names it. Right: it moves the next stage. */
static void bump_map_of_the_stage_before(void)
{
    static const int8_t offset[2] = {127, 0};
    static const DWORD halves[2] = {0xffff0000, 0xff00ff00};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DTexture9 *bump, *picture;

    if (!device)
        return;
    bump = texture9(device, D3DFMT_V8U8, 1, 1, offset, sizeof(offset));
    picture = texture9(device, D3DFMT_X8R8G8B8, 2, 1, halves, sizeof(halves[0]));
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)bump), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 1, (IDirect3DBaseTexture9 *)picture), D3D_OK);
    stage9(device, 0, D3DTSS_COLOROP, D3DTOP_BUMPENVMAP);
    stage9(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage9(device, 0, D3DTSS_BUMPENVMAT00, float_bits(0.5f));
    stage9(device, 0, D3DTSS_BUMPENVMAT11, float_bits(0.5f));
    select9(device, 1, D3DTA_TEXTURE);
    stage9(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    fill9(device, 0xffffffff);
    CHECK_COLOR(read_pixel9(device, 160, 240), 0x00ff00, 0); /* of the other half */
    CHECK_COLOR(read_pixel9(device, 480, 240), 0xff0000, 0);
    stage9(device, 0, D3DTSS_BUMPENVMAT00, float_bits(0));
    fill9(device, 0xffffffff);
    CHECK_COLOR(read_pixel9(device, 160, 240), 0xff0000, 0);
    IDirect3DTexture9_Release(bump);
    IDirect3DTexture9_Release(picture);
    close_scene9(device);
}

/* Right: what a stage puts into TEMP is there for a later one, and CURRENT is what it was; documented (D3DTSS_RESULTARG). */
static void temporary_of_stages(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_TEXTUREFACTOR, 0xff0000c0);
    select9(device, 0, D3DTA_TFACTOR);
    stage9(device, 0, D3DTSS_RESULTARG, D3DTA_TEMP);
    select9(device, 1, D3DTA_DIFFUSE);
    stage9(device, 2, D3DTSS_COLOROP, D3DTOP_ADD);
    stage9(device, 2, D3DTSS_COLORARG1, D3DTA_TEMP);
    stage9(device, 2, D3DTSS_COLORARG2, D3DTA_CURRENT);
    fill9(device, 0xff800000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x8000c0, 0);
    stage9(device, 2, D3DTSS_COLORARG1, D3DTA_CURRENT);
    fill9(device, 0xff400000);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x800000, 0);
    close_scene9(device);
}

/* Right: (1 - arg1) arg2 + the alpha of arg1; documented (D3DTOP_MODULATEINVCOLOR_ADDALPHA). */
static void inverse_color_and_alpha(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_TEXTUREFACTOR, 0x408000ff);
    stage9(device, 0, D3DTSS_COLOROP, D3DTOP_MODULATEINVCOLOR_ADDALPHA);
    stage9(device, 0, D3DTSS_COLORARG1, D3DTA_TFACTOR);
    stage9(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    fill9(device, 0xffffffff);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xbfff40, 1);
    close_scene9(device);
}

/*
 * Symptom: a mirror shows what lies behind it. Right: R = 2 (E.N) N - E, E towards the eye; documented (D3DTSS_TCI). Looking
 * along +z at a face that looks back, the reflection is that of -z.
 */
static void reflection_towards_the_eye(void)
{
    const struct {
        float x, y, z, nx, ny, nz;
    } quad[4] = {{-1, 1, 0.5f, 0, 0, -1}, {1, 1, 0.5f, 0, 0, -1}, {-1, -1, 0.5f, 0, 0, -1}, {1, -1, 0.5f, 0, 0, -1}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DCubeTexture9 *cube = NULL;
    D3DLOCKED_RECT locked;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_CreateCubeTexture(device, 1, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &cube, NULL),
             D3D_OK);
    for (unsigned face = 0; face < 6; face++) {
        CHECK_HR(IDirect3DCubeTexture9_LockRect(cube, (D3DCUBEMAP_FACES)face, 0, &locked, NULL, 0), D3D_OK);
        *(DWORD *)locked.pBits = face == D3DCUBEMAP_FACE_NEGATIVE_Z ? 0x00ff00 : 0xff0000;
        CHECK_HR(IDirect3DCubeTexture9_UnlockRect(cube, (D3DCUBEMAP_FACES)face, 0), D3D_OK);
    }
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)cube), D3D_OK);
    select9(device, 0, D3DTA_TEXTURE);
    stage9(device, 0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR);
    stage9(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT3);
    draw_strip9(device, D3DFVF_XYZ | D3DFVF_NORMAL, quad, sizeof(quad[0]));
    CHECK_COLOR(read_pixel9(device, 322, 242), 0x00ff00, 0);
    IDirect3DCubeTexture9_Release(cube);
    close_scene9(device);
}

static const struct report reports[] = {
    {"fog_without_specular", "doitsujin/dxvk#5470", fog_without_specular},
    {"unbound_texture", "doitsujin/dxvk#5730", unbound_texture},
    {"unbound_texture_ends", "Cxbx-Reloaded/Cxbx-Reloaded-legacy#2201", unbound_texture_ends},
    {"alpha_reference", "doitsujin/dxvk#1432", alpha_reference},
    {"true_is_not_one", "microsoft/D3D9On12#86", true_is_not_one},
    {"fill_mode_of_nonsense", "microsoft/D3D9On12#6", fill_mode_of_nonsense},
    {"comparison_out_of_range", "iXit/wine#15", comparison_out_of_range},
    {"states_that_do_not_exist", "misyltoad/d9vk#143", states_that_do_not_exist},
    {"bias_that_is_not_a_number", "misyltoad/d9vk#36", bias_that_is_not_a_number},
    {"viewport_cuts_transformed", "doitsujin/dxvk#1626", viewport_cuts_transformed},
    {"border_of_two_channels", "doitsujin/dxvk#5388", border_of_two_channels},
    {"bump_map_of_the_stage_before", "doitsujin/dxvk#5776", bump_map_of_the_stage_before},
    {"temporary_of_stages", "athei/mtld3d#711", temporary_of_stages},
    {"inverse_color_and_alpha", "athei/mtld3d#720", inverse_color_and_alpha},
    {"reflection_towards_the_eye", "athei/mtld3d#723", reflection_towards_the_eye},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
