#include <algorithm>
#include <array>
#include <base/errors.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <io/streams/bad_rows.hpp>
#include <io/streams/file_error.hpp>
#include <iterator>
#include <limits>
#include <new>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/queries/query_rows.hpp>
#include <type_traits>
#include <utility>

namespace sphaera::files {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 6> ray_required{"ox", "oy", "oz", "dx", "dy", "dz"};
constexpr std::array<Name, 3> ray_optional{"tmin", "tmax", "ignore"};
constexpr std::array<double, 2> ray_defaults{0, infinity};
constexpr std::array<std::size_t, 3> ray_widths{6, 8, 9};

constexpr std::array<Name, 3> place_required{"x", "y", "z"};
constexpr std::array<Name, 1> observer_optional{"on"};
constexpr std::array<std::size_t, 2> observer_widths{3, 4};
constexpr std::array<Name, 1> ignore_optional{"ignore"};
constexpr std::array<std::size_t, 2> point_widths{3, 4};

constexpr std::array<Name, 4> sky_optional{"nx", "ny", "nz", "ignore"};
constexpr std::array<double, 3> sky_defaults{0, 0, 0};
constexpr std::array<std::size_t, 3> sky_widths{3, 6, 7};

constexpr std::array<Name, 3> station_required{"longitude", "latitude", "on"};
constexpr std::array<Name, 1> station_optional{"height"};
constexpr std::array<double, 1> station_defaults{0};
constexpr std::array<std::size_t, 2> station_widths{3, 4};

constexpr std::array<Name, 6> receiver_required{"x", "y", "z", "nx", "ny", "nz"};
constexpr std::array<std::size_t, 2> receiver_widths{6, 7};

constexpr std::array<Name, 6> bullet_required{"x", "y", "z", "vx", "vy", "vz"};
constexpr std::array<Name, 4> bullet_optional{"radius", "start", "duration", "ignore"};
constexpr std::array<double, 3> bullet_defaults{0, 0, infinity};
constexpr std::array<std::size_t, 4> bullet_widths{6, 7, 9, 10};

constexpr std::array<Name, 4> ball_required{"x", "y", "z", "r"};
constexpr std::array<std::size_t, 2> ball_widths{4, 5};

using Ids = QueryColumns::Ids;
using OwnView = QueryColumns::OwnView;
constexpr QueryColumns ray_columns{ray_required, ray_optional, ray_defaults, Ids::optional,
                                   ray_widths,   "rays",       OwnView::yes};
constexpr QueryColumns observer_columns{place_required, observer_optional, {},
                                        Ids::optional,  observer_widths,   "observers"};
constexpr QueryColumns station_columns{station_required, station_optional, station_defaults,
                                       Ids::required,    station_widths,   "stations"};
constexpr QueryColumns receiver_columns{receiver_required, observer_optional, {},
                                        Ids::optional,     receiver_widths,   "receivers"};
constexpr QueryColumns point_columns{place_required, ignore_optional, {},          Ids::optional,
                                     point_widths,   "points",        OwnView::yes};
constexpr QueryColumns sky_columns{place_required, sky_optional, sky_defaults,
                                   Ids::optional,  sky_widths,   "points"};
constexpr QueryColumns bullet_columns{bullet_required, bullet_optional, bullet_defaults,
                                      Ids::optional,   bullet_widths,   "bullets"};
constexpr QueryColumns ball_columns{ball_required, ignore_optional, {},          Ids::optional,
                                    ball_widths,   "balls",         OwnView::yes};

/// Columns of each kind of query, and the conversion of a row's numbers and id to a query.
template <class Query>
struct Format;

template <>
struct Format<Ray> {
  static constexpr const QueryColumns& columns = ray_columns;
  static Ray make(const double* v, std::int64_t) {
    return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6], v[7]};
  }
};

template <>
struct Format<Observer> {
  static constexpr const QueryColumns& columns = observer_columns;
  static Observer make(const double* v, std::int64_t on) { return {{v[0], v[1], v[2]}, on}; }
};

template <>
struct Format<Station> {
  static constexpr const QueryColumns& columns = station_columns;
  static Station make(const double* v, std::int64_t on) { return {v[0], v[1], on, v[2]}; }
};

template <>
struct Format<Receiver> {
  static constexpr const QueryColumns& columns = receiver_columns;
  static Receiver make(const double* v, std::int64_t on) {
    return {{{v[0], v[1], v[2]}, on}, {v[3], v[4], v[5]}};
  }
};

template <>
struct Format<Vec3> {
  static constexpr const QueryColumns& columns = point_columns;
  static Vec3 make(const double* v, std::int64_t) { return {v[0], v[1], v[2]}; }
};

template <>
struct Format<SkyPoint> {
  static constexpr const QueryColumns& columns = sky_columns;
  static SkyPoint make(const double* v, std::int64_t) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }
};

