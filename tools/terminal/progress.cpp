#include <fmt/core.h>

#include <array>
#include <cmath>
#include <io/streams/printable.hpp>
#include <tools/terminal/progress.hpp>
#include <tools/terminal/streams.hpp>

namespace sphaera::tool {
namespace {

constexpr std::chrono::milliseconds patience{1000}, redraw{200};
constexpr const char* clear_line = "\r\033[K";

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

Progress::Progress(const Console& console, std::string_view what)
    : shown_(console.shows_progress()), what_(io::printable(what)), next_(start_ + patience) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  const std::lock_guard lock(drawing_);
  if (drawn_) say({clear_line});
  drawn_ = false;
}

void Progress::set_fraction(double done) {
  share_ = done;
  if (shown_) show();
}

void Progress::add(std::uint64_t items, std::optional<double> done) {
  items_ += items;
  share_ = done.value_or(unknown);
  if (shown_) show();
}

void Progress::show() {
  const std::unique_lock lock(drawing_, std::try_to_lock);
  const auto now = Clock::now();
  if (!lock || now < next_) return;
  next_ = now + redraw;
  const double passed = seconds(now - start_), done = share_;
  std::string line;
  const auto append = [&](const std::string& text) { (line += line.empty() ? ": " : ", ") += text; };
  if (done != unknown) append(fmt::format("{:.0f} %", std::floor(100 * done)));
  if (done == unknown && items_ > 0) append(fmt::format("{} done", count_text(static_cast<double>(items_))));
  if (items_ > 0) append(fmt::format("{} a second", count_text(static_cast<double>(items_) / passed)));
  if (done > 0) append(fmt::format("{} left", time_text(passed * (1 - done) / done)));
  say({clear_line, what_, line});
  drawn_ = true;
}

std::string time_text(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string count_text(double count) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr std::array units{Unit{1e9, " billion"}, Unit{1e6, " million"}, Unit{1e3, " thousand"}};
  for (const Unit& unit : units) {
    if (count >= unit.size) return fmt::format("{:.3g}{}", count / unit.size, unit.name);
  }
  return fmt::format("{:.3g}", count);
}

}  // namespace sphaera::tool
