#pragma once
/// \file An object that is made when it is first needed.

#include <atomic>
#include <memory>
#include <mutex>

namespace sphaera::base {

/// Const calls are safe from many threads.
template <class Object>
class OnDemand {
 public:
  /// Makes the object if there is none: make() → std::unique_ptr. It runs once; where it throws, nothing has
  /// changed.
  template <class Make>
  const Object& prepare(const Make& make) const {
    if (const Object* const ready = get()) return *ready;
    const std::lock_guard lock(mutex_);
    if (const Object* const ready = get()) return *ready;
    object_ = make();
    ready_.store(object_.get(), std::memory_order_release);
    return *object_;
  }
  /// Null until it was made.
  const Object* get() const { return ready_.load(std::memory_order_acquire); }
  /// Not while other calls run.
  void drop() {
    ready_ = nullptr;
    object_.reset();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Object> object_;
  mutable std::atomic<const Object*> ready_{nullptr};
};

}  // namespace sphaera::base
