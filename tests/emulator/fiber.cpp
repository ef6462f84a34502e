// SPDX-License-Identifier: Apache-2.0
#include "emulator/fiber.hpp"

#include <boost/context/preallocated.hpp>
#include <cstddef>
#include <memory>
#include <utility>

namespace emulator {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

}  // namespace

Fiber::Fiber(std::function<void()> work) : work_(std::move(work)) {
  boost::context::fixedsize_stack memory(kStackBytes);
  const boost::context::stack_context stack = memory.allocate();
  notes_.own.end = static_cast<std::byte*>(stack.sp);
  notes_.own.bytes = stack.size;
  notes_.create();
  own_ = Context(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                 memory, [this](Context&& back) { return go(std::move(back)); });
}

Fiber::~Fiber() {
  ends_ = true;
  turn();
  notes_.destroy();
}

bool Fiber::turn() {
  done_ = false;
  notes_.before_own();
  own_ = std::move(own_).resume();
  notes_.after_own();
  return done_;
}

void Fiber::wait() {
  notes_.before_back(false);
  back_ = std::move(back_).resume();
  notes_.after_back();
}

Fiber::Context Fiber::go(Context&& back) {
  notes_.after_back();
  back_ = std::move(back);
  while (!ends_) {
    work_();
    done_ = true;
    wait();
  }
  notes_.before_back(true);
  return std::move(back_);
}

}  // namespace emulator
