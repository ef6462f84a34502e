// SPDX-License-Identifier: Apache-2.0
//
// The state of a Context behind its public face.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine_limits.hpp"
#include "core/scratch.hpp"
#include "thiessen/context.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

class ContextState;

/// What a backend keeps in a Context, such as a stream or a command queue.
class Session {
 public:
  virtual ~Session() = default;

  /// Whether methods take views of this memory.
  virtual bool reaches(MemorySpace space) const { return space == MemorySpace::host; }
  /// Throws Error{invalid_argument} naming `name` if an address in such memory does not belong to
  /// the device.
  virtual void check_address(const char* /*name*/, const void* /*address*/) const {}
  /// Whether methods number boolean sites, points without labels and points in device memory
  /// themselves, and take labels of points with any stride.
  virtual bool makes_labels() const { return false; }
  /// Whether methods themselves make the cells outside of a domain nodata.
  virtual bool marks_outside() const { return false; }
  /// See Context::synchronize().
  virtual void synchronize() {}

  /// Bytes of scratch memory on a device; that on the host is ContextState::scratch.
  virtual std::size_t scratch_bytes() const noexcept { return 0; }
  virtual void release_scratch() noexcept {}
};

/// Progress and cancellation of the running call; advance() may be called from any thread.
class Progress {
 public:
  std::function<void(double)> report;

  void begin(std::int64_t total_units);
  /// What it counts from now on is a part of another one, which has begun with all units.
  void share(Progress& whole) { whole_ = &whole; }
  /// What is left of the call is so many units.
  void begin_rest(std::int64_t units);
  /// The next part is one of `count` equal parts of the call.
  void begin_part(std::int64_t part, std::int64_t count) {
    part_ = part;
    parts_ = count;
  }
  /// Counts units of work and reports; throws Error{cancelled} after cancel().
  void advance(std::int64_t units);
  /// Throws Error{cancelled} after cancel().
  void check() const;
  /// Reports that all is done.
  void end() const;
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  /// Whether a call is running (threads/guarded.hpp).
  bool running() const noexcept { return running_; }
  void run() noexcept { running_ = true; }
  /// Forgets a cancel() and parts: their call is over.
  void resume() noexcept {
    cancelled_.store(false, std::memory_order_relaxed);
    running_ = false;
    part_ = 0;
    parts_ = 1;
  }

 private:
  double fraction(std::int64_t done) const;
  void report_if_due(std::int64_t done);

  Progress* whole_ = nullptr;
  std::atomic<bool> cancelled_{false};
  std::atomic<std::int64_t> done_{0};
  std::int64_t total_ = 0;
  double before_ = 0;  ///< the fraction that was done before these units
  std::int64_t part_ = 0;
  std::int64_t parts_ = 1;
  bool running_ = false;
  std::mutex reporting_;
  double reported_ = 0;
};

/// Threads of the host (threads/parallel.hpp).
struct ThreadPool;

class ContextState {
 public:
  std::string device;
  int threads = 1;
  std::shared_ptr<ThreadPool> pool;
  std::int64_t instruction_sets = 0;  ///< that CPU kernels may use (find_instruction_sets)
  EngineLimits limits;
  std::unique_ptr<Session> session;
  Scratch scratch;
  Progress progress;
  std::vector<Phase> phases;
  std::vector<Warning> warnings;  ///< of the last call
};

/// Appends the time from its construction to its destruction to the phases of the call.
class PhaseTimer {
 public:
  PhaseTimer(ContextState& state, std::string_view name) : state_(state), name_(name) {}
  ~PhaseTimer();
  void note(std::string detail) { detail_ = std::move(detail); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  ContextState& state_;
  std::string_view name_;
  std::string detail_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace thiessen
