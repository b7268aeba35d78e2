#ifndef SPHAERA_SPHAERA_H
#define SPHAERA_SPHAERA_H
/// \file Sphaera for C: exact queries on scenes of spheres. Library: sphaera-c. C99 and C++11.
///
/// Each function does what the C++ function of that name does: what is not said here (ranges, accuracy, rules
/// at edges) stands in the C++ headers, at the types and functions of the same names.
///
/// - Every call returns a status, SPHAERA_OK or another; the text of the last error of a thread:
///   sphaera_error_text. After an error the outputs are as C++ leaves them: nothing has changed, except that
///   a query that was cancelled or ran out of memory may have left answers. No exception leaves a call.
/// - Handles (pointers to incomplete types) are made by …_create and …_build and end with …_destroy, which
///   takes NULL, too. NULL, a handle that was destroyed and one of another type are errors
///   (SPHAERA_INVALID_ARGUMENT), and so are a null array, or one not aligned, with a count above 0, and an
///   option structure of a wrong size.
/// - Rows (SphaeraRay, SphaeraHit, …) never change. They pass without a copy.
/// - Option structures begin with their size and grow at the end only. Fill them by …_init(&options,
///   sizeof options), then change fields. NULL stands for the defaults. What they point to must stay valid
///   during the call. Arrays in options have one item for each query, sphere or row of the call, unless their
///   length is a field; NULL is none.
/// - Threads: queries may run at once; changes of a scene may not, nor any query during them (SPHAERA_BUSY
///   where that is seen). A handle may be destroyed only while no other call uses it.
/// - Callbacks must not throw or jump out of the call. They may call Sphaera, with other handles.
///
/// cffi and pycparser read what remains without the lines that begin with #, and those between #ifdef
/// __cplusplus and #endif.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------- Errors

typedef enum SphaeraStatus {
  SPHAERA_OK = 0,
  SPHAERA_INVALID_ARGUMENT = 1,  ///< sphaera_error_element is the index of the first bad element
  SPHAERA_BAD_FILE = 2,          ///< of <sphaera/scene_file.h> and sphaera_scene_open
  SPHAERA_OUT_OF_MEMORY = 3,     ///< or beyond a memory_limit
  SPHAERA_IO = 4,                ///< of <sphaera/scene_file.h> and sphaera_scene_save
  SPHAERA_CANCELLED = 5,         ///< by a stop, or by a callback
  SPHAERA_INTERNAL = 6,          ///< a broken invariant: please report
  SPHAERA_BUSY = 7               ///< another call changes or uses what only one may
} SphaeraStatus;

/// The last error of a call on this thread; text and subject are valid until the next call that fails on
/// this thread. The text is "subject: reason". Before the first error: SPHAERA_OK, "" and -1.
SphaeraStatus sphaera_error_status(void);
const char* sphaera_error_text(void);
const char* sphaera_error_subject(void);  ///< what the error is about: "ray 17"; may be ""
const char* sphaera_error_reason(void);
int64_t sphaera_error_element(void);  ///< index of the first bad element, or -1

/// Makes an error of another library that uses this one the last error of this thread. Texts are copied; NULL
/// is "". Returns the status. Refused: one that is not that of an error.
SphaeraStatus sphaera_error_set(int32_t status, const char* subject, const char* reason, int64_t element);

const char* sphaera_version(void);   ///< of the library: "0.2.0"
uint32_t sphaera_abi_version(void);  ///< of this interface: 1; libraries of one number are exchangeable

// ------------------------------------------------------------------------------------------------ Rows

/// A point, direction or velocity. Units are yours: one of length, one of time. All coordinates within 2^200.
typedef struct SphaeraVec3 {
  double x, y, z;
} SphaeraVec3;

/// A closed ball: a touch counts.
typedef struct SphaeraSphere {
  SphaeraVec3 center;
  double radius;  ///< > 0
} SphaeraSphere;

/// origin + t direction, t_min <= t <= t_max; t counts multiples of the direction. Both ends may be infinite;
/// t_min > t_max is a miss. For no end set t_max to INFINITY: 0 is not "no end".
typedef struct SphaeraRay {
  SphaeraVec3 origin;
  SphaeraVec3 direction;  ///< of any length but 0
  double t_min;
  double t_max;
} SphaeraRay;

/// from + t (to - from), 0 <= t <= 1; the difference is never rounded.
typedef struct SphaeraSegment {
  SphaeraVec3 from;
  SphaeraVec3 to;
} SphaeraSegment;

/// A closed ball for overlap tests; radius 0 is a point.
typedef struct SphaeraBall {
  SphaeraVec3 center;
  double radius;  ///< >= 0
} SphaeraBall;

enum { SPHAERA_CONTACT_MISS = 0, SPHAERA_CONTACT_ENTERS = 1, SPHAERA_CONTACT_STARTS_INSIDE = 2 };

/// Contact and order of hits are exact; t is good to 1 ulp.
typedef struct SphaeraHit {
  double t_enter;   ///< max(t_min, t1); NaN on a miss
  double t_exit;    ///< t2, not cut at t_max
  int64_t sphere;   ///< id, -1 on a miss
  uint8_t contact;  ///< SPHAERA_CONTACT_MISS, …
} SphaeraHit;

/// A hit with its point and outward normal, both 0 on a miss.
typedef struct SphaeraSurfaceHit {
  double t_enter;
  double t_exit;
  int64_t sphere;
  uint8_t contact;
  SphaeraVec3 point;
  SphaeraVec3 normal;
} SphaeraSurfaceHit;

/// The order of neighbors is exact; the distance is good to 1 ulp.
typedef struct SphaeraNeighbor {
  double distance;  ///< signed, to the surface; INFINITY without a sphere
  int64_t sphere;   ///< -1 without a sphere
} SphaeraNeighbor;

/// How much of a sphere, grown by the probe, lies in no other grown sphere.
enum {
  SPHAERA_EXPOSURE_NONE = 0,   ///< not asked: disabled, or on none of the options' layers
  SPHAERA_EXPOSURE_WHOLE = 1,  ///< exact
  SPHAERA_EXPOSURE_PART = 2,
  SPHAERA_EXPOSURE_COVERED = 3,  ///< by several others together
  SPHAERA_EXPOSURE_INSIDE = 4    ///< inside one other, exact
};
typedef struct SphaeraExposedArea {
  double area;          ///< error at most 1e-11 of the grown sphere's surface
  double share;         ///< of the grown sphere's surface, 0 ... 1
  SphaeraVec3 outward;  ///< the integral of the outward normal over the exposed part
  int64_t hider;        ///< the sphere that alone hides most, -1 for none
  uint8_t exposure;     ///< SPHAERA_EXPOSURE_...
} SphaeraExposedArea;

/// A ball at origin + (T - start) velocity at the scene's time T, for `duration` >= 0; INFINITY for no end.
typedef struct SphaeraBullet {
  SphaeraVec3 origin;
  SphaeraVec3 velocity;
  double radius;
  double start;
  double duration;
} SphaeraBullet;

