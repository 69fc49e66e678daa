/* SPDX-License-Identifier: MIT */
/* base/map.h against a plain list: random keys, many of which have the same lower or upper bits; the limit; and keys that are
 * entered and removed again and again, which may leave no memory behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/map.h"
#include "tests/random.h"

#define KEYS 300

struct entry {
    uint32_t key;
    uint32_t *value; /* NULL: none */
};

static uint32_t some_key(unsigned i)
{
    switch (i % 4) {
    case 0:
        return i;
    case 1:
        return i << 16;
    case 2:
        return i << 20 | 1;
    default:
        return i * 2654435769u;
    }
}

static void check_all(const struct base_map *map, const struct entry *list)
{
    unsigned there = 0, seen = 0;
    uint32_t at = 0;

    for (unsigned i = 0; i < KEYS; i++) {
        assert_ptr_equal(base_map_get(map, list[i].key), list[i].value);
        there += list[i].value != NULL;
    }
    while (base_map_next(map, &at))
        seen++;
    assert_int_equal(seen, there);
    assert_int_equal(map->count, there);
}

static void test_random_operations(void **state)
{
    struct entry list[KEYS];
    struct base_map map;

    (void)state;
    base_map_init(&map, BASE_MAP_MAX);
    for (unsigned i = 0; i < KEYS; i++)
        list[i] = (struct entry){some_key(i), NULL};
    for (unsigned round = 0; round < 20000; round++) {
        struct entry *entry = &list[random_below(KEYS)];

        if (entry->value && random_one_in(2)) {
            assert_ptr_equal(base_map_take(&map, entry->key), entry->value);
            free(entry->value);
            entry->value = NULL;
        } else if (!entry->value && random_one_in(2)) {
            entry->value = malloc(sizeof(uint32_t));
            assert_non_null(entry->value);
            *entry->value = round;
            assert_true(base_map_put(&map, entry->key, entry->value));
        } else {
            uint32_t *value = base_map_make(&map, entry->key, sizeof(*value));

            assert_true(entry->value ? value == entry->value : value && *value == 0);
            entry->value = value;
        }
        if (round % 500 == 0)
            check_all(&map, list);
    }
    check_all(&map, list);
    base_map_clear(&map);
    assert_null(base_map_get(&map, list[0].key));
    assert_null(base_map_take(&map, list[0].key));
}

static void test_limit(void **state)
{
    struct base_map map;
    uint32_t value;

    (void)state;
    base_map_init(&map, 20);
    for (uint32_t i = 0; i < 20; i++)
        assert_non_null(base_map_make(&map, i * 1000, 4));
    assert_true(base_map_is_full(&map));
    assert_null(base_map_make(&map, 7, 4));
    assert_false(base_map_put(&map, 7, &value));
    assert_non_null(base_map_make(&map, 19000, 4)); /* is there already */
    base_map_clear(&map);
}

static void test_no_memory_of_dropped_names(void **state)
{
    struct base_map map;

    (void)state;
    base_map_init(&map, BASE_MAP_MAX);
    for (uint32_t i = 0; i < 100000; i++) {
        assert_non_null(base_map_make(&map, i, 4));
        if (i >= 5)
            free(base_map_take(&map, i - 5));
        assert_in_range(map.capacity, 1, 16);
    }
    base_map_clear(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_no_memory_of_dropped_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
