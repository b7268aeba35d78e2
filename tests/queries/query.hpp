#pragma once
/// \file One query of a scene, whichever it is: how it is asked, which options it takes, and its answers as
/// rows that compare.

#include <memory>
#include <span>
#include <string>
#include <tests/answer_bytes.hpp>
#include <tests/queries/questions.hpp>
#include <vector>

namespace sphaera::test {

/// Which options a query refuses: what the error calls the query, or null if it takes the option.
struct Refusals {
  const char* times = nullptr;
  const char* accept = nullptr;
  const char* embree = nullptr;               ///< Search::embree
  const char* embree_among_moving = nullptr;  ///< Search::embree, in a scene with velocities
  bool ignore = false;                        ///< `ignore` and `also_ignore`
  bool box = true;                            ///< most queries do
};

class Query;

/// A place for the answers of one query, which calls use again: with a Scratch they need no other memory.
class AnswerPlace {
 public:
  AnswerPlace() = default;
  AnswerPlace(const AnswerPlace&) = delete;
  AnswerPlace& operator=(const AnswerPlace&) = delete;
  virtual ~AnswerPlace() = default;

  /// Asks a batch, which has as many queries as that for which the place was made.
  virtual void ask(const Scene& scene, const Questions& questions, const QueryOptions& options) = 0;
  /// The answers of the last batch: one row for each query. After a refusal: what was there before, for lists
  /// none.
  virtual std::vector<Bytes> rows() const = 0;
  /// Items in all rows.
  virtual std::size_t items() const = 0;
  /// Asks query i alone: as Query::ask_alone, lists into a span of `list_room` items.
  virtual void ask_alone(const Scene& scene, const Questions& questions, std::size_t i,
                         const QueryOptions& options) = 0;
  /// The answer to the last query asked alone; of a list the length and the items that had room.
  virtual Bytes row() const = 0;

  static constexpr std::size_t list_room = 64;
};

class Query {
 public:
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  virtual ~Query() = default;

  const std::string function;  ///< the member function of Scene
  const std::string name;      ///< with what it is about: "first_hit of segments"
  const Refusals refuses;
  const bool lists;          ///< its batches return Lists
  const bool single;         ///< it has a single form
  const bool about_spheres;  ///< query i is about sphere i of the scene, not about an input
  const std::size_t item_bytes;
  /// Must sphere i of query i be on the query's layers, too?
  bool about_seen_spheres() const { return about_spheres && function != "nearest_to_spheres"; }

  /// Does the query take `options` in this scene?
  bool takes(const Scene& scene, const QueryOptions& options) const;
  /// The options for a batch: without times, accept and ignore if the query refuses them; of spans with an
  /// item for each query the first items, as many as there are queries.
  QueryOptions fitting(const Scene& scene, const Questions& questions, QueryOptions options) const;
  /// Of spans with an item for each query the first n items. Throws std::logic_error if there are fewer.
  static QueryOptions of_first(QueryOptions batch, std::size_t n);
  /// The options of query i of a batch, for the same query alone, without a status.
  QueryOptions of_one(QueryOptions batch, std::size_t i) const;

  /// Queries in a batch.
  virtual std::size_t count(const Scene& scene, const Questions& questions) const = 0;

  /// A batch, and one row for each query.
  virtual std::vector<Bytes> rows(const Scene& scene, const Questions& questions,
                                  const QueryOptions& options = {}) const = 0;
  /// A batch whose answers nobody needs.
  virtual void ask(const Scene& scene, const Questions& questions,
                   const QueryOptions& options = {}) const = 0;
  /// The row of query i, asked alone: by the single form, or as a batch of one if the query has none.
  virtual Bytes alone(const Scene& scene, const Questions& questions, std::size_t i,
                      const QueryOptions& options = {}) const = 0;
  virtual void ask_alone(const Scene& scene, const Questions& questions, std::size_t i,
                         const QueryOptions& options = {}) const = 0;
  /// For lists: does the single form that writes into a span of `room` items write the first of the list,
  /// return the length of all and leave the rest of the span as it was?
  virtual bool writes_first(const Scene& scene, const Questions& questions, std::size_t i, std::size_t room,
                            const QueryOptions& options = {}) const = 0;
  virtual std::unique_ptr<AnswerPlace> place(const Scene& scene, const Questions& questions) const = 0;

  /// How many ways an input of the query may be invalid.
  virtual std::size_t faults() const = 0;
  /// Makes input i invalid in one of these ways.
  virtual void spoil(Questions& questions, std::size_t i, std::size_t fault) const = 0;
  /// The row of a query that is skipped.
  virtual Bytes miss(const Questions& questions) const = 0;

 protected:
  Query(std::string function_, std::string name_, const Refusals& refuses_, bool lists_, bool single_,
        bool about_spheres_, std::size_t item_bytes_)
      : function(std::move(function_)),
        name(std::move(name_)),
        refuses(refuses_),
        lists(lists_),
        single(single_),
        about_spheres(about_spheres_),
        item_bytes(item_bytes_) {}
};

}  // namespace sphaera::test