enum {
  SPHAERA_OUTCOME_NONE = 0,
  SPHAERA_OUTCOME_RICOCHETS = 1,
  SPHAERA_OUTCOME_PASSES = 2,
  SPHAERA_OUTCOME_STOPS = 3,
  SPHAERA_OUTCOME_REFUSED = 4,
  SPHAERA_OUTCOME_STUCK = 5
};

/// One impact of a bullet: which spheres are hit, and in which order, is exact. Errors of the numbers: the
/// fields of the same names in bullet.hpp.
typedef struct SphaeraImpact {
  double time;
  double exit_time;
  double distance;
  double angle;  ///< radians, 0 … pi/2, to the tangent plane
  SphaeraVec3 point;
  SphaeraVec3 center;
  SphaeraVec3 normal;
  SphaeraVec3 velocity;
  SphaeraVec3 exit_point;
  int64_t sphere;  ///< -1: nothing is hit
  uint32_t bounce;
  uint8_t contact;
  uint8_t outcome;
} SphaeraImpact;

/// Where and when the flight of a bullet ends.
typedef struct SphaeraFlightEnd {
  double time;
  SphaeraVec3 center;
  SphaeraVec3 velocity;
  uint8_t outcome;
} SphaeraFlightEnd;

/// A place under the sky. Its normal, of any length, leaves the half of the sky above; 0: the whole sky.
typedef struct SphaeraSkyPoint {
  SphaeraVec3 position;
  SphaeraVec3 normal;
} SphaeraSkyPoint;

/// The share of its sky that a point sees.
typedef struct SphaeraSkyShare {
  double open;            ///< by solid angle
  double open_by_cosine;  ///< weighted by the cosine of the angle to the normal; NAN without one
  double error;           ///< of both
  uint32_t discs;         ///< from which it was computed, or that were too many
  uint32_t rays;          ///< sampled directions; 0: exact
} SphaeraSkyShare;

/// The smallest gap between a bullet and a sphere that it does not touch.
typedef struct SphaeraNearMiss {
  double distance;
  double time;
  SphaeraVec3 point;
  int64_t sphere;  ///< -1: none
} SphaeraNearMiss;

enum {
  SPHAERA_LAW_UNIFORM = 0,
  SPHAERA_LAW_LINEAR = 1,
  SPHAERA_LAW_QUADRATIC = 2,
  SPHAERA_LAW_SQRT = 3,
  SPHAERA_LAW_POWER2 = 4,
  SPHAERA_LAW_CLARET4 = 5
};

/// Coefficients in the order of the law's formula (star.hpp); all 0 is a uniform disc.
typedef struct SphaeraLimbDarkening {
  uint8_t law;  ///< SPHAERA_LAW_UNIFORM, …
  double coefficients[4];
} SphaeraLimbDarkening;

/// A star with center and radius, or, if `at_infinity` is 1, with direction and angular radius (radians).
typedef struct SphaeraStar {
  uint8_t at_infinity;  ///< 0 or 1
  SphaeraVec3 center;
  double radius;
  SphaeraVec3 direction;
  double angular_radius;
  SphaeraLimbDarkening limb_darkening;
} SphaeraStar;

typedef struct SphaeraObserver {
  SphaeraVec3 position;
  int64_t on;  ///< id of the sphere that the observer stands on, -1: none (0 is a sphere!)
} SphaeraObserver;

enum {
  SPHAERA_PHASE_LIT = 0,
  SPHAERA_PHASE_UMBRA = 1,
  SPHAERA_PHASE_ANTUMBRA = 2,
  SPHAERA_PHASE_PENUMBRA = 3
};
enum { SPHAERA_STAR_OK = 0, SPHAERA_INSIDE_STAR = 1, SPHAERA_INTERSECTS_STAR = 2 };

/// One star for one observer: fraction of its solid angle, and of its light, that is seen; both to 1e-12.
typedef struct SphaeraVisibility {
  double fraction;
  double flux;
  double magnitude;
  int64_t dominant;
  int32_t occluders;
  uint8_t phase;
  uint8_t blocked;  ///< 0 or 1
  uint8_t status;   ///< if not SPHAERA_STAR_OK, the numbers are NaN
} SphaeraVisibility;

/// A star at finite distance.
typedef struct SphaeraSource {
  SphaeraStar star;
  double luminosity;  ///< watts
} SphaeraSource;

/// A small flat surface, lit on the side that its normal, of any length but 0, points to.
typedef struct SphaeraReceiver {
  SphaeraObserver observer;
  SphaeraVec3 normal;
} SphaeraReceiver;

typedef struct SphaeraMotionSample {
  double time;
  SphaeraVec3 position;
  SphaeraVec3 velocity;
} SphaeraMotionSample;

typedef struct SphaeraSpin {
  SphaeraVec3 axis;
  double period;
} SphaeraSpin;

/// A change of phase for one body: `before` up to the time, `after` from it on.
typedef struct SphaeraContactTime {
  double time;
  int64_t body;
  uint8_t before;  ///< SPHAERA_PHASE_LIT, …
  uint8_t after;
} SphaeraContactTime;

/// The same for all bodies together.
typedef struct SphaeraPhaseChange {
  double time;
  uint8_t before;
  uint8_t after;
} SphaeraPhaseChange;

/// P1, P2, U1, U2, U3, U4, P3, P4 of a lunar eclipse.
enum {
  SPHAERA_SHADOW_ENTERS_PENUMBRA = 0,
  SPHAERA_SHADOW_INSIDE_PENUMBRA = 1,
  SPHAERA_SHADOW_ENTERS_UMBRA = 2,
  SPHAERA_SHADOW_INSIDE_UMBRA = 3,
  SPHAERA_SHADOW_LEAVES_UMBRA = 4,
  SPHAERA_SHADOW_OUTSIDE_UMBRA = 5,
  SPHAERA_SHADOW_LEAVES_PENUMBRA = 6,
  SPHAERA_SHADOW_OUTSIDE_PENUMBRA = 7
};

/// A contact of a whole ball with the shadow of a body.
typedef struct SphaeraShadowChange {
  double time;
  int64_t body;
  uint8_t contact;  ///< SPHAERA_SHADOW_ENTERS_PENUMBRA, …
} SphaeraShadowChange;

/// Sums over the hits of one ray, in the scene's unit of length; chords are cut at t_min and t_max.
typedef struct SphaeraChordSums {
  uint64_t hits;
  double chords;  ///< sum of the lengths inside each sphere
  double inside;  ///< length inside at least one sphere
} SphaeraChordSums;

typedef struct SphaeraFrameLevel {
  uint64_t frames;
  uint64_t spheres;
  double half_size_min;
  double half_size_max;
  double inflation;
} SphaeraFrameLevel;

/// The ids first … first + count - 1.
typedef struct SphaeraIdRange {
  int64_t first;
  int64_t count;
} SphaeraIdRange;

