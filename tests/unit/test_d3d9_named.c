/* SPDX-License-Identifier: MIT */
/*
 * Declarations and shaders of d3d9.dll on a link that records what is sent: numbers, tokens, references, and objects
 * that the driver refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INITGUID
#include "runtime/d3d9/shader/declaration.c"
#include "runtime/d3d9/shader/elements.c"
#include "runtime/d3d9/device/named.c"

/* Both have functions of the same names. */
#define create  create_shader
#define destroy destroy_shader
#include "runtime/d3d9/shader/shader.c"
#undef create
#undef destroy

#undef RELATIVE /* of wingdi.h */
#include "runtime/common/state/shader_pixels.c"
#include "runtime/d3d9/shader/shader_rules.c"

/* --- the link ------------------------------------------------------------------------------ */

static struct {
    uint8_t token;
    size_t size;
    uint32_t body[512];
} sent[1024];
static unsigned sent_count;
static HRESULT next_flush;

void *rt_put(struct rt_link *link, uint8_t token, uint16_t count, const void *body, size_t size)
{
    (void)link;
    assert_true(sent_count < ARRAY_COUNT(sent) && size <= sizeof(sent[0].body) && count == 1);
    sent[sent_count].token = token;
    sent[sent_count].size = size;
    if (body)
        memcpy(sent[sent_count].body, body, size);
    return sent[sent_count++].body;
}

void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size)
{
    rt_put(link, token, 1, entry, size);
}

/* Fails once, and only if something has been sent since. */
HRESULT rt_flush(struct rt_link *link)
{
    const HRESULT hr = sent_count ? next_flush : D3D_OK;

    (void)link;
    if (sent_count)
        next_flush = D3D_OK;
    return hr;
}

/* --- the layers below and above ------------------------------------------------------------------ */

/* As runtime/common/object/resource.h says of them, without containers and private data. */
void rt_resource_init(struct rt_resource *resource, struct rt_device_base *base, const struct rt_resource_ops *ops,
                      bool owned)
{
    resource->device = base;
    resource->ops = ops;
    resource->holds = 1;
    resource->refs = owned ? 0 : 1;
    base->refs += owned ? 0 : 1;
}

void rt_resource_hold(struct rt_resource *resource)
{
    resource->holds++;
}

void rt_resource_unhold(struct rt_resource *resource)
{
    if (!--resource->holds)
        resource->ops->destroy(resource);
}

ULONG rt_resource_addref(struct rt_resource *resource)
{
    if (!resource->refs) {
        resource->holds++;
        resource->device->refs++;
    }
    return (ULONG)++resource->refs;
}

ULONG rt_resource_release(struct rt_resource *resource)
{
    const ULONG refs = (ULONG)--resource->refs;
    struct rt_device_base *base = resource->device;

    if (!refs) {
        rt_resource_unhold(resource);
        base->refs--;
    }
    return refs;
}

void rt_object_init(void *object, struct rt_device *device, enum rt_kind kind, const struct rt_resource_ops *ops,
                    bool owned)
{
    struct rt_object *o = object;

    rt_resource_init(&o->res, &device->base, ops, owned);
    o->device = device;
    o->kind = (uint8_t)kind;
}

#include "tests/unit/rt_object_stubs.h"

/* --- tests ------------------------------------------------------------------------------------ */

static struct d3d9_device device;

static void destroy_device(struct rt_device_base *base)
{
    (void)base;
    fail_msg("the device no longer exists");
}

static int set_up(void **unused)
{
    (void)unused;
    memset(&device, 0, sizeof(device));
    device.common.base.refs = 1;
    device.common.base.destroy = destroy_device;
    device.caps.VertexShaderVersion = D3DVS_VERSION(3, 0);
    device.caps.PixelShaderVersion = D3DPS_VERSION(3, 0);
    device.caps.MaxVertexShaderConst = 256;
    sent_count = 0;
    next_flush = D3D_OK;
    return 0;
}

/* Nothing holds a reference to the device, and no number is used. */
static int tear_down(void **unused)
{
    (void)unused;
    d3d9_declarations_free(&device);
    for (unsigned i = 0; i < device.named.count; i++)
        assert_null(device.named.objects[i]);
    d3d9_named_free(&device.named);
    assert_int_equal(device.common.base.refs, 1);
    return 0;
}

