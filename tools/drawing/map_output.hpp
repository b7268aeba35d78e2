#pragma once
/// \file Destination of the answers of `map`: a table or a picture.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tools/drawing/map_picture.hpp>
#include <tools/files/results/table.hpp>
#include <tools/receivers/map_answers.hpp>

namespace sphaera::tool {

/// A row of the table.
struct MapRow {
  std::uint64_t number;
  const Receiver* receiver;
  const MapAnswer* answer;
};

/// The columns of a table: of the receivers, and of what is asked about them.
class MapColumns {
 public:
  explicit MapColumns(Quantity shown) : light_(is_of_stars(shown)), sky_(is_of_sky(shown)) {}

  std::vector<files::Column> list() const;
  void write(files::TableRows& rows, const MapRow& row) const;
  bool same(const MapRow& a, const MapRow& b) const;  ///< all cells
  static std::string help();                          ///< of all columns

 private:
  bool light_, sky_;
};

/// Takes the answers of the receivers in their order.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::uint64_t number, const Receiver& receiver, const MapAnswer& answer) = 0;
  virtual io::Output& finish() = 0;  ///< writes the remaining bytes; the caller calls `commit` on the output
};

/// `shown`: as for TableWriter.
std::unique_ptr<Sink> table_sink(const std::filesystem::path& target, files::TableFormat format,
                                 const MapColumns& columns, std::vector<std::size_t> shown);

/// `frame` is the picture without colors and key.
std::unique_ptr<Sink> picture_sink(io::Output output, Picture frame, Quantity quantity);

}  // namespace sphaera::tool
