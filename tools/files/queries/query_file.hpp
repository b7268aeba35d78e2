#pragma once
/// \file Query files: rays, observers, stations, receivers, bullets, points, places under the sky and balls,
/// read chunk by chunk in bounded memory.
///
/// Formats by extension, `.gz` behind it or not: query_formats (query_rows.hpp); every other name is CSV with
/// a header, as is `-`, standard input. Columns, in any order in CSV, the optional ones in brackets:
///   rays       ox,oy,oz,dx,dy,dz [tmin,tmax,ignore] [t] [layers]  NPY N×6, ×8, ×9  defaults 0, inf, none
///   observers  x,y,z [on]                               NPY N×3, ×4         none
///   stations   longitude,latitude,on [height]           NPY N×3, ×4         0
///   receivers  x,y,z,nx,ny,nz [on]                      NPY N×6, ×7         none
///   bullets    x,y,z,vx,vy,vz [radius,start,duration,ignore]  NPY N×6, ×7, ×9, ×10  0, 0, inf, none
///   points     x,y,z [ignore] [t] [layers]              NPY N×3, ×4         none
///   skies      x,y,z [nx,ny,nz,ignore]                  NPY N×3, ×6, ×7     0, 0, 0, none
///   balls      x,y,z,r [ignore] [t] [layers]            NPY N×4, ×5         none
/// or NPY with fields of these names. `on` and `ignore` are ids of spheres, −1 is none; `t` is the time of
/// the scene that a row sees, `layers` (CSV alone) names those that it sees. Kinds with `ignore` may have
/// `ignore_owner` (CSV alone), too, the name of an owner of spheres. An empty field of an optional
/// CSV column is its default; other CSV columns are ignored with one warning. Every row is checked by the
/// rules of <base/validate.hpp>.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <optional>
#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/irradiance.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/scene_file.hpp>
#include <sphaera/scene_options.hpp>
#include <sphaera/sky.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <string>
#include <tools/files/queries/query_rows.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

namespace sphaera::files {

/// A place by longitude and latitude in degrees and height. Valid: finite, latitude within ±90, height within
/// 2^200.
struct Station {
  double longitude = 0, latitude = 0;
  std::int64_t on = Observer::nowhere;  ///< id of the sphere
  double height = 0;                    ///< above the sphere or its ellipsoid
};

/// What each of some queries has of its own: lists as long as the queries, or empty.
struct OwnOptions {
  std::span<const std::int64_t> ignore{};         ///< id of the sphere that each ignores, −1: none
  std::span<const double> times{};                ///< time of the scene that each sees
  std::span<const LayerMask> layers_each{};       ///< layers that each sees
  std::span<const std::int64_t> ignore_owners{};  ///< owner whose spheres each ignores, −1: none

  OwnOptions part(std::size_t begin, std::size_t count) const {
    const auto cut = [&](auto list) { return list.empty() ? list : list.subspan(begin, count); };
    return {cut(ignore), cut(times), cut(layers_each), cut(ignore_owners)};
  }
};

/// Rows of a query file.
template <class Query>
struct QueryChunk {
  std::uint64_t first = 0;  ///< number of the first query, from 0 in the whole file
  std::vector<Query> queries;
  /// Id of the sphere that each query ignores, −1: none. Empty if the file has no column `ignore`.
  std::vector<std::int64_t> ignore;
  Names kept{};  ///< the fields of RowOptions::kept, row by row
  /// The number of each query; empty if they are first, first + 1, … because no row between is skipped.
  std::vector<std::uint64_t> numbers{};
  std::vector<double> times{};                ///< empty if the file has no column `t`
  std::vector<LayerMask> layers_each{};       ///< empty if the file has no column `layers`
  std::vector<std::int64_t> ignore_owners{};  ///< as QueryOptions; empty if the file has no `ignore_owner`