template <>
struct Format<Bullet> {
  static constexpr const QueryColumns& columns = bullet_columns;
  static Bullet make(const double* v, std::int64_t) {
    return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6], v[7], v[8]};
  }
};

template <>
struct Format<Ball> {
  static constexpr const QueryColumns& columns = ball_columns;
  static Ball make(const double* v, std::int64_t) { return {{v[0], v[1], v[2]}, v[3]}; }
};

template <class Query>
void check(const Query& query, std::int64_t number) {
  base::check(query, number);
}

[[noreturn]] void refuse(const char* kind, std::int64_t number, const char* what) {
  throw Error(ErrorCode::invalid_argument, base::numbered(kind, number), what, number);
}

constexpr const char* bad_place =
    "a coordinate is not finite or too large; give three of at most 2^200 in magnitude";

template <>
void check(const Observer& observer, std::int64_t number) {
  if (!base::valid(observer.position)) refuse("observer", number, bad_place);
}

template <>
void check(const Station& station, std::int64_t number) {
  if (!base::is_finite(station.longitude) || !(std::fabs(station.latitude) <= 90))
    refuse("station", number, "give finite degrees, the latitude from -90 to 90");
  if (!base::in_domain(station.height))
    refuse("station", number, "its height is not finite or too large; give at most 2^200 in magnitude");
}

/// Gives the next query of the chunk its number.
template <class Query>
void number_next(QueryChunk<Query>& chunk, std::uint64_t number) {
  const std::size_t size = chunk.queries.size();
  if (size == 0) chunk.first = number;
  if (chunk.numbers.empty() && number == chunk.first + size) return;
  for (std::size_t i = chunk.numbers.size(); i < size; ++i) chunk.numbers.push_back(chunk.first + i);
  chunk.numbers.push_back(number);
}

/// What a chunk keeps of its rows, in bytes: a few rows are kept, however long they are.
constexpr std::size_t most_kept = std::size_t{8} << 20;
std::size_t bytes_of(const Names& kept) {
  return kept.characters().size() + kept.size() * sizeof(std::uint64_t);
}

/// The same control, with the digest to `pass`.
io::ReadControl hashed(io::ReadControl control, std::vector<io::FileDigest>& pass) {
  control.digests = &pass;
  return control;
}

struct CountedRows {
  std::uint64_t count = 0;
  std::vector<std::string> warnings;  // of the whole file
};

/// Moves to the next row, also if it is bad and such are skipped; false at the end.
bool pass_row(QueryRows& rows, bool skip_bad) {
  try {
    return rows.next();
  } catch (const Error&) {
    if (!skip_bad || !rows.in_row()) throw;
    return true;
  }
}

CountedRows count_rows(const std::filesystem::path& path, const QueryColumns& columns,
                       const QueryReadOptions& options, io::SameBytes& passes) {
  std::vector<io::FileDigest> pass;
  const auto rows =
      open_query_rows(io::open_source(path, hashed(options.control, pass)), columns, options.rows);
  CountedRows counted;
  while (pass_row(*rows, options.rows.skip_bad)) ++counted.count;
  rows->read_to_end();
  passes.check(pass.front());
  counted.warnings = rows->take_warnings();
  return counted;
}

void check_shard(const Shard& shard) {
  if (shard.index >= 1 && shard.index <= shard.count && shard.count <= max_shards) return;
  throw Error(ErrorCode::invalid_argument,
              "shard " + std::to_string(shard.index) + '/' + std::to_string(shard.count),
              "give i/n with 1 ≤ i ≤ n ≤ " + std::to_string(max_shards));
}

}  // namespace

std::uint64_t shard_begin(std::uint64_t rows, std::uint64_t index, std::uint64_t count) {
  // rows · index / count; no overflow for index ≤ count ≤ max_shards.
  return rows / count * index + rows % count * index / count;
}

template <class Query>
struct QueryReader<Query>::State {
  /// `source_digest` gets the digest of the source while it is read; null: none.
  State(std::unique_ptr<io::ByteSource> source, const QueryReadOptions& options,
        std::unique_ptr<std::vector<io::FileDigest>> source_digest)
      : digest(std::move(source_digest)),
        passes(options.passes ? options.passes : &own_passes),
        digests(options.control.digests),
        rows(open_query_rows(std::move(source), Format<Query>::columns, options.rows)),
        spheres(options.spheres),
        grounds(options.grounds),
        place_rule(options.place_rule),
        earliest(options.earliest),
        time(options.time),
        has_ids(may_ignore<Query> && rows->has_ids()),
        has_times(rows->has_times()),
        has_layers(rows->has_layers()),
        has_owners(rows->has_owners()),
        keeps(!options.rows.kept.empty()),
        skip_misses(options.rows.skip_misses),
        skip_bad(options.rows.skip_bad) {
    if (options.no_times && rows->has_times()) io::fail(rows->name(), rows->line(), options.no_times);
  }

