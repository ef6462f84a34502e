// SPDX-License-Identifier: Apache-2.0
#include "emulator/grid.hpp"

#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "emulator/fiber.hpp"
#include "emulator/place.hpp"
#include "emulator/stack_notes.hpp"

namespace thiessen::cuda {
inline namespace device {
/// See cuda/device/launch.cuh.
extern thread_local std::byte dynamic_shared_memory[];
alignas(16) thread_local std::byte dynamic_shared_memory[emulator::kSharedBytes];
}  // namespace device
}  // namespace thiessen::cuda

namespace emulator {
namespace {

/// Shared memory of every kernel is thread-local, and lies in the stack of each thread.
const tbb::global_control stack_bytes(tbb::global_control::thread_stack_size,
                                      std::size_t{32} << 20);

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "emulator: block %u, thread %u: %s\n", blockIdx.x, threadIdx.x, what);
  std::abort();
}

/// The data that all processors share while a grid runs.
struct Run {
  const Grid* grid;
  const std::function<void()>* kernel;
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<int> waiting{0};     ///< blocks in sync_grid()
  std::atomic<unsigned> round{0};  ///< calls of sync_grid() that are over
};

enum class State : std::uint8_t { ready, in_warp, in_block, ended };

struct Warp {
  Slots slots[2];
  unsigned brought[2];  ///< lanes whose slots belong to the meeting
  unsigned turn;        ///< number of the meeting, modulo 2
  unsigned waiting;     ///< lanes
  unsigned ended;
  unsigned mask;
  Meeting what;
};

/// Runs blocks on the calling thread of the host.
class Processor {
 public:
  void work(Run& run);

  const Slots& meet(Meeting what, unsigned mask, std::uint64_t own);
  void need_lane(unsigned lane);
  int count_in_block(bool own);
  void sync_grid();
  void give_way();

 private:
  void run_block();
  void sweep();
  void turn(unsigned thread);
  void open_warp(unsigned warp);
  void open_block();
  unsigned draw(unsigned below);

  Run* run_ = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::array<State, kMostThreads> state_{};
  std::array<Warp, kMostThreads / kLanes> warps_{};
  unsigned threads_ = 0;
  unsigned live_ = 0;
  unsigned in_block_ = 0;  ///< threads that wait for the block
  int count_ = 0;          ///< how many of those that wait brought true
  int counted_ = 0;
  bool moved_ = false;  ///< in this sweep
  std::uint32_t seed_ = 1;
};

thread_local Processor* processor = nullptr;

unsigned Processor::draw(unsigned below) {
  seed_ = seed_ * 1664525 + 1013904223;
  return static_cast<unsigned>(std::uint64_t{seed_ >> 8} * below >> 24);
}

void Processor::work(Run& run) {
  processor = this;
  run_ = &run;
  threads_ = run.grid->threads;
  blockDim = dim3(threads_);
  gridDim = dim3(run.grid->blocks);
  while (fibers_.size() < threads_)
    fibers_.push_back(std::make_unique<Fiber>([this] {
      meet_after(&state_);
      (*run_->kernel)();
      meet_before(&live_);
    }));
  for (;;) {
    const std::uint64_t block = run.next_block++;
    if (block >= run.grid->blocks) return;
    blockIdx = uint3{static_cast<unsigned>(block), 0, 0};
    run_block();
  }
}

void Processor::run_block() {
  state_.fill(State::ended);
  std::fill_n(state_.begin(), threads_, State::ready);
  for (Warp& warp : warps_) warp = Warp{};
  for (unsigned thread = threads_; thread < (threads_ + kLanes - 1) / kLanes * kLanes; ++thread)
    warps_[thread / kLanes].ended |= 1u << thread % kLanes;
  live_ = threads_;
  in_block_ = 0;
  count_ = 0;
  meet_before(&state_);
  while (live_ > 0) {
    moved_ = false;
    sweep();
    if (!moved_) fail("all threads of the block that are left wait for each other");
  }
  meet_after(&live_);
}

/// Lets each thread go on that can, warp by warp; the first one changes from time to time.
void Processor::sweep() {
  const unsigned warps = (threads_ + kLanes - 1) / kLanes;
  const unsigned first = draw(warps);
  const unsigned first_lane = draw(kLanes);
  for (unsigned i = 0; i < warps; ++i)
    for (unsigned j = 0; j < kLanes; ++j) {
      const unsigned thread = (first + i) % warps * kLanes + (first_lane + j) % kLanes;
      if (state_[thread] == State::ready) turn(thread);
    }
}

