#pragma once
/// \file The table of ephemeris formats. A file's format is known by its first bytes; a new format is a row
/// here, and a file `ephemeris_X.cpp` with its reader.

#include <array>
#include <io/ephemeris/ephemeris.hpp>
#include <io/streams/byte_reader.hpp>
#include <string_view>

namespace sphaera::io {

struct EphemerisFormat {
  std::string_view name;  ///< for tests
  bool names_lines;       ///< every error in a file names its line
  /// True for the first 512 bytes of a file of this format.
  bool (*is)(std::string_view beginning);
  Motion (*read)(ByteSource& source, const EphemerisOptions& options);
};

bool is_spk(std::string_view beginning);
bool is_oem(std::string_view beginning);
bool is_horizons(std::string_view beginning);
Motion read_spk_ephemeris(ByteSource& source, const EphemerisOptions& options);
Motion read_oem_ephemeris(ByteSource& source, const EphemerisOptions& options);
Motion read_horizons_ephemeris(ByteSource& source, const EphemerisOptions& options);
Motion read_csv_ephemeris(ByteSource& source, const EphemerisOptions& options);

/// The last one takes what the others do not.
inline constexpr std::array<EphemerisFormat, 4> ephemeris_formats{
    {{"bsp", false, is_spk, read_spk_ephemeris},
     {"oem", true, is_oem, read_oem_ephemeris},
     {"horizons", true, is_horizons, read_horizons_ephemeris},
     {"csv", true, [](std::string_view) { return true; }, read_csv_ephemeris}}};

}  // namespace sphaera::io
