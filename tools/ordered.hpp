#pragma once
/// \file Work on a stream of pieces in parallel, its results taken in order.

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <memory>
#include <vector>

namespace sphaera::tool {

/// Runs `work` on `threads` threads (0: all). Unlike the library the tool owns its process, so the number
/// holds even beyond that of the cores.
template <class Work>
void on_threads(int threads, const Work& work) {
  if (threads == 0) return work();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute(work);
}

/// produce() → std::unique_ptr<Piece>, null at the end, one call at a time; work(Piece&), in parallel;
/// consume(Piece&), in the order of production, one call at a time. A bounded number of pieces exists at
/// once. The first exception ends all and is thrown on.
template <class Piece, class Produce, class Work, class Consume>
void in_order(const Produce& produce, const Work& work, const Consume& consume) {
  using tbb::filter_mode;
  // One piece in work for each thread and as many that wait to be consumed. They are owned here, not by the
  // pipeline's tokens: oneTBB 2021.8 drops tokens in flight when a filter throws, without destroying them.
  std::vector<std::unique_ptr<Piece>> pieces(
      2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  std::size_t next = 0;
  const auto source =
      tbb::make_filter<void, Piece*>(filter_mode::serial_in_order, [&](tbb::flow_control& flow) {
        // The pieces end in their order, and no more than pieces.size() live: this place's last one has.
        std::unique_ptr<Piece>& piece = pieces[next++ % pieces.size()];
        piece = produce();
        if (!piece) flow.stop();
        return piece.get();
      });
  const auto worker = tbb::make_filter<Piece*, Piece*>(filter_mode::parallel, [&](Piece* piece) {
    work(*piece);
    return piece;
  });
  const auto sink =
      tbb::make_filter<Piece*, void>(filter_mode::serial_in_order, [&](Piece* piece) { consume(*piece); });
  tbb::parallel_pipeline(pieces.size(), source & worker & sink);
}

}  // namespace sphaera::tool
