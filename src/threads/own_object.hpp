// SPDX-License-Identifier: Apache-2.0
//
// Objects that threads have for themselves.
#pragma once

#ifdef _WIN32
#include <pthread.h>

#include <memory>

#include "thiessen/error.hpp"
#endif

namespace thiessen {

/// The object of this type that the calling thread has for itself: made when it first asks,
/// destroyed when it ends.
template <class T>
T& own_object() {
#ifdef _WIN32
  // MinGW-w64 gives the memory of thread_local objects back before it destroys them.
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    if (pthread_key_create(&made, [](void* object) { delete static_cast<T*>(object); }) != 0)
      throw Error(ErrorCode::out_of_memory, "no key for an object of each thread");
    return made;
  }();
  if (void* const own = pthread_getspecific(key)) return *static_cast<T*>(own);
  auto object = std::make_unique<T>();
  if (pthread_setspecific(key, object.get()) != 0)
    throw Error(ErrorCode::out_of_memory, "no place for an object of this thread");
  return *object.release();
#else
  thread_local T object;
  return object;
#endif
}

}  // namespace thiessen
