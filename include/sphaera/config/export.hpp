#pragma once
/// \file Marks symbols that a shared library exports; all other symbols are hidden. A static library marks
/// none, so that what it is linked into exports none of its symbols: CMake and pkg-config then define
/// SPHAERA_STATIC.

#include <sphaera/config/requirements.hpp>

#if defined(__GNUC__) && !defined(SPHAERA_STATIC)
#define SPHAERA_API __attribute__((visibility("default")))
#else
#define SPHAERA_API
#endif
