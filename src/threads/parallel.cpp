// SPDX-License-Identifier: Apache-2.0
#include "threads/parallel.hpp"

#include <pthread.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "thiessen/error.hpp"
#include "threads/context_use.hpp"
#include "threads/tsan_order.hpp"

namespace thiessen {
namespace {

/// If a program wants more threads than there are processors, TBB prints a warning and uses fewer.
/// Its limit holds for the whole process, and the least of all limits set at a time counts: one for
/// each Context would bind the others. So there is a single one, which only grows.
void allow_threads(int count) {
  static std::mutex mutex;
  static int allowed = processors();
  static tbb::global_control* limit = nullptr;  // for as long as the process runs
  const std::scoped_lock lock(mutex);
  if (count <= allowed) return;
  const std::unique_ptr<tbb::global_control> former(limit);
  limit = new tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(count));
  allowed = count;
}

/// Threads that wait for each other, so that all exist at the same time.
class ThreadTrial {
 public:
  ThreadTrial() {
    gate_.lock();
    pthread_attr_init(&attributes_);
    pthread_attr_setstacksize(
        &attributes_, tbb::global_control::active_value(tbb::global_control::thread_stack_size));
  }
  ThreadTrial(const ThreadTrial&) = delete;
  ThreadTrial& operator=(const ThreadTrial&) = delete;
  ~ThreadTrial() {
    gate_.unlock();
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes_);
  }

  /// Starts one thread; returns 0 or the number of the error.
  int start() {
    const auto wait = [](void* gate) -> void* {
      const std::scoped_lock passed(*static_cast<std::mutex*>(gate));
      return nullptr;
    };
    threads_.emplace_back();
    const int failure = pthread_create(&threads_.back(), &attributes_, wait, &gate_);
    if (failure != 0) threads_.pop_back();
    return failure;
  }

 private:
  pthread_attr_t attributes_{};
  std::mutex gate_;  ///< held for as long as the threads are to wait
  std::vector<pthread_t> threads_;
};

/// Throws Error{out_of_memory} if the system does not give this process so many threads. TBB's
/// threads start each other, and if one fails to, it ends the process. So it is tried before, once
/// for each number that is larger than all before it.
void try_threads(int count) {
  static std::mutex mutex;
  static int tried = 1;
  const std::scoped_lock lock(mutex);
  if (count <= tried) return;
  ThreadTrial trial;
  for (int more = tried; more < count; ++more)
    if (const int failure = trial.start(); failure != 0)
      throw Error(ErrorCode::out_of_memory,
                  {"threads", std::to_string(count),
                   "only " + std::to_string(more) + " can be started: " + std::strerror(failure)});
  tried = count;
}

}  // namespace

struct ThreadPool {
  explicit ThreadPool(int count) : arena(count) { allow_threads(count); }

  tbb::task_arena arena;
};

namespace {

/// Pools of contexts that are gone, for those to come. TBB frees an arena only once all of its
/// threads have been idle for long, so that a program that makes and drops contexts would grow.
class SparePools {
 public:
  static SparePools& of_process() {
    static SparePools* const own = new SparePools;  // contexts of static objects outlive others
    return *own;
  }

  std::shared_ptr<ThreadPool> take(int threads) {
    std::unique_ptr<ThreadPool> pool = find(threads);
    if (!pool) pool = std::make_unique<ThreadPool>(threads);
    return {pool.release(), [this](ThreadPool* used) { put_back(used); }};
  }

 private:
  std::unique_ptr<ThreadPool> find(int threads) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(spare_.begin(), spare_.end(), [&](const auto& each) {
      return each->arena.max_concurrency() == threads;
    });
    if (found == spare_.end()) return nullptr;
    std::unique_ptr<ThreadPool> pool = std::move(*found);
    spare_.erase(found);
    return pool;
  }

  void put_back(ThreadPool* used) noexcept {
    std::unique_ptr<ThreadPool> pool(used);
    try {
      const std::scoped_lock lock(mutex_);
      spare_.push_back(std::move(pool));
    } catch (const std::bad_alloc&) {  // then there is one less
    }
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadPool>> spare_;
};

}  // namespace

int processors() { return tbb::info::default_concurrency(); }

void open_threads(ContextState& state, int threads) {
  state.threads = threads > 0 ? threads : processors();
  state.pool = SparePools::of_process().take(state.threads);
}

void parallel_for(ContextState& state, std::int64_t count, std::int64_t grain, std::int64_t units,
                  const Piece piece) {
  grain = std::max<std::int64_t>(grain, 1);
  const auto run = [&](std::int64_t begin, std::int64_t end, int worker) {
    piece(begin, end, worker);
    state.progress.advance((end - begin) * units);
  };
  if (state.threads == 1 || count <= grain) {  // the caller's own thread, without a pool
    const int own = std::max(tbb::this_task_arena::current_thread_index(), 0);
    const int worker = own < state.threads ? own : 0;  // a piece of a loop may begin another loop
    for (std::int64_t begin = 0; begin < count; begin += grain)
      run(begin, std::min(begin + grain, count), worker);
    return;
  }
  try_threads(state.threads);
  const LoopOrder loop_order(&state);
  const ContextUse* const use = use_of_thread();
  const auto pieces = [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, count, static_cast<std::size_t>(grain)),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          const int worker = tbb::this_task_arena::current_thread_index();
          const PieceOrder piece_order(&state, worker);
          const WorkForUse work(use);
          run(range.begin(), range.end(), worker);
        },
        tbb::simple_partitioner());
  };
  // A thread that waits for the loop of a callback, within a piece, must not take another piece.
  const auto loop = [&] { tbb::this_task_arena::isolate(pieces); };
  try {
    state.pool->arena.execute(loop);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& failure) {  // from TBB, if a thread could not be started after
                                                 // all
    throw Error(ErrorCode::out_of_memory, failure.what());
  }
}

}  // namespace thiessen
