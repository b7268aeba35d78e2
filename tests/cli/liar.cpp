/// \file The tool with a verb `blocked` that errs: brute force gives another answer for ray 1234 than the
/// index. It shows that --verify notices.

#include <tools/answer.hpp>
#include <tools/command_line.hpp>
#include <tools/ray_queries.hpp>

namespace sphaera::tool {
namespace {

struct Liar : RayQuestion {
  static constexpr const char *about = "", *help = "";

  std::vector<io::Column> columns_out() const {
    return {io::Column::integer("ray"), io::Column::flag("blocked")};
  }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    lies = options.search == Search::brute_force;
    return scene.blocked(rays, options);
  }

  void write(io::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             std::uint8_t blocked) const {
    constexpr std::uint64_t wrong_ray = 1234;
    const bool lie = lies && number == wrong_ray;
    rows.integer(static_cast<std::int64_t>(number)).flag((blocked != 0) != lie).end_row();
  }

  static inline std::atomic<bool> lies = false;
};

}  // namespace
}  // namespace sphaera::tool

int main(int argc, char** argv) {
  using namespace sphaera::tool;
  const std::array verbs{VerbEntry{
      "blocked", "", []() -> std::unique_ptr<Verb> { return std::make_unique<QueryVerb<Liar>>(); }}};
  return static_cast<int>(run_tool(argc, argv, verbs, {}));
}
