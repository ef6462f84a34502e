// SPDX-License-Identifier: Apache-2.0
#include "threads/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "threads/tsan_order.hpp"

namespace thiessen {
namespace {

/// Asked for more threads than there are processors, TBB would print a warning and use fewer. The
/// limit is one of the whole process, and the least of all that are set at a time: one for each
/// Context would bind the others. So there is a single one, which only grows.
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

}  // namespace

struct ThreadPool {
  explicit ThreadPool(int count) : arena(count) { allow_threads(count); }

  tbb::task_arena arena;
};

int processors() { return tbb::info::default_concurrency(); }

void open_threads(ContextState& state, int threads) {
  state.threads = threads > 0 ? threads : processors();
  state.pool = std::make_shared<ThreadPool>(state.threads);
}

void parallel_for(ContextState& state, std::int64_t count, std::int64_t grain, std::int64_t units,
                  const Piece& piece) {
  grain = std::max<std::int64_t>(grain, 1);
  const auto run = [&](std::int64_t begin, std::int64_t end, int worker) {
    piece(begin, end, worker);
    state.progress.advance((end - begin) * units);
  };
  if (state.threads == 1) {  // on the caller's own thread, without a pool
    for (std::int64_t begin = 0; begin < count; begin += grain)
      run(begin, std::min(begin + grain, count), 0);
    return;
  }
  const LoopOrder loop_order(&state);
  state.pool->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, count, static_cast<std::size_t>(grain)),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          const int worker = tbb::this_task_arena::current_thread_index();
          const PieceOrder piece_order(&state, worker);
          run(range.begin(), range.end(), worker);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace thiessen