static const D3DVERTEXELEMENT9 two[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                        {1, 8, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                                        D3DDECL_END()};

static struct d3d9_declaration *declare(void)
{
    IDirect3DVertexDeclaration9 *declaration = NULL;

    assert_int_equal(d3d9_device_CreateVertexDeclaration((void *)&device, two, &declaration), D3D_OK);
    return d3d9_declaration_at(declaration);
}

static void test_declarations(void **unused)
{
    struct d3d9_declaration *a = declare(), *b = declare();
    D3DVERTEXELEMENT9 elements[4];
    UINT count = 77;
    const uint32_t number = a->number;

    (void)unused;
    assert_true((a->number & 1) && (b->number & 1) && a->number != b->number);
    assert_int_equal(sent_count, 2);
    assert_int_equal(sent[0].token, 71);
    assert_int_equal(sent[0].size, 8 + 2 * 8);
    assert_int_equal(sent[0].body[0], number);
    assert_int_equal(sent[0].body[1], 2);
    assert_memory_equal(sent[0].body + 2, two, 2 * 8);
    assert_int_equal(device.common.base.refs, 3);

    assert_int_equal(declaration_GetDeclaration((void *)a, NULL, &count), D3D_OK);
    assert_int_equal(count, 3);
    count = 0;
    assert_int_equal(declaration_GetDeclaration((void *)a, elements, &count), D3D_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(elements, two, sizeof(two));
    assert_int_equal(declaration_GetDeclaration((void *)a, elements, NULL), D3DERR_INVALIDCALL);

    sent_count = 0;
    assert_int_equal(d3d9_named_number(&b->res), b->number);
    d3d9_named_resend(&device);
    assert_int_equal(sent_count, 2);
    assert_int_equal(rt_object_Release(a), 0);
    assert_int_equal(sent[2].token, 72);
    assert_int_equal(sent[2].body[0], number);
    a = declare();
    assert_int_equal(a->number, number);
    rt_object_Release(a);
    rt_object_Release(b);
}

/* Bound objects survive without the program's references. */
static void test_held(void **unused)
{
    struct d3d9_declaration *a = declare();

    (void)unused;
    rt_resource_hold(&a->res);
    assert_int_equal(rt_object_Release(a), 0);
    assert_int_equal(device.common.base.refs, 1);
    assert_int_equal(sent_count, 1);
    rt_resource_unhold(&a->res);
    assert_int_equal(sent_count, 2);
}

static void test_refused(void **unused)
{
    static const DWORD ps[] = {0xffff0300, 0x0000ffff}, vs[] = {0xfffe0300, 0x0000ffff};
    IDirect3DVertexDeclaration9 *declaration = NULL;
    struct d3d9_declaration *of_fvf = NULL;
    IDirect3DVertexShader9 *shader = NULL;
    D3DVERTEXELEMENT9 odd[] = {{0, 2, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}, D3DDECL_END()};
    IDirect3DDevice9Ex *iface = (void *)&device;

    (void)unused;
    assert_int_equal(d3d9_device_CreateVertexDeclaration(iface, NULL, &declaration), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_CreateVertexDeclaration(iface, two, NULL), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_CreateVertexDeclaration(iface, odd, &declaration), E_FAIL);
    assert_int_equal(d3d9_device_CreateVertexShader(iface, NULL, &shader), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_CreateVertexShader(iface, vs, NULL), D3DERR_INVALIDCALL);
    assert_int_equal(d3d9_device_CreateVertexShader(iface, ps, &shader), D3DERR_INVALIDCALL);
    assert_int_equal(sent_count, 0);
    /* by the driver */
    next_flush = E_INVALIDARG;
    assert_int_equal(d3d9_device_CreateVertexDeclaration(iface, two, &declaration), E_FAIL);
    sent_count = 0;
    next_flush = E_INVALIDARG;
    assert_int_equal(d3d9_device_CreateVertexShader(iface, vs, &shader), D3DERR_INVALIDCALL);
    sent_count = 0;
    next_flush = E_INVALIDARG;
    assert_int_equal(d3d9_declaration_of_fvf(&device, D3DFVF_XYZ, &of_fvf), E_FAIL);
    assert_int_equal(device.fvf_count, 0);
    assert_true(!declaration && !shader && !of_fvf);
}

/* One declaration for each format, whatever the order of requests. */
static void test_formats(void **unused)
{
    struct d3d9_declaration *first[256], *again;

    (void)unused;
    for (unsigned i = 0; i < 256; i++) {
        const DWORD fvf = D3DFVF_XYZ | (DWORD)(i * 77 % 256) << 16 | D3DFVF_TEX4;

        assert_int_equal(d3d9_declaration_of_fvf(&device, fvf, &first[i]), D3D_OK);
        assert_int_equal(first[i]->fvf, fvf);
    }
    assert_int_equal(device.fvf_count, 256);
    assert_int_equal(sent_count, 256);
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal(d3d9_declaration_of_fvf(&device, first[i]->fvf, &again), D3D_OK);
        assert_ptr_equal(again, first[i]);
        assert_int_equal(d3d9_declaration_layout(again), first[i]->fvf);
        assert_true(!i || device.fvf_declarations[i - 1]->fvf < device.fvf_declarations[i]->fvf);
    }
    assert_int_equal(sent_count, 256);
    assert_int_equal(device.common.base.refs, 1);
    assert_int_equal(rt_object_AddRef(again), 1);
    assert_int_equal(device.common.base.refs, 2);
    assert_int_equal(rt_object_Release(again), 0);
    assert_int_equal(d3d9_declaration_of_fvf(&device, D3DFVF_XYZ | 9u << D3DFVF_TEXCOUNT_SHIFT, &again),
                     D3DERR_INVALIDCALL);
}

static void check_shader(void *iface, const DWORD *code, size_t bytes, uint8_t create, uint8_t delete)
{
    struct d3d9_shader *shader = iface;
    DWORD copy[32] = {0};
    UINT size = 0;

    assert_int_equal(sent[sent_count - 1].token, create);
    assert_int_equal(sent[sent_count - 1].size, 8 + bytes);
    assert_int_equal(sent[sent_count - 1].body[0], shader->number);
    assert_int_equal(sent[sent_count - 1].body[1], bytes);
    assert_memory_equal(sent[sent_count - 1].body + 2, code, bytes);
    assert_int_equal(shader_GetFunction(shader, NULL, &size), D3D_OK);
    assert_int_equal(size, bytes);
    size--;
    assert_int_equal(shader_GetFunction(shader, copy, &size), D3DERR_INVALIDCALL);
    assert_int_equal(copy[0], 0);
    size = sizeof(copy);
    assert_int_equal(shader_GetFunction(shader, copy, &size), D3D_OK);
    assert_int_equal(size, bytes);
    assert_memory_equal(copy, code, bytes);
    assert_int_equal(shader_GetFunction(shader, copy, NULL), D3DERR_INVALIDCALL);
    const uint32_t number = shader->number;
    assert_int_equal(rt_object_Release(shader), 0);
    assert_int_equal(sent[sent_count - 1].token, delete);
    assert_int_equal(sent[sent_count - 1].body[0], number);
}

static void test_shaders(void **unused)
{
    static const DWORD vs[] = {0xfffe0300, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x80000000,
                               0xe00f0000, 0x02000001, 0xe00f0000, 0x90e40000, 0x0000ffff},
                       ps[] = {0xffff0101, 0x00000001, 0x800f0000, 0x90e40000, 0x0000ffff};
    IDirect3DVertexShader9 *vertex = NULL;
    IDirect3DPixelShader9 *pixel = NULL;

    (void)unused;
    assert_int_equal(d3d9_device_CreateVertexShader((void *)&device, vs, &vertex), D3D_OK);
    check_shader(vertex, vs, sizeof(vs), 74, 75);
    assert_int_equal(d3d9_device_CreatePixelShader((void *)&device, ps, &pixel), D3D_OK);
    check_shader(pixel, ps, sizeof(ps), 54, 55);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_declarations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shaders, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
