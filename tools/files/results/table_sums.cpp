#include <algorithm>
#include <cmath>
#include <cstring>
#include <io/formats/numbers.hpp>
#include <sphaera/error.hpp>
#include <tools/files/results/table_sums.hpp>

namespace sphaera::files {
namespace {

using Kind = Column::Kind;

bool is_text(Kind kind) { return kind == Kind::text || kind == Kind::sphere_name || kind == Kind::kept; }
bool has_one_byte(Kind kind) { return kind == Kind::flag || kind == Kind::word; }

template <class T>
T value_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void append_bytes(std::string& bytes, double value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Bytes of the cell that begins here.
std::size_t cell_size(Kind kind, const char* cell) {
  if (is_text(kind)) return sizeof(raw::Length) + value_at<raw::Length>(cell);
  return has_one_byte(kind) ? 1 : sizeof(double);
}

/// The number of which sums are made; NaN: none.
double value_of(Kind kind, const char* cell) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (kind == Kind::number) return value_at<double>(cell);
  if (kind == Kind::sphere) return value_at<std::int64_t>(cell) == raw::no_sphere ? 0 : 1;
  if (kind == Kind::integer) {
    const auto value = value_at<std::int64_t>(cell);
    return value == raw::no_integer ? none : static_cast<double>(value);
  }
  const auto value = value_at<std::uint8_t>(cell);
  return kind == Kind::flag && value != raw::no_word ? value : none;
}

void write_value(TableRows& rows, Kind kind, const char* cell) {
  if (kind == Kind::number) {
    rows.number(value_at<double>(cell));
  } else if (has_one_byte(kind)) {
    const auto value = value_at<std::uint8_t>(cell);
    if (value == raw::no_word) {
      rows.empty();
    } else {
      kind == Kind::flag ? rows.flag(value != 0) : rows.word(value);
    }
  } else if (kind == Kind::sphere) {
    rows.sphere(value_at<std::int64_t>(cell));
  } else {
    const auto value = value_at<std::int64_t>(cell);
    value == raw::no_integer ? rows.empty() : rows.integer(value);
  }
}

/// Of flags and spheres only the share is told.
bool is_share(Kind kind) { return kind == Kind::flag || kind == Kind::sphere; }

}  // namespace

TableSums::TableSums(std::vector<Column> columns, std::vector<SumKey> by)
    : columns_(std::move(columns)), keys_(std::move(by)), cells_(columns_.size()) {
  for (std::size_t c = 1; c < columns_.size(); ++c) {
    const Kind kind = columns_[c].kind;
    const bool is_key = std::ranges::find(keys_, c, &SumKey::column) != keys_.end();
    if (!is_text(kind) && kind != Kind::word && !is_key) summed_.push_back({c, summed_.size()});
  }
  kept_sums_ = summed_.size();
}

void TableSums::keep_only(const std::vector<std::size_t>& shown, TableFormat format) {
  if (shown.empty()) return;
  const std::vector<Column> all = columns(format);
  kept_sums_ = 0;
  std::size_t position = all.size();
  for (auto summed = summed_.rbegin(); summed != summed_.rend(); ++summed) {
    const std::size_t cells = is_share(columns_[summed->column].kind) ? 1 : 3;
    position -= cells;
    summed->kept =
        std::ranges::any_of(shown, [&](std::size_t c) { return c >= position && c < position + cells; });
    if (summed->kept) summed->place = kept_sums_++;
  }
}

std::vector<Column> TableSums::columns(TableFormat format) const {
  std::vector<Column> all;
  for (const auto& [c, bin] : keys_) {
    const Column& column = columns_[c];
    if (bin > 0 || (column.kind == Kind::kept && format == TableFormat::npy)) {
      all.push_back(Column::number(column.name));
    } else if (is_text(column.kind)) {
      all.push_back(Column::text(column.name));
    } else {
      all.push_back(column);
      const bool named =
          column.kind == Kind::sphere && c + 1 < columns_.size() && columns_[c + 1].kind == Kind::sphere_name;
      if (named && std::ranges::find(keys_, c + 1, &SumKey::column) == keys_.end())
        all.push_back(columns_[c + 1]);
    }
  }
  all.push_back(Column::integer("rows"));
  all.push_back(Column::number("share"));
  for (const Summed& summed : summed_) {
    const std::string& name = columns_[summed.column].name;
    if (is_share(columns_[summed.column].kind)) {
      all.push_back(Column::number(name + "_share"));
    } else {
      for (const char* what : {"_mean", "_least", "_greatest"}) all.push_back(Column::number(name + what));
    }
  }
  return all;
}

void TableSums::add(std::string_view rows) {
  const char* next = rows.data();
  while (next != rows.data() + rows.size()) add_row(next);
}

void TableSums::add_row(const char*& next) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    cells_[c] = {next, cell_size(columns_[c].kind, next)};
    next += cells_[c].size();
  }
  key_.clear(), row_bins_.clear();
  for (const auto& [c, bin] : keys_) {
    if (bin == 0) {
      key_ += cells_[c];
      continue;
    }
    const double low = std::floor(value_of(columns_[c].kind, cells_[c].data()) / bin) * bin;
    append_bytes(key_, low);
    row_bins_.push_back(std::isnan(low) ? -std::numeric_limits<double>::infinity() : low);
  }
  Group& group = group_of_row();
  ++group.rows, ++rows_;
  for (const auto& [c, place, kept] : summed_) {
    if (!kept) continue;
    const double value = value_of(columns_[c].kind, cells_[c].data());
    if (std::isnan(value)) continue;
    Sum& sum = sums_[group.number * kept_sums_ + place];
    ++sum.count, sum.sum += value;
    sum.least = std::min(sum.least, value), sum.greatest = std::max(sum.greatest, value);
  }
}

