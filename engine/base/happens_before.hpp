#pragma once
/// \file Reports to ThreadSanitizer the order that oneTBB and Embree give to the work of different threads,
/// since neither library is built with it. Does nothing in other builds.

#include <base/sanitizers.hpp>

#ifdef SPHAERA_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace sphaera::base {

/// Everything before the release of an address happens before everything after its acquisition.
#ifdef SPHAERA_THREAD_SANITIZER
inline void acquire(const void* address) { __tsan_acquire(const_cast<void*>(address)); }
inline void release(const void* address) { __tsan_release(const_cast<void*>(address)); }
#else
inline void acquire(const void*) {}
inline void release(const void*) {}
#endif

/// Work that other threads do in parts while this thread waits. Everything before the Fork happens before
/// each part, and each part happens before everything after the Fork. The parts are not ordered among
/// themselves, so ThreadSanitizer sees a race between two parts.
class Fork {
 public:
  Fork() { release(&begin_); }
  ~Fork() { acquire(&end_); }
  Fork(const Fork&) = delete;

  class Part {
   public:
    explicit Part(const Fork& fork) : fork_(fork) { acquire(&fork.begin_); }
    ~Part() { release(&fork_.end_); }
    Part(const Part&) = delete;

   private:
    const Fork& fork_;
  };

 private:
  char begin_ = 0, end_ = 0;  // only their addresses are used
};

/// Work on an object that several threads use one after another.
class OrderedAccess {
 public:
  explicit OrderedAccess(const void* object) : object_(object) { acquire(object); }
  ~OrderedAccess() { release(object_); }
  OrderedAccess(const OrderedAccess&) = delete;

 private:
  const void* object_;
};

}  // namespace sphaera::base
