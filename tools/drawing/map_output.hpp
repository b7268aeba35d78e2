#pragma once
/// \file Destination of the light that `map` computes: a table or a picture.

#include <cstdint>
#include <filesystem>
#include <io/results/table.hpp>
#include <memory>
#include <tools/drawing/map_picture.hpp>
#include <tools/scene/lighting.hpp>

namespace sphaera::tool {

/// Quantity that a picture shows.
enum class Quantity : std::uint8_t { fraction, flux, light, irradiance };

/// Takes the light of the receivers in their order.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::uint64_t number, const Receiver& receiver, const Lit& lit) = 0;
  virtual io::Output& finish() = 0;  ///< writes the remaining bytes; the caller calls `commit` on the output
};

std::unique_ptr<Sink> table_sink(const std::filesystem::path& target, io::TableFormat format);

/// `frame` is the picture without colors and key.
std::unique_ptr<Sink> picture_sink(io::Output output, Picture frame, Quantity quantity);

}  // namespace sphaera::tool
