#include <algorithm>
#include <cmath>
#include <io/streams/output.hpp>
#include <limits>
#include <tools/drawing/map_output.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/scene/light_column.hpp>

namespace sphaera::tool {
namespace {

/// Of a pixel without a receiver. Numbers are 0 or more.
constexpr float no_number = -1;
constexpr std::uint8_t no_word = 0xff;

constexpr files::ResultColumns receiver_columns{
    files::column::integer(
        "receiver",
        "row · W + column, from 0 at the lower left (a disc does not fill its corners); or "
        "the number in the file",
        &MapRow::pixel),
    files::column::number("x,y,z", "its place, in the scene's unit",
                          [](const MapRow& row) { return row.receiver->observer.position; }),
    files::column::number("nx,ny,nz", "its normal, of length 1 on planes and globes",
                          files::column::of(&MapRow::receiver, &Receiver::normal))};

constexpr files::ResultColumns light_columns{
    files::column::number("fraction",
                          "solid angle of the star's visible part ÷ solid angle of its whole disc",
                          [](const MapRow& row) { return row.answer->lit.seen[0].fraction; }),
    files::column::number("flux",
                          "light of the star's visible part ÷ light of its whole disc, with limb darkening",
                          [](const MapRow& row) { return row.answer->lit.seen[0].flux; }),
    files::column::word("light", light_words,
                        "lit, umbra, antumbra, penumbra, inside_star or intersects_star (no numbers)",
                        [](const MapRow& row) { return light_word(row.answer->lit.seen[0]); }),
    files::column::number("irradiance",
                          "W per square unit of length, of all stars with \"luminosity\" and a place, by "
                          "Lambert's cosine; stars "
                          "that a sphere cuts are named on stderr and do not count",
                          [](const MapRow& row) { return row.answer->lit.irradiance; })};

constexpr files::ResultColumns map_sky_columns{
    files::column::number("open",
                          "solid angle in which no sphere is met ÷ that of the whole sky, or of its half",
                          [](const MapRow& row) { return row.answer->sky.open; }),
    files::column::number(
        "open_by_cosine",
        "the same of the half, weighted by the cosine of the angle to the normal; empty for "
        "the whole sky",
        [](const MapRow& row) { return row.answer->sky.open_by_cosine; })};

constexpr files::ResultColumns seen_columns{files::column::integer(
    "seen", "number of targets of --to that it sees", [](const MapRow& row) { return row.answer->seen; })};

}  // namespace

std::vector<files::Column> MapColumns::list() const {
  std::vector<files::Column> columns = receiver_columns.list();
  const auto add = [&](const std::vector<files::Column>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
  };
  if (light_) add(light_columns.list());
  if (sky_) add(map_sky_columns.list());
  if (seen_) add(seen_columns.list());
  return columns;
}

void MapColumns::write(files::TableRows& rows, const MapRow& row) const {
  receiver_columns.write_cells(rows, row);
  if (light_) light_columns.write_cells(rows, row);
  if (sky_) map_sky_columns.write_cells(rows, row);
  if (seen_) seen_columns.write_cells(rows, row);
  rows.end_row();
}

bool MapColumns::same(const MapRow& a, const MapRow& b) const {
  return receiver_columns.same(a, b) && (!light_ || light_columns.same(a, b)) &&
         (!sky_ || map_sky_columns.same(a, b)) && (!seen_ || seen_columns.same(a, b));
}

std::string MapColumns::help() {
  return (receiver_columns + light_columns).help() +
         "Those of light only if --show names one of light; with --show sky or sky_by_cosine:\n" +
         map_sky_columns.help() + "With --show seen:\n" + seen_columns.help();
}

TableSink::TableSink(const std::filesystem::path& target, files::TableFormat format,
                     const MapColumns& columns, std::vector<files::Column> all,
                     std::vector<std::size_t> shown)
    : columns_(columns), table_(target, format, std::move(all), std::move(shown)), rows_(table_.rows()) {}

void TableSink::take(std::uint64_t pixel, const Receiver& receiver, const MapAnswer& answer) {
  columns_.write(rows_, MapRow{pixel, &receiver, &answer});
  constexpr std::uint64_t max_rows = 1 << 12;
  if (rows_.size() >= max_rows) write();
}

io::Output& TableSink::finish() {
  write();
  return table_.finish();
}

void TableSink::write() {
  table_.write(rows_);
  rows_.clear();
}

void PictureSink::begin(MapFrames frames) {
  if (panels_.empty()) title_ = std::move(frames.title), subtitle_ = std::move(frames.subtitle);
  group_ = frames.maps.size();
  for (std::size_t i = 0; i < group_; ++i) {
    Panel& panel = panels_.emplace_back(Panel{frames.shown[i], std::move(frames.maps[i])});
    const std::uint64_t count = panel.picture.pixels.count();
    panel.shown.quantity == Quantity::light ? panel.words.assign(count, no_word)
                                            : panel.values.assign(count, no_number);
  }
}

void PictureSink::take(std::uint64_t pixel, const Receiver&, const MapAnswer& answer) {
  for (Panel& panel : std::span(panels_).last(group_)) panel.take(pixel, answer);
}

io::Output& PictureSink::finish() {
  const double most = most_irradiance();
  Sheet sheet{.title = title_, .subtitle = subtitle_, .group = group_};
  for (Panel& panel : panels_) {
    if (panel.shown.quantity == Quantity::light) {
      panel.color_classes();
    } else {
      panel.color_numbers(panel.shown.quantity == Quantity::irradiance ? most : 1);
    }
    sheet.maps.push_back(std::move(panel.picture));
  }
  if (sheet.group == panels_.size()) sheet.group = 1;  // of one time: they may go on below
  if (sheet.maps.size() == 1) {
    sheet.maps[0].title = title_, sheet.maps[0].subtitle = subtitle_;
    output_.write(png_of(sheet.maps[0]));
  } else {
    output_.write(png_of(sheet));
  }
  output_.finish();
  return output_;
}

double PictureSink::most_irradiance() const {
  double most = 0;
  for (const Panel& panel : panels_)
    if (panel.shown.quantity == Quantity::irradiance) most = std::max(most, panel.greatest());
  return most > 0 ? most : 1;
}

void PictureSink::Panel::take(std::uint64_t pixel, const MapAnswer& answer) {
  if (shown.quantity == Quantity::light) {
    words[pixel] = light_word(answer.lit.seen[shown.star]);
    return;
  }
  constexpr double most = std::numeric_limits<float>::max();
  values[pixel] = static_cast<float>(std::min(value_of(answer, shown), most));  // NaN stays
}

double PictureSink::Panel::greatest() const {
  double most = 0;
  for (const float value : values) most = std::max(most, static_cast<double>(value));  // skips NaN
  return most;
}

void PictureSink::Panel::color_numbers(double most) {
  picture.bar->most = most;
  for (const float value : values) {
    picture.colors.push_back(std::isnan(value)    ? no_color
                             : value == no_number ? paper_color
                                                  : number_color(value / most));
  }
  values = {};
}

/// The key lists only the classes that occur.
void PictureSink::Panel::color_classes() {
  for (const std::uint8_t word : words)
    picture.colors.push_back(word == no_word ? paper_color : phase_color(word));
  for (std::size_t i = 0; i < light_words.size(); ++i) {
    const auto word = static_cast<std::uint8_t>(i);
    if (std::ranges::find(words, word) == words.end()) continue;
    std::string label(light_words[i]);
    std::ranges::replace(label, '_', ' ');
    picture.key.push_back({label, phase_color(word)});
  }
  words = {};
}

}  // namespace sphaera::tool
