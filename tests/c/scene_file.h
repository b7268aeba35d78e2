#ifndef SPHAERA_TESTS_C_SCENE_FILE_H
#define SPHAERA_TESTS_C_SCENE_FILE_H
/// \file Scene files in C99.

#include <sphaera/scene_file.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Copies all that can be set from one file to another.
SphaeraStatus copy_content(const SphaeraSceneFile* from, SphaeraSceneFile* to);

#ifdef __cplusplus
}
#endif
#endif
