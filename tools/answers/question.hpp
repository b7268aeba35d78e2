#pragma once
/// \file The definition of a verb about queries, and the data of its run.
///
/// A Question defines the verb. Its members are
///   using Query                    type of a row of the file
///   option                         "--rays"; none: the scene alone gives the queries
///   about, query_help, help()      help texts above and below the options
///   declare(app)                   the verb's own options
///   AlternativeFile                optional: an alternative file of queries. Members: Row, option, what
///                                  (label for the option's help). It requires:
///   alternative_file(), queries_of(rows, scene)   that file, and the queries that its rows stand for
///   SceneQueries                   optional: queries that the scene itself gives, instead of a file.
///                                  Members: option, what (the option's help). It requires:
///   asks_scene()                   reference to the flag that the option sets
///   scene_query_count(scene), scene_queries(scene, first, count)   their number, and a piece of them
///   has_own_sums                   optional: declares --by itself
///   no_times                       optional: why rows can have no column `t`
///   either                         the error unless exactly one of these gives the queries
///   place_rule(scene)              optional: checks and moves points or balls of a file while it is read
///   prepare(prepared)              optional: takes what it needs of the scene file before it is indexed
///   place(file, options, console)  optional: moves spheres, which are at their time, before they are indexed
///   horizon(prepared)              optional: the time interval in which spheres move; --time is then ignored
///   takes_longer_horizon()         with it: may spheres move in a longer one, too?
///   renamed_elsewhere()            optional: renamed columns that this file may lack, as another has them
///   outputs(), open(answer)        optional: names of further outputs; opens them before any work
///   begin(run)                     optional: notes to the user before the first answer
///   look(run, queries, answers)    optional: takes each answer once, in order
///   finish(run), commit()          optional: writes the further outputs after the last answer; publishes
///                                  them at the end
///   write_sums(run, table)         optional: rows about all answers, after the last
///   take_keys(keys)                optional: takes keys of --by that ask for further columns
///   columns_out()                  columns of the result (tools/files/results/table_columns.hpp)
///   answer(scene, queries, options)   answers[i] is that of query i
///   sees_stars                     optional: the scene may be seen by its light (--light-time)
///   embree_answers                 optional: false where Search::embree does not support these queries
///   embree_answers_in(scene)       optional: does it support them in this scene, with the verb's options?
///   less                           optional: how to ask for less, " (fewer --bounces)", where one answer
///                                  does not fit in memory
///   answer_bytes(scene)            optional: size of the answer to one query, if known before the search
///   write(rows, number, scene, query, answer)   appends the rows of a query

#include <io/streams/byte_reader.hpp>
#include <optional>
#include <span>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <stop_token>
#include <tools/files/results/table_columns.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/scene/load.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/terminal/console.hpp>
#include <utility>

namespace sphaera::tool {

namespace column = files::column;

/// A scene after reading, before its spheres move to the index.
struct Prepared {
  const LoadedScene& file;
  const SceneOptions& options;
  const AnswerOptions& answer;
  LayerMask layers;
  const files::RowOptions& rows;  ///< of the file of queries
  io::SameBytes& passes;          ///< of the file of queries, if it is read several times
  const Console& console;
  const std::stop_token& stop;
  PartRecord& part;
};

/// Data of one run that does not depend on the question.
struct AnswerRun {
  const Scene& scene;
  LayerMask layers;
  const AnswerOptions& options;
  const files::RowOptions& rows;  ///< of the file of queries
  io::SameBytes& passes;          ///< of the file of queries, if it is read several times
  files::TableFormat format;
  const Console& console;
  std::stop_token stop;
  std::optional<Horizon> horizon;  ///< time interval of moving spheres; empty: all at rest
  PartRecord& part;
  const LoadedScene& file;     ///< its spheres are in the scene
  std::uint64_t answer_bytes;  ///< most bytes of the answers to a batch; 0: unknown
  double time;                 ///< of rows whose column `t` is empty
  const char* no_times;        ///< why there must be no column `t`; null: there may be
  LayerMask of_layers;         ///< of the scene's own spheres that are queries

  QueryOptions query_options(Search search, const files::OwnOptions& own = {}) const {
    return {.layers = layers,
            .ignore = own.ignore,
            .layers_each = own.layers_each,
            .ignore_owners = own.ignore_owners,
            .times = own.times,
            .search = search,
            .stop = stop,
            .memory_limit = answer_bytes};
  }
};

template <class Question>
concept HasAlternativeFile = requires { typename Question::AlternativeFile; };

/// Without a file the scene alone gives the queries.
template <class Question>
concept HasQueryFile = requires { Question::option; };

/// May the rows of its files see the scene at times of their own?
template <class Question>
concept HasTimes = HasQueryFile<Question> && files::has_own_view<typename Question::Query> &&
                   !requires { Question::no_times; };

inline constexpr std::string_view own_view_help = R"(
In a row, `ignore` is the id of a sphere that does not count for it (empty or -1: none), `t` the time of the scene
that it sees: spheres are exactly at their center + t × velocity (empty: --time), `layers` the names of the layers
that it sees, with commas between them, in quotes where commas separate the fields (empty: those of --layers).
)";

inline constexpr std::string_view owner_help = R"(
The column `ignore_owner` names an owner of spheres, as --owner-by says, none of which counts for the row (empty: none).
)";

template <class Question>
concept HasSceneQueries = requires { typename Question::SceneQueries; };

/// Does Search::embree answer the question, for some scenes and options?
template <class Question>
constexpr EmbreeAnswers embree_answers() {
  if constexpr (requires { Question::embree_answers; }) return EmbreeAnswers{Question::embree_answers};
  return EmbreeAnswers::yes;
}

/// Answers of the library to a span of queries.
template <class Question>
using AnswersOf = decltype(std::declval<const Question&>().answer(std::declval<const Scene&>(),
                                                                  std::span<const typename Question::Query>(),
                                                                  std::declval<const QueryOptions&>()));

}  // namespace sphaera::tool
