#include <algorithm>
#include <array>
#include <base/validate.hpp>
#include <io/formats/file_kind.hpp>
#include <io/formats/number_fault.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/trajectory.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/line_reader.hpp>
#include <io/streams/machine_memory.hpp>

namespace sphaera::io {
namespace {

/// A source that belongs to somebody else.
class BorrowedSource : public ByteSource {
 public:
  explicit BorrowedSource(ByteSource& source) : ByteSource(source.name()), source_(source) {}
  std::size_t read(std::span<char> buffer) override { return source_.read(buffer); }
  std::optional<std::uint64_t> remaining() const override { return source_.remaining(); }
  std::optional<double> fraction() const override { return source_.fraction(); }
  void read_to_end() override { source_.read_to_end(); }

 private:
  ByteSource& source_;
};

constexpr std::size_t most_txt_columns = 64;  // real files have 4 to 12

class Trajectories {
 public:
  Trajectories(ByteSource& source, const SceneInput& input, SceneBuilder& builder)
      : file_(source, "trajectory"), input_(input), builder_(builder) {}

  /// Reads all steps, ordered by pedestrian and frame.
  std::vector<Step> read();

  std::optional<double> rate() const { return rate_; }  ///< frames per second; empty: not given
  FileLine place() const { return {file_.name(), std::max<std::uint64_t>(file_.number(), 1)}; }

 private:
  void read_comment(std::string_view text);
  void find_columns(std::string_view row);
  Step read_step(std::string_view row);
  double number(std::string_view text, std::string_view column) const;
  std::int64_t whole_number(std::string_view text, std::string_view column) const;
  [[noreturn]] void refuse(const std::string& what) const { fail(file_.name(), place().line, what); }

  LineReader file_;
  const SceneInput& input_;
  SceneBuilder& builder_;
  std::optional<double> rate_;
  std::vector<std::string> names_;  // of the columns, in lower case, without units
  bool centimetres_ = false;
  std::size_t width_ = 0;           // words of a row
  std::array<int, 4> positions_{};  // of x, y, z and the radius; −1: absent
};

/// Takes the next name of a column, with its unit: "x/cm", "x[in cm]".
std::string take_title(std::string_view& text) {
  std::string title(take_word(text));
  while (title.find('[') != std::string::npos && title.find(']') == std::string::npos && !text.empty())
    title += ' ' + std::string(take_word(text));
  return lower_case(title);
}

/// A comment gives the frame rate, names the columns, or is for people.
void Trajectories::read_comment(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('#'), text.size()));
  std::vector<std::string> titles;
  for (std::string_view rest = text; !trimmed(rest).empty();) titles.push_back(take_title(rest));
  constexpr std::string_view rate = "framerate:";
  for (std::size_t i = 0; i < titles.size() && !rate_; ++i) {
    double value = 0;
    if (!titles[i].starts_with(rate)) continue;
    const std::string number = titles[i].size() > rate.size() ? titles[i].substr(rate.size())
                               : i + 1 < titles.size()        ? titles[i + 1]
                                                              : "";
    if (parse_number(number, value) == Parse::ok && value > 0 && base::is_finite(value)) rate_ = value;
  }
  const bool names = titles.size() > 3 && titles[0] == "id" && (titles[1] == "frame" || titles[1] == "fr");
  if (!names) return;
  names_.clear(), centimetres_ = false;
  for (const std::string& title : titles) {
    const std::size_t unit = std::min(title.find_first_of("/[("), title.size());
    names_.push_back(title.substr(0, unit));
    if (names_.back() == "x") centimetres_ = title.find("cm", unit) != std::string::npos;
  }
}