/// Numbers as an engine has them: row i begins i stride bytes behind `first`; a stride of 0 repeats row 0.
/// Vectors are x, y, z side by side: of an array of SphaeraVec3 the stride is 24, of float[3] it is 12.
typedef struct SphaeraRows {
  const void* first;
  size_t count;      ///< 0: no rows
  ptrdiff_t stride;  ///< bytes, may be negative
  int32_t type;      ///< SPHAERA_DOUBLE or SPHAERA_FLOAT
  int32_t reserved;  ///< 0
} SphaeraRows;
enum { SPHAERA_DOUBLE = 0, SPHAERA_FLOAT = 1 };

// --------------------------------------------------------------------------------- Handles and callbacks

typedef struct SphaeraScene SphaeraScene;      ///< a scene, or a snapshot of a buffer, which never changes
typedef struct SphaeraBuffer SphaeraBuffer;    ///< a scene that changes while snapshots of it are queried
typedef struct SphaeraLists SphaeraLists;      ///< answers of varying length; used again, keeps its memory
typedef struct SphaeraScratch SphaeraScratch;  ///< working memory of queries, for one call at a time
typedef struct SphaeraStop SphaeraStop;        ///< ends calls that have it in their options
typedef struct SphaeraMemory SphaeraMemory;    ///< where scenes get their memory
typedef struct SphaeraViewpointIndex SphaeraViewpointIndex;  ///< of one scene, for paths from one point
typedef struct SphaeraMotion SphaeraMotion;                  ///< a position as a function of time

/// Called with the fraction done, 0 … 1, from any thread, several at once. Not 0: the call ends with
/// SPHAERA_CANCELLED.
typedef int (*SphaeraProgress)(void* user, double fraction);
/// Does the sphere count for the query (its number in the batch)? 1: yes, 0: no, below 0: the call ends with
/// SPHAERA_CANCELLED. Called on the threads of the batch, several at once.
typedef int (*SphaeraAccept)(void* user, size_t query, int64_t sphere);
/// Changes a scene, which is valid during the call. Not 0: all changes are dropped, SPHAERA_CANCELLED.
typedef int (*SphaeraEdit)(void* user, SphaeraScene* scene);
/// Puts the address of `bytes` bytes into *block and returns 0; not 0: there is no memory. Several threads
/// call it at once.
typedef int (*SphaeraAllocate)(void* user, size_t bytes, size_t alignment, void** block);
/// What it returns is not used.
typedef int (*SphaeraDeallocate)(void* user, void* block, size_t bytes, size_t alignment);

SphaeraStatus sphaera_stop_create(SphaeraStop** stop);
SphaeraStatus sphaera_stop_request(SphaeraStop* stop);  ///< from any thread; there is no way back
SphaeraStatus sphaera_stop_requested(const SphaeraStop* stop, int32_t* requested);  ///< *requested is 0 or 1
SphaeraStatus sphaera_stop_destroy(SphaeraStop* stop);

/// Must outlive the scenes, buffers and snapshots that use it: SPHAERA_BUSY while it holds blocks.
SphaeraStatus sphaera_memory_create(void* user, SphaeraAllocate allocate, SphaeraDeallocate deallocate,
                                    SphaeraMemory** memory);
SphaeraStatus sphaera_memory_destroy(SphaeraMemory* memory);

SphaeraStatus sphaera_scratch_create(SphaeraScratch** scratch);
SphaeraStatus sphaera_scratch_destroy(SphaeraScratch* scratch);

/// List i is items[offsets[i]] … items[offsets[i + 1] - 1]. Each call that is given the lists replaces what
/// they hold. The arrays are valid until then. Items are read as the type that was filled in, else an error.
SphaeraStatus sphaera_lists_create(SphaeraLists** lists);
SphaeraStatus sphaera_lists_destroy(SphaeraLists* lists);
/// *count lists; *offsets has *count + 1 items.
SphaeraStatus sphaera_lists_offsets(const SphaeraLists* lists, const uint64_t** offsets, size_t* count);
/// *items of all lists, one list after another; *count items in all.
SphaeraStatus sphaera_lists_hits(const SphaeraLists* lists, const SphaeraHit** items, size_t* count);
SphaeraStatus sphaera_lists_ids(const SphaeraLists* lists, const int64_t** items, size_t* count);
SphaeraStatus sphaera_lists_neighbors(const SphaeraLists* lists, const SphaeraNeighbor** items,
                                      size_t* count);
SphaeraStatus sphaera_lists_impacts(const SphaeraLists* lists, const SphaeraImpact** items, size_t* count);
SphaeraStatus sphaera_lists_contact_times(const SphaeraLists* lists, const SphaeraContactTime** items,
                                          size_t* count);
SphaeraStatus sphaera_lists_phase_changes(const SphaeraLists* lists, const SphaeraPhaseChange** items,
                                          size_t* count);
SphaeraStatus sphaera_lists_shadow_changes(const SphaeraLists* lists, const SphaeraShadowChange** items,
                                           size_t* count);

// ------------------------------------------------------------------------------------ Scenes: build, edit

enum { SPHAERA_QUALITY_FAST = 0, SPHAERA_QUALITY_BALANCED = 1, SPHAERA_QUALITY_COMPACT = 2 };
enum { SPHAERA_ROW_OK = 0, SPHAERA_ROW_SKIPPED = 1 };
enum {
  SPHAERA_REBUILD_WHEN_DEGRADED = 0,
  SPHAERA_REBUILD_NEVER = 1,
  SPHAERA_REBUILD_ALWAYS = 2,
  SPHAERA_REBUILD_IN_BACKGROUND = 3
};

typedef struct SphaeraBuildOptions {
  size_t size;
  const uint8_t* layers;          ///< 0 … 63
  const uint32_t* owners;         ///< 0xffffffff: none
  const SphaeraVec3* velocities;  ///< needs a horizon
  uint8_t* statuses;              ///< SPHAERA_ROW_OK, …: invalid spheres are skipped
  double horizon_from;            ///< NaN, the default: no horizon
  double horizon_to;
  int32_t quality;        ///< SPHAERA_QUALITY_BALANCED
  int32_t threads;        ///< 0: the default arena of oneTBB
  uint64_t memory_limit;  ///< bytes, 0: none
  SphaeraMemory* memory;
  SphaeraStop* stop;
  SphaeraProgress progress;
  void* progress_user;
  int32_t generations;  ///< 1: count for each id how many spheres with it were erased
  int32_t reserved;     ///< 0
} SphaeraBuildOptions;
SphaeraStatus sphaera_build_options_init(SphaeraBuildOptions* options, size_t size);

typedef struct SphaeraUpdateOptions {
  size_t size;
  int32_t rebuild;  ///< SPHAERA_REBUILD_WHEN_DEGRADED
  int32_t threads;
  uint8_t* statuses;  ///< for updates
  double at_time;
  SphaeraStop* stop;
  SphaeraProgress progress;
  void* progress_user;
} SphaeraUpdateOptions;
SphaeraStatus sphaera_update_options_init(SphaeraUpdateOptions* options, size_t size);

