#pragma once
/// \file Semantic version of the library; CMakeLists.txt reads it from here.

#include <sphaera/config/requirements.hpp>

#define SPHAERA_VERSION_MAJOR 0
#define SPHAERA_VERSION_MINOR 2
#define SPHAERA_VERSION_PATCH 0
#define SPHAERA_VERSION "0.2.0"
