#pragma once
/// \file Handles of the C interface: pointers that are never followed. A handle is the number of a slot and
/// the generation of what lies there, so that one that ended, or never was, is told without reading its
/// memory.

#include <atomic>
#include <c/status.hpp>
#include <memory>
#include <string>

namespace sphaera::c {

/// What a handle stands for.
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  virtual void check_destroyable() const {}  ///< throws if others still need it

  std::atomic<bool> in_use = false;  ///< by a call that must be the only one
};

/// Makes a handle of an object. Throws std::bad_alloc.
void* add(std::unique_ptr<Object> object);
/// The object of a handle; null if it ended or never was. Reads no memory that the handle points to.
Object* find(const void* handle) noexcept;
/// Ends the handle and returns its object; null if there is none.
std::unique_ptr<Object> take(const void* handle) noexcept;

/// T: an Object with the type of its handle, `Handle`, and a `name` for messages.
template <class T>
T& object_of(const typename T::Handle* handle) {
  if (handle == nullptr) refuse(T::name, "is NULL");
  Object* const object = find(handle);
  if (object == nullptr) refuse(T::name, "is no handle, or was destroyed");
  T* const found = dynamic_cast<T*>(object);
  if (found == nullptr) refuse(T::name, "is a handle of another type");
  return *found;
}

/// As object_of, where no call may be changing the object.
template <class T>
T& readable(const typename T::Handle* handle) {
  T& object = object_of<T>(handle);
  if (object.in_use.load(std::memory_order_acquire)) throw Busy(T::name);
  return object;
}

/// The object of a handle, for one call alone.
template <class T>
class Sole {
 public:
  explicit Sole(const typename T::Handle* handle) : object_(&object_of<T>(handle)) {
    if (object_->in_use.exchange(true, std::memory_order_acq_rel)) throw Busy(T::name);
  }
  Sole(const Sole&) = delete;
  Sole& operator=(const Sole&) = delete;
  ~Sole() { object_->in_use.store(false, std::memory_order_release); }

  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  T* object_;
};

/// Writes a new handle to *handle. Throws std::bad_alloc.
template <class T>
void give(std::unique_ptr<T> object, typename T::Handle** handle) {
  *handle = static_cast<typename T::Handle*>(add(std::move(object)));
}

/// Refuses null.
inline const char* text_of(const char* text, const char* name) {
  if (text == nullptr) refuse(name, "is NULL");
  return text;
}

/// Refuses a null place for a result.
template <class T>
T& place(T* out, const char* name) {
  if (out == nullptr) refuse(name, "is NULL; give a place for the result");
  return *out;
}

/// …_destroy of T: NULL is allowed.
template <class T>
SphaeraStatus destroy(typename T::Handle* handle) noexcept {
  return call([&] {
    if (handle == nullptr) return;
    readable<T>(handle).check_destroyable();
    take(handle);
  });
}

}  // namespace sphaera::c
