// SPDX-License-Identifier: Apache-2.0
//
// ThreadSanitizer cannot see how TBB, which is not instrumented, orders its tasks. These two
// functions tell it what TBB guarantees: a piece starts after its loop and after the piece before
// it on the same worker, and ends before the loop returns. The addresses in the state serve only as
// names; nothing is read or written there. In other builds both are empty.
#pragma once

#ifdef THIESSEN_FOR_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace thiessen {

#ifdef THIESSEN_FOR_TSAN

class LoopOrder {
 public:
  explicit LoopOrder(void* name) : name_(static_cast<char*>(name)) { __tsan_release(name_); }
  ~LoopOrder() { __tsan_acquire(name_ + 1); }
  LoopOrder(const LoopOrder&) = delete;
  LoopOrder& operator=(const LoopOrder&) = delete;

 private:
  char* name_;
};

class PieceOrder {
 public:
  PieceOrder(void* name, int worker) : name_(static_cast<char*>(name)), worker_(worker) {
    __tsan_acquire(name_);
    __tsan_acquire(name_ + 2 + worker_);
  }
  ~PieceOrder() {
    __tsan_release(name_ + 2 + worker_);
    __tsan_release(name_ + 1);
  }
  PieceOrder(const PieceOrder&) = delete;
  PieceOrder& operator=(const PieceOrder&) = delete;

 private:
  char* name_;
  int worker_;
};

#else

struct LoopOrder {
  explicit LoopOrder(void*) {}
};
struct PieceOrder {
  PieceOrder(void*, int) {}
};

#endif

}  // namespace thiessen
