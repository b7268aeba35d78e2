#ifndef SPHAERA_SCENE_FILE_H
#define SPHAERA_SCENE_FILE_H
/// \file Scene files for C: spheres with their properties, and stars, as JSON, CSV, NPY or PLY, by extension,
/// each also with `.gz` behind it; molecules and others are read. Library: sphaera-scene-file-c (in CMake
/// COMPONENTS scene_file_c), beside sphaera-c, whose rules hold here. What is not said here stands in
/// <sphaera/scene_file.hpp>.

#include <sphaera/sphaera.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The content of scene files, or what shall be one. Calls that only read it may run at once. What they
/// give is valid until a call changes or destroys it.
typedef struct SphaeraSceneFile SphaeraSceneFile;

/// Permitted locations of the files that a JSON scene names: its folder and those below it, or any.
enum { SPHAERA_FILE_SCOPE_SCENE_FOLDER = 0, SPHAERA_FILE_SCOPE_ANYWHERE = 1 };

/// A column and the name that a header has for it, such as "x" and "pos_x".
typedef struct SphaeraCsvColumn {
  const char* name;
  const char* in_file;
} SphaeraCsvColumn;

/// What puts the atoms of a molecule on layers.
enum {
  SPHAERA_ATOM_LAYERS_ELEMENT = 0,
  SPHAERA_ATOM_LAYERS_CHAIN = 1,
  SPHAERA_ATOM_LAYERS_RESIDUE = 2,
  SPHAERA_ATOM_LAYERS_NONE = 3
};

typedef struct SphaeraSceneFileOptions {
  size_t size;
  SphaeraStop* stop;         ///< looked at after each read of a plain file
  SphaeraProgress progress;  ///< gets the fraction read of each plain file
  void* progress_user;
  int32_t scope;                    ///< SPHAERA_FILE_SCOPE_SCENE_FOLDER
  int32_t delimiter;                ///< separates fields of CSV; ' ': blanks and tabs; 0: found by the header
  const SphaeraCsvColumn* columns;  ///< of CSV files whose columns have other names
  size_t column_count;
  double radius;      ///< of spheres in files that give no radii, or 0; NaN: that is an error
  int64_t frame;      ///< of a file with several frames, from 0; −1: the last
  const char* radii;  ///< of atoms: a CSV with the columns element and radius; NULL: van der Waals radii
  int32_t layer_by;   ///< SPHAERA_ATOM_LAYERS_ELEMENT
} SphaeraSceneFileOptions;
SphaeraStatus sphaera_scene_file_options_init(SphaeraSceneFileOptions* options, size_t size);

/// Reads a file and those that it names. The subject of an error begins with the file and, unless it is
/// binary, the line: "scene.csv:17: sphere 15"; the element is the bad sphere.
SphaeraStatus sphaera_scene_file_load(const char* path, const SphaeraSceneFileOptions* options,
                                      SphaeraSceneFile** file);
/// The same for `count` bytes in memory. `name` gives the format by its extension, stands in messages, and
/// its folder is that from which the scene names files.
SphaeraStatus sphaera_scene_file_parse(const void* bytes, size_t count, const char* name,
                                       const SphaeraSceneFileOptions* options, SphaeraSceneFile** file);
/// Without spheres and stars.
SphaeraStatus sphaera_scene_file_create(SphaeraSceneFile** file);
/// Checks the content and writes it. The file appears whole or not at all. Then SPHAERA_TEXT_LEFT_OUT has a
/// sentence for each part that the format cannot hold or that is never written.
SphaeraStatus sphaera_scene_file_save(SphaeraSceneFile* file, const char* path);
/// All but spheres and their layers, as bytes for SphaeraSaveOptions; a load of that file (.sphi) gives them
/// again. Valid until the next such call, and as long as the file.
SphaeraStatus sphaera_scene_file_attachment(SphaeraSceneFile* file, const void** bytes, size_t* count);
SphaeraStatus sphaera_scene_file_destroy(SphaeraSceneFile* file);

/// Properties of spheres by id, `count` of each, or NULL: none is given.
typedef struct SphaeraSceneFileArrays {
  size_t size;
  size_t count;
  const SphaeraSphere* spheres;
  const SphaeraVec3* velocities;
  const uint8_t* layers;      ///< positions in SPHAERA_TEXT_LAYERS
  const double* resistances;  ///< NaN where none is given
} SphaeraSceneFileArrays;
SphaeraStatus sphaera_scene_file_arrays(const SphaeraSceneFile* file, SphaeraSceneFileArrays* arrays);
/// Copies the arrays in place of those that the file has.
SphaeraStatus sphaera_scene_file_set_arrays(SphaeraSceneFile* file, const SphaeraSceneFileArrays* arrays);

