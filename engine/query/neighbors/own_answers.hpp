#pragma once
/// \file Answers about a scene's own spheres, one number or row for each sphere.

#include <query/neighbors/ball_answers.hpp>
#include <query/neighbors/own_spheres.hpp>

namespace sphaera::query {

/// Sets out[i] for sphere ids.first + i: found_of(id, scratch) takes the spheres that a ball meets which
/// holds all within `distance` of sphere id; its result() is the answer. Disabled spheres and those on other
/// layers keep Item{}. Precondition: inputs are checked.
template <class Item, class FoundOf>
void answer_own(const SceneState& state, const IdRange& ids, double distance, std::span<Item> out,
                const QueryOptions& options, const FoundOf& found_of) {
  const OwnSpheres own(state, ids, options);
  BatchScratch scratch(options);
  const std::span<const Reach> reaches = own.reaches(distance, *scratch);
  std::ranges::fill(out, Item{});
  run_pieces<WalkOrder::own>(
      state, reaches, own.options(), reaches.size(),
      [&](auto arithmetic, const QueryPiece<Reach>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        BallAnswers<decltype(arithmetic)> answers(state, own.options(), piece.scratch, stats,
                                                  NearbySpheres::Order::any);
        piece.each_numbered_into(out, [&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
          auto found = found_of(own.id(i), piece.scratch);
          answers.answer(piece, i, j, found);
          out[i] = found.result();
        });
      },
      [](const QueryBlock&) {}, [&](OrderScratch& memory) { return own.order(memory); }, *scratch);
}

}  // namespace sphaera::query
