#include <fmt/core.h>

#include <tools/report/curves.hpp>
#include <tools/report/html.hpp>
#include <tools/report/sphere_view.hpp>

namespace sphaera::tool {
namespace {

constexpr std::size_t intervals = 512;
constexpr double width = 640, height = 220, top = 14, base = 200;

}  // namespace

void Curves::add(const std::string& key, std::string_view name, std::string_view date, double time,
                 double value) {
  auto found = numbers_.find(key);
  if (found == numbers_.end()) {
    if (numbers_.size() == max_counted) return;
    found = numbers_.emplace(key, numbers_.size()).first;
    if (curves_.size() < max_curves) curves_.push_back({std::string(name), time});
  }
  if (found->second >= curves_.size()) return;
  Curve& curve = curves_[found->second];
  if (!curve.ranges.empty() && curve.last_time == time) return;
  curve.last_time = time;
  const auto interval = static_cast<std::size_t>(time_.share(time) * intervals);
  if (!date.empty()) dates_.try_emplace(interval, date);
  const Point point{time, value};
  Range& range = curve.ranges.try_emplace(interval, Range{point, point}).first->second;
  if (value < range.least.value) range.least = point;
  if (value > range.greatest.value) range.greatest = point;
}

std::string Curves::line(const Curve& curve) const {
  std::string points;
  const auto append = [&](const Point& point) {
    points += fmt::format("{:.2f},{:.2f} ", time_.share(point.time) * width,
                          base - values_.share(point.value) * (base - top));
  };
  for (const auto& [interval, range] : curve.ranges) {
    const bool least_first = range.least.time <= range.greatest.time;
    append(least_first ? range.least : range.greatest);
    if (range.least.time != range.greatest.time) append(least_first ? range.greatest : range.least);
  }
  return points;
}

std::string Curves::axes() const {
  const auto moment = [](const std::string& date, double time) {
    return date.empty() ? short_number(time) : html::escaped(date);
  };
  const std::string first = dates_.empty() ? "" : dates_.begin()->second;
  const std::string last = dates_.empty() ? "" : dates_.rbegin()->second;
  return fmt::format(
      "<path d=\"M0 {0}H{1}M0 {2}H{1}\"/><text x=\"0\" y=\"{3}\">{4}</text><text x=\"0\" y=\"{5}\">{6}</text>"
      "<text x=\"0\" y=\"{7}\">{8}</text><text x=\"{1}\" y=\"{7}\" text-anchor=\"end\">{9}</text>",
      base, width, top, top - 3, short_number(values_.greatest), base - 3, short_number(values_.least),
      base + 14, moment(first, time_.least), moment(last, time_.greatest));
}

std::string Curves::html(std::string_view title) const {
  std::string svg = fmt::format(
      "<figure><svg class=\"histogram curves\" viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>\n{}\n",
      width, height, html::escaped(title), axes());
  std::string legend;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const std::string color = css_color(layer_color(i)), name = html::escaped(curves_[i].name);
    svg += fmt::format("<polyline points=\"{}\" stroke=\"{}\"><title>{}</title></polyline>\n",
                       line(curves_[i]), color, name);
    legend += fmt::format("<span class=\"swatch\" style=\"background:{}\"></span> {} &nbsp; ", color, name);
  }
  if (numbers_.size() > curves_.size())
    legend += fmt::format("and {}{} more", numbers_.size() == max_counted ? "at least " : "",
                          numbers_.size() - curves_.size());
  return svg + "</svg></figure><p>" + legend + "</p>\n";
}

}  // namespace sphaera::tool
