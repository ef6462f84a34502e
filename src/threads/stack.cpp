// SPDX-License-Identifier: Apache-2.0
#include "threads/stack.hpp"

#include <pthread.h>
#ifdef _WIN32
#include <windows.h>
#endif

#include <cstdint>
#include <cstring>
#include <exception>
#include <string>

#include "thiessen/error.hpp"
#include "threads/context_use.hpp"

namespace thiessen {
namespace {

/// Addresses of the calling thread's stack; both 0 if they cannot be known.
struct StackOfThread {
  std::uintptr_t begin = 0, end = 0;

  StackOfThread() noexcept {
#ifdef __linux__
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* lowest = nullptr;
    std::size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
      begin = reinterpret_cast<std::uintptr_t>(lowest);
      end = begin + bytes;
    }
    pthread_attr_destroy(&attributes);
#elif defined(__APPLE__)
    end = reinterpret_cast<std::uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
    begin = end - pthread_get_stacksize_np(pthread_self());
#elif defined(_WIN32)
    ULONG_PTR lowest = 0, beyond = 0;
    GetCurrentThreadStackLimits(&lowest, &beyond);
    begin = lowest;
    end = beyond;
#endif
  }
};

struct StackCall {
  void (*call)(void*);
  void* argument;
  const ContextUse* use;
  std::exception_ptr thrown;
};

}  // namespace

bool has_stack() noexcept {
  // It is asked once, since the main thread has to read a file for it.
  thread_local const StackOfThread stack;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here < stack.begin || here >= stack.end || here - stack.begin >= kStackBytes;
}

void run_on_own_stack(void (*call)(void* argument), void* argument) {
  constexpr std::size_t kOwnBytes = 4 * kStackBytes;  // the system provides only memory that is
                                                      // touched
  StackCall call_on_stack{call, argument, use_of_thread(), nullptr};
  const auto run = [](void* given) -> void* {
    auto& own = *static_cast<StackCall*>(given);
    const WorkForUse work(own.use);
    try {
      own.call(own.argument);
    } catch (...) {
      own.thrown = std::current_exception();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread{};
  int failure = pthread_attr_init(&attributes);
  if (failure == 0) {
    failure = pthread_attr_setstacksize(&attributes, kOwnBytes);
    if (failure == 0) failure = pthread_create(&thread, &attributes, run, &call_on_stack);
    pthread_attr_destroy(&attributes);
  }
  if (failure != 0)
    throw Error(ErrorCode::out_of_memory,
                "the stack of the calling thread is small, and no thread with one of " +
                    std::to_string(kOwnBytes) + " bytes can be started: " + std::strerror(failure));
  pthread_join(thread, nullptr);
  if (call_on_stack.thrown) std::rethrow_exception(call_on_stack.thrown);
}

}  // namespace thiessen
