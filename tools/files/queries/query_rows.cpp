#include <algorithm>
#include <cmath>
#include <filesystem>
#include <io/formats/csv.hpp>
#include <io/formats/file_kind.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/npy_fields.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <tools/files/queries/named_ids.hpp>
#include <tools/files/queries/query_rows.hpp>
#include <utility>

namespace sphaera::files {
namespace {

constexpr std::int64_t no_id = -1;

/// The columns of files whose columns have names. To skip misses, the last one is `sphere`.
class NamedColumns {
 public:
  NamedColumns(const QueryColumns& columns, const RowOptions& options)
      : required_(columns.required),
        optional_(columns.optional.begin(), columns.optional.end()),
        kept_(options.kept) {
    if (options.skip_misses) optional_.emplace_back("sphere");
  }

  io::CsvColumns columns() const {
    return {required_, optional_, {}, "skip misses of a result with --skip-misses", kept_};
  }
  int sphere() const { return static_cast<int>(required_.size() + optional_.size()) - 1; }

 private:
  std::span<const std::string_view> required_;
  std::vector<std::string_view> optional_;
  std::vector<std::string> kept_;
};

class CsvRows : public QueryRows {
 public:
  CsvRows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns, const RowOptions& options)
      : source_(std::move(source)),
        columns_(columns),
        named_columns_(columns, options),
        table_(*source_, named_columns_.columns(), options.csv),
        named_(options.names),
        kept_(options.kept.size()),
        keeps_numbers_(options.keeps_numbers) {}

  bool next() override { return table_.next(); }
  bool in_row() const override { return table_.in_row(); }
  bool is_miss() const override {
    for (int c = 0; c < static_cast<int>(columns_.required.size()); ++c)
      if (table_.is_missing(c)) return true;
    return table_.has(named_columns_.sphere()) && table_.label(named_columns_.sphere()) == "-1";
  }
  void read(QueryRow& row) override {
    const std::size_t required = columns_.required_numbers();
    for (std::size_t i = 0; i < columns_.numbers(); ++i) {
      const int column = static_cast<int>(columns_.column(i));
      row.values[i] =
          i < required ? table_.number(column) : table_.number_or(column, columns_.defaults[i - required]);
    }
    row.id = columns_.ids == QueryColumns::Ids::none ? no_id : id(static_cast<int>(columns_.id_column()));
  }
  void keep(Names& fields) override {
    std::vector<std::string_view>& kept = kept_fields_;  // all or none
    kept.clear();
    for (std::size_t i = 0; i < kept_; ++i)
      kept.push_back(keeps_numbers_ ? table_.kept_number(i) : table_.kept(i));
    for (const std::string_view field : kept) fields.push_back(field);
  }
  std::optional<double> fraction() const override { return table_.fraction(); }
  void read_to_end() override { source_->read_to_end(); }
  bool has_ids() const override {
    return columns_.ids != QueryColumns::Ids::none && table_.has(static_cast<int>(columns_.id_column()));
  }
  std::uint64_t line() const override { return table_.line(); }
  const std::string& name() const override { return table_.name(); }
  std::vector<std::string> take_warnings() override { return table_.take_warnings(); }

 private:
  /// An id, or the name of a sphere.
  std::int64_t id(int column) {
    if (named_.empty() || !table_.has(column)) return table_.integer_or(column, no_id);
    const std::string_view word = table_.label(column);
    std::int64_t value = no_id;
    if (word.empty() || io::parse_integer(word, value) == io::Parse::ok) return value;
    value = named_[word];
    if (value == NamedIds::none)
      table_.refuse(column, "is neither an id nor the name of a sphere; leave it empty or -1 for none");
    if (value == NamedIds::several) table_.refuse(column, "is the name of several spheres; give an id");
    return value;
  }

  std::unique_ptr<io::ByteSource> source_;
  const QueryColumns& columns_;
  NamedColumns named_columns_;
  io::CsvTable table_;
  NamedIds named_;
  std::size_t kept_;
  bool keeps_numbers_;
  std::vector<std::string_view> kept_fields_;  // of a row
};

class NpyQueryRows : public QueryRows {
 public:
  NpyQueryRows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns, const RowOptions& options)
      : source_(std::move(source)), columns_(columns), rows_(*source_) {
    rows_.field_names().empty() ? take_matrix(options.kept) : take_fields(options);
  }

  bool next() override {
    row_ = nullptr;
    return (row_ = rows_.next()) != nullptr;
  }
  bool in_row() const override { return row_ != nullptr; }
  bool is_miss() const override {
    const auto is_nan = [&](int place) { return std::isnan(row_[place]); };
    return std::ranges::any_of(std::span(place_).first(columns_.required.size()), is_nan) ||
           (sphere_ >= 0 && row_[sphere_] == -1);
  }
  void read(QueryRow& row) override {
    const std::size_t required = columns_.required_numbers();
    for (std::size_t i = 0; i < columns_.numbers(); ++i) {
      const int place = place_[columns_.column(i)];
      row.values[i] = place >= 0 ? row_[place] : columns_.defaults[i - required];
    }
    row.id = no_id;
    if (has_ids() && !io::to_integer(row_[place_[columns_.id_column()]], row.id)) {
      io::fail(name(), line(),
               "column " + io::shown(columns_.id_name()) + " is not an integer; give an id, or -1 for none");
    }
  }

