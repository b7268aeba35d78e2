#pragma once
/// \file Catch2 2.13 or 3, whichever is installed.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // global, as in Catch2 2
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const char* text) { return Catch::Matchers::Contains(text); }
#endif
