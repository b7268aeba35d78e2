#pragma once
/// \file Compiler options that the headers require, and the namespace of the ABI. Every public header
/// includes this one first, so that a wrong option gives one clear error: the include of a non-existent file
/// makes it a fatal error, so no others follow.
///
/// std::vector crosses the library's boundary, and _GLIBCXX_DEBUG changes its layout: define it for the
/// library and for all code that uses it, or for neither. _GLIBCXX_ASSERTIONS and _GLIBCXX_USE_CXX11_ABI may
/// differ.

#if !(__cplusplus >= 202002L || (defined(_MSVC_LANG) && _MSVC_LANG >= 202002L))
#error "Sphaera's headers need C++20: compile with -std=c++20 or later"
#include <sphaera/end_of_compilation>
#endif

#if defined(_GLIBCXX_DEBUG) && !defined(SPHAERA_GLIBCXX_DEBUG)
#error \
    "_GLIBCXX_DEBUG changes std::vector: leave it out (_GLIBCXX_ASSERTIONS is fine), or build Sphaera with it, too, and define SPHAERA_GLIBCXX_DEBUG in both"
#include <sphaera/end_of_compilation>
#endif

/// What is public is in sphaera::SPHAERA_ABI, an inline namespace, which code that calls the library never
/// names: two versions in one process have no symbol in common, and with _GLIBCXX_DEBUG linking with a
/// library built without it fails. Named as the SONAME.
#if defined(_GLIBCXX_DEBUG)
#define SPHAERA_ABI v0_2_GLIBCXX_DEBUG
#else
#define SPHAERA_ABI v0_2
#endif
