#include <algorithm>
#include <sphaera/closed_form/chord_sums.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct AllRow {
  std::uint64_t ray;
  const Hit* hit;
};

constexpr files::ResultColumns all_columns{
    column::integer("ray", ray_number, &AllRow::ray),
    column::sphere("sphere", "id of the sphere", column::of(&AllRow::hit, &Hit::sphere)),
    column::number("t_enter", "t1, or tmin where the ray starts inside",
                   column::of(&AllRow::hit, &Hit::t_enter)),
    column::number("t_exit", "t2, not cut at tmax", column::of(&AllRow::hit, &Hit::t_exit)),
    column::word("contact", contact_words,
                 "enters (tmin ≤ t1 ≤ tmax; also a tangent) or starts_inside (t1 < tmin ≤ t2); NPY: 1 or 2",
                 column::of(&AllRow::hit, &Hit::contact))};

struct SummaryRow {
  std::uint64_t ray;
  ChordSums sums;
};
constexpr files::ResultColumns summary_columns{
    column::integer("ray", ray_number, &SummaryRow::ray),
    column::integer("hits", "number of spheres that it meets",
                    [](const SummaryRow& row) { return row.sums.hits; }),
    column::number("chords", "sum of its lengths inside each of them, from tmin to tmax",
                   [](const SummaryRow& row) { return row.sums.chords; }),
    column::number("inside", "its length inside at least one of them",
                   [](const SummaryRow& row) { return row.sums.inside; })};

struct All : RayVerb {
  static constexpr const char* about = R"(
All spheres that each ray meets, however many (or --first N of them), sorted by max(tmin, t1), then by id. t1 ≤ t2 are the parameters
at which the ray's line crosses the sphere. The answers are exact for the numbers as given.)";
  static std::string help() {
    return R"(
Result: one row a hit; none for a ray that meets nothing.
)" + all_columns.help() +
           "With --summary: one row a ray.\n" + summary_columns.help() + R"(
Example:
  sphaera all belt.csv --rays sightlines.csv --format jsonl
  sphaera all belt.csv --rays sightlines.csv --summary --output columns.csv
)";
  }

  void declare(CLI::App& app) {
    add_count(
        app, "--first", [this](std::uint64_t n) { most_ = n; }, "At most the first N hits of each ray", 1)
        .type_name("N");
    add_flag(app, "--summary", summary_, "Sums of the hits of each ray, not rows of hits");
  }

  std::vector<files::Column> columns_out() const {
    if (summary_ && most_ != SIZE_MAX)
      throw UsageError("--first: sums are of all hits of a ray; leave out --first or --summary");
    return summary_ ? summary_columns.list() : all_columns.list();
  }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    return scene.all_hits(rays, options);
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Ray& ray,
             std::span<const Hit> hits) const {
    if (summary_) return summary_columns.write(rows, SummaryRow{number, chord_sums(ray, hits)});
    for (const Hit& hit : hits.first(std::min(hits.size(), most_)))
      all_columns.write(rows, AllRow{number, &hit});
  }

 private:
  std::size_t most_ = SIZE_MAX;
  bool summary_ = false;
};

}  // namespace

const VerbEntry all_verb{"all", "all spheres that each ray meets, in order", make_verb<QueryVerb<All>>};

}  // namespace sphaera::tool
