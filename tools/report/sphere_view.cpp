#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <io/formats/json_text.hpp>
#include <tools/report/html.hpp>
#include <tools/report/sphere_view.hpp>
#include <tools/scene/scene_layers.hpp>

namespace sphaera::tool {
namespace {

/// Where a view puts the spheres: in a cube from −1 to 1.
struct Cube {
  Vec3 center;
  double half;

  explicit Cube(const ShownSpheres& shown)
      : center(shown.lower + (shown.upper - shown.lower) * 0.5),
        half(std::max({shown.upper.x - shown.lower.x, shown.upper.y - shown.lower.y,
                       shown.upper.z - shown.lower.z}) /
             2) {
    if (!(half > 0)) half = 1;
  }
};

/// A color for each value, 0 … 254 along its scale; 255: none.
std::string shade_json(const std::string& label, const std::vector<float>& values) {
  double least = infinity, greatest = -infinity;
  for (const float value : values)
    if (!std::isnan(value))
      least = std::min<double>(least, value), greatest = std::max<double>(greatest, value);
  const HistogramScale scale = HistogramScale::of(least, greatest);
  std::string bytes;
  for (const float value : values) {
    constexpr double steps = 254;
    bytes += static_cast<char>(std::isnan(value) ? 255 : std::lround(scale.share(value) * steps));
  }
  std::string json = "{\"label\":";
  io::append_json(json, label);
  json += ",\"least\":";
  io::append_json(json, least);
  json += ",\"greatest\":";
  io::append_json(json, greatest);
  const bool whole = std::ranges::all_of(values, [](float v) { return std::isnan(v) || v == std::floor(v); });
  json += fmt::format(",\"whole\":{},\"log\":{},\"bytes\":\"{}\"}}", whole, scale.logarithmic,
                      html::base64(bytes));
  return json;
}

std::string shades_json(std::span<const ResultSummary> results) {
  constexpr std::size_t max_shades = 8;
  std::string json;
  std::size_t count = 0;
  for (const ResultSummary& result : results) {
    for (const Shade& shade : result.shades) {
      const bool has_values = std::ranges::any_of(shade.values, [](float v) { return !std::isnan(v); });
      if (!has_values || ++count > max_shades) continue;
      json += (count > 1 ? "," : "") +
              shade_json(result.path.filename().string() + ": " + shade.label, shade.values);
    }
  }
  return "[" + json + "]";
}

std::string names_json(const SceneFile& file, const std::vector<std::int64_t>& ids) {
  constexpr std::size_t most = std::size_t{1} << 21;
  std::string json = "[";
  for (std::size_t i = 0; i < ids.size() && !file.names.empty() && json.size() < most; ++i) {
    if (i > 0) json += ',';
    io::append_json(json, file.names[static_cast<std::size_t>(ids[i])]);
  }
  return json + "]";
}

std::string layers_json(const SceneFile& file) {
  std::string json = "[";
  for (std::size_t i = 0; i < file.layer_names.size(); ++i) {
    const auto& [red, green, blue] = layer_color(i);
    json += i > 0 ? ",{\"name\":" : "{\"name\":";
    io::append_json(json, file.layer_names[i]);
    json += fmt::format(",\"color\":[{},{},{}]}}", red, green, blue);
  }
  return json + "]";
}

std::string vector_json(const Vec3& v) {
  std::string json = "[";
  io::append_json(json, v.x);
  io::append_json(json += ',', v.y);
  io::append_json(json += ',', v.z);
  return json + "]";
}

/// The colors of numbers, red, green and blue of each of 256, the last one for a missing number.
std::string ramp_bytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    // Not the darkest ones: a sphere must be seen before the background.
    constexpr double darkest = 0.15;
    const Color color = i == 255 ? no_color : number_color(darkest + (1 - darkest) * i / 254.);
    for (const std::uint8_t part : {color.red, color.green, color.blue}) bytes += static_cast<char>(part);
  }
  return bytes;
}

}  // namespace

Color layer_color(std::size_t layer) {
  // Okabe and Ito (2008), whom color-blind readers can tell apart, then darker and lighter ones.
  constexpr std::array<Color, 12> colors{{{86, 180, 233},
                                          {230, 159, 0},
                                          {0, 158, 115},
                                          {204, 121, 167},
                                          {240, 228, 66},
                                          {213, 94, 0},
                                          {0, 114, 178},
                                          {170, 170, 170},
                                          {150, 110, 60},
                                          {160, 200, 140},
                                          {120, 90, 190},
                                          {235, 160, 150}}};
  return colors[layer % colors.size()];
}

std::string css_color(const Color& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

std::string view_json(const Scene& scene, const SceneFile& file, const ShownSpheres& shown,
                      std::span<const ResultSummary> results) {
  const Cube cube(shown);
  std::vector<float> balls;
  std::vector<double> ids;
  std::string layers;
  for (const std::int64_t id : shown.ids) {
    const auto& [center, radius] = scene.spheres()[static_cast<std::size_t>(id)];
    const Vec3 place = center - cube.center;
    for (const double value : {place.x, place.y, place.z, radius})
      balls.push_back(static_cast<float>(value / cube.half));
    ids.push_back(static_cast<double>(id));
    layers += static_cast<char>(layer_of(scene, static_cast<std::size_t>(id)));
  }
  std::string json = fmt::format("{{\"count\":{},\"of\":{},\"unit\":", shown.ids.size(), shown.of);
  io::append_json(json, file.unit);
  json += ",\"center\":" + vector_json(cube.center) + ",\"size\":" + vector_json(shown.upper - shown.lower);
  io::append_json(json += ",\"half\":", cube.half);
  json += ",\"layers\":" + layers_json(file) + ",\"names\":" + names_json(file, shown.ids);
  json += ",\"shades\":" + shades_json(results) + ",\"ramp\":\"" + html::base64(ramp_bytes()) + "\"";
  json += ",\"balls\":\"" + html::base64_of<float>(balls) + "\",\"ids\":\"" + html::base64_of<double>(ids) +
          "\",\"layer\":\"" + html::base64(layers) + "\"}";
  // In a script element only "<" can end it; in JSON it stands in strings alone.
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

}  // namespace sphaera::tool
