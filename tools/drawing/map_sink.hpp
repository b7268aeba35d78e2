#pragma once
/// \file Where the light that `map` finds goes: a table or a picture.

#include <cstdint>
#include <filesystem>
#include <io/results/table.hpp>
#include <memory>
#include <tools/drawing/picture.hpp>
#include <tools/scene/lighting.hpp>

namespace sphaera::tool {

/// What a picture shows.
enum class Quantity : std::uint8_t { fraction, flux, light, irradiance };

/// Where the receivers' light goes, in their order.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::uint64_t number, const Receiver& receiver, const Lit& lit) = 0;
  virtual io::Output& finish() = 0;  ///< writes what is left; `commit` on it gives it its name
};

std::unique_ptr<Sink> table_sink(const std::filesystem::path& target, io::TableFormat format);

/// `frame` is the picture but for colours and key.
std::unique_ptr<Sink> picture_sink(io::Output output, Picture frame, Quantity quantity);

}  // namespace sphaera::tool
