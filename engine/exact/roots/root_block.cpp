#include <exact/numbers/dispatch.hpp>
#include <exact/roots/root_block.hpp>

namespace sphaera::exact {

template <class Input>
void RootBlock<Input>::compute(std::size_t count) {
  with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA { compute_with<decltype(arithmetic)>(count); });
}

template class RootBlock<Ray>;
template class RootBlock<Segment>;

}  // namespace sphaera::exact
