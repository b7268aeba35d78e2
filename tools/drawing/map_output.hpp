#pragma once
/// \file Destination of the answers of `map`: a table or a picture.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <io/streams/output.hpp>
#include <tools/drawing/map_picture.hpp>
#include <tools/files/results/table.hpp>
#include <tools/receivers/map_answers.hpp>

namespace sphaera::tool {

/// A row of the table.
struct MapRow {
  std::uint64_t pixel;
  const Receiver* receiver;
  const MapAnswer* answer;
};

/// The columns of a table: of the receivers, and of what is asked about them.
class MapColumns {
 public:
  explicit MapColumns(std::span<const Quantity> shown)
      : light_(std::ranges::any_of(shown, is_of_stars)),
        sky_(std::ranges::any_of(shown, is_of_sky)),
        seen_(std::ranges::find(shown, Quantity::seen) != shown.end()) {}

  std::vector<files::Column> list() const;
  void write(files::TableRows& rows, const MapRow& row) const;
  bool same(const MapRow& a, const MapRow& b) const;  ///< all cells
  static std::string help();                          ///< of all columns

 private:
  bool light_, sky_, seen_;
};

/// The maps of one time.
struct MapFrames {
  std::string title, subtitle;  ///< of the whole picture
  std::vector<Shown> shown{};
  std::vector<Picture> maps{};  ///< without colors and key, one for each shown, with its own title
};

/// Takes the answers of the receivers, time after time, each in the order of the receivers.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::uint64_t pixel, const Receiver& receiver, const MapAnswer& answer) = 0;
  virtual io::Output& finish() = 0;  ///< writes the remaining bytes; the caller calls `commit` on the output
};

class TableSink : public Sink {
 public:
  /// `all` are the columns, those of time too; `shown` as for TableWriter.
  TableSink(const std::filesystem::path& target, files::TableFormat format, const MapColumns& columns,
            std::vector<files::Column> all, std::vector<std::size_t> shown);
  files::TableWriter& table() { return table_; }  ///< for the time of the rows that follow
  void take(std::uint64_t pixel, const Receiver& receiver, const MapAnswer& answer) override;
  io::Output& finish() override;

 private:
  void write();

  MapColumns columns_;
  files::TableWriter table_;
  files::TableRows rows_;
};

/// Draws one map, or several on a sheet.
class PictureSink : public Sink {
 public:
  explicit PictureSink(io::Output output) : output_(std::move(output)) {}
  /// The answers that follow are those of these maps, as many as before. The sheet has the first titles.
  void begin(MapFrames frames);
  void take(std::uint64_t pixel, const Receiver& receiver, const MapAnswer& answer) override;
  io::Output& finish() override;

 private:
  /// A map and the values of its pixels.
  struct Panel {
    Shown shown;
    Picture picture;
    std::vector<float> values{};
    std::vector<std::uint8_t> words{};  ///< instead, for Quantity::light

    void take(std::uint64_t pixel, const MapAnswer& answer);
    double greatest() const;
    void color_numbers(double most);
    void color_classes();
  };

  /// The greatest irradiance of all maps: they have one scale.
  double most_irradiance() const;

  io::Output output_;
  std::size_t group_ = 0;  ///< maps of one time
  std::string title_, subtitle_;
  std::vector<Panel> panels_;
};

}  // namespace sphaera::tool