typedef struct SphaeraInsertOptions {
  size_t size;
  const uint8_t* layers;
  const uint32_t* owners;
  const SphaeraVec3* velocities;
  uint8_t* statuses;
  const SphaeraUpdateOptions* update;
} SphaeraInsertOptions;
SphaeraStatus sphaera_insert_options_init(SphaeraInsertOptions* options, size_t size);

/// Set `size` to sizeof before the call; so for the structures below.
typedef struct SphaeraUpdateResult {
  size_t size;
  double boxes;
  double degradation;
  int32_t rebuilt;  ///< 0 or 1
  int32_t reserved;
} SphaeraUpdateResult;

typedef struct SphaeraSceneInfo {
  size_t size;
  uint64_t spheres;
  SphaeraVec3 lower, upper;
  double radius_min, radius_max;
  SphaeraVec3 frame_center, frame_half_size;
  double inflation;
  double boxes;
  double degradation;
  uint64_t frame_levels;  ///< entries of sphaera_scene_frames
  uint64_t sphere_bytes;
  uint64_t index_bytes;
  uint64_t viewpoint_index_bytes;
  uint64_t index_peak_bytes;
  uint64_t embree_bytes;
} SphaeraSceneInfo;

/// Arrays of a scene with one item for each id, `count` items, erased ids included; NULL for what the scene
/// does not have. Valid until the scene is destroyed or spheres are inserted.
typedef struct SphaeraSceneArrays {
  size_t size;
  size_t count;
  const SphaeraSphere* spheres;
  const uint8_t* layers;
  const uint32_t* owners;
  const SphaeraVec3* velocities;
  const uint32_t* generations;
} SphaeraSceneArrays;

/// Sphere i gets the id i.
SphaeraStatus sphaera_scene_build(const SphaeraSphere* spheres, size_t count,
                                  const SphaeraBuildOptions* options, SphaeraScene** scene);
/// radii: one number a row, as many as centers; velocities: NULL, or in place of those in the options.
SphaeraStatus sphaera_scene_build_rows(const SphaeraRows* centers, const SphaeraRows* radii,
                                       const SphaeraRows* velocities, const SphaeraBuildOptions* options,
                                       SphaeraScene** scene);
SphaeraStatus sphaera_scene_destroy(SphaeraScene* scene);  ///< also a snapshot

enum { SPHAERA_CHECK_FIRST_USE = 0, SPHAERA_CHECK_AT_ONCE = 1, SPHAERA_CHECK_NEVER = 2 };

typedef struct SphaeraSaveOptions {
  size_t size;
  const void* attachment;  ///< bytes of your own that the file holds
  size_t attachment_bytes;
} SphaeraSaveOptions;
SphaeraStatus sphaera_save_options_init(SphaeraSaveOptions* options, size_t size);

typedef struct SphaeraOpenOptions {
  size_t size;
  int32_t check;    ///< SPHAERA_CHECK_FIRST_USE: calls that use the scene first may give SPHAERA_BAD_FILE
  int32_t threads;  ///< of a check at once
} SphaeraOpenOptions;
SphaeraStatus sphaera_open_options_init(SphaeraOpenOptions* options, size_t size);

/// Writes scene and index; the file appears whole or not at all. Opened, it is mapped, and processes share
/// it.
SphaeraStatus sphaera_scene_save(const SphaeraScene* scene, const char* path,
                                 const SphaeraSaveOptions* options);
SphaeraStatus sphaera_scene_open(const char* path, const SphaeraOpenOptions* options, SphaeraScene** scene);
/// The attachment of the file that the scene was opened from, valid as long as the scene; else none: 0 bytes.
SphaeraStatus sphaera_scene_attachment(const SphaeraScene* scene, const void** bytes, size_t* count);

/// Moves all spheres (centers->count = ids of the scene), or those of `ids` (centers->count of them).
/// `velocities` may be NULL: the old ones; `result` may be NULL.
SphaeraStatus sphaera_scene_update(SphaeraScene* scene, const SphaeraRows* centers,
                                   const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                   SphaeraUpdateResult* result);
SphaeraStatus sphaera_scene_update_some(SphaeraScene* scene, const int64_t* ids, const SphaeraRows* centers,
                                        const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                        SphaeraUpdateResult* result);
/// Writes the id of each sphere to ids[0 … count - 1].
SphaeraStatus sphaera_scene_insert(SphaeraScene* scene, const SphaeraSphere* spheres, size_t count,
                                   const SphaeraInsertOptions* options, int64_t* ids);
SphaeraStatus sphaera_scene_insert_rows(SphaeraScene* scene, const SphaeraRows* centers,
                                        const SphaeraRows* radii, const SphaeraRows* velocities,
                                        const SphaeraInsertOptions* options, int64_t* ids);
SphaeraStatus sphaera_scene_erase(SphaeraScene* scene, const int64_t* ids, size_t count,
                                  const SphaeraUpdateOptions* options);
SphaeraStatus sphaera_scene_set_enabled(SphaeraScene* scene, const int64_t* ids, size_t count,
                                        int32_t enabled, const SphaeraUpdateOptions* options);
SphaeraStatus sphaera_scene_set_radii(SphaeraScene* scene, const int64_t* ids, size_t count,
                                      const double* radii, const SphaeraUpdateOptions* options);
SphaeraStatus sphaera_scene_set_layers(SphaeraScene* scene, const int64_t* ids, size_t count,
                                       const uint8_t* layers);

SphaeraStatus sphaera_scene_size(const SphaeraScene* scene, size_t* spheres);
/// *contains is 0 or 1.
SphaeraStatus sphaera_scene_contains(const SphaeraScene* scene, int64_t id, int32_t* contains);
SphaeraStatus sphaera_scene_contains_generation(const SphaeraScene* scene, int64_t id, uint32_t generation,
                                                int32_t* contains);
SphaeraStatus sphaera_scene_is_enabled(const SphaeraScene* scene, int64_t id, int32_t* enabled);
SphaeraStatus sphaera_scene_arrays(const SphaeraScene* scene, SphaeraSceneArrays* arrays);
SphaeraStatus sphaera_scene_info(const SphaeraScene* scene, SphaeraSceneInfo* info);
/// Writes the first `capacity` levels; *count is their number.
SphaeraStatus sphaera_scene_frames(const SphaeraScene* scene, SphaeraFrameLevel* levels, size_t capacity,
                                   size_t* count);
/// owners[i] is the owner of the sphere whose id lies i stride bytes behind first_id, such as &hits[0].sphere
/// with sizeof hits[0].
SphaeraStatus sphaera_scene_owners_of(const SphaeraScene* scene, const int64_t* first_id, size_t count,
                                      ptrdiff_t stride, uint32_t* owners);

// ------------------------------------------------------------------------------------------ Scene buffers

/// keep: snapshots before the current one that are kept.
SphaeraStatus sphaera_buffer_build(const SphaeraSphere* spheres, size_t count, size_t keep,
                                   const SphaeraBuildOptions* options, SphaeraBuffer** buffer);