  std::unique_ptr<std::vector<io::FileDigest>> digest;
  io::SameBytes own_passes;
  io::SameBytes* passes;
  std::vector<io::FileDigest>* digests;  // of the caller
  bool pass_ended = false;
  std::unique_ptr<QueryRows> rows;
  std::uint64_t spheres;
  std::span<const Sphere> grounds;
  PlaceRule place_rule;
  double earliest, time;
  bool has_ids, has_times, has_layers, has_owners, keeps;  // of the rows; each row asks
  bool skip_misses, skip_bad;
  io::BadRows bad;
  std::uint64_t misses = 0;
  std::uint64_t row = 0;  // number of the next row
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::string> warnings;  // those of the pass that counted the rows, then others; each once
  std::size_t warned = 0;             // so many of them are taken

  /// The number of rows, by a pass of its own where the file does not state it.
  std::uint64_t count(const std::filesystem::path& path, const QueryReadOptions& options) {
    if (const auto stated = rows->stated()) return *stated;
    CountedRows counted = count_rows(path, Format<Query>::columns, options, *passes);
    warnings = std::move(counted.warnings);
    return counted.count;
  }

  /// Warnings of both passes, those of the header once.
  std::vector<std::string> new_warnings() {
    for (std::string& warning : rows->take_warnings())
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(std::move(warning));
    const auto first = warnings.begin() + static_cast<std::ptrdiff_t>(std::exchange(warned, warnings.size()));
    return {first, warnings.end()};
  }

  /// Reads the next row that is not skipped, to the end of the chunk; false if there is none.
  bool add_to(QueryChunk<Query>& chunk) {
    for (; row != end; ++row) {
      try {
        if (!rows->next()) break;
        if (skip_misses && rows->is_miss()) {
          ++misses;
          continue;
        }
        QueryRow values;
        const Query query = read(values);
        if (keeps) rows->keep(chunk.kept);
        number_next(chunk, row++);
        chunk.queries.push_back(query);
        if (has_ids) chunk.ignore.push_back(values.id);
        if (has_times) chunk.times.push_back(values.time);
        if (has_layers) chunk.layers_each.push_back(values.layers);
        if (has_owners) chunk.ignore_owners.push_back(values.owner);
        return true;
      } catch (const Error& fault) {
        if (!skip_bad || fault.code() != ErrorCode::bad_file || !rows->in_row()) throw;
        bad.add(fault);
      }
    }
    end_pass();
    return false;
  }

  /// Reads the query of the row.
  Query read(QueryRow& values) {
    rows->read(values);
    const auto number = static_cast<std::int64_t>(row);
    Query query = Format<Query>::make(values.values, values.id);
    try {
      check(query, number);
      if (place_rule) {
        if constexpr (std::is_same_v<Query, Vec3>) place_rule(query, 0, number);
        if constexpr (std::is_same_v<Query, Ball>) place_rule(query.center, query.radius, number);
      }
      if constexpr (std::is_same_v<Query, Bullet>)
        if (query.start < earliest) base::refuse_start(query, earliest, number);
    } catch (const Error& error) {
      io::fail(rows->name(), rows->line(), error);
    }
    if (std::isnan(values.time)) values.time = time;
    if (!base::in_domain(values.time))
      io::fail(rows->name(), rows->line(), "column 't' is not within 2^200; give a time of the scene",
               number);
    const std::int64_t id = values.id;
    if (id < -1 || (id >= 0 && static_cast<std::uint64_t>(id) >= spheres)) {
      io::fail(rows->name(), rows->line(),
               "column " + io::shown(Format<Query>::columns.id_name()) + " is " + std::to_string(id) +
                   ", but the scene has " + std::to_string(spheres) +
                   (spheres == 1 ? " sphere" : " spheres") + "; ids count from 0, -1 is none",
               number);
    }
    if constexpr (std::is_same_v<Query, Station>) check_ground(query, number);
    if constexpr (std::is_same_v<Query, Observer>) check_height(query, number);
    if constexpr (std::is_same_v<Query, Receiver>) check_height(query.observer, number);
    return query;
  }

  /// Call once the rows are read.
  void end_pass() {
    if (!digest || pass_ended) return;
    pass_ended = true;
    rows->read_to_end();
    passes->check(digest->front());
    if (digests) digests->push_back(digest->front());
  }

  void check_ground(const Station& station, std::int64_t number) const {
    if (station.on >= 0) return;
    io::fail(rows->name(), rows->line(), "a station needs a sphere to stand on; give its id in column 'on'",
             number);
  }

