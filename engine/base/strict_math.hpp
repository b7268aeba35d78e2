#pragma once
/// \file Rejects compiler options that break the proofs: each operation must be the IEEE 754 operation on
/// doubles, rounded once. CMakeLists.txt removes such options of a host project; this check finds most that
/// remain.

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
    "Sphaera decides exactly only without -ffast-math, -Ofast and their parts: compile it with -fno-fast-math"
#endif

#if defined(__FLT_EVAL_METHOD__) && \
    (__FLT_EVAL_METHOD__ < 0 || __FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
#error \
    "Sphaera decides exactly only where a double is rounded to a double at once: compile it with -mfpmath=sse"
#endif

static_assert(sizeof 0.1 == sizeof(double),
              "Sphaera's constants are doubles: compile it without -fsingle-precision-constant");
