#pragma once
/// \file Marks symbols that a shared library exports; all other symbols are hidden.

#include <sphaera/config/requirements.hpp>

// With _GLIBCXX_DEBUG all symbols carry an abi tag: linking with a library built without it fails.
#if defined(__GNUC__) && defined(_GLIBCXX_DEBUG)
#define SPHAERA_API __attribute__((visibility("default"), abi_tag("GLIBCXX_DEBUG")))
#elif defined(__GNUC__)
#define SPHAERA_API __attribute__((visibility("default")))
#else
#define SPHAERA_API
#endif