  void check_height(const Observer& observer, std::int64_t number) const {
    const auto& [position, on] = observer;
    if (on < 0 || grounds.empty() || position != grounds[static_cast<std::size_t>(on)].center) return;
    io::fail(rows->name(), rows->line(),
             "it is at the center of sphere " + std::to_string(on) +
                 ", which column 'on' names, and up is undefined there; move it, or leave 'on' empty",
             number);
  }
};

template <class Query>
QueryReader<Query>::QueryReader(const std::filesystem::path& path, const QueryReadOptions& options) {
  const auto& [index, count] = options.shard;
  check_shard(options.shard);
  if (count > 1 && !std::filesystem::is_regular_file(path)) {
    io::fail(path.string(),
             "--shard reads the file twice, and a pipe can be read once only; give a plain file");
  }
  auto digest = std::make_unique<std::vector<io::FileDigest>>();
  auto source = io::open_source(path, hashed(options.control, *digest));
  state_ = std::make_unique<State>(std::move(source), options, std::move(digest));
  if (count == 1) return;
  const std::uint64_t rows = state_->count(path, options);
  const std::uint64_t begin = shard_begin(rows, index - 1, count);
  state_->end = shard_begin(rows, index, count);
  while (state_->row < begin && pass_row(*state_->rows, options.rows.skip_bad)) ++state_->row;
  part_ = {begin, rows};
}

template <class Query>
QueryReader<Query>::QueryReader(std::unique_ptr<io::ByteSource> source, const QueryReadOptions& options)
    : state_(std::make_unique<State>(std::move(source), options, nullptr)) {}

template <class Query>
QueryReader<Query>::~QueryReader() = default;
template <class Query>
QueryReader<Query>::QueryReader(QueryReader&&) noexcept = default;
template <class Query>
QueryReader<Query>& QueryReader<Query>::operator=(QueryReader&&) noexcept = default;

template <class Query>
bool QueryReader<Query>::next(QueryChunk<Query>& chunk, std::size_t limit) {
  chunk.first = state_->row;
  chunk.queries.clear();
  chunk.ignore.clear();
  chunk.kept = {};
  chunk.numbers.clear();
  chunk.times.clear();
  chunk.layers_each.clear();
  chunk.ignore_owners.clear();
  try {
    while (chunk.queries.size() < limit && bytes_of(chunk.kept) < most_kept && state_->add_to(chunk)) {
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, state_->rows->name(), "not enough memory for a chunk of queries");
  }
  return !chunk.queries.empty();
}

template <class Query>
void QueryReader<Query>::end() {
  state_->end_pass();
}

template <class Query>
bool QueryReader<Query>::has_times() const {
  return state_->rows->has_times();
}

template <class Query>
bool QueryReader<Query>::has(std::string_view column) const {
  return state_->rows->has(column);
}

template <class Query>
QueryRange QueryReader<Query>::read_so_far() const {
  const auto& [begin, total] = part_;
  return {begin, state_->row - begin, total.value_or(state_->row)};
}

template <class Query>
std::optional<double> QueryReader<Query>::fraction() const {
  const auto& [begin, total] = part_;
  return total ? io::share(state_->row - begin, state_->end - begin) : state_->rows->fraction();
}

template <class Query>
std::string QueryReader<Query>::skipped() const {
  const std::uint64_t misses = state_->misses;
  if (misses == 0) return {};
  return state_->rows->name() + ": " + std::to_string(misses) +
         (misses == 1 ? " row is a miss, skipped" : " rows are misses, skipped");
}

template <class Query>
std::vector<std::string> QueryReader<Query>::take_warnings() {
  std::vector<std::string> all = state_->new_warnings();
  std::ranges::move(state_->bad.take_warnings("; the others keep their numbers"), std::back_inserter(all));
  return all;
}

template <class Query>
const QueryColumns& query_columns() {
  static_assert(has_own_view<Query> == (Format<Query>::columns.own_view == OwnView::yes));
  static_assert(may_ignore<Query> == Format<Query>::columns.may_ignore());
  return Format<Query>::columns;
}

template class QueryReader<Ray>;
template class QueryReader<Observer>;
template class QueryReader<Station>;
template class QueryReader<Receiver>;
template class QueryReader<Vec3>;
template class QueryReader<SkyPoint>;
template class QueryReader<Bullet>;
template class QueryReader<Ball>;
template const QueryColumns& query_columns<Ray>();
template const QueryColumns& query_columns<Observer>();
template const QueryColumns& query_columns<Station>();
template const QueryColumns& query_columns<Receiver>();
template const QueryColumns& query_columns<Vec3>();
template const QueryColumns& query_columns<SkyPoint>();
template const QueryColumns& query_columns<Bullet>();
template const QueryColumns& query_columns<Ball>();

}  // namespace sphaera::files
