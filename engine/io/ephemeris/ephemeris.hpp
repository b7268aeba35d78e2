#pragma once
/// \file Readers of ephemerides: the motion of one body, from a table of its positions and velocities.

#include <io/formats/dates.hpp>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <optional>
#include <sphaera/motion.hpp>
#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// What a reader gets besides the bytes.
struct EphemerisOptions {
  std::optional<Instant> epoch{};  ///< of time 0; none: files with dates are errors
  std::string unit{};              ///< the scene's unit of length
  /// Of a file with several bodies: the one that moves, and the one whose place is the origin; empty: the
  /// only ones.
  std::string target{}, center{};
  /// The times to read, where the format is no list of times; none: all.
  std::optional<Instant> from{}, to{};
  CsvOptions csv{};
  std::vector<std::string>* warnings = nullptr;  ///< gets those of the reader; null: nobody wants them
};

/// Reads an ephemeris, in the format that its first bytes show (ephemeris_formats.hpp). Throws Error:
/// bad_file, out_of_memory, cancelled.
Motion read_ephemeris(std::unique_ptr<ByteSource> source, const EphemerisOptions& options = {});

/// The scene's units in a kilometer, by its name: m, km or au; none counts as m. Throws bad_file, about the
/// file `name`, for other units.
double units_in_kilometer(const EphemerisOptions& options, const std::string& name);

/// The epoch. Throws bad_file about the file `name` where there is none.
const Instant& needed_epoch(const EphemerisOptions& options, const std::string& name);

}  // namespace sphaera::io
