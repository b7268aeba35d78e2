#include <algorithm>
#include <cmath>
#include <io/streams/output.hpp>
#include <limits>
#include <tools/drawing/map_output.hpp>

namespace sphaera::tool {
namespace {

/// NaN where there is no number.
double value_of(const Lit& lit, Quantity quantity) {
  if (quantity == Quantity::irradiance) return lit.irradiance;
  return quantity == Quantity::fraction ? lit.seen.fraction : lit.seen.flux;
}

class TableSink : public Sink {
 public:
  TableSink(const std::filesystem::path& target, files::TableFormat format, std::vector<std::size_t> shown)
      : table_(target, format, map_columns.list(), std::move(shown)), rows_(table_.rows()) {}

  void take(std::uint64_t number, const Receiver& receiver, const Lit& lit) override {
    map_columns.write(rows_, MapRow{number, &receiver, &lit});
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

  void take(std::uint64_t, const Receiver&, const Lit& lit) override {
    if (quantity_ == Quantity::light) {
      words_.push_back(light_word(lit.seen));
    } else {
      constexpr double most = std::numeric_limits<float>::max();
      values_.push_back(static_cast<float>(std::min(value_of(lit, quantity_), most)));  // NaN stays
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

std::unique_ptr<Sink> table_sink(const std::filesystem::path& target, files::TableFormat format,
                                 std::vector<std::size_t> shown) {
  return std::make_unique<TableSink>(target, format, std::move(shown));
}

std::unique_ptr<Sink> picture_sink(io::Output output, Picture frame, Quantity quantity) {
  return std::make_unique<PictureSink>(std::move(output), std::move(frame), quantity);
}

}  // namespace sphaera::tool
