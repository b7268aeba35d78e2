#pragma once
/// \file Readers of ephemerides: the motion of one body, from a table of its positions and velocities.

#include <io/formats/dates.hpp>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <optional>
#include <sphaera/motion.hpp>
#include <sphaera/scene_file.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// What a reader gets besides the bytes.
struct EphemerisOptions {
  std::optional<Instant> epoch{};  ///< of time 0; none: files with dates are errors
  CsvOptions csv{};
  std::vector<std::string>* warnings = nullptr;  ///< gets those of the reader; null: nobody wants them
};

/// Reads an ephemeris. Throws Error: bad_file, out_of_memory, cancelled.
Motion read_ephemeris(std::unique_ptr<ByteSource> source, const EphemerisOptions& options = {});

}  // namespace sphaera::io
