#include <algorithm>
#include <bench/comparison/markdown.hpp>
#include <bench/comparison/report.hpp>
#include <cmath>
#include <functional>
#include <iterator>

namespace sphaera::bench {
namespace {

using Cells = std::vector<std::string>;

void write_row(std::FILE* out, const Cells& cells) {
  for (const std::string& cell : cells) std::fprintf(out, "| %s ", cell.c_str());
  std::fputs("|\n", out);
}

void write_head(std::FILE* out, const Cells& cells) {
  write_row(out, cells);
  write_row(out, Cells(cells.size(), "---"));
}

/// Formats a number with two or three significant digits; from 100 on as an integer.
std::string text(double value) {
  if (!std::isfinite(value)) return "–";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer,
                value < 0.1   ? "%.2g"
                : value < 10  ? "%.2f"
                : value < 100 ? "%.1f"
                              : "%.0f",
                value);
  return buffer;
}

std::string count(double value) { return std::isfinite(value) ? std::to_string(std::llround(value)) : "–"; }

/// Distinct values in the records, in the order of appearance.
template <class Get>
auto distinct(const Results& results, const Get& get) {
  std::vector<std::decay_t<decltype(get(results.all().front()))>> values;
  for (const Record& r : results.all())
    if (!std::ranges::count(values, get(r))) values.push_back(get(r));
  return values;
}

/// Does the engine ask an index that another has built?
bool asks_anothers(const std::string& engine) { return engine.ends_with("-best"); }

class Table {
 public:
  Table(std::FILE* out, const Results& results)
      : out_(out),
        results_(results),
        threads_(distinct(results, [](const Record& r) { return r.key.threads; })),
        engines_(distinct(results, [](const Record& r) { return r.key.engine; })) {
    for (const SceneSpec& scene : distinct(results, [](const Record& r) { return r.key.scene; }))
      if (scene.place == Place::own) scenes_.push_back(scene);
    std::ranges::sort(threads_);
    std::ranges::remove_copy_if(engines_, std::back_inserter(builders_), asks_anothers);
  }

  void speeds(Query query, Order order) const {
    std::fprintf(out_, "\n**%s, rays %s**\n\n", name(query).data(),
                 order == Order::random ? "in random order" : "sorted beforehand for all");
    const std::vector<std::string> others = others_asked(query, order);
    Cells head{"scene", "spheres"};
    for (const std::string& other : others) head.push_back("÷ " + other);
    for (const char* column : {"Mrays/s", "threads", "time ÷ limit", "÷ at origin"})
      head.emplace_back(column);
    write_head(out_, head);
    for (const SceneSpec& scene : scenes_)
      write_row(out_, speed_row({scene, query, order, 1, ours()}, others));
  }

  void memory() const {
    of_each_engine(
        "bytes per sphere, beyond the 32 of the input", builders_,
        [](const Record& r) { return r.bytes_per_sphere; }, text);
  }

  void wrong() const {
    of_each_engine(
        "wrong answers per million, worst query", engines_,
        [](const Record& r) { return r.wrong_per_million; }, count);
  }

  void builds() const {
    std::fputs("\n**build**\n\n", out_);
    Cells head{"scene", "spheres", "seconds", "threads"};
    for (std::size_t k = 1; k < builders_.size(); ++k) head.push_back("time ÷ " + builders_[k]);
    write_head(out_, head);
    for (const SceneSpec& scene : scenes_) write_row(out_, build_row(scene));
  }

 private:
  using Measure = std::function<double(const Record&)>;
  using Write = std::string (*)(double);

  const std::string& ours() const { return engines_.front(); }

  /// One number for each number of threads; empty if there is no record.
  std::string by_threads(Key key, const Measure& measure) const {
    std::string cell;
    for (const int threads : threads_) {
      key.threads = threads;
      const Record* record = results_.find(key);
      if (record) cell += (cell.empty() ? "" : " / ") + text(measure(*record));
    }
    return cell;
  }

  /// ratio(Sphaera's record, the counterpart's record), with the counterpart's key from change(key).
  template <class Change, class Ratio>
  std::string ratio(const Key& key, const Change& change, const Ratio& ratio) const {
    return by_threads(key, [&](const Record& r) {
      Key other = r.key;
      change(other);
      const Record* counterpart = results_.find(other);
      return counterpart ? ratio(r, *counterpart) : std::nan("");
    });
  }

