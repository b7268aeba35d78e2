/// Any bytes are valid queries or a bad file, never anything else.

#include <base/validate.hpp>
#include <cstdint>
#include <sphaera/error.hpp>
#include <string_view>
#include <tests/fuzz/file_name.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace sphaera;

namespace {

constexpr std::uint64_t spheres = 8;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

bool is_id_or_none(std::int64_t id) { return id >= -1 && id < static_cast<std::int64_t>(spheres); }

bool valid(const Observer& observer) { return base::valid(observer) && is_id_or_none(observer.on); }
bool valid(const Receiver& receiver) { return base::valid(receiver) && is_id_or_none(receiver.observer.on); }
bool valid(const files::Station& station) {
  return base::is_finite(station.longitude) && station.latitude >= -90 && station.latitude <= 90 &&
         station.on >= 0 && is_id_or_none(station.on);
}
template <class Query>
bool valid(const Query& query) {
  return base::valid(query);
}

template <class Query>
void read(std::string_view bytes) {
  try {
    files::QueryReadOptions options;
    options.spheres = spheres;
    const std::vector<std::string> layers{"a", "b"};
    options.rows.layer_names = layers;
    options.rows.epoch = io::parse_date("2024-04-08T18:00:00Z");
    files::QueryReader<Query> reader(io::memory_source(fuzz::file_name(), bytes), options);
    files::QueryChunk<Query> chunk;
    std::uint64_t next = 0;
    while (reader.next(chunk, 3)) {
      require(chunk.first == next);
      next += chunk.queries.size();
      for (const Query& query : chunk.queries) require(valid(query));
      require(chunk.ignore.empty() || chunk.ignore.size() == chunk.queries.size());
      for (const std::int64_t id : chunk.ignore) require(is_id_or_none(id));
      for (const double time : chunk.times) require(base::in_domain(time));
      for (const LayerMask mask : chunk.layers_each) require(mask == all_layers || mask <= 3);
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_file);
    require(error.subject().starts_with(fuzz::file_name()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::apply([&](const auto&... kind) { (read<std::remove_cvref_t<decltype(kind)>>(text), ...); },
             files::QueryKinds());
  return 0;
}