TableSums::Group& TableSums::group_of_row() {
  const auto [at, is_new] = positions_.try_emplace(key_, groups_.size());
  if (is_new) {
    if (groups_.size() == most_groups)
      throw Error(ErrorCode::out_of_memory,
                  "--by: the rows have more than " + std::to_string(most_groups) +
                      " different values there; choose another column, or intervals: --by t_enter/10");
    groups_.push_back({&at->first, 0, groups_.size()});
    sums_.resize(sums_.size() + kept_sums_);
    bins_.insert(bins_.end(), row_bins_.begin(), row_bins_.end());
  }
  return groups_[at->second];
}

std::vector<const TableSums::Group*> TableSums::ordered() const {
  std::vector<const Group*> order;
  order.reserve(groups_.size());
  for (const Group& group : groups_) order.push_back(&group);
  std::ranges::sort(order, [&](const Group* a, const Group* b) {
    const std::span<const double> bins_a = bins_of(*a), bins_b = bins_of(*b);
    if (!std::ranges::equal(bins_a, bins_b)) return std::ranges::lexicographical_compare(bins_a, bins_b);
    return a->rows == b->rows ? a->number < b->number : a->rows > b->rows;
  });
  return order;
}

void TableSums::write(TableRows& rows, TableFormat format) const {
  for (const Group* group : ordered()) {
    write_key(rows, *group, format);
    rows.integer(static_cast<std::int64_t>(group->rows));
    rows.number(static_cast<double>(group->rows) / static_cast<double>(rows_));
    write_sums(rows, *group);
    rows.end_row();
  }
}

void TableSums::write_key(TableRows& rows, const Group& group, TableFormat format) const {
  const char* cell = group.key->data();
  for (const auto& [c, bin] : keys_) {
    const Kind kind = bin > 0 ? Kind::number : columns_[c].kind;
    const std::size_t size = cell_size(kind, cell);
    if (is_text(kind)) {
      const std::string_view text(cell + sizeof(raw::Length), size - sizeof(raw::Length));
      double value = 0;
      if (text.empty()) {
        rows.empty();
      } else if (kind != Kind::kept || format != TableFormat::npy) {
        rows.text(text);
      } else if (io::parse_number(io::trimmed(text), value) == io::Parse::ok) {
        rows.number(value);
      } else {
        throw Error(ErrorCode::internal, "a kept field is not a number");
      }
    } else {
      write_value(rows, kind, cell);
    }
    cell += size;
  }
}

void TableSums::write_sums(TableRows& rows, const Group& group) const {
  for (const auto& [c, place, kept] : summed_) {
    const auto& [count, sum, least, greatest] = kept ? sums_[group.number * kept_sums_ + place] : Sum{};
    count == 0 ? rows.empty() : rows.number(sum / static_cast<double>(count));
    if (is_share(columns_[c].kind)) continue;
    count == 0 ? rows.empty() : rows.number(least);
    count == 0 ? rows.empty() : rows.number(greatest);
  }
}

}  // namespace sphaera::files
