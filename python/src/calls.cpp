// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace thiessen::python {
namespace {

/// The contexts of one thread. A context in use is not in it, so that a call from within a call (a
/// progress callable may do that) gets another one.
class Contexts {
 public:
  using Key = std::pair<std::string, int>;

  std::unique_ptr<Context> take(const Key& key) {
    forget_those_of_the_parent();
    if (const auto found = kept_.find(key); found != kept_.end())
      if (std::unique_ptr<Context> context = std::move(found->second)) return context;
    return std::make_unique<Context>(ContextOptions{.device = key.first, .threads = key.second});
  }
  void put_back(const Key& key, std::unique_ptr<Context> context) {
    kept_[key] = std::move(context);
  }
  void release_scratch() {
    for (const auto& [key, context] : kept_)
      if (context) context->release_scratch();
  }

 private:
  /// After a fork the threads of a context exist in the parent only: its memory is lost, as joining
  /// them would take forever.
  void forget_those_of_the_parent() {
    if (forks_ == forks_of_process.load()) return;
    forks_ = forks_of_process.load();
    for (auto& [key, context] : kept_) static_cast<void>(context.release());
    kept_.clear();
  }

  static inline std::atomic<int> forks_of_process{0};
  static inline const int handler_installed =
      pthread_atfork(nullptr, nullptr, [] { ++forks_of_process; });

  std::map<Key, std::unique_ptr<Context>> kept_;
  int forks_ = forks_of_process.load();
};

Contexts& contexts() {
  thread_local Contexts of_this_thread;
  return of_this_thread;
}

/// Work on a thread of its own.
class Running {
 public:
  template <class Work>
  explicit Running(Work&& work)
      : thread_([this, work = std::forward<Work>(work)] {
          try {
            work();
          } catch (...) {
            error_ = std::current_exception();
          }
          const std::scoped_lock lock(mutex_);
          done_ = true;
          changed_.notify_one();
        }) {}

  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done_; });
  }

  /// Waits for the end and throws what the work threw.
  void finish() {
    join();
    if (error_) std::rethrow_exception(error_);
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  ~Running() { join(); }

 private:
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // last: it uses the others
};

/// Runs the work beside this thread, which looks after Python in the meantime.
void watch(Context& context, const nb::object& progress,
           const std::function<void(Context&)>& work) {
  constexpr std::chrono::milliseconds kInterval{20};
  std::atomic<double> fraction{0};
  if (!progress.is_none()) context.on_progress([&](double now) { fraction = now; });

  double told = 0;
  const auto look_after_python = [&] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (const double now = fraction; now > told && !progress.is_none()) progress(told = now);
  };
  Running running([&] { work(context); });
  try {
    for (bool done = false; !done;) {
      {
        const nb::gil_scoped_release without_gil;
        done = running.wait_for(kInterval);
      }
      if (!done) look_after_python();
    }
  } catch (...) {
    const nb::gil_scoped_release without_gil;
    context.cancel();
    running.join();
    throw;
  }
  running.finish();
  look_after_python();  // the last report, and a signal that came just before the end
}

}  // namespace

void call(const CallOptions& options, bool brief, const std::function<void(Context&)>& work) {
  const Contexts::Key key{options.device, options.threads};
  std::unique_ptr<Context> context = contexts().take(key);
  if (brief && options.progress.is_none()) {
    const nb::gil_scoped_release without_gil;
    work(*context);
  } else {
    watch(*context, options.progress, work);
    context->on_progress({});
  }
  // Only after success: a cancel() that came too late for its call would end the next one.
  contexts().put_back(key, std::move(context));
}

void release_scratch() { contexts().release_scratch(); }

}  // namespace thiessen::python
