#include <c/objects.hpp>
#include <new>

namespace sphaera::c {

void* MemoryObject::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* block = nullptr;
  if (allocate_(user_, bytes, alignment, &block) != 0 || block == nullptr) throw std::bad_alloc();
  ++blocks_;
  return block;
}

void MemoryObject::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  deallocate_(user_, block, bytes, alignment);
  --blocks_;
}

namespace {

template <class Item, class Row>
SphaeraStatus items_of(const SphaeraLists* lists, const Row** items, std::size_t* count) {
  return call([&] {
    const auto* const held = std::get_if<Lists<Item>>(&readable<ListsObject>(lists).lists);
    if (held == nullptr) refuse("lists", "hold items of another type");
    place(items, "items") = reinterpret_cast<const Row*>(held->items.data());
    place(count, "count") = held->items.size();
  });
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_stop_create(SphaeraStop** stop) {
  return call([&] { give(std::make_unique<StopObject>(), &place(stop, "stop")); });
}
SphaeraStatus sphaera_stop_request(SphaeraStop* stop) {
  return call([&] { object_of<StopObject>(stop).source.request_stop(); });
}
SphaeraStatus sphaera_stop_requested(const SphaeraStop* stop, int32_t* requested) {
  return call(
      [&] { place(requested, "requested") = object_of<StopObject>(stop).source.stop_requested() ? 1 : 0; });
}
SphaeraStatus sphaera_stop_destroy(SphaeraStop* stop) { return destroy<StopObject>(stop); }

SphaeraStatus sphaera_memory_create(void* user, SphaeraAllocate allocate, SphaeraDeallocate deallocate,
                                    SphaeraMemory** memory) {
  return call([&] {
    if (allocate == nullptr || deallocate == nullptr) refuse("memory", "needs both functions");
    give(std::make_unique<MemoryObject>(user, allocate, deallocate), &place(memory, "memory"));
  });
}
SphaeraStatus sphaera_memory_destroy(SphaeraMemory* memory) { return destroy<MemoryObject>(memory); }

SphaeraStatus sphaera_scratch_create(SphaeraScratch** scratch) {
  return call([&] { give(std::make_unique<ScratchObject>(), &place(scratch, "scratch")); });
}
SphaeraStatus sphaera_scratch_destroy(SphaeraScratch* scratch) { return destroy<ScratchObject>(scratch); }

SphaeraStatus sphaera_lists_create(SphaeraLists** lists) {
  return call([&] { give(std::make_unique<ListsObject>(), &place(lists, "lists")); });
}
SphaeraStatus sphaera_lists_destroy(SphaeraLists* lists) { return destroy<ListsObject>(lists); }
SphaeraStatus sphaera_lists_offsets(const SphaeraLists* lists, const uint64_t** offsets, size_t* count) {
  return call([&] {
    std::visit(
        [&](const auto& held) {
          place(offsets, "offsets") = held.offsets.data();
          place(count, "count") = held.size();
        },
        readable<ListsObject>(lists).lists);
  });
}
SphaeraStatus sphaera_lists_hits(const SphaeraLists* lists, const SphaeraHit** items, size_t* count) {
  return items_of<Hit>(lists, items, count);
}
SphaeraStatus sphaera_lists_ids(const SphaeraLists* lists, const int64_t** items, size_t* count) {
  return items_of<std::int64_t>(lists, items, count);
}
SphaeraStatus sphaera_lists_neighbors(const SphaeraLists* lists, const SphaeraNeighbor** items,
                                      size_t* count) {
  return items_of<Neighbor>(lists, items, count);
}
SphaeraStatus sphaera_lists_impacts(const SphaeraLists* lists, const SphaeraImpact** items, size_t* count) {
  return items_of<Impact>(lists, items, count);
}
SphaeraStatus sphaera_lists_contact_times(const SphaeraLists* lists, const SphaeraContactTime** items,
                                          size_t* count) {
  return items_of<ContactTime>(lists, items, count);
}
SphaeraStatus sphaera_lists_phase_changes(const SphaeraLists* lists, const SphaeraPhaseChange** items,
                                          size_t* count) {
  return items_of<PhaseChange>(lists, items, count);
}
SphaeraStatus sphaera_lists_shadow_changes(const SphaeraLists* lists, const SphaeraShadowChange** items,
                                           size_t* count) {
  return items_of<ShadowChange>(lists, items, count);
}
