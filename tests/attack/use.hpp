#pragma once
/// \file Uses what a reader has accepted: builds and queries a scene, or puts queries to a fixed scene.
/// Throws Fault where index and brute force differ, or where accepted input is invalid or refused.

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
