#include <tests/c/scene_file.h>

#include <stdlib.h>

#define TRY(call)                            \
  do {                                       \
    const SphaeraStatus status = call;       \
    if (status != SPHAERA_OK) return status; \
  } while (0)

static SphaeraStatus copy_texts(const SphaeraSceneFile* from, SphaeraSceneFile* to, int32_t kind) {
  const char* characters = NULL;
  const uint64_t* ends = NULL;
  size_t count = 0;
  TRY(sphaera_scene_file_texts(from, kind, &characters, &ends, &count));
  const char** texts = malloc((count + 1) * sizeof *texts);
  size_t* lengths = malloc((count + 1) * sizeof *lengths);
  if (texts == NULL || lengths == NULL) abort();
  for (size_t i = 0; i < count; ++i)
    if (sphaera_scene_file_text(from, kind, i, &texts[i], &lengths[i]) != SPHAERA_OK) abort();
  const SphaeraStatus status = sphaera_scene_file_set_texts(to, kind, texts, lengths, count);
  free(texts);
  free(lengths);
  return status;
}

SphaeraStatus copy_content(const SphaeraSceneFile* from, SphaeraSceneFile* to) {
  SphaeraSceneFileArrays arrays = {0};
  arrays.size = sizeof arrays;
  TRY(sphaera_scene_file_arrays(from, &arrays));
  TRY(sphaera_scene_file_set_arrays(to, &arrays));
  size_t count = 0;
  const SphaeraSceneStar* stars = NULL;
  TRY(sphaera_scene_file_stars(from, &stars, &count));
  TRY(sphaera_scene_file_set_stars(to, stars, count));
  const SphaeraRotation* rotations = NULL;
  TRY(sphaera_scene_file_rotations(from, &rotations, &count));
  TRY(sphaera_scene_file_set_rotations(to, rotations, count));
  const SphaeraEllipsoid* ellipsoids = NULL;
  TRY(sphaera_scene_file_ellipsoids(from, &ellipsoids, &count));
  TRY(sphaera_scene_file_set_ellipsoids(to, ellipsoids, count));
  for (int32_t kind = SPHAERA_TEXT_NAMES; kind <= SPHAERA_TEXT_UNIT; ++kind) TRY(copy_texts(from, to, kind));
  TRY(copy_texts(from, to, SPHAERA_TEXT_EPOCH));
  return SPHAERA_OK;
}
