/* SPDX-License-Identifier: MIT */
/* Surfaces that are made, attached, flipped, detached and destroyed one by one, as DirectDraw programs do, through the driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "tests/unit/client_fixture.h"

static struct hal_surface *hal_of(struct client_surface *surface)
{
    struct hal_surface *result = hal_surface_from_lcl(&surface->lcl);
    assert_non_null(result);
    return result;
}

static uint32_t first_word(struct client_surface *surface)
{
    struct client_lock lock;
    uint32_t word;
    assert_int_equal(client_lock(surface, NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&word, lock.bits, sizeof(word));
    client_unlock(surface);
    return word;
}

static struct client_surface *create_one(const struct client_chain_desc *desc, unsigned part)
{
    struct client_surface *surface;
    assert_int_equal(client_surface_create(client, desc, part, &surface), DD_OK);
    return surface;
}

static void test_levels_attached_one_by_one(void **state)
{
    const uint32_t kinds[] = {CLIENT_TEXTURE, CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const struct client_chain_desc desc = {
            .usage = kinds[k], .format = D3DFMT_R5G6B5, .width = 32, .height = 8, .levels = 3};
        struct client_surface *level[3];
        struct hal_surface *top;
        for (unsigned i = 0; i < 3; i++)
            level[i] = create_one(&desc, i);
        top = hal_of(level[0]);
        assert_int_equal(top->texture->level_count, 1);
        /* the lower ones first: the driver hears of the whole texture */
        assert_int_equal(client_attach(level[1], level[2]), DD_OK);
        assert_int_equal(top->texture->level_count, 1);
        assert_int_equal(client_attach(level[0], level[1]), DD_OK);
        assert_int_equal(top->texture->level_count, 3);
        assert_ptr_equal(top->texture->parts[0][2], hal_of(level[2]));
        assert_int_equal(client_attach(level[0], level[1]), DDERR_SURFACEALREADYATTACHED);
        assert_int_equal(client_detach(level[1], level[2]), DD_OK);
        assert_int_equal(top->texture->level_count, 2);
        assert_null(hal_of(level[2])->texture);
        assert_int_equal(client_detach(level[1], level[2]), DDERR_SURFACENOTATTACHED);
        assert_int_equal(client_attach(level[1], level[2]), DD_OK);
        assert_int_equal(top->texture->level_count, 3);
        /* destroying one detaches those below it from the texture, but the driver keeps them */
        client_surface_destroy(level[1]);
        assert_int_equal(top->texture->level_count, 1);
        assert_null(level[0]->lcl.lpAttachList);
        assert_null(level[2]->lcl.lpAttachListFrom);
        assert_int_equal(client_fill(level[2], NULL, 0x1234), DD_OK);
        assert_int_equal(first_word(level[2]) & 0xffff, 0x1234);
        client_surface_destroy(level[0]);
        client_surface_destroy(level[2]);
    }
}

static void test_flip_of_single_surfaces(void **state)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_PRIMARY, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8, .back_buffers = 2};
    struct client_surface *buffers[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        buffers[i] = create_one(&desc, i);
        client_fill(buffers[i], NULL, i);
    }
    assert_int_equal(client_flip(buffers[0], NULL, 0), DDERR_NOTFLIPPABLE);
    assert_int_equal(client_attach(buffers[0], buffers[1]), DD_OK);
    assert_int_equal(client_flip(buffers[0], NULL, 0), DD_OK);
    assert_int_equal(first_word(buffers[0]), 1);
    assert_int_equal(first_word(buffers[1]), 0);
    assert_int_equal(first_word(buffers[2]), 2);
    assert_int_equal(client_attach(buffers[1], buffers[2]), DD_OK);
    assert_int_equal(client_attach(buffers[2], buffers[0]), DD_OK);
    assert_int_equal(client_flip(buffers[0], NULL, 0), DD_OK);
    assert_int_equal(first_word(buffers[0]), 0);
    assert_int_equal(first_word(buffers[1]), 2);
    assert_int_equal(first_word(buffers[2]), 1);
    assert_int_equal(client_detach(buffers[0], buffers[1]), DD_OK);
    assert_int_equal(client_flip(buffers[0], NULL, 0), DDERR_NOTFLIPPABLE);
    for (unsigned i = 0; i < 3; i++)
        client_surface_destroy(buffers[i]);
}

static void test_attachments_that_cannot_be(void **state)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TARGET, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8};
    const struct client_chain_desc deep = {.usage = CLIENT_DEPTH, .format = D3DFMT_D16, .width = 8, .height = 8};
    struct client *other = client_create(client_get_driver(client));
    struct client_surface *target = create_one(&desc, 0), *depth = create_one(&deep, 0), *foreign, *none = target;
    (void)state;
    assert_int_equal(client_surface_create(other, &desc, 0, &foreign), DD_OK);
    assert_int_equal(client_surface_create(client, &desc, 1, &none), DDERR_INVALIDPARAMS);
    assert_null(none);
    assert_int_equal(client_attach(target, target), DDERR_CANNOTATTACHSURFACE);
    assert_int_equal(client_attach(target, foreign), DDERR_CANNOTATTACHSURFACE);
    assert_int_equal(client_attach(target, depth), DD_OK);
    assert_ptr_equal(target->lcl.lpAttachList->lpAttached, &depth->lcl);
    assert_ptr_equal(depth->lcl.lpAttachListFrom->lpAttached, &target->lcl);
    client_surface_destroy(target);
    assert_null(depth->lcl.lpAttachListFrom);
    client_surface_destroy(depth);
    client_surface_destroy(foreign);
    client_surface_destroy(NULL);
    client_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_attached_one_by_one),
        cmocka_unit_test(test_flip_of_single_surfaces),
        cmocka_unit_test(test_attachments_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
