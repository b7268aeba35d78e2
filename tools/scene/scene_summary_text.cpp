#include <fmt/core.h>

#include <io/formats/json_text.hpp>
#include <io/streams/printable.hpp>
#include <tools/scene/scene_summary.hpp>
#include <tools/terminal/plural.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {
namespace {

std::string bytes_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1024. * 1024) return fmt::format("{:.1f} KiB", bytes / 1024);
  if (bytes < 1024. * 1024 * 1024) return fmt::format("{:.1f} MiB", bytes / (1024. * 1024));
  return fmt::format("{:.1f} GiB", bytes / (1024. * 1024 * 1024));
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

using Facts = std::vector<Fact>;

void line(Facts& facts, std::string_view label, const std::string& value) {
  facts.push_back({std::string(label), value});
}

void neighbor_lines(Facts& facts, const Survey& survey) {
  line(facts, "duplicates", fmt::format("{} equal to a sphere of lower id", survey.duplicates));
  const std::string of = survey.neighbors_checked == survey.spheres
                             ? "all"
                             : fmt::format("a random sample of {}", survey.neighbors_checked);
  line(facts, "nested", fmt::format("{} inside a larger sphere (of {})", survey.nested, of));
  line(facts, "touching",
       fmt::format("{:.1f} % touch or overlap another (of {})",
                   100 * share(survey.touching, survey.neighbors_checked), of));
}

std::string ephemerides_text(const SceneSummary& p) {
  std::string whose = p.orbiting > 0 ? counted(p.orbiting, "sphere") : "";
  if (p.orbiting_stars > 0) whose += (whose.empty() ? "" : " and ") + counted(p.orbiting_stars, "star");
  if (p.covered_from > p.covered_to) return "of " + whose + "; no time is covered by all";
  return fmt::format("of {}; all cover times {} to {}", whose, p.covered_from, p.covered_to);
}

/// A line for each way in which spheres move.
void motion_lines(Facts& facts, const SceneSummary& p) {
  if (p.moving > 0)
    line(facts, "velocities", fmt::format("{} not 0, the greatest {:.6g}", p.moving, p.speed_max));
  if (p.orbiting + p.orbiting_stars > 0) line(facts, "ephemerides", ephemerides_text(p));
  if (p.spinning > 0) line(facts, "spins", "of " + counted(p.spinning, "sphere"));
}

/// What the index costs.
void cost_lines(Facts& facts, const SceneSummary& p) {
  const SceneInfo& index = p.index;
  const double each = 1 / std::max(1., static_cast<double>(index.spheres));
  line(facts, "memory",
       fmt::format("{} spheres + {} index = {:.0f} bytes a sphere; index peak {}",
                   bytes_text(static_cast<double>(index.sphere_bytes)),
                   bytes_text(static_cast<double>(index.index_bytes)),
                   static_cast<double>(index.sphere_bytes + index.index_bytes) * each,
                   bytes_text(static_cast<double>(index.index_peak_bytes))));
  if (p.build_seconds > 0)
    line(facts, "build",
         fmt::format("{:.3f} s, {} spheres a second", p.build_seconds,
                     count_text(static_cast<double>(index.spheres) / p.build_seconds)));
}

/// A JSON list of what `json` makes of each value.
template <class Value, class Json>
std::string list_of(const std::vector<Value>& values, const Json& json) {
  std::string list = "[";
  for (const Value& value : values) {
    if (list.size() > 1) list += ',';
    list += json(value);
  }
  list += ']';
  return list;
}

/// A JSON object in the making: keys in the order of the calls.
class Object {
 public:
  Object& raw(std::string_view key, std::string_view value) {
    json_ += json_.empty() ? "{" : ",";
    io::append_json(json_, key);
    json_ += ':';
    json_ += value;
    return *this;
  }
  Object& text(std::string_view key, std::string_view value) { return raw(key, quoted(value)); }
  Object& count(std::string_view key, std::uint64_t value) { return raw(key, std::to_string(value)); }
  Object& number(std::string_view key, double value) { return raw(key, number_text(value)); }
  Object& vector(std::string_view key, const Vec3& v) {
    return raw(key, fmt::format("[{},{},{}]", number_text(v.x), number_text(v.y), number_text(v.z)));
  }
  Object& texts(std::string_view key, const std::vector<std::string>& values) {
    return raw(key, list_of(values, quoted));
  }
  std::string end() const { return json_ + '}'; }

 private:
  static std::string quoted(std::string_view value) {
    std::string json;
    io::append_json(json, value);
    return json;
  }
  static std::string number_text(double value) {
    std::string json;
    io::append_json(json, value);
    return json;
  }