  OwnOptions own() const { return {ignore, times, layers_each, ignore_owners}; }
  std::uint64_t number(std::size_t i) const { return numbers.empty() ? first + i : numbers[i]; }
};

/// Part `index` (1 … count) of the rows, which is contiguous. Queries keep their numbers in the whole file.
struct Shard {
  std::uint64_t index = 1, count = 1;
};
inline constexpr std::uint64_t max_shards = std::uint64_t{1} << 32;
/// First row of part `index` + 1 of `count` among `rows` rows; part `index` ends there.
std::uint64_t shard_begin(std::uint64_t rows, std::uint64_t index, std::uint64_t count);

/// Queries `first` … `first` + `count` − 1 of `total`.
struct QueryRange {
  std::uint64_t first = 0, count = 0, total = 0;
};

/// Throws Error for a point (radius 0) or ball that a query cannot be about: by its number. It may move the
/// center first.
using PlaceRule = std::function<void(Vec3& center, double radius, std::int64_t number)>;

struct QueryReadOptions {
  std::uint64_t spheres = UINT64_MAX;  ///< number of spheres: ids must be less
  std::span<const Sphere> grounds{};   ///< spheres by id: an observer or receiver on a sphere must not be at
                                       ///< its center; empty: not checked
  RowOptions rows{};                   ///< how rows are read
  PlaceRule place_rule{};              ///< of points and balls; null: none
  double earliest = -infinity;         ///< earliest valid start of a bullet: the begin of the scene's horizon
  double time = 0;                     ///< of rows whose `t` is empty
  const char* no_times = nullptr;      ///< why the column `t` is an error; null: it is none
  Shard shard{};                       ///< with count > 1 the file is read twice and must be a plain file
  io::SameBytes* passes = nullptr;     ///< shared by all readers of a file that must read the same bytes
  io::ReadControl control{};           ///< `digests` gets the digest of the whole file, also for a shard,
                                       ///< once `next` has returned false
};

/// The kinds of queries; Vec3 is a point.
using QueryKinds = std::tuple<Ray, Observer, Station, Receiver, Bullet, Vec3, SkyPoint, Ball>;

/// Do such queries see the scene at times of their own, and layers of their own?
template <class Query>
inline constexpr bool has_own_view =
    std::is_same_v<Query, Ray> || std::is_same_v<Query, Vec3> || std::is_same_v<Query, Ball>;

/// Is the id in a row of such queries that of a sphere to ignore, not of the sphere that an observer stands
/// on?
template <class Query>
inline constexpr bool may_ignore =
    has_own_view<Query> || std::is_same_v<Query, Bullet> || std::is_same_v<Query, SkyPoint>;

/// The columns of a kind of queries.
template <class Query>
const QueryColumns& query_columns();

/// Query: one of QueryKinds.
template <class Query>
class QueryReader {
 public:
  /// Opens the file and checks its header. Throws Error: bad_file; invalid_argument for an invalid shard.
  explicit QueryReader(const std::filesystem::path& path, const QueryReadOptions& options = {});
  /// Reads from memory or another source; shards are not supported.
  QueryReader(std::unique_ptr<io::ByteSource> source, const QueryReadOptions& options);
  ~QueryReader();
  QueryReader(QueryReader&&) noexcept;
  QueryReader& operator=(QueryReader&&) noexcept;

  /// Replaces the chunk's content by the next rows, at most `limit` ≥ 1, fewer where what is kept of them
  /// takes more than 8 MiB. Returns false at the end.
  /// Throws Error bad_file ("rays.csv:17: …", element = number of the query; at the end also if the file
  /// changed between two passes), cancelled, out_of_memory.
  bool next(QueryChunk<Query>& chunk, std::size_t limit);

  /// Ends the reading before the last row, with the same check of the file. Throws Error bad_file, cancelled.
  void end();

  bool has_times() const;                   ///< the file has the column `t`
  bool has(std::string_view column) const;  ///< it has that one, perhaps by another name

  /// Range of the rows passed by `next` so far. Without a shard the total is known only at the end of
  /// the file.
  QueryRange read_so_far() const;

  /// Fraction of the queries (with a shard: of its queries) returned by `next` so far, 0 … 1. Where their
  /// number is unknown it is that of their bytes; empty for CSV from a pipe.
  std::optional<double> fraction() const;

  /// "hits.csv: 3 rows are misses, skipped", of the rows so far; empty if there is none.
  std::string skipped() const;

  /// Warnings since the last call: bad rows that are skipped, unknown columns and, once `next` has returned
  /// false (with a shard at once), a last line without a newline.
  std::vector<std::string> take_warnings();

 private:
  struct State;
  struct Part {
    std::uint64_t begin = 0;
    std::optional<std::uint64_t> total{};
  };
  std::unique_ptr<State> state_;
  Part part_{};
};

}  // namespace sphaera::files
