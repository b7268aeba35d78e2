#pragma once
/// \file What was read is put to use: scenes are built and asked, queries are asked. Throws Fault where
/// answers of the index and of brute force differ or a valid input is refused.

#include <io/queries/query_file.hpp>
#include <io/scene/scene_file.hpp>
#include <span>

namespace sphaera::attack {

void use(const io::SceneFile& scene);
void use(const Motion& ephemeris);

void use(const io::QueryChunk<Ray>& rays);
void use(const io::QueryChunk<Observer>& observers);
void use(const io::QueryChunk<io::Station>& stations);
void use(const io::QueryChunk<Receiver>& receivers);
void use(const io::QueryChunk<Bullet>& bullets);
void use(const io::QueryChunk<Vec3>& points);
void use(const io::QueryChunk<Ball>& balls);

/// The scene that queries are put to.
std::span<const Sphere> spheres_to_ask();

}  // namespace sphaera::attack