  std::vector<std::string> others_asked(Query query, Order order) const {
    std::vector<std::string> asked;
    for (const std::string& engine : engines_)
      if (engine != ours() && std::ranges::any_of(results_.all(), [&](const Record& r) {
            return r.key.engine == engine && r.key.query == query && r.key.order == order;
          }))
        asked.push_back(engine);
    return asked;
  }

  Cells speed_row(const Key& key, const std::vector<std::string>& others) const {
    Cells row{name(key.scene), short_number(key.scene.spheres)};
    for (const std::string& other : others)
      row.push_back(ratio(key, [&](Key& counterpart) { counterpart.engine = other; }, speed_ratio));
    row.push_back(by_threads(key, [](const Record& r) { return r.mrays(); }));
    row.push_back(scaling(key, speed_ratio));
    row.push_back(by_threads(key, [](const Record& r) { return r.nanoseconds() / r.limit.shared; }));
    row.push_back(is_moved(key.scene.kind)
                      ? ratio(
                            key, [](Key& other) { other.scene.place = Place::at_origin; }, speed_ratio)
                      : "");
    return row;
  }

  /// Speed-up from the smallest to the largest number of threads.
  template <class Ratio>
  std::string scaling(Key key, const Ratio& ratio) const {
    key.threads = threads_.front();
    const Record* few = results_.find(key);
    key.threads = threads_.back();
    const Record* many = results_.find(key);
    return few && many && few != many ? text(ratio(*many, *few)) : "";
  }

  /// Worst value of an engine's records on a scene; NaN if it took no part.
  double most(const SceneSpec& scene, const std::string& engine, const Measure& measure) const {
    double most = std::nan("");
    for (const Record& r : results_.all())
      if (r.key.scene == scene && r.key.engine == engine) most = std::fmax(most, measure(r));
    return most;
  }

  void of_each_engine(const char* title, const std::vector<std::string>& engines, const Measure& measure,
                      Write write) const {
    std::fprintf(out_, "\n**%s**\n\n", title);
    Cells head{"scene", "spheres"};
    head.insert(head.end(), engines.begin(), engines.end());
    write_head(out_, head);
    for (const SceneSpec& scene : scenes_) {
      Cells row{name(scene), short_number(scene.spheres)};
      for (const std::string& engine : engines) row.push_back(write(most(scene, engine, measure)));
      write_row(out_, row);
    }
  }

  Cells build_row(const SceneSpec& scene) const {
    Cells row{name(scene), short_number(scene.spheres)};
    Key key = std::ranges::find(results_.all(), scene, [](const Record& r) { return r.key.scene; })->key;
    key.engine = ours();
    row.push_back(by_threads(key, [](const Record& r) { return median(r.build_seconds); }));
    row.push_back(scaling(key, [](const Record& many, const Record& few) { return build_ratio(few, many); }));
    for (std::size_t k = 1; k < builders_.size(); ++k)
      row.push_back(ratio(key, [&](Key& other) { other.engine = builders_[k]; }, build_ratio));
    return row;
  }

  std::FILE* out_;
  const Results& results_;
  std::vector<SceneSpec> scenes_;
  std::vector<int> threads_;
  std::vector<std::string> engines_, builders_;
};

}  // namespace

void write_table(std::FILE* out, const Results& results, const Machine& machine) {
  if (results.all().empty()) return;
  std::fputs(
      "Sphaera's speed ÷ another engine's, medians over rounds in which they took turns; one thread / two; "
      "-best: in the fastest of the peer's ways. "
      "Above "
      "1 Sphaera is faster. *threads*: speed with the most threads ÷ with the fewest. *time ÷ limit*: its "
      "time a "
      "ray ÷ the modelled time without memory stalls. *at origin*: the same scene where coordinates are "
      "small.\n\n",
      out);
  print_machine(out, machine);
  const Table table(out, results);
  for (const auto& [query, order] :
       distinct(results, [](const Record& r) { return std::pair(r.key.query, r.key.order); }))
    table.speeds(query, order);
  table.memory();
  table.builds();
  table.wrong();
}

}  // namespace sphaera::bench
