#pragma once
/// \file Destination of the light that `map` computes: a table or a picture.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tools/drawing/map_picture.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/scene/light_column.hpp>
#include <tools/scene/lighting.hpp>

namespace sphaera::tool {

/// A row of the table.
struct MapRow {
  std::uint64_t number;
  const Receiver* receiver;
  const Lit* lit;
};

inline constexpr files::ResultColumns map_columns{
    files::column::integer(
        "receiver", "row · W + column, from 0 at the lower left; or the number in the file", &MapRow::number),
    files::column::number("x,y,z", "its place, in the scene's unit",
                          [](const MapRow& row) { return row.receiver->observer.position; }),
    files::column::number("nx,ny,nz", "its normal, of length 1 on planes and globes",
                          files::column::of(&MapRow::receiver, &Receiver::normal)),
    files::column::number("fraction",
                          "solid angle of the star's visible part ÷ solid angle of its whole disc",
                          [](const MapRow& row) { return row.lit->seen.fraction; }),
    files::column::number("flux",
                          "light of the star's visible part ÷ light of its whole disc, with limb darkening",
                          [](const MapRow& row) { return row.lit->seen.flux; }),
    files::column::word("light", light_words,
                        "lit, umbra, antumbra, penumbra, inside_star or intersects_star (no numbers)",
                        [](const MapRow& row) { return light_word(row.lit->seen); }),
    files::column::number("irradiance",
                          "W per square unit of length, of all stars with \"luminosity\" and a place, by "
                          "Lambert's cosine; stars "
                          "that a sphere cuts are named on stderr and do not count",
                          files::column::of(&MapRow::lit, &Lit::irradiance))};

/// Quantity that a picture shows.
enum class Quantity : std::uint8_t { fraction, flux, light, irradiance };

/// Takes the light of the receivers in their order.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::uint64_t number, const Receiver& receiver, const Lit& lit) = 0;
  virtual io::Output& finish() = 0;  ///< writes the remaining bytes; the caller calls `commit` on the output
};

/// `shown`: as for TableWriter.
std::unique_ptr<Sink> table_sink(const std::filesystem::path& target, files::TableFormat format,
                                 std::vector<std::size_t> shown);

/// `frame` is the picture without colors and key.
std::unique_ptr<Sink> picture_sink(io::Output output, Picture frame, Quantity quantity);

}  // namespace sphaera::tool
