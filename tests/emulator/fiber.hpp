// SPDX-License-Identifier: Apache-2.0
//
// A fiber that calls one function again and again.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <functional>

#include "emulator/stack_notes.hpp"

namespace emulator {

/// Runs in turns on the thread of the host that made it.
class Fiber {
 public:
  /// Each turn() goes on in `work`, or calls it again if it has returned.
  explicit Fiber(std::function<void()> work);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs until the work waits or returns; whether it has returned.
  bool turn();
  /// Called within the work: goes back to the caller of turn().
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
