// SPDX-License-Identifier: Apache-2.0
//
// Tells the sanitizers about stacks that are left and entered. For ThreadSanitizer every fiber is a
// thread, and a switch orders nothing: meet_before() and meet_after() do.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(EMULATOR_FOR_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace emulator {

/// What this thread did before comes before what others do after their meet_after(place).
inline void meet_before([[maybe_unused]] void* place) {
#if defined(EMULATOR_FOR_TSAN)
  __tsan_release(place);
#endif
}
inline void meet_after([[maybe_unused]] void* place) {
#if defined(EMULATOR_FOR_TSAN)
  __tsan_acquire(place);
#endif
}

/// The stacks of a fiber (own) and of the thread that runs it (back).
class StackNotes {
 public:
  struct Stack {
    std::byte* end = nullptr;
    std::size_t bytes = 0;
  };
  Stack own;

#if defined(__SANITIZE_ADDRESS__)
  void create() {}
  void destroy() {}
  void before_own() {
    __sanitizer_start_switch_fiber(&back_frames_, own.end - own.bytes, own.bytes);
  }
  void after_own() { __sanitizer_finish_switch_fiber(back_frames_, nullptr, nullptr); }
  void before_back(bool for_good) {
    __sanitizer_start_switch_fiber(for_good ? nullptr : &own_frames_, back_, back_bytes_);
  }
  void after_back() { __sanitizer_finish_switch_fiber(own_frames_, &back_, &back_bytes_); }

 private:
  void* own_frames_ = nullptr;
  void* back_frames_ = nullptr;
  const void* back_ = nullptr;
  std::size_t back_bytes_ = 0;
#elif defined(EMULATOR_FOR_TSAN)
  void create() { own_ = __tsan_create_fiber(0); }
  void destroy() { __tsan_destroy_fiber(own_); }
  void before_own() {
    back_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_, __tsan_switch_to_fiber_no_sync);
  }
  void after_own() {}
  void before_back(bool) { __tsan_switch_to_fiber(back_, __tsan_switch_to_fiber_no_sync); }
  void after_back() {}

 private:
  void* own_ = nullptr;
  void* back_ = nullptr;
#else
  void create() {}
  void destroy() {}
  void before_own() {}
  void after_own() {}
  void before_back(bool) {}
  void after_back() {}
#endif
};

}  // namespace emulator
