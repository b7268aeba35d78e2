#include <algorithm>
#include <cmath>
#include <filesystem>
#include <io/formats/csv.hpp>
#include <io/formats/file_kind.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/npy_fields.hpp>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <limits>
#include <tools/files/queries/named_ids.hpp>
#include <tools/files/queries/query_rows.hpp>
#include <utility>

namespace sphaera::files {
namespace {

constexpr std::int64_t no_id = -1;
constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

/// The columns of files whose columns have names: those of the kind of queries, then perhaps `sphere` to skip
/// misses, own_view_columns, and owner_column.
class NamedColumns {
 public:
  NamedColumns(const QueryColumns& columns, const RowOptions& options)
      : required_(columns.required),
        optional_(columns.optional.begin(), columns.optional.end()),
        kept_(options.kept) {
    if (columns.ids == QueryColumns::Ids::required) without_last_ = "a column with the body's id or name";
    if (options.skip_misses) sphere_ = add("sphere");
    // Not guessed: a column `time` may mean something else.
    if (columns.own_view == QueryColumns::OwnView::yes) {
      time_ = add(own_view_columns[0]), layers_ = add(own_view_columns[1]);
      exact_ += own_view_columns.size();
    }
    if (columns.may_ignore()) owner_ = add(owner_column), ++exact_;
    own_ = optional_;
    // The scene, too, may have columns that are required here.
    for (const std::string_view column : required_)
      if (std::ranges::find(io::csv_scene_columns, column) == io::csv_scene_columns.end())
        own_.push_back(column);
    std::erase_if(own_, [&](std::string_view column) {
      return std::ranges::find(options.elsewhere, column) != options.elsewhere.end();
    });
  }

  io::CsvColumns columns() const {
    return {.required = required_,
            .optional = optional_,
            .without_last = without_last_,
            .if_empty = "skip misses of a result with --skip-misses",
            .kept = kept_,
            .exact = exact_,
            .own = own_};
  }
  /// Position of a column of that name; −1: there is none.
  int position(std::string_view name) const {
    const io::CsvColumns all = columns();
    for (std::size_t c = 0; c < all.size(); ++c)
      if (all[c] == name) return static_cast<int>(c);
    return -1;
  }
  // Their positions; −1: no such column.
  int time() const { return time_; }
  int layers() const { return layers_; }
  int owner() const { return owner_; }
  int sphere() const { return sphere_; }

 private:
  int add(std::string_view name) {
    optional_.push_back(name);
    return static_cast<int>(required_.size() + optional_.size()) - 1;
  }

  int time_ = -1, layers_ = -1, owner_ = -1, sphere_ = -1;
  std::size_t exact_ = 0;
  std::span<const std::string_view> required_;
  std::string_view without_last_{};
  std::vector<std::string_view> optional_, own_;  // own: see CsvColumns
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
        named_layers_(options.layer_names),
        owners_(options.owners),
        epoch_(options.epoch),
        id_(present(static_cast<int>(columns.id_column()))),
        sphere_(present(named_columns_.sphere())),
        time_(present(named_columns_.time())),
        layers_(present(named_columns_.layers())),
        owner_(present(named_columns_.owner())),
        kept_(options.kept.size()),
        keeps_numbers_(options.keeps_numbers) {
    for (std::size_t i = 0; i < columns.numbers(); ++i)
      numbers_.push_back(static_cast<int>(columns.column(i)));
  }

