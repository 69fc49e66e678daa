/* SPDX-License-Identifier: MIT */
/*
 * The life of a device that has no frame (runtime/common/device/device.h): it is made on surfaces that exist, and they remain when it
 * is released, as with devices of Direct3D 7.
 */
#include "tests/unit/rt_fixture.h"

#include "runtime/common/device/draw.h"

#define RED  0xffff0000u
#define BLUE 0xff0000ffu

static struct {
    unsigned parent_refs, created, lost, destroyed;
} counts;

static ULONG WINAPI parent_AddRef(IUnknown *iface)
{
    (void)iface;
    return ++counts.parent_refs;
}

static ULONG WINAPI parent_Release(IUnknown *iface)
{
    (void)iface;
    return --counts.parent_refs;
}

static IUnknownVtbl parent_vtbl = {.AddRef = parent_AddRef, .Release = parent_Release};
static IUnknown parent = {&parent_vtbl};

static void context_created(struct rt_device *device)
{
    assert_true(rt_link_has_context(device->link));
    counts.created++;
}

static void context_lost(struct rt_device *device)
{
    assert_true(rt_link_has_context(device->link));
    counts.lost++;
}

static void device_destroyed(struct rt_device *device)
{
    assert_non_null(device->link);
    counts.destroyed++;
}

static const struct rt_state_ops state_ops = {rt_no_handle, rt_no_handle, rt_shader_handle, rt_shader_handle,
                                              rt_no_handle};
static const struct rt_api api = {
    .state_rules = &d3d8_state_rules,
    .state_ops = &state_ops,
    .context_created = context_created,
    .context_lost = context_lost,
    .device_destroyed = device_destroyed,
};

static struct rt_device *make_device(struct rt_adapter *adapter, struct rt_link *link)
{
    const struct rt_device_desc desc = {
        .api = &api,
        .adapter = adapter,
        .link = link,
        .caps.MaxPointSize = 64.0f,
        .creation.BehaviorFlags = D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_FPU_PRESERVE,
    };
    struct rt_device *device = calloc(1, sizeof(*device));

    assert_non_null(device);
    memset(&counts, 0, sizeof(counts));
    device->parent = &parent;
    assert_int_equal(rt_device_init(device, &desc), D3D_OK);
    assert_false(rt_link_has_context(device->link));
    assert_int_equal(counts.parent_refs, 1);
    return device;
}

/* A surface of the device over memory that exists. */
static struct rt_surface *wrap(struct rt_device *device, struct rt_chain *chain, unsigned part, DWORD usage)
{
    const struct rt_surface_desc desc = {.format = chain->desc.format,
                                         .usage = usage,
                                         .pool = D3DPOOL_DEFAULT,
                                         .width = chain->parts[part].width,
                                         .height = chain->parts[part].height};
    struct rt_surface *surface = rt_surface_wrap(device, chain, part, &desc, true);

    assert_non_null(surface);
    return surface;
}

static void fill(struct rt_chain *chain, unsigned part, uint32_t value)
{
    struct rt_mapping map;

    assert_int_equal(rt_chain_lock(chain, part, 0, &map), D3D_OK);
    for (unsigned y = 0; y < chain->parts[part].height; y++)
        for (unsigned x = 0; x < chain->parts[part].width; x++)
            memcpy(map.bits + y * map.pitch + 4 * x, &value, 4);
    rt_chain_unlock(chain, part);
}

static uint32_t pixel(struct rt_chain *chain, unsigned part, unsigned x, unsigned y)
{
    struct rt_mapping map;
    uint32_t value;

    assert_int_equal(rt_chain_lock(chain, part, D3DLOCK_READONLY, &map), D3D_OK);
    memcpy(&value, map.bits + y * map.pitch + 4 * x, 4);
    rt_chain_unlock(chain, part);
    return value;
}

