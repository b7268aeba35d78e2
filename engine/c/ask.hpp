#pragma once
/// \file How a query of a scene is called.

#include <c/options.hpp>

namespace sphaera::c {

/// Calls work(scene, options) for `count` queries.
template <class Work>
SphaeraStatus ask(const SphaeraScene* scene, std::size_t count, const SphaeraQueryOptions* options,
                  Work work) noexcept {
  return call([&] {
    const Scene& asked = readable<SceneObject>(scene).scene();
    const QueryCall given(options, count);
    work(asked, given.options());
    given.add_stats();
  });
}

/// The same into lists of `Item`.
template <class Item, class Work>
SphaeraStatus ask_lists(const SphaeraScene* scene, std::size_t count, const SphaeraQueryOptions* options,
                        SphaeraLists* lists, Work work) noexcept {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    const Sole<ListsObject> out(lists);
    work(s, o, out->as<Item>());
  });
}

}  // namespace sphaera::c
