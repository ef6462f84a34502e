// SPDX-License-Identifier: Apache-2.0
//
// A fiber that calls one function again and again.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <functional>

#include "emulator/stack_notes.hpp"

namespace emulator {

/// Goes on and off on the thread of the host that made it.
class Fiber {
 public:
  /// Each turn() calls `work` anew if it has returned from it, else goes on in it.
  explicit Fiber(std::function<void()> work);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Until the work waits or returns; whether it has returned.
  bool turn();
  /// Within the work: back to who called turn().
  void wait();

 private:
  using Context = boost::context::fiber;

  Context go(Context&& back);

  std::function<void()> work_;
  Context own_;
  Context back_;
  StackNotes notes_;
  bool done_ = false;
  bool ends_ = false;
};

}  // namespace emulator