  std::string json_;
};

std::string frames_of(const std::vector<FrameLevel>& levels) {
  return list_of(levels, [](const FrameLevel& f) {
    Object object;
    object.count("frames", f.frames).count("spheres", f.spheres).number("half_size_min", f.half_size_min);
    object.number("half_size_max", f.half_size_max).number("inflation", f.inflation);
    return object.end();
  });
}

}  // namespace

std::vector<Fact> contents_of(const SceneSummary& p) {
  Facts facts;
  line(facts, "scene", p.scene + (p.time == 0 ? "" : fmt::format(" at time {}", p.time)));
  line(facts, "unit", p.unit.empty() ? "none given" : p.unit);
  line(facts, "spheres", std::to_string(p.survey.spheres));
  for (const auto& [name, count] : p.layers) line(facts, "layer", fmt::format("{}: {}", name, count));
  for (const std::string& star : p.stars) line(facts, "star", star);
  const Vec3 size = p.upper - p.lower;
  line(facts, "extent",
       fmt::format("{:.6g} … {:.6g}, {:.6g} … {:.6g}, {:.6g} … {:.6g}; size {:.6g}, {:.6g}, {:.6g}",
                   p.lower.x, p.upper.x, p.lower.y, p.upper.y, p.lower.z, p.upper.z, size.x, size.y, size.z));
  line(facts, "radii",
       fmt::format("least {:.6g}, median {:.6g}, greatest {:.6g}", p.radius_min, p.radius_median,
                   p.radius_max));
  motion_lines(facts, p);
  neighbor_lines(facts, p.survey);
  return facts;
}

std::vector<Fact> frames_of(const SceneSummary& p) {
  Facts facts;
  const SceneInfo& index = p.index;
  const auto& [c, h] = std::pair(index.frame_center, index.frame_half_size);
  line(facts, "frame",
       fmt::format("center {:.6g}, {:.6g}, {:.6g}; half-size {:.6g}, {:.6g}, {:.6g}; boxes grow by {:.3g}",
                   c.x, c.y, c.z, h.x, h.y, h.z, index.inflation));
  for (std::size_t depth = 1; depth < index.frames.size(); ++depth) {
    const FrameLevel& f = index.frames[depth];
    line(facts, "frames",
         fmt::format(
             "{} within, {} deep: {} spheres; half-sizes {:.3g} … {:.3g}; boxes grow by {:.3g} at most",
             f.frames, depth, f.spheres, f.half_size_min, f.half_size_max, f.inflation));
  }
  return facts;
}

std::string text_of(const SceneSummary& p) {
  Facts facts = contents_of(p);
  cost_lines(facts, p);
  for (const Fact& frame : frames_of(p)) facts.push_back(frame);
  for (const std::string& warning : p.warnings) line(facts, "warning", warning);
  std::string text;
  for (const auto& [label, value] : facts) text += fmt::format("{:<12}{}\n", label, io::printable(value));
  return text;
}

std::string json_of(const SceneSummary& p) {
  Object layers;
  for (const auto& [name, count] : p.layers) layers.count(name, count);
  Object object;
  object.text("scene", p.scene).number("time", p.time).text("unit", p.unit);
  object.count("spheres", p.survey.spheres).raw("layers", layers.end()).texts("stars", p.stars);
  object.vector("lower", p.lower).vector("upper", p.upper);
  object.number("radius_min", p.radius_min).number("radius_median", p.radius_median);
  object.number("radius_max", p.radius_max);
  object.count("moving", p.moving).count("orbiting", p.orbiting).count("spinning", p.spinning);
  object.number("speed_max", p.speed_max);
  object.count("duplicates", p.survey.duplicates).count("neighbors_checked", p.survey.neighbors_checked);
  object.count("nested", p.survey.nested).count("touching", p.survey.touching);
  object.count("sphere_bytes", p.index.sphere_bytes).count("index_bytes", p.index.index_bytes);
  object.count("index_peak_bytes", p.index.index_peak_bytes).number("build_seconds", p.build_seconds);
  object.vector("frame_center", p.index.frame_center).vector("frame_half_size", p.index.frame_half_size);
  object.number("inflation", p.index.inflation).raw("frames", frames_of(p.index.frames));
  object.texts("warnings", p.warnings);
  object.count("orbiting_stars", p.orbiting_stars);
  object.number("covered_from", p.covered_from).number("covered_to", p.covered_to);
  return object.end() + '\n';
}

}  // namespace sphaera::tool