/// Without a comment that names them the columns are id, frame, x, y and perhaps z, which is 0 otherwise.
void Trajectories::find_columns(std::string_view row) {
  constexpr std::array<const char*, 5> usual{"id", "frame", "x", "y", "z"};
  while (!take_word(row).empty()) ++width_;
  if (names_.empty()) names_.assign(usual.begin(), usual.begin() + std::min(width_, usual.size()));
  if (width_ != names_.size() || width_ < 4 || width_ > most_txt_columns)
    refuse("the row has " + std::to_string(width_) + " values; the columns are " + listed(names_));
  const auto& columns = input_.options.csv.columns;
  const auto radius = std::ranges::find(columns, "r", &CsvOptions::Column::name);
  const std::array<std::string, 4> wanted{"x", "y", "z",
                                          radius == columns.end() ? "radius" : radius->in_file};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = std::ranges::find(names_, lower_case(wanted[i]));
    positions_[i] = found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
  }
  if (positions_[0] < 0 || positions_[1] < 0) refuse("columns 'x' and 'y' are missing in " + listed(names_));
  if (positions_[3] < 0 && !input_.options.radius)
    refuse("a trajectory gives no radii; give --radius R, or --columns r=NAME with one of " + listed(names_));
}

double Trajectories::number(std::string_view text, std::string_view column) const {
  double value = 0;
  const Parse parsed = parse_number(text, value);
  if (parsed == Parse::ok) return value;
  refuse("column " + shown(column) + ": " + shown(text) + ' ' + number_fault(parsed));
}

std::int64_t Trajectories::whole_number(std::string_view text, std::string_view column) const {
  std::int64_t value = 0;
  if (parse_integer(text, value) == Parse::ok) return value;
  refuse("column " + shown(column) + ": " + shown(text) + " is not a whole number");
}

Step Trajectories::read_step(std::string_view row) {
  std::array<std::string_view, most_txt_columns> words;
  for (std::size_t i = 0; i < width_; ++i) {
    words[i] = take_word(row);
    if (words[i].empty()) refuse("the row has fewer values than the first one");
  }
  if (!take_word(row).empty()) refuse("the row has more values than the first one");
  const auto length = [&](std::size_t i, double otherwise) {
    if (positions_[i] < 0) return otherwise;
    const auto position = static_cast<std::size_t>(positions_[i]);
    return number(words[position], names_[position]) / (centimetres_ ? 100 : 1);
  };
  const Vec3 place{length(0, 0), length(1, 0), length(2, 0)};
  const std::int64_t frame = whole_number(words[1], "frame");
  return {whole_number(words[0], "id"),
          frame,
          static_cast<double>(frame),
          {place, length(3, input_.options.radius.value_or(0))},
          file_.number()};
}

std::vector<Step> Trajectories::read() {
  std::vector<Step> steps;
  std::string_view text;
  while (file_.line(text)) {
    if (trimmed(text).empty()) continue;
    if (text.starts_with('#')) {
      if (width_ == 0) read_comment(text);
      continue;
    }
    if (width_ == 0) find_columns(text);
    check_growth(steps, 0, file_.name());
    steps.push_back(read_step(text));
  }
  if (file_.ends_inside_line()) builder_.warn(last_line_warning(file_.name()));
  const auto key = [](const Step& step) { return std::pair(step.id, step.frame); };
  if (!std::ranges::is_sorted(steps, {}, key)) std::ranges::stable_sort(steps, {}, key);
  const auto twice = std::ranges::adjacent_find(steps, {}, key);
  if (twice != steps.end())
    fail(file_.name(), twice[1].line,
         "pedestrian " + std::to_string(twice->id) + " comes twice in frame " + std::to_string(twice->frame));
  return steps;
}

void read_trajectories(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  Trajectories file(source, input, builder);
  const std::vector<Step> steps = file.read();
  const FileLine end = file.place();
  const int layer = builder.layer(input.layer, end);
  if (steps.empty()) return;
  builder.unit("m", end);
  if (!file.rate()) builder.warn(end.name + ": no framerate is given; the spheres are at rest");
  const std::int64_t frame = chosen_frame(steps, input.options.frame, end, builder);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].frame != frame) continue;
    const FileLine place{end.name, steps[i].line};
    builder.sphere(steps[i].sphere, layer, place);
    if (file.rate()) builder.velocity(velocity_at(steps, i, *file.rate(), end.name), place);
    builder.name(std::to_string(steps[i].id));
  }
}

}  // namespace

/// A table of text that is no trajectory is read as CSV.
void read_txt_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  PeekedSource peeked(std::make_unique<BorrowedSource>(source));
  const FileKind* const kind = kind_of(peeked.beginning());
  if (kind && kind->format == "txt") return read_trajectories(peeked, input, builder);
  read_csv_scene(peeked, input, builder);
}

}  // namespace sphaera::io
