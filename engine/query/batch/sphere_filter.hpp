#pragma once
/// \file The spheres that a query may hit, by its options.

#include <base/floating_point_environment.hpp>
#include <scene/state.hpp>

namespace sphaera::query {

/// Item i of an option that has one for each query; −1 if the option is not given.
inline std::int64_t item_or_none(std::span<const std::int64_t> items, std::size_t i) {
  return items.empty() ? -1 : items[i];
}
/// The first sphere that a query ignores, −1: none.
inline std::int64_t ignored_by(const QueryOptions& options, std::size_t query) {
  return item_or_none(options.ignore, query);
}

/// May a query ignore an owner?
SPHAERA_INLINE bool ignores_owners(const QueryOptions& options) {
  return !options.ignore_owners.empty() || !options.also_ignore_owners.empty();
}

/// The spheres of up to two owners, which a query ignores.
struct IgnoredOwners {
  const std::uint32_t* owners = nullptr;              ///< by id; null: none is ignored
  std::uint32_t first = no_owner, second = no_owner;  ///< the same owner if only one is ignored

  IgnoredOwners() = default;
  /// An owner is given as in QueryOptions::ignore_owners.
  IgnoredOwners(const SceneState& state, std::int64_t one, std::int64_t other)
      : owners(exists(one) || exists(other) ? state.owners.data_or_null() : nullptr),
        first(static_cast<std::uint32_t>(exists(one) ? one : other)),
        second(static_cast<std::uint32_t>(exists(other) ? other : one)) {}

  SPHAERA_INLINE bool hold(std::uint32_t id) const {
    return owners && (owners[id] == first || owners[id] == second);
  }

 private:
  static bool exists(std::int64_t owner) { return owner >= 0 && owner < std::int64_t{no_owner}; }
};

/// Sphere filter: the spheres that one query may hit.
struct SphereFilter {
  const Sphere* spheres;
  const std::uint8_t* layers;  ///< null: all pass
  LayerMask mask;
  std::int64_t ignore, also_ignore;
  IgnoredOwners ignored_owners;
  bool nothing;                   ///< all spheres are on layer 0, which this query does not see
  const SpherePredicate* accept;  ///< null: all pass
  std::size_t number;             ///< of the query

  SphereFilter(const SceneState& state, const QueryOptions& options, std::size_t query)
      : spheres(state.spheres.span().data()),
        layers(state.layers.data_or_null()),
        mask(options.layers_each.empty() ? options.layers : options.layers & options.layers_each[query]),
        ignore(item_or_none(options.ignore, query)),
        also_ignore(item_or_none(options.also_ignore, query)),
        nothing(!layers && !(mask & 1)),
        accept(options.accept ? &options.accept : nullptr),
        number(query) {
    if (mask == all_layers) layers = nullptr;
    if (ignores_owners(options)) [[unlikely]]
      ignored_owners = {state, item_or_none(options.ignore_owners, query),
                        item_or_none(options.also_ignore_owners, query)};
  }

  SPHAERA_INLINE bool sees_layer_of(std::uint32_t id) const {
    return layers ? mask >> layers[id] & 1 : !nothing;
  }
  SPHAERA_INLINE bool admits(std::uint32_t id) const {
    return sees_layer_of(id) && !ignored_owners.hold(id) && id != ignore && id != also_ignore;
  }
  /// Does the caller's `accept` take the sphere? Called only for an admitted sphere that would count
  /// otherwise.
  SPHAERA_INLINE bool accepts(std::uint32_t id) const {
    return !accept || base::call_out(*accept, number, std::int64_t{id});
  }
};

/// True if no sphere can be hit by any query: none is enabled, or the scene has no layers (all spheres are
/// on layer 0) and the mask excludes layer 0.
inline bool sees_nothing(const SceneState& state, const QueryOptions& options) {
  return !state.scene_index || (state.layers.span().empty() && !(options.layers & 1));
}

}  // namespace sphaera::query