  bool next() override { return table_.next(); }
  bool in_row() const override { return table_.in_row(); }
  bool is_miss() const override {
    for (int c = 0; c < static_cast<int>(columns_.required.size()); ++c)
      if (table_.is_missing(c)) return true;
    return sphere_ >= 0 && table_.label(sphere_) == "-1";
  }
  void read(QueryRow& row) override {
    const std::size_t required = columns_.required_numbers();
    for (std::size_t i = 0; i < required; ++i) row.values[i] = table_.number(numbers_[i]);
    for (std::size_t i = required; i < numbers_.size(); ++i)
      row.values[i] = table_.number_or(numbers_[i], columns_.defaults[i - required]);
    row.id = id_ < 0 ? no_id : id();
    row.time = time_ < 0 || table_.label(time_).empty() ? no_time : table_.time(time_, epoch_);
    row.layers = layers_ < 0 ? all_layers : layers_of(table_.label(layers_));
    row.owner = owner_ < 0 ? no_id : owner_called(table_.label(owner_));
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
  bool has_ids() const override { return id_ >= 0; }
  bool has_times() const override { return time_ >= 0; }
  bool has_layers() const override { return layers_ >= 0; }
  bool has_owners() const override { return owner_ >= 0; }
  bool has(std::string_view column) const override { return present(named_columns_.position(column)) >= 0; }
  std::uint64_t line() const override { return table_.line(); }
  const std::string& name() const override { return table_.name(); }
  std::vector<std::string> take_warnings() override { return table_.take_warnings(); }

 private:
  int present(int column) const { return column >= 0 && table_.has(column) ? column : -1; }

  /// The layers that a text names, all for an empty one. Rows that follow each other often have the same.
  LayerMask layers_of(std::string_view text) {
    if (text == last_layers_) return last_mask_;
    LayerMask mask = text.empty() ? all_layers : 0;
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto found = std::ranges::find(named_layers_, io::trimmed(rest.substr(0, comma)));
      if (found == named_layers_.end()) {
        table_.refuse(layers_, "is not a list of layers with commas between them; the scene has " +
                                   io::listed(named_layers_));
      }
      mask |= LayerMask{1} << (found - named_layers_.begin());
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    last_layers_ = text, last_mask_ = mask;
    return mask;
  }

  /// The owner of that name, none for an empty one.
  std::int64_t owner_called(const std::string_view word) {
    if (word.empty()) return no_id;
    if (!owners_ || owners_->empty())
      table_.refuse(owner_, "names an owner, and the scene's spheres have none; give --owner-by COLUMN");
    const auto found = owners_->find(std::string(word));
    if (found == owners_->end())
      table_.refuse(owner_, "is no owner of the scene's spheres; leave it empty for none");
    return found->second;
  }

  /// What to write in place of the name of no sphere. The nearest name is sought once: bad rows may be
  /// skipped, and then there may be many.
  std::string advice_for(std::string_view word) {
    const std::string advice = "leave it empty or -1 for none";
    return std::exchange(has_advised_, true) ? advice : io::suggested(word, *named_.names(), advice);
  }
  /// An id, or the name of a sphere.
  std::int64_t id() {
    if (named_.empty()) return table_.integer_or(id_, no_id);
    const std::string_view word = table_.label(id_);
    std::int64_t value = no_id;
    if (word.empty() || io::parse_integer(word, value) == io::Parse::ok) return value;
    value = named_[word];
    if (value == NamedIds::none)
      table_.refuse(id_, "is neither an id nor the name of a sphere; " + advice_for(word));
    if (value == NamedIds::several) table_.refuse(id_, "is the name of several spheres; give an id");
    return value;
  }

  std::unique_ptr<io::ByteSource> source_;
  const QueryColumns& columns_;
  NamedColumns named_columns_;
  io::CsvTable table_;
  NamedIds named_;
  std::span<const std::string> named_layers_;
  const std::unordered_map<std::string, std::int64_t>* owners_;
  std::string last_layers_;
  LayerMask last_mask_ = all_layers;
  std::optional<io::Instant> epoch_;
  int id_, sphere_, time_, layers_, owner_;  // columns; −1: absent
  std::vector<int> numbers_;                 // columns
  std::size_t kept_;
  bool has_advised_ = false;
  bool keeps_numbers_;
  std::vector<std::string_view> kept_fields_;  // of a row
};

class NpyQueryRows : public QueryRows {
 public:
  NpyQueryRows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns, const RowOptions& options)
      : source_(std::move(source)), columns_(columns), rows_(*source_), plain_(source_->remaining()) {
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
    row.time = has_times() ? row_[time_] : no_time;
    row.layers = all_layers, row.owner = no_id;
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
  std::optional<std::uint64_t> stated() const override {
    return plain_ ? std::optional(rows_.rows()) : std::nullopt;
  }
  bool has_ids() const override { return place_[columns_.id_column()] >= 0; }
  bool has_times() const override { return time_ >= 0; }
  bool has_layers() const override { return false; }
  bool has_owners() const override { return false; }
  bool has(std::string_view column) const override {
    return std::ranges::find(present_, column) != present_.end();
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
    present_ = names;
    for (const std::string& name : kept) {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) io::fail(rows_.name(), io::missing_kept(name, names));
      kept_.push_back(static_cast<std::size_t>(found - names.begin()));
    }
  }

  void take_fields(const RowOptions& options) {
    const NamedColumns named(columns_, options);
    io::NpyColumns chosen = io::choose_columns(rows_, named.columns(), options.csv);
    const auto place_of = [&](int column) {
      return column < 0 ? -1 : chosen.place[static_cast<std::size_t>(column)];
    };
    time_ = place_of(named.time()), sphere_ = place_of(named.sphere());
    if (place_of(named.layers()) >= 0)
      io::fail(rows_.name(),
               "field 'layers' has names of layers in CSV alone; give a CSV, or rename the field");
    if (place_of(named.owner()) >= 0)
      io::fail(rows_.name(),
               "field 'ignore_owner' has names of owners in CSV alone; give a CSV, or rename the field");
    const io::CsvColumns all = named.columns();
    for (std::size_t c = 0; c < all.size(); ++c)
      if (chosen.place[c] >= 0) present_.push_back(all[c]);
    place_ = std::move(chosen.place), kept_ = std::move(chosen.kept), warnings_ = std::move(chosen.warnings);
  }

  std::unique_ptr<io::ByteSource> source_;
  const QueryColumns& columns_;
  io::NpyRows rows_;
  bool plain_;  ///< the length of the file is known, and that of the rows has been checked
  const double* row_ = nullptr;
  std::vector<int> place_;                 // of each column in a row; −1: absent
  int sphere_ = -1, time_ = -1;            // places
  std::vector<std::size_t> kept_;          // places
  std::vector<std::string_view> present_;  // columns that are there
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
  text.append(npy_widths.size() - 1, ']');
  if (own_view == OwnView::yes)
    (text += " and perhaps ") += io::joined(own_view_columns, ",") + ",";
  else if (may_ignore())
    text += " and perhaps ";
  if (may_ignore()) text += owner_column;
  return text;
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
