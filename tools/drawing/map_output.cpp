#include <algorithm>
#include <cmath>
#include <io/streams/output.hpp>
#include <limits>
#include <tools/drawing/map_output.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/scene/light_column.hpp>

namespace sphaera::tool {
namespace {

constexpr files::ResultColumns receiver_columns{
    files::column::integer(
        "receiver", "row · W + column, from 0 at the lower left; or the number in the file", &MapRow::number),
    files::column::number("x,y,z", "its place, in the scene's unit",
                          [](const MapRow& row) { return row.receiver->observer.position; }),
    files::column::number("nx,ny,nz", "its normal, of length 1 on planes and globes",
                          files::column::of(&MapRow::receiver, &Receiver::normal))};

constexpr files::ResultColumns light_columns{
    files::column::number("fraction",
                          "solid angle of the star's visible part ÷ solid angle of its whole disc",
                          [](const MapRow& row) { return row.answer->lit.seen.fraction; }),
    files::column::number("flux",
                          "light of the star's visible part ÷ light of its whole disc, with limb darkening",
                          [](const MapRow& row) { return row.answer->lit.seen.flux; }),
    files::column::word("light", light_words,
                        "lit, umbra, antumbra, penumbra, inside_star or intersects_star (no numbers)",
                        [](const MapRow& row) { return light_word(row.answer->lit.seen); }),
    files::column::number("irradiance",
                          "W per square unit of length, of all stars with \"luminosity\" and a place, by "
                          "Lambert's cosine; stars "
                          "that a sphere cuts are named on stderr and do not count",
                          [](const MapRow& row) { return row.answer->lit.irradiance; })};

constexpr files::ResultColumns sky_columns{
    files::column::number("open",
                          "solid angle in which no sphere is met ÷ that of the whole sky, or of its half",
                          [](const MapRow& row) { return row.answer->sky.open; }),
    files::column::number(
        "open_by_cosine",
        "the same of the half, weighted by the cosine of the angle to the normal; empty for "
        "the whole sky",
        [](const MapRow& row) { return row.answer->sky.open_by_cosine; })};

class TableSink : public Sink {
 public:
  TableSink(const std::filesystem::path& target, files::TableFormat format, const MapColumns& columns,
            std::vector<std::size_t> shown)
      : columns_(columns), table_(target, format, columns.list(), std::move(shown)), rows_(table_.rows()) {}

  void take(std::uint64_t number, const Receiver& receiver, const MapAnswer& answer) override {
    columns_.write(rows_, MapRow{number, &receiver, &answer});
    constexpr std::uint64_t max_rows = 1 << 12;
    if (rows_.size() >= max_rows) write();
  }

  io::Output& finish() override {
    write();
    return table_.finish();
  }

 private:
  void write() {
    table_.write(rows_);
    rows_.clear();
  }

  MapColumns columns_;
  files::TableWriter table_;
  files::TableRows rows_;
};

class PictureSink : public Sink {
 public:
  PictureSink(io::Output output, Picture frame, Quantity quantity)
      : output_(std::move(output)), picture_(std::move(frame)), quantity_(quantity) {
    const std::uint64_t count = picture_.pixels.count();
    quantity == Quantity::light ? words_.reserve(count) : values_.reserve(count);
  }

  void take(std::uint64_t, const Receiver&, const MapAnswer& answer) override {
    if (quantity_ == Quantity::light) {
      words_.push_back(light_word(answer.lit.seen));
    } else {
      constexpr double most = std::numeric_limits<float>::max();
      values_.push_back(static_cast<float>(std::min(value_of(answer, quantity_), most)));  // NaN stays
    }
  }

  io::Output& finish() override {
    quantity_ == Quantity::light ? color_classes() : color_numbers();
    output_.write(png_of(picture_));
    output_.finish();
    return output_;
  }

 private:
  void color_numbers() {
    double most = 1;
    if (quantity_ == Quantity::irradiance) {
      most = 0;
      for (const float value : values_) most = std::max(most, static_cast<double>(value));  // skips NaN
      if (!(most > 0)) most = 1;
    }
    picture_.bar->most = most;
    for (const float value : values_)
      picture_.colors.push_back(std::isnan(value) ? no_color : number_color(value / most));
  }

  /// The key lists only the classes that occur.
  void color_classes() {
    for (const std::uint8_t word : words_) picture_.colors.push_back(phase_color(word));
    for (std::size_t i = 0; i < light_words.size(); ++i) {
      const auto word = static_cast<std::uint8_t>(i);
      if (std::ranges::find(words_, word) == words_.end()) continue;
      std::string label(light_words[i]);
      std::ranges::replace(label, '_', ' ');
      picture_.key.push_back({label, phase_color(word)});
    }
  }

  io::Output output_;
  Picture picture_;
  Quantity quantity_;
  std::vector<float> values_;  ///< of receivers, by number
  std::vector<std::uint8_t> words_;
};

}  // namespace

std::vector<files::Column> MapColumns::list() const {
  std::vector<files::Column> columns = receiver_columns.list();
  const auto add = [&](const std::vector<files::Column>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
  };
  if (light_) add(light_columns.list());
  if (sky_) add(sky_columns.list());
  return columns;
}

void MapColumns::write(files::TableRows& rows, const MapRow& row) const {
  receiver_columns.write_cells(rows, row);
  if (light_) light_columns.write_cells(rows, row);
  if (sky_) sky_columns.write_cells(rows, row);
  rows.end_row();
}

bool MapColumns::same(const MapRow& a, const MapRow& b) const {
  return receiver_columns.same(a, b) && (!light_ || light_columns.same(a, b)) &&
         (!sky_ || sky_columns.same(a, b));
}

std::string MapColumns::help() {
  return (receiver_columns + light_columns).help() +
         "With --show sky or sky_by_cosine, after those of light if that is shown:\n" + sky_columns.help();
}

std::unique_ptr<Sink> table_sink(const std::filesystem::path& target, files::TableFormat format,
                                 const MapColumns& columns, std::vector<std::size_t> shown) {
  return std::make_unique<TableSink>(target, format, columns, std::move(shown));
}

std::unique_ptr<Sink> picture_sink(io::Output output, Picture frame, Quantity quantity) {
  return std::make_unique<PictureSink>(std::move(output), std::move(frame), quantity);
}

}  // namespace sphaera::tool
