/* SPDX-License-Identifier: MIT */
/*
 * triangle [FILE.ppm]: draws a triangle, and prints the hash of the picture. The background is cleared by a stream of bytes, as a
 * runtime sends it to the driver; the triangle is text.
 */
#include <halcyon.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  160
#define HEIGHT 120

/* D3DHAL_DP2COMMAND and D3DHAL_DP2CLEAR with one rectangle (docs/tokens.md). */
struct clear {
    uint8_t command, reserved;
    uint16_t count;
    uint32_t flags, color;
    float depth;
    uint32_t stencil;
    int32_t left, top, right, bottom;
};
#define DP2OP_CLEAR 42
#define CLEAR_ALL   3 /* D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER */

static const char triangle[] = "draw device {\n"
                               "  VIEWPORTINFO {x=0 y=0 width=160 height=120}  ZRANGE {min=0 max=1}\n"
                               "  RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE}\n"
                               "  SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}  SETSTREAMSOURCEUM {stream=0 stride=20}\n"
                               "  DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n"
                               "  user_vertices { fvf(XYZRHW|DIFFUSE\n"
                               "    80 10 0.5 1 #ffff0000  150 110 0.5 1 #ff00ff00  10 110 0.5 1 #ff0000ff) }\n"
                               "}\n";

static int draw(struct halcyon_device *device)
{
    const struct clear clear = {
        .command = DP2OP_CLEAR,
        .count = 1,
        .flags = CLEAR_ALL,
        .color = 0xff204060,
        .depth = 1,
        .right = WIDTH,
        .bottom = HEIGHT,
    };
    const struct halcyon_stream stream = {.commands = &clear, .command_bytes = sizeof(clear)};
    uint32_t offset;

    return halcyon_device_execute(device, &stream, &offset) == HALCYON_OK &&
           halcyon_device_text(device, triangle, strlen(triangle)) == HALCYON_OK;
}

static int write_ppm(const struct halcyon_picture *picture, const char *path)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return 0;
    fprintf(file, "P6 %" PRIu32 " %" PRIu32 " 255\n", picture->width, picture->height);
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint8_t *row = picture->pixels + (size_t)y * picture->stride;

        for (uint32_t x = 0; x < picture->width; x++) {
            const uint8_t rgb[3] = {row[4 * x + 2], row[4 * x + 1], row[4 * x]};

            fwrite(rgb, 1, sizeof(rgb), file);
        }
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    struct halcyon_device *device = NULL;
    struct halcyon_picture picture;
    int status = 1;

    if (halcyon_device_create(WIDTH, HEIGHT, &device) != HALCYON_OK || !draw(device) ||
        halcyon_device_picture(device, 0, &picture) != HALCYON_OK) {
        fprintf(stderr, "triangle: %s\n", halcyon_message());
    } else {
        printf("%016" PRIx64 "\n", picture.hash);
        status = argc > 1 && !write_ppm(&picture, argv[1]);
    }
    halcyon_device_destroy(device);
    return status;
}