/// Takes the scene: its handle ends, unless the status is SPHAERA_INVALID_ARGUMENT or SPHAERA_BUSY. So it is
/// for sphaera_buffer_adopt, too.
SphaeraStatus sphaera_buffer_build_from(SphaeraScene* scene, size_t keep, SphaeraBuffer** buffer);
SphaeraStatus sphaera_buffer_destroy(SphaeraBuffer* buffer);  ///< its snapshots stay valid
SphaeraStatus sphaera_buffer_adopt(SphaeraBuffer* buffer, SphaeraScene* scene);

/// A snapshot, to be destroyed by sphaera_scene_destroy: the current one, or that of k changes ago (an error
/// if there is none). From any thread.
SphaeraStatus sphaera_buffer_current(const SphaeraBuffer* buffer, SphaeraScene** snapshot);
SphaeraStatus sphaera_buffer_past(const SphaeraBuffer* buffer, size_t k, SphaeraScene** snapshot);
SphaeraStatus sphaera_buffer_snapshots(const SphaeraBuffer* buffer, size_t* count);

/// As for a scene; each makes one new snapshot. `then` may be NULL; otherwise it is called before others see
/// the snapshot.
SphaeraStatus sphaera_buffer_update(SphaeraBuffer* buffer, const SphaeraRows* centers,
                                    const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                    SphaeraUpdateResult* result);
SphaeraStatus sphaera_buffer_update_then(SphaeraBuffer* buffer, const SphaeraRows* centers,
                                         const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                         void* user, SphaeraEdit then, SphaeraUpdateResult* result);
SphaeraStatus sphaera_buffer_update_some(SphaeraBuffer* buffer, const int64_t* ids,
                                         const SphaeraRows* centers, const SphaeraRows* velocities,
                                         const SphaeraUpdateOptions* options, SphaeraUpdateResult* result);
SphaeraStatus sphaera_buffer_insert(SphaeraBuffer* buffer, const SphaeraSphere* spheres, size_t count,
                                    const SphaeraInsertOptions* options, int64_t* ids);
SphaeraStatus sphaera_buffer_insert_rows(SphaeraBuffer* buffer, const SphaeraRows* centers,
                                         const SphaeraRows* radii, const SphaeraRows* velocities,
                                         const SphaeraInsertOptions* options, int64_t* ids);
SphaeraStatus sphaera_buffer_erase(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                   const SphaeraUpdateOptions* options);
SphaeraStatus sphaera_buffer_set_enabled(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                         int32_t enabled, const SphaeraUpdateOptions* options);
SphaeraStatus sphaera_buffer_set_radii(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                       const double* radii, const SphaeraUpdateOptions* options);
SphaeraStatus sphaera_buffer_set_layers(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                        const uint8_t* layers);
SphaeraStatus sphaera_buffer_change(SphaeraBuffer* buffer, void* user, SphaeraEdit edit);

// ------------------------------------------------------------------------------------------------ Queries

enum { SPHAERA_SEARCH_INDEX = 0, SPHAERA_SEARCH_BRUTE_FORCE = 1, SPHAERA_SEARCH_EMBREE = 2 };

/// Calls add to the counts.
typedef struct SphaeraQueryStats {
  size_t size;
  uint64_t queries;
  uint64_t candidates;
  uint64_t double_double;
  uint64_t exact;
  uint64_t in_viewpoint_indexes;
} SphaeraQueryStats;

typedef struct SphaeraQueryOptions {
  size_t size;
  uint64_t layers;        ///< bit l: layer l; default all
  const int64_t* ignore;  ///< id of the sphere that each query ignores, -1: none
  const uint64_t* layers_each;
  const int64_t* ignore_owners;
  const int64_t* also_ignore_owners;
  const double* times;
  uint8_t* statuses;  ///< SPHAERA_ROW_OK, …: invalid queries are skipped
  SphaeraAccept accept;
  void* accept_user;
  const SphaeraViewpointIndex* const* viewpoint_indexes;
  size_t viewpoint_index_count;
  int32_t automatic_viewpoint_indexes;  ///< 1
  int32_t search;                       ///< SPHAERA_SEARCH_INDEX
  int32_t threads;                      ///< 0: the default arena of oneTBB
  int32_t check_inputs;                 ///< 1; 0: they were checked before
  size_t grain;
  uint64_t memory_limit;  ///< bytes of lists, 0: none
  SphaeraStop* stop;
  SphaeraQueryStats* stats;
  SphaeraScratch* scratch;
  const int64_t* also_ignore;  ///< a second sphere that each query ignores; joined in SPHAERA_1.2
  SphaeraVec3 box;  ///< edges of a periodic box, 0: no period along that axis; joined in SPHAERA_1.2
} SphaeraQueryOptions;
SphaeraStatus sphaera_query_options_init(SphaeraQueryOptions* options, size_t size);

/// Batches: out[i] answers query i; out has `count` items unless said. The forms for one query (…_ray,
/// …_segment, …_point, …_ball, …_bullet) are serial and fast; those that answer with a list write its first
/// `capacity` items and put its length into *found.
/// 1 if the path meets any sphere, else 0.
SphaeraStatus sphaera_scene_blocked(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                    const SphaeraQueryOptions* options, uint8_t* out);
SphaeraStatus sphaera_scene_blocked_segments(const SphaeraScene* scene, const SphaeraSegment* segments,
                                             size_t count, const SphaeraQueryOptions* options, uint8_t* out);
SphaeraStatus sphaera_scene_blocked_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                        const SphaeraQueryOptions* options, uint8_t* out);
SphaeraStatus sphaera_scene_blocked_segment(const SphaeraScene* scene, const SphaeraSegment* segment,
                                            const SphaeraQueryOptions* options, uint8_t* out);

/// Points that are looked at, and what the lines to each of them ignore, or NULL.
typedef struct SphaeraSightTargets {
  size_t size;
  const SphaeraVec3* points;
  size_t count;
  const int64_t* ignore;
  const int64_t* ignore_owners;
} SphaeraSightTargets;
SphaeraStatus sphaera_sight_targets_init(SphaeraSightTargets* targets, size_t size);

/// Which targets each point sees: bit j % 8 of out[i row + j/8], row = (targets->count + 7)/8, is 1 if no
/// sphere has a point in common with the segment from point i to target j. out_count must be count row.
/// Arrays in the options have an item for each point.
SphaeraStatus sphaera_scene_visibility(const SphaeraScene* scene, const SphaeraVec3* from, size_t count,
                                       const SphaeraSightTargets* targets, const SphaeraQueryOptions* options,
                                       uint8_t* out, size_t out_count);

/// The sphere with the least max(t_min, t1), ties to the lowest id.
SphaeraStatus sphaera_scene_first_hit(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                      const SphaeraQueryOptions* options, SphaeraHit* out);
SphaeraStatus sphaera_scene_first_hit_segments(const SphaeraScene* scene, const SphaeraSegment* segments,
                                               size_t count, const SphaeraQueryOptions* options,
                                               SphaeraHit* out);
