#pragma once
/// \file Marks symbols that a shared library exports; all other symbols are hidden. A static library marks none,
/// so that what it is linked into exports none of its symbols: CMake and pkg-config then define
/// SPHAERA_STATIC.

#include <sphaera/config/requirements.hpp>

#if defined(__GNUC__) && !defined(SPHAERA_STATIC)
#define SPHAERA_VISIBLE __attribute__((visibility("default")))
#else
#define SPHAERA_VISIBLE
#endif

// With _GLIBCXX_DEBUG all symbols carry an abi tag: linking with a library built without it fails.
#if defined(__GNUC__) && defined(_GLIBCXX_DEBUG)
#define SPHAERA_API SPHAERA_VISIBLE __attribute__((abi_tag("GLIBCXX_DEBUG")))
#else
#define SPHAERA_API SPHAERA_VISIBLE
#endif
