#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <io/streams/file_error.hpp>
#include <io/streams/output.hpp>
#include <numeric>
#include <tools/options/shared_options.hpp>
#include <tools/shards/part_set.hpp>
#include <tools/shards/result_part.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/progress.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

/// The size of a part, for the progress; 0 if it is no plain file.
double size_of(const ResultFile& part) {
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(part.path, none);
  return none ? 0 : static_cast<double>(bytes);
}

/// Writes one result of parts, taken in order.
class Joining {
 public:
  Joining(files::TableFormat format, FirstColumn first, const std::filesystem::path& target)
      : format_(format),
        first_(first),
        output_(target, format == files::TableFormat::npy ? io::Output::Access::patched
                                                          : io::Output::Access::sequential) {}

  void add(const ResultFile& file, const std::stop_token& stop, const std::function<void(double)>& progress) {
    std::vector<io::FileDigest> digests;
    const auto source = io::open_source(file.path, {stop, progress, &digests});
    add(*source);
    check_digest(file, digests.front());
  }

  /// Where manifests are missing, queries without rows are the only sign of a missing part.
  void check_gaps(Gaps gaps, const Console& console) const {
    if (gap_inside_) return;  // a part has such a gap itself: queries may lack rows (`all`: misses)
    for (const auto& [part, fault] : gaps_) {
      if (gaps == Gaps::refused) io::fail(part, fault + "; add the missing part, or give --allow-gaps");
      console.warn(fmt::format("{}: {}", part, fault));
    }
  }

  void commit() {
    if (format_ == files::TableFormat::npy) output_.patch(0, result_header(layout_, format_, rows_));
    output_.commit();
  }

 private:
  enum class Step { inside, to_next_part };

  void add(io::ByteSource& source) {
    const std::unique_ptr<ResultPart> part = open_part(source, format_, first_);
    check_layout(part->layout(), source.name());
    bool first = true;
    while (part->next()) {
      check_order(*part, first ? Step::to_next_part : Step::inside, source.name());
      output_.write(part->row());
      last_query_ = part->query();
      ++rows_;
      first = false;
    }
  }

  void check_layout(std::string_view layout, const std::string& name) {
    if (layout.empty()) return;
    if (layout_.empty()) {
      layout_ = layout;
      return output_.write(result_header(layout_, format_, 0));
    }
    if (layout != layout_)
      io::fail(name, 1, "its columns differ from those of the parts before; merge results of one verb");
  }

  void check_order(const ResultPart& part, Step step, const std::string& name) {
    const std::int64_t query = part.query();
    if (first_ == FirstColumn::any) return;
    if (query < last_query_ || (query == last_query_ && step == Step::to_next_part)) {
      io::fail(
          name, part.line(),
          fmt::format("query {} comes after query {}; give every part once, in order", query, last_query_));
    }
    if (query <= last_query_ + 1) return;
    if (step == Step::inside) {
      gap_inside_ = true;
    } else {
      const std::int64_t first = last_query_ + 1;
      const std::string queries = first + 1 == query ? fmt::format("query {} has", first)
                                                     : fmt::format("queries {} to {} have", first, query - 1);
      gaps_.push_back({name, queries + " no rows before this part"});
    }
  }

  struct Gap {
    std::string part, fault;
  };

  files::TableFormat format_;
  FirstColumn first_;
  io::Output output_;
  std::string layout_;
  std::int64_t last_query_ = -1;
  std::uint64_t rows_ = 0;
  bool gap_inside_ = false;
  std::vector<Gap> gaps_;
};

class Merge : public Verb {
  static constexpr const char* about = R"(
Joins the results of shards to the result of the whole: the same bytes as one run without --shard.)";
  static constexpr const char* help = R"(
PARTs are results of runs with --shard I/N that differ only in I, in one format and any order. A part written by
--output has a manifest beside it, PART.part.json: its I and N, its verb, options and queries, and the hashes of
scene, queries and result. Parts that do not belong together, and a part that is missing, given twice, cut or
changed, are errors, and no file appears. Options are compared as they were written. Formats are not converted.
A single PART without a manifest is taken as a whole result, with a warning.

Result: the rows of all parts under one header.

Example:
  for i in 1 2 3; do sphaera first town.csv --rays rays.npy --shard $i/3 --output part$i.csv; done
  sphaera merge part1.csv part2.csv part3.csv --output whole.csv
)";

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help);
    add_files(app, "PART", parts_, "Results of shards").type_name("").required();
    table_.declare(app).description(
        "csv, jsonl or npy. Default: by the extension of the first part, else csv");
    add_flag(app, "--allow-gaps", allow_gaps_,
             "Merges the parts given: lists missing parts on stderr, and accepts parts without a "
             "manifest, such as those from standard output, unchecked and in the order given");
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    const files::TableFormat format = table_.format_for(parts_.front());
    if (!table_.format && result_format(common_.output).value_or(format) != format) {
      throw UsageError("--output: its extension is that of another format; merge does not convert");
    }
    check_compression(common_.output, format);
    for (const std::filesystem::path& part : parts_) {
      common_.protect("a part", part);
      common_.protect("the manifest of a part", files::manifest_path(part));
    }
    const Console console = common_.console();
    const Gaps gaps = allow_gaps_ ? Gaps::allowed : Gaps::refused;
    const std::vector<ResultFile> parts = open_parts(parts_, format, gaps, console);
    Joining joining(format, has_free_order(parts) ? FirstColumn::any : FirstColumn::query_number,
                    common_.output);
    {
      Progress progress(console, "merging");
      const double all =
          std::accumulate(parts.begin(), parts.end(), 0.,
                          [](double sum, const ResultFile& part) { return sum + size_of(part); });
      double done = 0;
      for (const ResultFile& part : parts) {
        const double size = size_of(part);
        joining.add(part, stop, [&](double of_part) {
          if (all > 0) progress.set_fraction((done + of_part * size) / all);
        });
        done += size;
      }
    }
    if (std::ranges::any_of(parts, [](const ResultFile& part) { return !part.manifest; }))
      joining.check_gaps(gaps, console);
    joining.commit();
  }

 private:
  CommonOptions common_;
  TableOptions table_;
  std::vector<std::filesystem::path> parts_;
  bool allow_gaps_ = false;
};

}  // namespace

const VerbEntry merge_verb{"merge", "joins the results of shards", make_verb<Merge>};

}  // namespace sphaera::tool
