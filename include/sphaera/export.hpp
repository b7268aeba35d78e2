#pragma once
/// \file What a shared library shows; everything else stays hidden.

#include <sphaera/requirements.hpp>

// With _GLIBCXX_DEBUG the names of all symbols say so: a library built without it does not link.
#if defined(__GNUC__) && defined(_GLIBCXX_DEBUG)
#define SPHAERA_API __attribute__((visibility("default"), abi_tag("GLIBCXX_DEBUG")))
#elif defined(__GNUC__)
#define SPHAERA_API __attribute__((visibility("default")))
#else
#define SPHAERA_API
#endif