/// Texts are UTF-8. The first four and the epoch can be set.
enum {
  SPHAERA_TEXT_NAMES = 0,     ///< of spheres, by id; none, or one for each
  SPHAERA_TEXT_LAYERS = 1,    ///< names of layers, 1 to 64; "default" at first
  SPHAERA_TEXT_STARS = 2,     ///< names of stars, one for each; may be ""
  SPHAERA_TEXT_UNIT = 3,      ///< a label, never a factor; one, may be ""
  SPHAERA_TEXT_WARNINGS = 4,  ///< of the load
  SPHAERA_TEXT_SOURCES = 5,   ///< paths of all files that were read
  SPHAERA_TEXT_LEFT_OUT = 6,  ///< of the last save
  SPHAERA_TEXT_EPOCH = 7      ///< the date of time 0, "2024-04-08T18:10:36Z"; one, may be ""
};
/// All texts of a kind, without zeros between them: text i ends before characters[ends[i]] and begins where
/// the one before ends, text 0 at characters[0].
SphaeraStatus sphaera_scene_file_texts(const SphaeraSceneFile* file, int32_t kind, const char** characters,
                                       const uint64_t** ends, size_t* count);
/// One of them, without a zero at its end: printf("%.*s", (int)length, text).
SphaeraStatus sphaera_scene_file_text(const SphaeraSceneFile* file, int32_t kind, size_t i, const char** text,
                                      size_t* length);
/// Copies `count` texts in place of those of a kind. lengths NULL: each ends with a zero.
SphaeraStatus sphaera_scene_file_set_texts(SphaeraSceneFile* file, int32_t kind, const char* const* texts,
                                           const size_t* lengths, size_t count);
/// Position of a layer's name, -1 if there is none.
SphaeraStatus sphaera_scene_file_find_layer(const SphaeraSceneFile* file, const char* name, int32_t* layer);

typedef struct SphaeraSceneStar {
  SphaeraStar star;      ///< if it is a sphere of the scene, with the center and radius of that
  int64_t sphere;        ///< id of the sphere that is the star, -1: none
  double luminosity;     ///< watts; NaN: none is given
  SphaeraVec3 velocity;  ///< units per second, of a star that is no sphere and not at infinity
} SphaeraSceneStar;
SphaeraStatus sphaera_scene_file_stars(const SphaeraSceneFile* file, const SphaeraSceneStar** stars,
                                       size_t* count);
/// Copies the stars. A star that was there at its place keeps its name and ephemeris.
SphaeraStatus sphaera_scene_file_set_stars(SphaeraSceneFile* file, const SphaeraSceneStar* stars,
                                           size_t count);

typedef struct SphaeraRotation {
  int64_t sphere;
  SphaeraSpin spin;
  SphaeraVec3 meridian;  ///< direction of longitude 0 at time 0
} SphaeraRotation;
/// Spheres with a rotation, ascending.
SphaeraStatus sphaera_scene_file_rotations(const SphaeraSceneFile* file, const SphaeraRotation** rotations,
                                           size_t* count);
SphaeraStatus sphaera_scene_file_set_rotations(SphaeraSceneFile* file, const SphaeraRotation* rotations,
                                               size_t count);

/// The ellipsoid that stations on a sphere stand on; radii from 2^-200 to 2^200.
typedef struct SphaeraEllipsoid {
  int64_t sphere;
  double equatorial_radius;
  double polar_radius;  ///< along the axis of the sphere's rotation, without one along z
} SphaeraEllipsoid;
/// Spheres with an ellipsoid, ascending.
SphaeraStatus sphaera_scene_file_ellipsoids(const SphaeraSceneFile* file, const SphaeraEllipsoid** ellipsoids,
                                            size_t* count);
SphaeraStatus sphaera_scene_file_set_ellipsoids(SphaeraSceneFile* file, const SphaeraEllipsoid* ellipsoids,
                                                size_t count);

/// Ids of the spheres with an ephemeris, ascending.
SphaeraStatus sphaera_scene_file_orbits(const SphaeraSceneFile* file, const int64_t** spheres, size_t* count);
/// The samples of an ephemeris, for sphaera_motion_create; *count is 0 if there is none. Times in seconds.
SphaeraStatus sphaera_scene_file_sphere_samples(const SphaeraSceneFile* file, int64_t sphere,
                                                const SphaeraMotionSample** samples, size_t* count);
SphaeraStatus sphaera_scene_file_star_samples(const SphaeraSceneFile* file, size_t star,
                                              const SphaeraMotionSample** samples, size_t* count);

#ifdef __cplusplus
}
#endif
#endif
