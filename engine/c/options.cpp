#include <c/options.hpp>
#include <c/sized.hpp>

namespace sphaera::c {
namespace {

std::stop_token token_of(const SphaeraStop* stop) {
  return stop != nullptr ? object_of<StopObject>(stop).source.get_token() : std::stop_token();
}

std::function<void(double)> function_of(SphaeraProgress progress, void* user) {
  if (progress == nullptr) return {};
  return [progress, user](double fraction) {
    if (progress(user, fraction) != 0) stop_for("progress");
  };
}

std::span<RowStatus> statuses_of(std::uint8_t* statuses, std::size_t count) {
  if (statuses == nullptr) return {};
  return span_of<RowStatus>(statuses, count, "statuses");
}

}  // namespace

template <>
SphaeraBuildOptions defaults() {
  SphaeraBuildOptions options{};
  options.size = sizeof options;
  options.horizon_from = options.horizon_to = std::numeric_limits<double>::quiet_NaN();
  options.quality = SPHAERA_QUALITY_BALANCED;
  return options;
}
template <>
SphaeraUpdateOptions defaults() {
  SphaeraUpdateOptions options{};
  options.size = sizeof options;
  return options;
}
template <>
SphaeraInsertOptions defaults() {
  SphaeraInsertOptions options{};
  options.size = sizeof options;
  return options;
}
template <>
SphaeraQueryOptions defaults() {
  SphaeraQueryOptions options{};
  options.size = sizeof options;
  options.layers = all_layers;
  options.automatic_viewpoint_indexes = options.check_inputs = 1;
  return options;
}
template <>
SphaeraSightTargets defaults() {
  SphaeraSightTargets targets{};
  targets.size = sizeof targets;
  return targets;
}
template <>
SphaeraFlightOptions defaults() {
  SphaeraFlightOptions options{};
  options.size = sizeof options;
  options.budget = infinity;
  options.restitution = 1;
  return options;
}
template <>
SphaeraSkyOptions defaults() {
  const SkyOptions sky;
  return {sizeof(SphaeraSkyOptions), sky.within, sky.most_discs, sky.rays};
}
template <>
SphaeraViewpointIndexOptions defaults() {
  SphaeraViewpointIndexOptions options{};
  options.size = sizeof options;
  return options;
}
template <>
SphaeraContactOptions defaults() {
  SphaeraContactOptions options{};
  options.size = sizeof options;
  options.resolution = ContactOptions{}.resolution;
  return options;
}

template <>
SphaeraSaveOptions defaults() {
  SphaeraSaveOptions options{};
  options.size = sizeof options;
  return options;
}
template <>
SphaeraOpenOptions defaults() {
  SphaeraOpenOptions options{};
  options.size = sizeof options;
  return options;
}

SaveOptions save_options(const SphaeraSaveOptions* options) {
  const SphaeraSaveOptions given = read(options, "save options");
  if (given.attachment == nullptr && given.attachment_bytes > 0) refuse("attachment", "is NULL");
  return {.attachment = {static_cast<const std::byte*>(given.attachment), given.attachment_bytes}};
}

OpenOptions open_options(const SphaeraOpenOptions* options) {
  const SphaeraOpenOptions given = read(options, "open options");
  return {.check = enumerator<OpenOptions::Check>(given.check, "check"), .threads = given.threads};
}

BuildOptions build_options(const SphaeraBuildOptions* options, std::size_t count) {
  const SphaeraBuildOptions given = read(options, "build options");
  check_reserved(given.reserved);
  BuildOptions result;
  result.layers = optional_rows(given.layers, count, "layers");
  result.owners = optional_rows(given.owners, count, "owners");
  result.velocities = optional_rows(given.velocities, count, "velocities");
  result.horizon = {given.horizon_from, given.horizon_to};
  result.quality = enumerator<BuildQuality>(given.quality, "quality");
  result.threads = given.threads;
  result.statuses = statuses_of(given.statuses, count);
  result.memory_limit = given.memory_limit;
  if (given.memory != nullptr) result.memory = &object_of<MemoryObject>(given.memory);
  result.stop = token_of(given.stop);
  result.progress = function_of(given.progress, given.progress_user);
  result.generations = given.generations != 0;
  return result;
}

UpdateOptions update_options(const SphaeraUpdateOptions* options, std::size_t count) {
  const SphaeraUpdateOptions given = read(options, "update options");
  UpdateOptions result;
  result.rebuild = enumerator<UpdateOptions::Rebuild>(given.rebuild, "rebuild");
  result.threads = given.threads;
  result.statuses = statuses_of(given.statuses, count);
  result.at_time = given.at_time;
  result.stop = token_of(given.stop);
  result.progress = function_of(given.progress, given.progress_user);
  return result;
}

InsertOptions insert_options(const SphaeraInsertOptions* options, std::size_t count) {
  const SphaeraInsertOptions given = read(options, "insert options");
  InsertOptions result;
  result.layers = optional_rows(given.layers, count, "layers");
  result.owners = optional_rows(given.owners, count, "owners");
  result.velocities = optional_rows(given.velocities, count, "velocities");
  result.statuses = statuses_of(given.statuses, count);
  result.update = update_options(given.update, count);
  return result;
}

FlightOptions flight_options(const SphaeraFlightOptions* options, std::size_t count, std::size_t ids) {
  const SphaeraFlightOptions given = read(options, "flight options");
  check_reserved(given.reserved);
  const bool materials = given.resistances || given.restitutions || given.frictions;
  if (materials && given.material_count == 0 && ids > 0)  // to C++ an empty span is none
    refuse("material_count", "is 0; give the number of ids of the scene");
  FlightOptions result;
  result.bounces = given.bounces, result.pierces = given.pierces, result.budget = given.budget;
  result.resistances = optional_rows(given.resistances, given.material_count, "resistances");
  result.restitutions = optional_rows(given.restitutions, given.material_count, "restitutions");
  result.frictions = optional_rows(given.frictions, given.material_count, "frictions");
  result.start_inside = enumerator<StartInside>(given.start_inside, "start_inside");
  result.gravity = row_of(&given.gravity, "gravity");
  result.restitution = given.restitution, result.friction = given.friction;
  result.ends = optional_rows(given.ends, count, "ends");
  result.gravities = optional_rows(given.gravities, count, "gravities");
  return result;
}

SightTargets sight_targets(const SphaeraSightTargets* targets) {
  const SphaeraSightTargets given = read(targets, "targets");
  return {rows_of(given.points, given.count, "targets"), optional_rows(given.ignore, given.count, "ignore"),
          optional_rows(given.ignore_owners, given.count, "ignore_owners")};
}

SkyOptions sky_options(const SphaeraSkyOptions* options) {
  const SphaeraSkyOptions given = read(options, "sky options");
  return {.within = given.within, .most_discs = given.most_discs, .rays = given.rays};
}

ViewpointIndexOptions viewpoint_index_options(const SphaeraViewpointIndexOptions* options) {
  const SphaeraViewpointIndexOptions given = read(options, "viewpoint index options");
  check_reserved(given.reserved);
  return {.threads = given.threads, .memory_limit = given.memory_limit, .stop = token_of(given.stop)};
}

ContactOptions contact_options(const SphaeraContactOptions* options) {
  const SphaeraContactOptions given = read(options, "contact options");
  UnseenStar* const unseen = given.unseen == nullptr ? nullptr : &row_of(given.unseen, "unseen");
  return {.resolution = given.resolution, .stop = token_of(given.stop), .unseen = unseen};
}

QueryCall::QueryCall(const SphaeraQueryOptions* options, std::size_t count) {
  if (options == nullptr) return;
  const SphaeraQueryOptions given = read(options, "query options");
  options_.layers = given.layers;
  options_.ignore = optional_rows(given.ignore, count, "ignore");
  options_.layers_each = optional_rows(given.layers_each, count, "layers_each");
  options_.ignore_owners = optional_rows(given.ignore_owners, count, "ignore_owners");
  options_.also_ignore_owners = optional_rows(given.also_ignore_owners, count, "also_ignore_owners");
  options_.also_ignore = optional_rows(given.also_ignore, count, "also_ignore");
  options_.times = optional_rows(given.times, count, "times");
  options_.statuses = statuses_of(given.statuses, count);
  if (given.accept != nullptr)
    options_.accept = [accept = given.accept, user = given.accept_user](std::size_t query, std::int64_t id) {
      const int answer = accept(user, query, id);
      if (answer < 0) stop_for("accept");
      return answer != 0;
    };
  if (given.viewpoint_index_count > 0 && given.viewpoint_indexes == nullptr)
    refuse("viewpoint_indexes", "is NULL, but there are some");
  for (std::size_t i = 0; i < given.viewpoint_index_count; ++i)
    viewpoint_indexes_.push_back(object_of<ViewpointIndexObject>(given.viewpoint_indexes[i]).index);
  options_.viewpoint_indexes = viewpoint_indexes_;
  options_.automatic_viewpoint_indexes = given.automatic_viewpoint_indexes != 0;
  options_.search = enumerator<Search>(given.search, "search");
  options_.threads = given.threads, options_.grain = given.grain;
  options_.check_inputs = given.check_inputs != 0;
  options_.memory_limit = given.memory_limit;
  options_.box = row_of(&given.box, "box");
  options_.stop = token_of(given.stop);
  if (given.stats != nullptr) {
    given_stats_ = &sized_place(given.stats, "stats");
    options_.stats = &stats_;
  }
  if (given.scratch != nullptr) options_.scratch = &scratch_.emplace(given.scratch)->scratch;
}

void QueryCall::add_stats() const {
  if (given_stats_ == nullptr) return;
  given_stats_->queries += stats_.queries;
  given_stats_->candidates += stats_.candidates;
  given_stats_->double_double += stats_.double_double;
  given_stats_->exact += stats_.exact;
  given_stats_->in_viewpoint_indexes += stats_.in_viewpoint_indexes;
}

}  // namespace sphaera::c

using namespace sphaera::c;

SphaeraStatus sphaera_save_options_init(SphaeraSaveOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_open_options_init(SphaeraOpenOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_build_options_init(SphaeraBuildOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_update_options_init(SphaeraUpdateOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_insert_options_init(SphaeraInsertOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_query_options_init(SphaeraQueryOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_sight_targets_init(SphaeraSightTargets* targets, size_t size) {
  return call([&] { write_defaults(targets, size); });
}
SphaeraStatus sphaera_flight_options_init(SphaeraFlightOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_sky_options_init(SphaeraSkyOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_viewpoint_index_options_init(SphaeraViewpointIndexOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_contact_options_init(SphaeraContactOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
