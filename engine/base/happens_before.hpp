#pragma once
/// \file Reports to ThreadSanitizer the order that oneTBB and Embree give to the work of different threads:
/// neither is built with it. Nothing in other builds.

#if defined(__SANITIZE_THREAD__)
#define SPHAERA_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SPHAERA_THREAD_SANITIZER
#endif
#endif

#ifdef SPHAERA_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace sphaera::base {

/// What came before the release of an address happens before what comes after its acquisition.
#ifdef SPHAERA_THREAD_SANITIZER
inline void acquire(const void* address) { __tsan_acquire(const_cast<void*>(address)); }
inline void release(const void* address) { __tsan_release(const_cast<void*>(address)); }
#else
inline void acquire(const void*) {}
inline void release(const void*) {}
#endif

/// Work that is handed to other threads and waited for: what came before it happens before each part, each
/// part before what comes after it. Parts are not ordered among themselves, so that a race of two is seen.
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
  char begin_ = 0, end_ = 0;  // for their addresses
};

/// Work on an object that one thread after another has.
class Turn {
 public:
  explicit Turn(const void* object) : object_(object) { acquire(object); }
  ~Turn() { release(object_); }
  Turn(const Turn&) = delete;

 private:
  const void* object_;
};

}  // namespace sphaera::base