SphaeraStatus sphaera_scene_first_hit_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                          const SphaeraQueryOptions* options, SphaeraHit* out);
SphaeraStatus sphaera_scene_first_hit_segment(const SphaeraScene* scene, const SphaeraSegment* segment,
                                              const SphaeraQueryOptions* options, SphaeraHit* out);

SphaeraStatus sphaera_scene_first_surface_hit(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                              const SphaeraQueryOptions* options, SphaeraSurfaceHit* out);
SphaeraStatus sphaera_scene_first_surface_hit_segments(const SphaeraScene* scene,
                                                       const SphaeraSegment* segments, size_t count,
                                                       const SphaeraQueryOptions* options,
                                                       SphaeraSurfaceHit* out);
SphaeraStatus sphaera_scene_first_surface_hit_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                                  const SphaeraQueryOptions* options, SphaeraSurfaceHit* out);
SphaeraStatus sphaera_scene_first_surface_hit_segment(const SphaeraScene* scene,
                                                      const SphaeraSegment* segment,
                                                      const SphaeraQueryOptions* options,
                                                      SphaeraSurfaceHit* out);

/// All spheres that the path meets, in the same order: sphaera_lists_hits.
SphaeraStatus sphaera_scene_all_hits(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                     const SphaeraQueryOptions* options, SphaeraLists* lists);
SphaeraStatus sphaera_scene_all_hits_segments(const SphaeraScene* scene, const SphaeraSegment* segments,
                                              size_t count, const SphaeraQueryOptions* options,
                                              SphaeraLists* lists);
SphaeraStatus sphaera_scene_all_hits_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                         const SphaeraQueryOptions* options, SphaeraHit* out, size_t capacity,
                                         size_t* found);
SphaeraStatus sphaera_scene_all_hits_segment(const SphaeraScene* scene, const SphaeraSegment* segment,
                                             const SphaeraQueryOptions* options, SphaeraHit* out,
                                             size_t capacity, size_t* found);

/// The k nearest of point i, by signed distance to the surface, ties to the lowest id: out[i k … i k + k -
/// 1]. out_count must be count k.
SphaeraStatus sphaera_scene_nearest(const SphaeraScene* scene, const SphaeraVec3* points, size_t count,
                                    size_t k, const SphaeraQueryOptions* options, SphaeraNeighbor* out,
                                    size_t out_count);
SphaeraStatus sphaera_scene_nearest_point(const SphaeraScene* scene, const SphaeraVec3* point, size_t k,
                                          const SphaeraQueryOptions* options, SphaeraNeighbor* out);
/// Of the spheres `ids`, or of all for NULL. Arrays in the options have an item for each id of the scene.
/// out_count must be the number of these ids times k.
SphaeraStatus sphaera_scene_nearest_to_spheres(const SphaeraScene* scene, const SphaeraIdRange* ids, size_t k,
                                               const SphaeraQueryOptions* options, SphaeraNeighbor* out,
                                               size_t out_count);

/// Pairs of spheres whose gap, negative where they overlap, is at most `distance`, each once:
/// sphaera_lists_neighbors has for each of the spheres `ids`, or for all for NULL, those of higher id, with
/// the gap as distance. Arrays in the options have an item for each id of the scene.
SphaeraStatus sphaera_scene_contacts(const SphaeraScene* scene, const SphaeraIdRange* ids, double distance,
                                     const SphaeraQueryOptions* options, SphaeraLists* lists);
/// How many of these pairs each of the spheres `ids` is in, or each of all for NULL, as the lower or the
/// higher id. out_count must be the number of ids.
SphaeraStatus sphaera_scene_count_contacts(const SphaeraScene* scene, const SphaeraIdRange* ids,
                                           double distance, const SphaeraQueryOptions* options, uint64_t* out,
                                           size_t out_count);

/// Of each of the spheres `ids`, or of all for NULL, grown by the probe, the area that lies in no other grown
/// sphere. Arrays in the options have an item for each id of the scene. out_count must be the number of ids.
SphaeraStatus sphaera_scene_exposed_area(const SphaeraScene* scene, const SphaeraIdRange* ids, double probe,
                                         const SphaeraQueryOptions* options, SphaeraExposedArea* out,
                                         size_t out_count);

/// Spheres that have a point in common with the ball, by id: sphaera_lists_ids; their number; nearest first,
/// with signed distances from the ball's center: sphaera_lists_neighbors.
SphaeraStatus sphaera_scene_within(const SphaeraScene* scene, const SphaeraBall* balls, size_t count,
                                   const SphaeraQueryOptions* options, SphaeraLists* lists);
SphaeraStatus sphaera_scene_within_ball(const SphaeraScene* scene, const SphaeraBall* ball,
                                        const SphaeraQueryOptions* options, int64_t* out, size_t capacity,
                                        size_t* found);
SphaeraStatus sphaera_scene_count_within(const SphaeraScene* scene, const SphaeraBall* balls, size_t count,
                                         const SphaeraQueryOptions* options, uint64_t* out);
SphaeraStatus sphaera_scene_count_within_ball(const SphaeraScene* scene, const SphaeraBall* ball,
                                              const SphaeraQueryOptions* options, uint64_t* out);
SphaeraStatus sphaera_scene_neighbors_within(const SphaeraScene* scene, const SphaeraBall* balls,
                                             size_t count, const SphaeraQueryOptions* options,
                                             SphaeraLists* lists);
SphaeraStatus sphaera_scene_neighbors_within_ball(const SphaeraScene* scene, const SphaeraBall* ball,
                                                  const SphaeraQueryOptions* options, SphaeraNeighbor* out,
                                                  size_t capacity, size_t* found);

/// Star j for observer i: out[i star_count + j]. out_count must be star_count observer_count.
SphaeraStatus sphaera_scene_starlight(const SphaeraScene* scene, const SphaeraStar* stars, size_t star_count,
                                      const SphaeraObserver* observers, size_t observer_count,
                                      const SphaeraQueryOptions* options, SphaeraVisibility* out,
                                      size_t out_count);
SphaeraStatus sphaera_scene_starlight_observer(const SphaeraScene* scene, const SphaeraStar* star,
                                               const SphaeraObserver* observer,
                                               const SphaeraQueryOptions* options, SphaeraVisibility* out);
/// Watts per square unit of length on each receiver.
SphaeraStatus sphaera_scene_irradiance(const SphaeraScene* scene, const SphaeraSource* sources,
                                       size_t source_count, const SphaeraReceiver* receivers,
                                       size_t receiver_count, const SphaeraQueryOptions* options,
                                       double* out);

typedef struct SphaeraSkyOptions {
  size_t size;
  double within;        ///< spheres count as far as they reach within this distance of the point; INFINITY
  uint32_t most_discs;  ///< 1024: for more, directions are sampled
  uint32_t rays;        ///< 4096
} SphaeraSkyOptions;
SphaeraStatus sphaera_sky_options_init(SphaeraSkyOptions* options, size_t size);
/// How much of its sky each point sees.
SphaeraStatus sphaera_scene_sky(const SphaeraScene* scene, const SphaeraSkyPoint* points, size_t count,
                                const SphaeraSkyOptions* sky, const SphaeraQueryOptions* options,
                                SphaeraSkyShare* out);
