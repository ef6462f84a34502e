// SPDX-License-Identifier: Apache-2.0
//
// The state of a Context behind its public face.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/engine_limits.hpp"
#include "core/base/scratch.hpp"
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
    part_.store(part, std::memory_order_relaxed);
    parts_.store(count, std::memory_order_relaxed);
  }
  /// Counts units of work and reports; throws Error{cancelled} after cancel().
  void advance(std::int64_t units);
  /// Throws Error{cancelled} after cancel(), but not after commit().
  void check() const;
  /// Throws Error{cancelled} after cancel() for the last time: from now on nothing ends the call,
  /// so that it may change what would have to stay as it was. Reports before that all is done.
  void commit();
  /// Reports that all is done, unless commit() has.
  void end();
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  /// A call begins (threads/guarded.hpp), maybe as a part of another one.
  void begin_call() noexcept;
  /// It ends, with its commit(). A cancel() and parts are forgotten with the whole call.
  void end_call() noexcept;

 private:
  double fraction(std::int64_t done) const;
  void report_if_due(std::int64_t done);

  Progress* whole_ = nullptr;
  int calls_ = 0;  ///< that are running, each a part of the one before
  // A callback may begin a call while others of the threads advance in that which it is a part of.
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> committed_{false};
  std::atomic<std::int64_t> done_{0};
  std::atomic<std::int64_t> total_{0};
  std::atomic<double> before_{0};  ///< the fraction that was done before these units
  std::atomic<std::int64_t> part_{0};
  std::atomic<std::int64_t> parts_{1};
  std::atomic<double> reported_{0};
  std::atomic_flag reporting_;
};

/// Threads of the host (threads/parallel.hpp).
struct ThreadPool;

class ContextUse;

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
  /// The innermost use that is under way (threads/context_use.hpp).
  std::atomic<const ContextUse*> use{nullptr};
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
