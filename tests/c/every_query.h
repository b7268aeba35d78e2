#ifndef SPHAERA_TESTS_C_EVERY_QUERY_H
#define SPHAERA_TESTS_C_EVERY_QUERY_H
/// \file Every query of a scene, asked in C99: the table that tests/queries/every_query.cpp must find
/// complete.

#include <sphaera/sphaera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Inputs {
  const SphaeraRay* rays;
  const SphaeraSegment* segments;
  const SphaeraVec3* points;
  const SphaeraVec3* targets;
  const SphaeraBall* balls;
  const SphaeraBullet* bullets;
  const SphaeraBullet* fallers;
  const SphaeraObserver* observers;
  const SphaeraReceiver* receivers;
  const SphaeraSkyPoint* skies;
  const SphaeraStar* stars;
  const SphaeraSource* sources;
  size_t star_count, source_count, target_count;
  size_t k;
  const SphaeraIdRange* ids;  ///< of the queries about spheres of the scene
  double max_distance;
  const SphaeraFlightOptions* straight;
  const SphaeraFlightOptions* falling;
  const SphaeraSkyOptions* sky;
} Inputs;

/// Where the answers go: `room` items of the query's type, or lists.
typedef struct Place {
  void* items;
  size_t room;
  SphaeraLists* lists;
  size_t found;  ///< length of the list of a single query
} Place;

typedef SphaeraStatus (*Ask)(const SphaeraScene* scene, const Inputs* in, size_t count,
                             const SphaeraQueryOptions* options, Place* out);
/// Query i alone.
typedef SphaeraStatus (*AskAlone)(const SphaeraScene* scene, const Inputs* in, size_t i,
                                  const SphaeraQueryOptions* options, Place* out);

typedef struct CQuery {
  const char* name;  ///< as in tests/queries/every_query.cpp
  Ask ask;
  AskAlone alone;  ///< NULL if there is no form for one
} CQuery;

extern const CQuery c_queries[];
extern const size_t c_query_count;

#ifdef __cplusplus
}
#endif
#endif
