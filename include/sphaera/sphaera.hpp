#pragma once
/// \file All of Sphaera.

#include <sphaera/config/requirements.hpp>

#include <sphaera/bullet.hpp>
#include <sphaera/closed_form/chord_sums.hpp>
#include <sphaera/closed_form/closest_point.hpp>
#include <sphaera/closed_form/intersection_circle.hpp>
#include <sphaera/closed_form/pierce.hpp>
#include <sphaera/closed_form/ray_sphere.hpp>
#include <sphaera/closed_form/ricochet.hpp>
#include <sphaera/contact_times.hpp>
#include <sphaera/error.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/irradiance.hpp>
#include <sphaera/motion.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/rows.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>
#include <sphaera/scene_options.hpp>
#include <sphaera/scratch.hpp>
#include <sphaera/sky.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <sphaera/status.hpp>
#include <sphaera/vec3.hpp>
#include <sphaera/version.hpp>
#include <sphaera/viewpoint_index.hpp>
