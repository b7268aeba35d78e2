#pragma once
/// \file The functions that Embree calls.

#include <bridge/data.hpp>

namespace sphaera::bridge {

/// Sets the bounds, intersect and occluded functions of the geometry.
void set_callbacks(const Data& data);

}  // namespace sphaera::bridge
