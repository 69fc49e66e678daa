/* SPDX-License-Identifier: MIT */
/* A macro for each argument of another one, for the tables of d3d/ whose rows have lists. */
#ifndef HALCYON_BASE_EACH_H
#define HALCYON_BASE_EACH_H

/* clang-format off */
/* X a for each of up to nine arguments a, each in parentheses: X(type, name, how) of the tables of methods */
#define BASE_EACH_1(X, a)      X a
#define BASE_EACH_2(X, a, ...) X a BASE_EACH_1(X, __VA_ARGS__)
#define BASE_EACH_3(X, a, ...) X a BASE_EACH_2(X, __VA_ARGS__)
#define BASE_EACH_4(X, a, ...) X a BASE_EACH_3(X, __VA_ARGS__)
#define BASE_EACH_5(X, a, ...) X a BASE_EACH_4(X, __VA_ARGS__)
#define BASE_EACH_6(X, a, ...) X a BASE_EACH_5(X, __VA_ARGS__)
#define BASE_EACH_7(X, a, ...) X a BASE_EACH_6(X, __VA_ARGS__)
#define BASE_EACH_8(X, a, ...) X a BASE_EACH_7(X, __VA_ARGS__)
#define BASE_EACH_9(X, a, ...) X a BASE_EACH_8(X, __VA_ARGS__)
#define BASE_EACH_PICK(a, b, c, d, e, f, g, h, i, each, ...) each
#define BASE_EACH(X, ...)                                                                                              \
    __VA_OPT__(BASE_EACH_PICK(__VA_ARGS__, BASE_EACH_9, BASE_EACH_8, BASE_EACH_7, BASE_EACH_6, BASE_EACH_5, BASE_EACH_4, BASE_EACH_3, \
                            BASE_EACH_2, BASE_EACH_1, )(X, __VA_ARGS__))
/* clang-format on */

#endif
