#include <algorithm>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/scene/trajectory.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <numeric>

namespace sphaera::io {
namespace {

constexpr std::int64_t no_id = -1;

/// "; the nearest are 10 and 20".
std::string nearest_frames(const std::vector<Step>& steps, std::int64_t frame) {
  std::optional<std::int64_t> before, after;
  for (const Step& step : steps) {
    if (step.frame < frame) before = std::max(step.frame, before.value_or(step.frame));
    if (step.frame > frame) after = std::min(step.frame, after.value_or(step.frame));
  }
  if (!before || !after) return {};
  return ", the nearest are " + std::to_string(*before) + " and " + std::to_string(*after);
}

std::vector<Step> ordered(const std::vector<Step>& steps, const std::vector<std::size_t>& order) {
  std::vector<Step> all;
  all.reserve(order.size());
  for (const std::size_t i : order) all.push_back(steps[i]);
  return all;
}

}  // namespace

std::int64_t chosen_frame(const std::vector<Step>& steps, std::int64_t wanted, const FileLine& place,
                          SceneBuilder& builder) {
  const auto [first, last] = std::ranges::minmax(steps, {}, &Step::frame);
  const std::int64_t frame = wanted < 0 ? last.frame : wanted == 0 && first.frame > 0 ? first.frame : wanted;
  const std::string range = std::to_string(first.frame) + " to " + std::to_string(last.frame);
  if (std::ranges::find(steps, frame, &Step::frame) == steps.end())
    fail(place.name, place.line,
         "there is no frame " + std::to_string(frame) + "; the file has frames from " + range +
             nearest_frames(steps, frame));
  if (wanted == 0 && first.frame != last.frame)
    builder.warn(place.name + ": frame " + std::to_string(frame) + " of " + range +
                 " is read; choose with --frame N or --frame last");
  return frame;
}

Vec3 velocity_at(const std::vector<Step>& steps, std::size_t i, double per_second, const std::string& file) {
  const std::size_t before = i > 0 && steps[i - 1].id == steps[i].id ? i - 1 : i,
                    after = i + 1 < steps.size() && steps[i + 1].id == steps[i].id ? i + 1 : i;
  if (before == after) return {};
  const double seconds = (steps[after].time - steps[before].time) / per_second;
  if (!(seconds > 0))
    fail(file, steps[after].line,
         "the time does not grow from frame " + std::to_string(steps[before].frame) + " to " +
             std::to_string(steps[after].frame) + " of the same sphere");
  return 1 / seconds * (steps[after].sphere.center - steps[before].sphere.center);
}

std::int64_t FrameRows::Words::number(std::string_view word) {
  const auto [found, is_new] =
      numbers_.try_emplace(std::string(word), static_cast<std::int64_t>(all_.size()));
  if (is_new) all_.emplace_back(word);
  return found->second;
}

void FrameRows::add(Step step, const Vec3& velocity, std::string_view id, std::string_view layer) {
  step.id = id.empty() ? no_id : ids_.number(id);
  check_growth(steps_, velocities_.capacity() * sizeof(Vec3) + layers_.capacity() * sizeof(std::int64_t),
               file_);
  steps_.push_back(step);
  if (columns_.velocity) velocities_.push_back(velocity);
  if (columns_.layer) layers_.push_back(layer_words_.number(layer));
}

/// Makes numbers of frames of the times.
void FrameRows::count_times() {
  std::vector<double> times;
  times.reserve(steps_.size());
  for (const Step& step : steps_) times.push_back(step.time);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (Step& step : steps_) step.frame = std::ranges::lower_bound(times, step.time) - times.begin();
}

/// Velocities of the steps of the frame by difference; empty if these cannot be known.
std::vector<Vec3> FrameRows::differences(std::int64_t frame, SceneBuilder& builder) const {
  if (columns_.velocity || !columns_.time || !columns_.id) return {};
  std::vector<std::size_t> order(steps_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::pair(steps_[i].id, steps_[i].frame); };
  std::ranges::stable_sort(order, {}, key);
  const auto is_twice = [&](std::size_t a, std::size_t b) { return key(a) == key(b) && key(a).first >= 0; };
  if (const auto twice = std::ranges::adjacent_find(order, is_twice); twice != order.end()) {
    builder.warn(file_ + ": " + shown(ids_[steps_[*twice].id]) + " comes twice in frame " +
                 std::to_string(steps_[*twice].frame) +
                 ", so names do not pair the rows of frames; the spheres are at rest");
    return {};
  }
  const std::vector<Step> sorted = ordered(steps_, order);
  std::vector<Vec3> velocities(steps_.size());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i].frame == frame && sorted[i].id != no_id)
      velocities[order[i]] = velocity_at(sorted, i, 1, file_);
  return velocities;
}

void FrameRows::finish(const SceneInput& input, std::uint64_t last_line, SceneBuilder& builder) {
  const FileLine end{file_, last_line};
  if (!columns_.layer || steps_.empty()) builder.layer(input.layer, end);
  if (steps_.empty()) return;
  if (!columns_.frame) count_times();
  const std::int64_t frame = chosen_frame(steps_, input.options.frame, end, builder);
  const std::vector<Vec3> found = differences(frame, builder);
  const std::vector<Vec3>& velocities = columns_.velocity ? velocities_ : found;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.frame != frame) continue;
    const FileLine place{file_, step.line};
    const std::string_view own = columns_.layer ? std::string_view(layer_words_[layers_[i]]) : "";
    const int layer = builder.layer(own.empty() ? input.layer : own, place, csv_layer_advice);
    builder.row([&] {
      builder.sphere(step.sphere, layer, place);
      if (!velocities.empty()) builder.velocity(velocities[i], place);
      if (columns_.id) builder.name(step.id == no_id ? std::string_view{} : ids_[step.id]);
    });
  }
}

bool asks_for_frame(const SceneLoadOptions& options) {
  return options.frame != 0 || std::ranges::find(options.csv.columns, "frame", &CsvOptions::Column::name) !=
                                   options.csv.columns.end();
}

bool has_frame_columns(bool frame, bool time, const SceneInput& input, const FileLine& header,
                       const std::vector<std::string>& titles) {
  const auto& columns = input.options.csv.columns;
  const auto named = std::ranges::find(columns, "frame", &CsvOptions::Column::name);
  const std::string name = named == columns.end() ? "frame" : named->in_file;
  const bool is_renamed = name != "frame",
             is_missing = is_renamed && std::ranges::find(titles, name) == titles.end();
  const bool found = frame || time;
  if (input.is_named || (found && !is_missing)) return found;
  if (input.options.frame == 0 && !is_renamed) return false;
  fail(header.name, header.line,
       no_column(name, is_renamed ? " to take as 'frame'" : " for --frame", "the header", titles) +
           "; give --columns frame=NAME for numbers of frames, or t=NAME for times in seconds");
}

}  // namespace sphaera::io