void Processor::turn(unsigned thread) {
  moved_ = true;
  threadIdx = uint3{thread, 0, 0};
  if (!fibers_[thread]->turn()) return;
  state_[thread] = State::ended;
  --live_;
  const unsigned warp = thread / kLanes;
  warps_[warp].ended |= 1u << thread % kLanes;
  open_warp(warp);
  open_block();
}

/// Lets a warp's lanes go on if all have come.
void Processor::open_warp(unsigned number) {
  Warp& warp = warps_[number];
  if (warp.waiting == 0 || (warp.mask & ~warp.ended & ~warp.waiting) != 0) return;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if ((warp.waiting >> lane & 1) != 0) state_[number * kLanes + lane] = State::ready;
  warp.waiting = 0;
  warp.turn ^= 1;
  warp.brought[warp.turn] = 0;
  warp.slots[warp.turn] = {};
}

void Processor::open_block() {
  if (in_block_ == 0 || in_block_ < live_) return;
  for (unsigned thread = 0; thread < threads_; ++thread)
    if (state_[thread] == State::in_block) state_[thread] = State::ready;
  in_block_ = 0;
  counted_ = count_;
  count_ = 0;
}

const Slots& Processor::meet(Meeting what, unsigned mask, std::uint64_t own) {
  const unsigned thread = threadIdx.x;
  const unsigned bit = 1u << thread % kLanes;
  Warp& warp = warps_[thread / kLanes];
  if ((mask & bit) == 0) fail("a lane meets others with a mask in which it is not");
  if (warp.waiting == 0) {
    warp.what = what;
    warp.mask = mask;
  }
  if (warp.what != what) fail("lanes of a warp meet in different operations");
  if (warp.mask != mask) fail("lanes of a warp meet with different masks");
  const unsigned turn = warp.turn;
  warp.slots[turn][thread % kLanes] = own;
  warp.brought[turn] |= bit;
  warp.waiting |= bit;
  state_[thread] = State::in_warp;
  meet_before(&warp);
  open_warp(thread / kLanes);
  fibers_[thread]->wait();
  meet_after(&warp);
  return warp.slots[turn];
}

void Processor::need_lane(unsigned lane) {
  const Warp& warp = warps_[threadIdx.x / kLanes];
  if ((warp.brought[warp.turn ^ 1] >> lane & 1) == 0)
    fail("a lane reads from one that did not meet it");
}

int Processor::count_in_block(bool own) {
  const unsigned thread = threadIdx.x;
  state_[thread] = State::in_block;
  ++in_block_;
  if (own) ++count_;
  meet_before(&in_block_);
  open_block();
  fibers_[thread]->wait();
  meet_after(&in_block_);
  return counted_;
}

void Processor::sync_grid() {
  count_in_block(false);
  if (threadIdx.x == 0) {
    const unsigned round = run_->round;
    meet_before(run_);
    if (++run_->waiting == static_cast<int>(run_->grid->blocks)) {
      run_->waiting = 0;
      ++run_->round;
    }
    while (run_->round == round) std::this_thread::yield();
    meet_after(run_);
  }
  count_in_block(false);
}

void Processor::give_way() {
  constexpr unsigned kSeldom = 8;
  if (draw(kSeldom) == 0) fibers_[threadIdx.x]->wait();
}

/// All processors, and the callers that wait for them.
class Device {
 public:
  Device() {
    for (int i = 0; i < kProcessors; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Device() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void run(Run& run) {
    const std::lock_guard one_grid(grids_);
    std::unique_lock lock(mutex_);
    meet_before(&run);
    run_ = &run;
    busy_ = kProcessors;
    ++number_;
    wake_.notify_all();
    done_.wait(lock, [&] { return busy_ == 0; });
    run_ = nullptr;
  }

 private:
  void serve() {
    Processor own;
    for (std::uint64_t seen = 0;; ++seen) {
      Run* run = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return ends_ || number_ > seen; });
        if (ends_) return;
        run = run_;
      }
      own.work(*run);
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex grids_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Run* run_ = nullptr;
  std::uint64_t number_ = 0;  ///< of grids so far
  int busy_ = 0;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

void run(const Grid& grid, const std::function<void()>& kernel) {
  static Device device;
  Run one{&grid, &kernel};
  device.run(one);
}

const Slots& meet(Meeting what, unsigned mask, std::uint64_t own) {
  return processor->meet(what, mask, own);
}
void need_lane(unsigned lane) { processor->need_lane(lane); }
void sync_block() { processor->count_in_block(false); }
int count_in_block(bool own) { return processor->count_in_block(own); }
void sync_grid() { processor->sync_grid(); }
void give_way() { processor->give_way(); }

}  // namespace emulator
