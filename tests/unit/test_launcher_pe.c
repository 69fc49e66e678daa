/* SPDX-License-Identifier: MIT */
/* launcher/pe.h: programs built here byte by byte, cut at every length, and with random changes of bytes between
 * inaccessible pages. */
#include "launcher/pe.h"
#include "tests/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define FILE_SIZE 1024 /* of the programs built here */
#define RVA       0x1000
#define RAW       512

static void put16(uint8_t *p, unsigned value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *p, uint32_t value)
{
    put16(p, value & 0xffff);
    put16(p + 2, value >> 16);
}

/* One section of 512 bytes at RAW, seen at RVA; an import table of one dll at its start, and a delayed one at 128. */
static void make_program(uint8_t data[FILE_SIZE], unsigned bits, const char *imported, const char *delayed)
{
    const unsigned optional = 0x40 + 24, size = bits == 64 ? 240 : 224, directories = bits == 64 ? 112 : 96;
    uint8_t *section = data + optional + size;

    memset(data, 0, FILE_SIZE);
    memcpy(data, "MZ", 2);
    put32(data + 0x3c, 0x40);
    memcpy(data + 0x40, "PE\0\0", 4);
    put16(data + 0x44, bits == 64 ? 0x8664 : 0x14c);
    put16(data + 0x46, 1);
    put16(data + 0x54, size);
    put16(data + optional, bits == 64 ? 0x20b : 0x10b);
    put32(data + optional + 60, RAW);
    put32(data + optional + directories - 4, 16);
    put32(section + 8, FILE_SIZE - RAW);
    put32(section + 12, RVA);
    put32(section + 16, FILE_SIZE - RAW);
    put32(section + 20, RAW);
    if (imported) {
        put32(data + optional + directories + 8, RVA);
        put32(data + RAW + 12, RVA + 64);
        strcpy((char *)data + RAW + 64, imported);
    }
    if (delayed) {
        put32(data + optional + directories + 8 * 13, RVA + 128);
        put32(data + RAW + 128, 1);
        put32(data + RAW + 132, RVA + 256);
        strcpy((char *)data + RAW + 256, delayed);
    }
}

static void test_imports(void **state)
{
    uint8_t data[FILE_SIZE];
    struct pe_facts facts;

    (void)state;
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        make_program(data, bits, "D3D8.dll", "d3d9.DLL");
        facts = pe_read(data, sizeof(data));
        assert_int_equal(facts.kind, PE_OK);
        assert_int_equal(facts.bits, bits);
        assert_int_equal(facts.imported, 1 << PE_D3D8 | 1 << PE_D3D9);
        assert_int_equal(facts.named, 0);
        make_program(data, bits, "kernel32.dll", NULL);
        assert_int_equal(pe_read(data, sizeof(data)).imported, 0);
    }
}

static void test_names(void **state)
{
    static const char wide[] = "d\0D\0r\0a\0w\0.\0d\0l\0l\0\0";
    uint8_t data[FILE_SIZE];
    struct pe_facts facts;

    (void)state;
    make_program(data, 32, NULL, NULL);
    strcpy((char *)data + 700, "\\d3d9.dll");
    memcpy(data + 801, wide, sizeof(wide));
    facts = pe_read(data, sizeof(data));
    assert_int_equal(facts.imported, 0);
    assert_int_equal(facts.named, 1 << PE_D3D9 | 1 << PE_DDRAW);
    make_program(data, 32, NULL, NULL);
    strcpy((char *)data + 700, "myd3d9.dll"); /* others */
    strcpy((char *)data + 720, "d3d9.dllx");
    memcpy(data + FILE_SIZE - 7, "d3d8.dl", 7);
    assert_int_equal(pe_read(data, sizeof(data)).named, 0);
}

/* IID_IDirect3D and its successors, by d3d.h: programs that have them use Direct3D 1 to 7. */
static void test_interfaces(void **state)
{
    static const struct {
        uint32_t first;
        uint16_t second, third;
        uint8_t rest[8];
    } identifiers[] = {
        {0x3bba0080, 0x2421, 0x11cf, {0xa3, 0x1a, 0x00, 0xaa, 0x00, 0xb9, 0x33, 0x56}},
        {0x6aae1ec1, 0x662a, 0x11d0, {0x88, 0x9d, 0x00, 0xaa, 0x00, 0xbb, 0xb7, 0x6a}},
        {0xbb223240, 0xe72b, 0x11d0, {0xa9, 0xb4, 0x00, 0xaa, 0x00, 0xc0, 0x99, 0x3e}},
        {0xf5049e77, 0x4861, 0x11d2, {0xa4, 0x07, 0x00, 0xa0, 0xc9, 0x06, 0x29, 0xa8}},
    };
    uint8_t data[FILE_SIZE];

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        make_program(data, 32, "DDRAW.dll", NULL);
        assert_int_equal(pe_read(data, sizeof(data)).named, 0);
        memcpy(data + FILE_SIZE - 16, &identifiers[i], 16); /* the last bytes of the file */
        assert_int_equal(pe_read(data, sizeof(data)).named, 1 << PE_D3D7);
        assert_int_equal(pe_read(data, sizeof(data)).imported, 1 << PE_DDRAW);
        assert_int_equal(pe_read(data, sizeof(data) - 1).named, 0);
        data[FILE_SIZE - 1] ^= 1;
        assert_int_equal(pe_read(data, sizeof(data)).named, 0);
    }
    make_program(data, 32, "d3drm.dll", NULL);
    assert_int_equal(pe_read(data, sizeof(data)).imported, 1 << PE_D3D7);
}

static void test_other_files(void **state)
{
    uint8_t data[FILE_SIZE];

    (void)state;
    assert_int_equal(pe_read(NULL, 0).kind, PE_NOT);
    memset(data, 0, sizeof(data));
    assert_int_equal(pe_read(data, sizeof(data)).kind, PE_NOT);
    memcpy(data, "MZ", 2);
    assert_int_equal(pe_read(data, sizeof(data)).kind, PE_DOS);
    make_program(data, 32, NULL, NULL);
    put16(data + 0x44, 0xaa64);
    assert_int_equal(pe_read(data, sizeof(data)).kind, PE_FOREIGN);
    make_program(data, 32, NULL, NULL);
    put16(data + 0x56, 0x2000);
    assert_true(pe_read(data, sizeof(data)).is_dll);
}

/* The bytes end where an inaccessible page begins. */
static void test_hostile(void **state)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t good[FILE_SIZE], *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned seen = 0;

    (void)state;
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    random_seed = 1;
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        make_program(good, bits, "d3d8.dll", "d3d9.dll");
        for (size_t size = 0; size <= FILE_SIZE; size++) {
            memcpy(pages + page - size, good, size);
            seen |= pe_read(pages + page - size, size).imported;
        }
        for (unsigned i = 0; i < 20000; i++) {
            const size_t size = FILE_SIZE - (random_one_in(3) ? random_below(FILE_SIZE) : 0);
            uint8_t *data = pages + page - size;
            memcpy(data, good, size);
            for (unsigned n = 1 + random_below(4); n && size; n--)
                data[random_word() % (random_below(2) ? size
                                      : size < 400    ? size
                                                      : 400)] = (uint8_t)(random_below(3) ? random_word() : 255);
            seen |= pe_read(data, size).imported;
        }
    }
    assert_true(seen & 1 << PE_D3D8 && seen & 1 << PE_D3D9);
    munmap(pages, 2 * page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_imports),     cmocka_unit_test(test_names),   cmocka_unit_test(test_interfaces),
        cmocka_unit_test(test_other_files), cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
