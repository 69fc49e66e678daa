/* SPDX-License-Identifier: MIT */
/*
 * Promises of the code to itself, which nothing from outside can break: bit budgets, alignments, invariants. Builds
 * with HALCYON_ASSERTS (sanitizers and fuzzers, see the Makefile) check them and abort with a message; in all other
 * builds they are only compiled, so that they stay correct, and generate no code. External input is checked by code
 * that returns an error, never by an assertion.
 */
#ifndef HALCYON_BASE_ASSERT_H
#define HALCYON_BASE_ASSERT_H

/* Prints the condition with its file and line to stderr and aborts. */
_Noreturn void base_assert_failed(const char *condition, const char *file, int line);

/* The condition must have no side effects. */
#if defined(HALCYON_ASSERTS)
#define BASE_ASSERT(condition) ((condition) ? (void)0 : base_assert_failed(#condition, __FILE__, __LINE__))
#else
#define BASE_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif
