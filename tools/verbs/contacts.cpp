#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <iterator>
#include <tools/answers/queries_of_spheres.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/scene/periodic_box.hpp>
#include <tools/scene/sphere_groups.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct ContactsRow {
  std::uint64_t sphere;
  std::int64_t other = -1;
  double gap = 0;
  std::uint64_t count = 0;
  std::string_view group = {}, other_group = {};
};

constexpr files::ResultColumns of_sphere{column::sphere("sphere", "id of the sphere", &ContactsRow::sphere)};
constexpr files::ResultColumns other_sphere{column::sphere("other", "a higher id", &ContactsRow::other)};
constexpr files::ResultColumns pair_gap{
    column::number("gap",
                   "|A−B|−a−b of centers A, B and radii a, b, in the scene's unit: negative where they "
                   "overlap; good to 1 ulp",
                   &ContactsRow::gap)};
constexpr files::ResultColumns contact_count{column::integer(
    "count", "number of spheres in contact with it, of lower and higher id", &ContactsRow::count)};
constexpr auto pair_columns = of_sphere + other_sphere + pair_gap;
constexpr auto count_columns = of_sphere + contact_count;
/// The same with groups in front of the number, for sums by these.
constexpr auto group_of(const GroupBy& by) {
  return files::ResultColumns{column::text(by.word, "what the spheres have in common", &ContactsRow::group)};
}
constexpr auto grouped_counts(const GroupBy& by) { return of_sphere + group_of(by) + contact_count; }
constexpr auto grouped_pairs(const GroupBy& by) {
  return of_sphere + group_of(by) +
         files::ResultColumns{column::text(by.other, "the group of the other", &ContactsRow::other_group)} +
         pair_gap;
}

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
With --by layer, chain, residue or name: a row for each two of them, such as layer,other_layer, in the scene's order,
with the number of their pairs and the mean, least and greatest gap; with --count a row for each of them, of the
counts of its spheres. Intervals of a number may join them: --by layer,gap/0.1. With --owner-by, such as chain, no pair
is of one owner.

Example:
  sphaera contacts molecule.pdb --distance 0.4 --names --output pairs.csv
  sphaera contacts grains.lammpstrj --frame last --count
  sphaera contacts dimer.pdb --owner-by chain --by residue --output interface.csv
  sphaera contacts melt.lammpstrj --radius 0.6 --box file --count --output neighbors.csv
  sphaera contacts grains.csv --box 20,20,20 --distance 0.5 --output pairs.csv
  sphaera contacts molecule.pdb --distance 0.4 --by residue --output residues.csv
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
    box_.declare(app);
    add_flag(app, "--count", count_, "Number of contacts of each sphere, no rows of pairs");
  }

  /// Of `--by` the words for groups become columns of them.
  void take_keys(std::vector<std::string>& keys) {
    for (const GroupBy& by : groups_by) {
      const auto key = std::ranges::find(keys, by.word);
      if (key == keys.end()) continue;
      if (by_) throw UsageError(fmt::format("--by: give one of {} and {}", by_->word, by.word));
      by_ = by;
      if (!count_) keys.insert(key + 1, by.other);
    }
  }

  std::vector<files::Column> columns_out() const {
    if (by_) return count_ ? grouped_counts(*by_).list() : grouped_pairs(*by_).list();
    return count_ ? count_columns.list() : pair_columns.list();
  }

  static constexpr bool pairs_owners = true;
  static bool asks_scene() { return true; }
  static std::uint64_t scene_query_count(const Scene& scene) { return scene.spheres().size(); }
  static files::QueryChunk<Vec3> scene_queries(const Scene& scene, std::uint64_t first, std::size_t count) {
    return queries_of_spheres(scene, first, count, [](const Sphere& sphere) { return sphere.center; });
  }

  /// `options.ignore` has the ids.
  ContactAnswers answer(const Scene& scene, std::span<const Vec3>, const QueryOptions& options) const {
    QueryOptions others = options;
    others.ignore = {}, others.ignore_owners = {}, others.box = box_.edges();
    ContactAnswers all;
    if (count_) all.counts.resize(options.ignore.size());
    each_run(options.ignore, [&](std::size_t at, const IdRange& ids) {
      if (count_) {
        const auto counts = std::span(all.counts).subspan(at, static_cast<std::size_t>(ids.count));
        return scene.count_contacts(ids, distance_, counts, others);
      }
      const NeighborLists part = scene.contacts(ids, distance_, others);
      const std::uint64_t before = all.pairs.items.size();
      if (are_of_two_owners_) return add_of_two_owners(scene, ids.first, part, all.pairs);
      all.pairs.items.insert(all.pairs.items.end(), part.items.begin(), part.items.end());
      for (std::size_t i = 1; i < part.offsets.size(); ++i)
        all.pairs.offsets.push_back(before + part.offsets[i]);
    });
    return all;
  }

  void prepare(const Prepared& scene) {
    box_.take(scene.file, scene.options.path);
    are_of_two_owners_ = scene.options.owner_by != OwnerBy::nothing;
    if (count_ && are_of_two_owners_)
      throw UsageError("--count: with --owner-by take 'sphaera within --to-spheres --count'");
  }

  void place(LoadedScene& file, const SceneOptions& options, const Console& console) const {
    box_.place(file, options.path, console);
  }

  void begin(const AnswerRun& run) {
    box_.check(run.scene);
    if (by_) groups_ = SphereGroups(*by_, run.file);
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Vec3&,
             const ContactAnswers::One& found) const {
    const std::size_t own = by_ ? groups_.of(number) : 0;
    if (count_) {
      ContactsRow row{.sphere = number, .count = found.count};
      if (!by_) return count_columns.write(rows, row);
      row.group = groups_.key(own);
      return grouped_counts(*by_).write(rows, row);
    }
    for (const auto& [gap, other] : found.others) {
      ContactsRow row{number, other, gap};
      if (!by_) {
        pair_columns.write(rows, row);
        continue;
      }
      const auto [first, second] = std::minmax({own, groups_.of(static_cast<std::uint64_t>(other))});
      row.group = groups_.key(first), row.other_group = groups_.key(second);
      grouped_pairs(*by_).write(rows, row);
    }
  }

 private:
  /// Adds the lists of the spheres `first`, first + 1, … without the others of the same owner.
  static void add_of_two_owners(const Scene& scene, std::int64_t first, const NeighborLists& part,
                                NeighborLists& all) {
    const auto owner = [&](std::int64_t id) { return scene.owners()[static_cast<std::size_t>(id)]; };
    for (std::size_t i = 0; i + 1 < part.offsets.size(); ++i) {
      const std::uint32_t own = owner(first + static_cast<std::int64_t>(i));
      std::ranges::copy_if(part[i], std::back_inserter(all.items), [&](const Neighbor& other) {
        return own == no_owner || owner(other.sphere) != own;
      });
      all.offsets.push_back(all.items.size());
    }
  }

  double distance_ = 0;
  PeriodicBox box_;
  bool count_ = false, are_of_two_owners_ = false;
  std::optional<GroupBy> by_;
  SphereGroups groups_;
};

}  // namespace

const VerbEntry contacts_verb{"contacts", "the pairs of spheres that touch, or almost",
                              make_verb<QueryVerb<Contacts>>};

}  // namespace sphaera::tool
