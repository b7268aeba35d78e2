#pragma once
/// \file The largest errors of the numbers of impacts.

#include <algorithm>
#include <tests/oracle/roots.hpp>

namespace sphaera::test {

/// In units of the stated errors.
struct WorstErrors {
  double time = 0, exit_time = 0, distance = 0, angle = 0, point = 0, center = 0, normal = 0, velocity = 0,
         length = 0, exit_point = 0;
};

inline void note(double& worst, const oracle::Real& error, const oracle::Real& stated) {
  worst = std::max(worst, static_cast<double>(abs(error) / stated));
}

}  // namespace sphaera::test
