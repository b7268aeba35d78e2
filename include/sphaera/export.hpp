#pragma once
/// \file What a shared library shows; everything else stays hidden.

#if defined(__GNUC__)
#define SPHAERA_API __attribute__((visibility("default")))
#else
#define SPHAERA_API
#endif