SphaeraStatus sphaera_scene_sky_point(const SphaeraScene* scene, const SphaeraSkyPoint* point,
                                      const SphaeraSkyOptions* sky, const SphaeraQueryOptions* options,
                                      SphaeraSkyShare* out);

enum { SPHAERA_START_INSIDE_HITS = 0, SPHAERA_START_INSIDE_LEAVES = 1, SPHAERA_START_INSIDE_REFUSES = 2 };

typedef struct SphaeraFlightOptions {
  size_t size;
  uint32_t bounces;
  uint32_t pierces;
  double budget;              ///< INFINITY
  const double* resistances;  ///< by id, as restitutions and frictions
  const double* restitutions;
  const double* frictions;
  size_t material_count;  ///< items in each of these three that is not NULL: ids of the scene
  SphaeraVec3 gravity;
  double restitution;  ///< 1
  double friction;
  const SphaeraVec3* gravities;  ///< of each bullet
  SphaeraFlightEnd* ends;        ///< of each bullet
  int32_t start_inside;          ///< SPHAERA_START_INSIDE_HITS
  int32_t reserved;              ///< 0
} SphaeraFlightOptions;
SphaeraStatus sphaera_flight_options_init(SphaeraFlightOptions* options, size_t size);

/// The first impact of each bullet, and all of them in order of time: sphaera_lists_impacts.
SphaeraStatus sphaera_scene_first_impact(const SphaeraScene* scene, const SphaeraBullet* bullets,
                                         size_t count, const SphaeraFlightOptions* flight,
                                         const SphaeraQueryOptions* options, SphaeraImpact* out);
SphaeraStatus sphaera_scene_first_impact_bullet(const SphaeraScene* scene, const SphaeraBullet* bullet,
                                                const SphaeraFlightOptions* flight,
                                                const SphaeraQueryOptions* options, SphaeraImpact* out);
SphaeraStatus sphaera_scene_all_impacts(const SphaeraScene* scene, const SphaeraBullet* bullets, size_t count,
                                        const SphaeraFlightOptions* flight,
                                        const SphaeraQueryOptions* options, SphaeraLists* lists);
SphaeraStatus sphaera_scene_all_impacts_bullet(const SphaeraScene* scene, const SphaeraBullet* bullet,
                                               const SphaeraFlightOptions* flight,
                                               const SphaeraQueryOptions* options, SphaeraImpact* out,
                                               size_t capacity, size_t* found);
/// The sphere with the smallest gap to the straight flight, if that is at most max_distance.
SphaeraStatus sphaera_scene_near_misses(const SphaeraScene* scene, const SphaeraBullet* bullets, size_t count,
                                        double max_distance, const SphaeraQueryOptions* options,
                                        SphaeraNearMiss* out);

/// For SphaeraQueryOptions, until the scene changes. Each sphaera_viewpoint_index_build needs its scene only
/// during the call.
typedef struct SphaeraViewpointIndexOptions {
  size_t size;
  uint64_t memory_limit;  ///< bytes, 0: none
  SphaeraStop* stop;
  int32_t threads;
  int32_t reserved;  ///< 0
} SphaeraViewpointIndexOptions;
SphaeraStatus sphaera_viewpoint_index_options_init(SphaeraViewpointIndexOptions* options, size_t size);
typedef struct SphaeraViewpointIndexInfo {
  size_t size;
  uint64_t bytes;
  double boxes;
  int32_t pays;  ///< 1: queries use it
  int32_t reserved;
} SphaeraViewpointIndexInfo;
/// For paths to or from the star's center, or in its direction at infinity. For a point: a star of radius 0.
SphaeraStatus sphaera_viewpoint_index_build(const SphaeraScene* scene, const SphaeraStar* star,
                                            const SphaeraViewpointIndexOptions* options,
                                            SphaeraViewpointIndex** index);
SphaeraStatus sphaera_viewpoint_index_info(const SphaeraViewpointIndex* index,
                                           SphaeraViewpointIndexInfo* info);
SphaeraStatus sphaera_viewpoint_index_destroy(SphaeraViewpointIndex* index);

// ------------------------------------------------------------------------------ Motions and contact times

/// Samples ascend by time, all numbers within 2^200; they are copied.
SphaeraStatus sphaera_motion_create(const SphaeraMotionSample* samples, size_t count, SphaeraMotion** motion);
/// Uniform; at `position` at time 0. velocity NULL: at rest.
SphaeraStatus sphaera_motion_create_linear(const SphaeraVec3* position, const SphaeraVec3* velocity,
                                           SphaeraMotion** motion);
SphaeraStatus sphaera_motion_create_beside(const SphaeraMotion* body, const SphaeraVec3* from_center,
                                           SphaeraMotion** motion);
/// A point of a turning body. Valid: a finite axis that is not 0, 2^-200 <= |period| <= 2^200.
SphaeraStatus sphaera_motion_create_fixed_in(const SphaeraMotion* body, const SphaeraSpin* spin,
                                             const SphaeraVec3* from_center, SphaeraMotion** motion);
SphaeraStatus sphaera_motion_at(const SphaeraMotion* motion, double time, SphaeraVec3* position);
SphaeraStatus sphaera_motion_destroy(SphaeraMotion* motion);

typedef struct SphaeraMovingStar {
  SphaeraStar star;
  const SphaeraMotion* motion;  ///< of its center; NULL: it stays
} SphaeraMovingStar;
typedef struct SphaeraMovingObserver {
  const SphaeraMotion* motion;
  int64_t on;  ///< number of the body that the observer stands on, -1: none
} SphaeraMovingObserver;
typedef struct SphaeraMovingSphere {
  const SphaeraMotion* motion;
  double radius;
} SphaeraMovingSphere;

/// Why a search has no answer.
typedef struct SphaeraUnseenStar {
  uint8_t status;  ///< SPHAERA_STAR_OK: it has one
  double time;     ///< at which the star is not seen
  int64_t body;    ///< that intersects the star, or -1
} SphaeraUnseenStar;

typedef struct SphaeraContactOptions {
  size_t size;
  double resolution;  ///< 1e-3, in the unit of time of the motions
  SphaeraStop* stop;
  SphaeraUnseenStar* unseen;  ///< NULL: a star that is not seen is an error; joined in SPHAERA_1.2
} SphaeraContactOptions;
SphaeraStatus sphaera_contact_options_init(SphaeraContactOptions* options, size_t size);

/// One list each. Contacts of each body alone; changes of the phase behind all bodies together; contacts of a
/// ball with the shadows of bodies.
SphaeraStatus sphaera_contact_times(const SphaeraMovingStar* star, const SphaeraMovingObserver* observer,
                                    const SphaeraMovingSphere* bodies, size_t count, double begin, double end,
                                    const SphaeraContactOptions* options, SphaeraLists* lists);
