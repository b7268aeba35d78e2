#pragma once
/// \file A Query made of its declaration, which says how Scene is called.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <tests/queries/bad_inputs.hpp>
#include <tests/queries/query.hpp>
#include <tuple>
#include <utility>

namespace sphaera::test {

/// What most declarations share. `Item`: one item of an answer; Id: of a sphere.
template <class SomeInput, class SomeItem>
struct Declaration {
  using Input = SomeInput;
  using Item = SomeItem;
  static constexpr const char* variant = "";  ///< follows the function in the name
  static constexpr Refusals refuses{};
  static constexpr bool lists = false, single = true, about_spheres = false;

  /// The inputs of a batch.
  static auto& inputs(auto& questions) { return questions.template of<Input>(); }
  /// Items for each query.
  static std::size_t row_size(const Questions&) { return 1; }
  static void put(Bytes& row, const Item& item) { row.put(item); }
  static Item miss() { return {}; }
};

/// A declaration has, besides, `function` and
///   ask(scene, questions, in, options, out...)
/// where `in` is all inputs or one, and `out` is nothing or the place for the answers: a span, for lists of a
/// batch Lists. One whose single form is no such call has, instead of that form,
///   ask_alone(scene, questions, in, options, span of a row)
template <class D>
class QueryOf final : public Query {
 public:
  using Input = typename D::Input;
  using Item = typename D::Item;

  QueryOf()
      : Query(D::function, std::string(D::function) + D::variant, D::refuses, D::lists, D::single,
              D::about_spheres, sizeof(Item)) {}

  std::size_t count(const Scene& scene, const Questions& questions) const override {
    return inputs(scene, questions).size();
  }

  std::vector<Bytes> rows(const Scene& scene, const Questions& questions,
                          const QueryOptions& options) const override {
    const auto in = inputs(scene, questions);
    return rows_of(D::ask(scene, questions, in, options), in.size(), D::row_size(questions));
  }
  void ask(const Scene& scene, const Questions& questions, const QueryOptions& options) const override {
    static_cast<void>(D::ask(scene, questions, inputs(scene, questions), options));
  }
  Bytes alone(const Scene& scene, const Questions& questions, std::size_t i,
              const QueryOptions& options) const override {
    if constexpr (D::lists) {
      return row_of<Item>(list_alone(scene, questions, i, options));
    } else {
      std::vector<Item> row(D::row_size(questions));
      put_alone(scene, questions, i, options, row);
      return row_of<Item>(row);
    }
  }
  void ask_alone(const Scene& scene, const Questions& questions, std::size_t i,
                 const QueryOptions& options) const override {
    if constexpr (D::lists) {
      static_cast<void>(list_alone(scene, questions, i, options));
    } else if constexpr (requires { &D::ask_alone; } || !D::single) {
      std::vector<Item> row(D::row_size(questions));
      put_alone(scene, questions, i, options, row);
    } else {
      static_cast<void>(D::ask(scene, questions, inputs(scene, questions)[i], options));
    }
  }
  bool writes_first(const Scene& scene, const Questions& questions, std::size_t i, std::size_t room,
                    const QueryOptions& options) const override {
    if constexpr (D::lists && D::single) {
      const Input& in = inputs(scene, questions)[i];
      const std::vector<Item> all = D::ask(scene, questions, in, options);
      std::vector<Item> some(room), expected(room);
      std::copy_n(all.begin(), std::min(room, all.size()), expected.begin());
      const std::size_t length = D::ask(scene, questions, in, options, std::span<Item>(some));
      return length == all.size() && row_of<Item>(some) == row_of<Item>(expected);
    } else {
      return true;
    }
  }
  std::unique_ptr<AnswerPlace> place(const Scene& scene, const Questions& questions) const override {
    return std::make_unique<PlaceOf>(count(scene, questions), D::row_size(questions));
  }

  std::size_t faults() const override { return bad_inputs<Input>().size(); }
  void spoil(Questions& questions, std::size_t i, std::size_t fault) const override {
    if constexpr (!D::about_spheres) D::inputs(questions)[i] = bad_inputs<Input>()[fault];
  }
  Bytes miss(const Questions& questions) const override {
    return row_of<Item>(std::vector<Item>(D::lists ? 0 : D::row_size(questions), D::miss()));
  }

