#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tools/drawing/canvas.hpp>
#include <tools/drawing/map_picture.hpp>
#include <tools/drawing/sight_picture.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

std::size_t quotient_up(std::size_t n, std::size_t by) { return n / by + (n % by != 0); }

/// Whole numbers stand at the middle of their cells.
Axis numbers_along(const std::string& label, std::size_t count) {
  const double end = static_cast<double>(std::max<std::size_t>(count, 1)) - 0.5;
  return {label, -0.5, end, std::max(1., nice_step(end + 0.5, 6))};
}

}  // namespace

SightPicture::SightPicture(std::size_t targets)
    : targets_(targets),
      targets_per_cell_(std::max<std::size_t>(1, quotient_up(targets, max_cells))),
      columns_(std::max<std::size_t>(1, quotient_up(targets, targets_per_cell_))) {}

void SightPicture::take(const SightTable& table) {
  for (std::size_t i = 0; i < table.rows; ++i, ++points_) {
    if (points_ == max_cells * points_per_cell_) join_rows();
    const std::size_t row = points_ / points_per_cell_;
    seen_.resize((row + 1) * columns_);
    for (std::size_t byte = 0; byte < table.row_bytes(); ++byte) {
      unsigned bits = table.bits[i * table.row_bytes() + byte];
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t target = 8 * byte + static_cast<std::size_t>(std::countr_zero(bits));
        ++seen_[row * columns_ + target / targets_per_cell_];
      }
    }
  }
}

void SightPicture::join_rows() {
  points_per_cell_ *= 2;
  for (std::size_t row = 0; row < max_cells / 2; ++row)
    for (std::size_t column = 0; column < columns_; ++column)
      seen_[row * columns_ + column] =
          seen_[2 * row * columns_ + column] + seen_[(2 * row + 1) * columns_ + column];
  seen_.resize(max_cells / 2 * columns_);
}

std::uint64_t SightPicture::pairs_of(std::size_t row, std::size_t column) const {
  return std::min(points_per_cell_, points_ - row * points_per_cell_) *
         std::min(targets_per_cell_, targets_ - column * targets_per_cell_);
}

std::string SightPicture::png(const SightWords& words) const {
  const std::size_t rows = quotient_up(points_, points_per_cell_);
  Picture picture;
  picture.title = title(), picture.subtitle = subtitle(words.scene);
  picture.pixels = {columns_, std::max<std::size_t>(rows, 1)};
  constexpr double widest = 4;
  picture.aspect = std::clamp(static_cast<double>(columns_) / static_cast<double>(picture.pixels.rows),
                              1 / widest, widest);
  picture.across = numbers_along(words.targets, columns_ * targets_per_cell_);
  picture.up = numbers_along(words.points, picture.pixels.rows * points_per_cell_);
  std::swap(picture.up.from, picture.up.to);  // the first point is at the top
  for (std::size_t row = picture.pixels.rows; row-- > 0;) {
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::uint64_t pairs = row < rows ? pairs_of(row, column) : 0;
      picture.colors.push_back(pairs == 0 ? no_color
                                          : number_color(static_cast<double>(seen_[row * columns_ + column]) /
                                                         static_cast<double>(pairs)));
    }
  }
  if (points_per_cell_ == 1 && targets_per_cell_ == 1)
    picture.key = {{"sees it", number_color(1)}, {"does not", number_color(0)}};
  else
    picture.bar = ColorBar{"share of the pairs that see each other"};
  return png_of(picture);
}

std::string SightPicture::title() const {
  return fmt::format("Which of {} each of {} sees", counted(targets_, "target"), counted(points_, "point"));
}

std::string SightPicture::subtitle(const std::string& scene) const {
  const std::uint64_t seen = std::accumulate(seen_.begin(), seen_.end(), std::uint64_t{0});
  const double pairs = static_cast<double>(points_) * static_cast<double>(targets_);
  std::string text = fmt::format("{}   {} of {:.15g} pairs see each other", scene, seen, pairs);
  if (pairs > 0) text += fmt::format(" ({:.3g} %)", 100 * static_cast<double>(seen) / pairs);
  if (points_per_cell_ > 1 || targets_per_cell_ > 1)
    text += fmt::format("   a cell is {} × {}", counted(points_per_cell_, "point"),
                        counted(targets_per_cell_, "target"));
  return text;
}

}  // namespace sphaera::tool