SphaeraStatus sphaera_phase_changes(const SphaeraMovingStar* star, const SphaeraMovingObserver* observer,
                                    const SphaeraMovingSphere* bodies, size_t count, double begin, double end,
                                    const SphaeraContactOptions* options, SphaeraLists* lists);
SphaeraStatus sphaera_shadow_contacts(const SphaeraMovingStar* star, const SphaeraMovingSphere* ball,
                                      const SphaeraMovingSphere* bodies, size_t count, double begin,
                                      double end, const SphaeraContactOptions* options, SphaeraLists* lists);

// --------------------------------------------------------------------------- One path, star, pair of spheres

enum { SPHAERA_TANGENT_MEETS = 0, SPHAERA_TANGENT_MISSES = 1 };
enum { SPHAERA_END_CLOSED = 0, SPHAERA_END_OPEN = 1 };
enum { SPHAERA_START_ANYWHERE = 0, SPHAERA_START_NOT_INSIDE = 1 };

/// The rule for a hit; all 0 is that of the scene. jHitSphere: {SPHAERA_TANGENT_MISSES, SPHAERA_END_OPEN, 0}.
/// Bartlett: {0, 0, SPHAERA_START_NOT_INSIDE}.
typedef struct SphaeraConvention {
  int32_t tangent;
  int32_t end;
  int32_t start;
} SphaeraConvention;

typedef struct SphaeraIntersection {
  uint8_t contact;
  int32_t roots;
  double t1;
  double t2;
  double t_closest;
} SphaeraIntersection;

typedef struct SphaeraSurfacePoint {
  SphaeraVec3 point;
  SphaeraVec3 normal;
} SphaeraSurfacePoint;

typedef struct SphaeraCrossing {
  double t;
  SphaeraSurfacePoint surface;
  uint8_t on_path;  ///< 0 or 1
} SphaeraCrossing;

typedef struct SphaeraPierce {
  SphaeraCrossing entry;
  SphaeraCrossing exit;
} SphaeraPierce;

typedef struct SphaeraClosestPoint {
  double t;
  SphaeraVec3 point;
  double squared_distance;
} SphaeraClosestPoint;

enum {
  SPHAERA_CIRCLE_CLASS_APART = 0,
  SPHAERA_CIRCLE_CLASS_TOUCHING = 1,
  SPHAERA_CIRCLE_CLASS_CIRCLE = 2,
  SPHAERA_CIRCLE_CLASS_INSIDE = 3,
  SPHAERA_CIRCLE_CLASS_SAME = 4
};

typedef struct SphaeraIntersectionCircle {
  uint8_t kind;  ///< SPHAERA_CIRCLE_CLASS_APART, …
  SphaeraVec3 center;
  double radius;
  SphaeraVec3 normal;
  SphaeraVec3 axis_u;
  SphaeraVec3 axis_v;
} SphaeraIntersectionCircle;

typedef struct SphaeraShot {
  SphaeraVec3 from;
  SphaeraVec3 aim;
  double speed;
} SphaeraShot;

typedef struct SphaeraRicochet {
  SphaeraVec3 point;
  SphaeraVec3 normal;
  double angle;
  SphaeraVec3 velocity;
  double distance;
  double time;
} SphaeraRicochet;

/// *meets is 0 or 1; convention NULL: that of the scene.
SphaeraStatus sphaera_meets_ray(const SphaeraRay* ray, const SphaeraSphere* sphere,
                                const SphaeraConvention* convention, int32_t* meets);
SphaeraStatus sphaera_meets_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                    const SphaeraConvention* convention, int32_t* meets);
/// Contact, root count, roots, closest approach.
SphaeraStatus sphaera_intersect_ray(const SphaeraRay* ray, const SphaeraSphere* sphere,
                                    SphaeraIntersection* out);
SphaeraStatus sphaera_intersect_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                        SphaeraIntersection* out);
SphaeraStatus sphaera_contact_ray(const SphaeraRay* ray, const SphaeraSphere* sphere, uint8_t* contact);
SphaeraStatus sphaera_contact_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                      uint8_t* contact);
SphaeraStatus sphaera_root_count_ray(const SphaeraRay* ray, const SphaeraSphere* sphere, int32_t* roots);
SphaeraStatus sphaera_root_count_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                         int32_t* roots);
SphaeraStatus sphaera_closest_approach_ray(const SphaeraRay* ray, const SphaeraVec3* center, double* t);
SphaeraStatus sphaera_closest_approach_segment(const SphaeraSegment* segment, const SphaeraVec3* center,
                                               double* t);
SphaeraStatus sphaera_point_at_ray(const SphaeraRay* ray, double t, SphaeraVec3* point);
SphaeraStatus sphaera_point_at_segment(const SphaeraSegment* segment, double t, SphaeraVec3* point);
/// *found is 0 or 1; out is written for 1 alone.
SphaeraStatus sphaera_pierce_ray(const SphaeraRay* ray, const SphaeraSphere* sphere, SphaeraPierce* out,
                                 int32_t* found);
SphaeraStatus sphaera_pierce_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                     SphaeraPierce* out, int32_t* found);
SphaeraStatus sphaera_hit_point_ray(const SphaeraRay* ray, const SphaeraSphere* sphere,
                                    SphaeraSurfacePoint* out, int32_t* found);
SphaeraStatus sphaera_hit_point_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                        SphaeraSurfacePoint* out, int32_t* found);
SphaeraStatus sphaera_ricochet(const SphaeraShot* shot, const SphaeraSphere* sphere, SphaeraRicochet* out,
                               int32_t* found);
SphaeraStatus sphaera_closest_point(const SphaeraSegment* segment, const SphaeraVec3* position,
                                    SphaeraClosestPoint* out);
SphaeraStatus sphaera_intersection_circle(const SphaeraSphere* first, const SphaeraSphere* second,
                                          SphaeraIntersectionCircle* out);
/// Of each ray; its hits are hits[offsets[i]] … hits[offsets[i + 1] - 1], in the order of
/// sphaera_scene_all_hits. `offsets` has count + 1 items, which do not descend.
SphaeraStatus sphaera_chord_sums(const SphaeraRay* rays, size_t count, const SphaeraHit* hits,
                                 const uint64_t* offsets, SphaeraChordSums* out);
/// Without a scene: behind `spheres`, whose ids are their positions.
SphaeraStatus sphaera_starlight(const SphaeraStar* star, const SphaeraObserver* observer,
                                const SphaeraSphere* spheres, size_t count, SphaeraVisibility* out);
/// `flux`: the visible fraction of the star's light, 1 if nothing hides it.
SphaeraStatus sphaera_irradiance(const SphaeraSource* source, const SphaeraReceiver* receiver, double flux,
                                 double* out);
SphaeraStatus sphaera_normal_irradiance(const SphaeraSource* source, const SphaeraVec3* position, double flux,
                                        double* out);
SphaeraStatus sphaera_limb_darkening_intensity(const SphaeraLimbDarkening* law, double mu, double* out);

#ifdef __cplusplus
}
#endif
#endif