 private:
  class PlaceOf final : public AnswerPlace {
   public:
    PlaceOf(std::size_t queries, std::size_t row_size)
        : queries_(queries), row_size_(row_size), items_(D::lists ? 0 : queries * row_size) {
      row_.resize(D::lists ? list_room : row_size);
    }
    void ask(const Scene& scene, const Questions& questions, const QueryOptions& options) override {
      const auto in = inputs(scene, questions);
      if constexpr (D::lists)
        D::ask(scene, questions, in, options, lists_);
      else
        D::ask(scene, questions, in, options, std::span<Item>(items_));
    }
    std::vector<Bytes> rows() const override {
      if constexpr (D::lists)
        return rows_of(lists_, lists_.size(), 0);
      else
        return rows_of(items_, queries_, row_size_);
    }
    std::size_t items() const override { return D::lists ? lists_.items.size() : items_.size(); }
    void ask_alone(const Scene& scene, const Questions& questions, std::size_t i,
                   const QueryOptions& options) override {
      if constexpr (D::lists && D::single) {
        length_ = D::ask(scene, questions, inputs(scene, questions)[i], options, std::span<Item>(row_));
      } else if constexpr (D::lists) {
        D::ask(scene, questions, IdRange{static_cast<std::int64_t>(i), 1}, options, lists_);
        length_ = lists_.items.size();
        std::copy_n(lists_.items.begin(), std::min(length_, list_room), row_.begin());
      } else {
        put_alone(scene, questions, i, options, row_);
      }
    }
    Bytes row() const override {
      if constexpr (!D::lists) return row_of<Item>(row_);
      Bytes row;
      row.put(std::uint64_t{length_});
      for (const Item& item : std::span(row_).first(std::min(length_, list_room))) D::put(row, item);
      return row;
    }

   private:
    std::size_t queries_, row_size_, length_ = 0;
    std::vector<Item> items_, row_;
    Lists<Item> lists_;
  };

  static std::span<const Input> inputs(const Scene& scene, const Questions& questions) {
    if constexpr (D::about_spheres)
      return scene.spheres().first(std::min(questions.spheres, scene.spheres().size()));
    else
      return D::inputs(questions);
  }
  /// The list of query i, asked alone.
  static std::vector<Item> list_alone(const Scene& scene, const Questions& questions, std::size_t i,
                                      const QueryOptions& options) {
    if constexpr (D::about_spheres)
      return D::ask(scene, questions, IdRange{static_cast<std::int64_t>(i), 1}, options).items;
    else
      return D::ask(scene, questions, inputs(scene, questions)[i], options);
  }
  template <class Row>
  static Bytes row_of(std::span<const Row> items) {
    Bytes row;
    row.put(std::uint64_t{items.size()});
    for (const Item& item : items) D::put(row, item);
    return row;
  }
  static std::vector<Bytes> rows_of(const std::vector<Item>& items, std::size_t queries,
                                    std::size_t row_size) {
    std::vector<Bytes> rows;
    for (std::size_t i = 0; i < queries; ++i)
      rows.push_back(row_of<Item>(std::span(items).subspan(i * row_size, row_size)));
    return rows;
  }
  static std::vector<Bytes> rows_of(const Lists<Item>& lists, std::size_t queries, std::size_t) {
    std::vector<Bytes> rows;
    for (std::size_t i = 0; i < queries; ++i) rows.push_back(row_of<Item>(lists[i]));
    return rows;
  }
  /// The answer to query i, asked alone, into a span of a row.
  static void put_alone(const Scene& scene, const Questions& questions, std::size_t i,
                        const QueryOptions& options, std::span<Item> row) {
    const auto in = inputs(scene, questions);
    if constexpr (D::about_spheres)
      D::ask_alone(scene, questions, static_cast<std::int64_t>(i), options, row);
    else if constexpr (requires { D::ask_alone(scene, questions, in[i], options, row); })
      D::ask_alone(scene, questions, in[i], options, row);
    else if constexpr (D::single)
      row[0] = static_cast<Item>(D::ask(scene, questions, in[i], options));
    else
      D::ask(scene, questions, in.subspan(i, 1), options, row);
  }
};

/// One query of each declaration.
template <class... Declarations>
std::span<const Query* const> queries_of() {
  static const std::tuple<QueryOf<Declarations>...> all;
  static const auto pointers = std::apply(
      [](const auto&... query) { return std::array<const Query*, sizeof...(Declarations)>{&query...}; }, all);
  return pointers;
}

}  // namespace sphaera::test
