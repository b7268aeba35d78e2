#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tools/report/histogram.hpp>
#include <tools/report/html.hpp>

namespace sphaera::tool {
namespace {

/// Exponent of 2, and the place between two of them: continuous and growing.
double binary_logarithm(double value) {
  const int exponent = std::ilogb(value);
  return exponent + (std::scalbn(value, -exponent) - 1);
}
double inverse_binary_logarithm(double logarithm) {
  const double exponent = std::floor(logarithm);
  return std::scalbn(1 + (logarithm - exponent), static_cast<int>(exponent));
}

}  // namespace

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

HistogramScale HistogramScale::of(double least, double greatest) {
  constexpr double many_times = 1000;
  return {least, greatest, least > 0 && greatest / many_times >= least};
}

double HistogramScale::share(double value) const {
  if (!(least < greatest)) return 0;
  if (logarithmic) {
    const double begin = binary_logarithm(least);
    return std::clamp((binary_logarithm(value) - begin) / (binary_logarithm(greatest) - begin), 0., 1.);
  }
  // By halves: the range of two doubles may be no double.
  return std::clamp((value / 2 - least / 2) / (greatest / 2 - least / 2), 0., 1.);
}

double HistogramScale::value(double share) const {
  if (!logarithmic) return (1 - share) * least + share * greatest;
  return inverse_binary_logarithm((1 - share) * binary_logarithm(least) + share * binary_logarithm(greatest));
}

Histogram::Histogram(const HistogramScale& scale, Numbers numbers) : scale_(scale) {
  constexpr std::size_t bins = 32;
  one_by_one_ = numbers == Numbers::whole && scale.greatest - scale.least < static_cast<double>(bins);
  if (one_by_one_) scale_.logarithmic = false;
  counts_.resize(one_by_one_ ? static_cast<std::size_t>(scale.greatest - scale.least) + 1 : bins);
}

std::size_t Histogram::bin(double value) const {
  if (one_by_one_) return static_cast<std::size_t>(value - scale_.least);
  const double place = scale_.share(value) * static_cast<double>(counts_.size());
  return std::min(static_cast<std::size_t>(place), counts_.size() - 1);
}

std::string Histogram::range_text(std::size_t bin) const {
  if (one_by_one_) return short_number(scale_.least + static_cast<double>(bin));
  const auto edge = [&](std::size_t i) {
    return short_number(scale_.value(static_cast<double>(i) / static_cast<double>(counts_.size())));
  };
  return edge(bin) + " … " + edge(bin + 1);
}

std::string Histogram::svg(std::string_view title) const {
  constexpr double width = 320, height = 96, base = 80, gap = 1;
  const double most = static_cast<double>(std::max<std::uint64_t>(1, *std::ranges::max_element(counts_)));
  const double step = width / static_cast<double>(counts_.size());
  std::string svg =
      fmt::format("<svg class=\"histogram\" viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>\n", width,
                  height, html::escaped(title));
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const double bar = std::max(1., static_cast<double>(counts_[i]) / most * (base - 12));
    svg += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}: {}</title></rect>\n",
        static_cast<double>(i) * step, base - bar, std::max(1., step - gap), bar, range_text(i), counts_[i]);
  }
  svg += fmt::format("<path d=\"M0 {0}H{1}\"/><text x=\"0\" y=\"9\">{2}</text>", base, width,
                     static_cast<std::uint64_t>(most));
  const double middle = scale_.value(0.5);
  svg += fmt::format(
      "<text x=\"0\" y=\"92\">{}</text><text x=\"160\" y=\"92\" text-anchor=\"middle\">{}{}</text>"
      "<text x=\"320\" y=\"92\" text-anchor=\"end\">{}</text></svg>\n",
      short_number(scale_.least), short_number(middle), scale_.logarithmic ? " (log)" : "",
      short_number(scale_.greatest));
  return svg;
}

}  // namespace sphaera::tool