static void test_on_existing_surfaces(void **state)
{
    struct rt_adapter *adapter = rt_open_adapter(&d3d8_driver_rules);
    struct rt_link *link = rt_link_open(adapter);
    struct rt_chain *color = rt_open_chain(link, RT_CHAIN_TARGET, D3DFMT_A8R8G8B8);
    struct rt_chain *z = rt_open_chain(link, RT_CHAIN_DEPTH, D3DFMT_D24S8);
    const D3DRECT corner = {0, 0, 8, 8};
    struct rt_device *device;
    struct rt_surface *target, *depth;

    (void)state;
    fill(color, 0, RED);
    device = make_device(adapter, link);
    assert_ptr_equal(device->link, link);
    target = wrap(device, color, 0, D3DUSAGE_RENDERTARGET);
    depth = wrap(device, z, 0, D3DUSAGE_DEPTHSTENCIL);
    assert_int_equal(rt_device_create_context(device, target, depth), D3D_OK);
    assert_int_equal(counts.created, 1);
    assert_int_equal(device->pipe.state.render[D3DRS_ZENABLE], D3DZB_TRUE);
    assert_int_equal(device->pipe.state.viewport.Width, RT_SIZE);
    assert_ptr_equal(device->target[0], target);
    assert_ptr_equal(device->depth, depth);

    /* what was drawn before is there */
    assert_int_equal(rt_device_Clear(device, 1, &corner, D3DCLEAR_TARGET, BLUE, 0.0f, 0), D3D_OK);
    assert_int_equal(pixel(color, 0, 0, 0), BLUE);
    assert_int_equal(pixel(color, 0, 8, 8), RED);

    /* another context, without depth */
    rt_device_lose_context(device);
    assert_int_equal(counts.lost, 1);
    assert_null(device->target[0]);
    assert_null(device->depth);
    assert_int_equal(rt_device_create_context(device, target, NULL), D3D_OK);
    assert_int_equal(counts.created, 2);
    assert_int_equal(device->pipe.state.render[D3DRS_ZENABLE], D3DZB_FALSE);
    assert_int_equal(rt_device_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0), D3DERR_INVALIDCALL);

    rt_resource_unhold(&target->res);
    rt_resource_unhold(&depth->res);
    assert_int_equal(rt_device_Release(device), 0);
    assert_int_equal(counts.destroyed, 1);
    assert_int_equal(counts.parent_refs, 0);
    /* the surfaces do not belong to it */
    assert_false(rt_link_has_context(link));
    assert_int_equal(pixel(color, 0, 0, 0), BLUE);
    rt_chain_destroy(color);
    rt_chain_destroy(z);
    rt_link_close(link);
    rt_adapter_destroy(adapter);
}

/* A level of a texture is a surface like any other; without a link the device has its own. */
static void test_on_a_level(void **state)
{
    const struct rt_chain_desc desc = {.kind = RT_CHAIN_TEXTURE,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = D3DFMT_A8R8G8B8,
                                       .width = RT_SIZE,
                                       .height = RT_SIZE,
                                       .depth = 1,
                                       .levels = 2,
                                       .is_target = true};
    struct rt_adapter *adapter = rt_open_adapter(&d3d8_driver_rules);
    struct rt_device *device = make_device(adapter, NULL);
    struct rt_surface *target;
    struct rt_chain *chain;

    (void)state;
    assert_int_equal(rt_chain_create(device->link, &desc, &chain), D3D_OK);
    fill(chain, 0, RED);
    fill(chain, 1, RED);
    target = wrap(device, chain, 1, D3DUSAGE_RENDERTARGET);
    assert_int_equal(rt_device_create_context(device, target, NULL), D3D_OK);
    assert_int_equal(device->pipe.state.viewport.Width, RT_SIZE / 2);
    assert_int_equal(rt_device_Clear(device, 0, NULL, D3DCLEAR_TARGET, BLUE, 0.0f, 0), D3D_OK);
    assert_int_equal(pixel(chain, 0, 0, 0), RED);
    assert_int_equal(pixel(chain, 1, RT_SIZE / 2 - 1, RT_SIZE / 2 - 1), BLUE);
    rt_device_unbind_targets(device);
    rt_resource_unhold(&target->res);
    rt_chain_destroy(chain);
    assert_int_equal(rt_device_Release(device), 0);
    assert_int_equal(counts.parent_refs, 0);
    rt_adapter_destroy(adapter);
}

/* The first step can be undone without the second. */
static void test_without_a_context(void **state)
{
    struct rt_adapter *adapter = rt_open_adapter(&d3d8_driver_rules);
    struct rt_device *device = make_device(adapter, NULL);

    (void)state;
    rt_device_destroy(device);
    assert_int_equal(counts.created, 0);
    assert_int_equal(counts.lost, 0);
    assert_int_equal(counts.destroyed, 1);
    assert_int_equal(counts.parent_refs, 0);
    rt_adapter_destroy(adapter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_existing_surfaces),
        cmocka_unit_test(test_on_a_level),
        cmocka_unit_test(test_without_a_context),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