  void keep(Names& fields) override {
    std::string text;
    for (const std::size_t column : kept_) {
      text.clear();
      rows_.is_integer(column) ? io::append_integer(text, static_cast<std::int64_t>(row_[column]))
                               : io::append_number(text, row_[column]);
      fields.push_back(text);
    }
  }
  std::optional<double> fraction() const override { return io::share(rows_.row(), rows_.rows()); }
  void read_to_end() override { source_->read_to_end(); }
  bool has_ids() const override {
    return columns_.ids != QueryColumns::Ids::none && place_[columns_.id_column()] >= 0;
  }
  std::uint64_t line() const override { return rows_.row(); }
  const std::string& name() const override { return rows_.name(); }
  std::vector<std::string> take_warnings() override { return std::exchange(warnings_, {}); }

 private:
  void take_matrix(std::span<const std::string> kept) {
    const auto& widths = columns_.npy_widths;
    if (std::ranges::find(widths, rows_.columns()) == widths.end()) {
      std::string possible;
      for (const std::size_t width : widths)
        possible += (possible.empty() ? "" : ", ") + std::to_string(width);
      io::fail(rows_.name(), "the NPY array has " + std::to_string(rows_.columns()) + " columns; " +
                                 std::string(columns_.kind) + " have " + possible + ": " +
                                 io::listed(columns_.required) +
                                 (columns_.optional.empty() ? "" : ", " + io::listed(columns_.optional)));
    }
    const std::vector<std::string_view> names = columns_.names(rows_.columns());
    for (std::size_t c = 0; c < columns_.required.size() + columns_.optional.size(); ++c)
      place_.push_back(c < names.size() ? static_cast<int>(c) : -1);
    for (const std::string& name : kept) {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) io::fail(rows_.name(), io::missing_kept(name, names));
      kept_.push_back(static_cast<std::size_t>(found - names.begin()));
    }
  }

  void take_fields(const RowOptions& options) {
    const NamedColumns named(columns_, options);
    io::NpyColumns chosen = io::choose_columns(rows_, named.columns(), options.csv);
    if (options.skip_misses) {
      sphere_ = chosen.place.back();
      chosen.place.pop_back();
    }
    place_ = std::move(chosen.place), kept_ = std::move(chosen.kept), warnings_ = std::move(chosen.warnings);
  }

  std::unique_ptr<io::ByteSource> source_;
  const QueryColumns& columns_;
  io::NpyRows rows_;
  const double* row_ = nullptr;
  std::vector<int> place_;         // of each column in a row; −1: absent
  int sphere_ = -1;                // place
  std::vector<std::size_t> kept_;  // places
  std::vector<std::string> warnings_;
};

}  // namespace

std::vector<std::string_view> QueryColumns::names(std::size_t width) const {
  std::vector<std::string_view> all(required.begin(), required.end());
  all.insert(all.end(), optional.begin(), optional.end());
  all.resize(width);
  return all;
}

std::string QueryColumns::text() const {
  const std::vector<std::string_view> all = names(npy_widths.back());
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool may_end = std::ranges::find(npy_widths, i) != npy_widths.end();
    text += i == 0 ? "" : may_end ? "[," : ",";
    text += all[i];
  }
  return text.append(npy_widths.size() - 1, ']');
}

std::unique_ptr<QueryRows> open_csv_rows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns,
                                         const RowOptions& options) {
  return std::make_unique<CsvRows>(std::move(source), columns, options);
}

std::unique_ptr<QueryRows> open_npy_rows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns,
                                         const RowOptions& options) {
  return std::make_unique<NpyQueryRows>(std::move(source), columns, options);
}

const QueryFormat& query_format(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (const QueryFormat* format : query_formats)
    if (name.ends_with(format->extension())) return *format;
  return *query_formats.front();
}

std::unique_ptr<QueryRows> open_query_rows(std::unique_ptr<io::ByteSource> source,
                                           const QueryColumns& columns, const RowOptions& options) {
  const QueryFormat* format = &query_format(source->name());
  if (!std::filesystem::path(source->name()).has_extension()) {
    auto peeked = std::make_unique<io::PeekedSource>(std::move(source));
    if (const io::FileKind* const kind = io::kind_of(peeked->beginning());
        kind && kind->format == npy_queries.name)
      format = &npy_queries;
    source = std::move(peeked);
  }
  return format->open(std::move(source), columns, options);
}

}  // namespace sphaera::files
