#include <exact/roots/root_block.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

template <class Input>
void compute_roots(RootBlock<Input>& block, std::size_t count) {
  constexpr std::size_t lanes = RootBlock<Input>::lanes;
  // Computes whole rows: the values in unused slots do not matter.
  for (std::size_t row = 0; row < count; row += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t i = row + lane;
      const Roots t = roots_by_newton<Arithmetic>(block.path(i), block.sphere(i));
      block.t1_[i] = t.t1, block.t2_[i] = t.t2;
    }
  }
}

template void compute_roots(RootBlock<Ray>& block, std::size_t count);
template void compute_roots(RootBlock<Segment>& block, std::size_t count);

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

template <class Input>
void RootBlock<Input>::compute(std::size_t count) {
  SPHAERA_CHOSEN(compute_roots(*this, count));
}

template class RootBlock<Ray>;
template class RootBlock<Segment>;

}  // namespace sphaera::exact
#endif
