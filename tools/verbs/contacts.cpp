#include <cmath>
#include <io/formats/numbers.hpp>
#include <tools/answers/queries_of_spheres.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/options/periodic_box.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct ContactsRow {
  std::uint64_t sphere;
  std::int64_t other = -1;
  double gap = 0;
  std::uint64_t count = 0;
};

constexpr auto of_sphere = column::sphere("sphere", "id of the sphere", &ContactsRow::sphere);
constexpr files::ResultColumns pair_columns{
    of_sphere, column::sphere("other", "a higher id", &ContactsRow::other),
    column::number("gap",
                   "|A−B|−a−b of centers A, B and radii a, b, in the scene's unit: negative where they "
                   "overlap; good to 1 ulp",
                   &ContactsRow::gap)};
constexpr files::ResultColumns count_columns{
    of_sphere, column::integer("count", "number of spheres in contact with it, of lower and higher id",
                               &ContactsRow::count)};

/// The answers about consecutive spheres: pairs or their numbers.
struct ContactAnswers {
  NeighborLists pairs;
  std::vector<std::uint64_t> counts;

  struct One {
    std::span<const Neighbor> others;
    std::uint64_t count;
  };

  One operator[](std::size_t i) const { return counts.empty() ? One{pairs[i], 0} : One{{}, counts[i]}; }
  std::uint64_t bytes() const { return std::span(pairs.items).size_bytes() + std::span(counts).size_bytes(); }
};

class Contacts {
 public:
  using Query = Vec3;
  struct SceneQueries {
    static constexpr const char* option = "--spheres";  // names what is counted
  };
  static constexpr const char* query_help = "";

  static constexpr const char* about = R"(
All pairs of spheres whose gap is at most D, each once. Which pairs these are is exact for the numbers as given: with
D = 0, the default, the spheres that touch or overlap. With --box all centers lie within one box, wherever that is, and
D and the two largest radii together are at most half of an edge.)";
  static std::string help() {
    return R"(
Result: one row a pair, ascending by sphere and other; both are on the layers of --layers.
)" + pair_columns.help() +
           "With --count: one row a sphere, also for one without contacts.\n" + count_columns.help() + R"(
Example:
  sphaera contacts molecule.pdb --distance 0.4 --names --output pairs.csv
  sphaera contacts grains.lammpstrj --frame last --count
  sphaera contacts grains.csv --box 20,20,20 --distance 0.5 --output pairs.csv
)";
  }

  void declare(CLI::App& app) {
    add_parsed(
        app, "--distance", "Greatest gap of a pair; negative: pairs that overlap by so much. Default 0",
        "a finite number of at most 2^200 in magnitude",
        [this](const std::string& text) {
          return io::parse_number(text, distance_) == io::Parse::ok && std::abs(distance_) <= domain_limit;
        })
        .type_name("D");
    add_box(app, box_);
    add_flag(app, "--count", count_, "Number of contacts of each sphere, no rows of pairs");
  }

  std::vector<files::Column> columns_out() const {
    return count_ ? count_columns.list() : pair_columns.list();
  }

  static bool asks_scene() { return true; }
  static std::uint64_t scene_query_count(const Scene& scene) { return scene.spheres().size(); }
  static files::QueryChunk<Vec3> scene_queries(const Scene& scene, std::uint64_t first, std::size_t count) {
    return queries_of_spheres(scene, first, count, [](const Sphere& sphere) { return sphere.center; });
  }

  /// `options.ignore` has the ids.
  ContactAnswers answer(const Scene& scene, std::span<const Vec3>, const QueryOptions& options) const {
    QueryOptions others = options;
    others.ignore = {}, others.ignore_owners = {}, others.box = box_;
    ContactAnswers all;
    if (count_) all.counts.resize(options.ignore.size());
    each_run(options.ignore, [&](std::size_t at, const IdRange& ids) {
      if (count_) {
        const auto counts = std::span(all.counts).subspan(at, static_cast<std::size_t>(ids.count));
        return scene.count_contacts(ids, distance_, counts, others);
      }
      const NeighborLists part = scene.contacts(ids, distance_, others);
      const std::uint64_t before = all.pairs.items.size();
      all.pairs.items.insert(all.pairs.items.end(), part.items.begin(), part.items.end());
      for (std::size_t i = 1; i < part.offsets.size(); ++i)
        all.pairs.offsets.push_back(before + part.offsets[i]);
    });
    return all;
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Vec3&,
             const ContactAnswers::One& found) const {
    if (count_) return count_columns.write(rows, ContactsRow{.sphere = number, .count = found.count});
    for (const auto& [gap, other] : found.others) pair_columns.write(rows, ContactsRow{number, other, gap});
  }

 private:
  double distance_ = 0;
  Vec3 box_;
  bool count_ = false;
};

}  // namespace

const VerbEntry contacts_verb{"contacts", "the pairs of spheres that touch, or almost",
                              make_verb<QueryVerb<Contacts>>};

}  // namespace sphaera::tool
