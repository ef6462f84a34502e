// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <nanobind/stl/string.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "thiessen/error.hpp"
#include "words.hpp"

namespace thiessen::python {
namespace {

/// Times that this process and those that it comes from were forked. After a fork the threads of
/// the parent exist in the parent only, and to wait for one takes forever.
class Forks {
 public:
  static int count() { return counter.load(); }

 private:
  static inline std::atomic<int> counter{0};
  static inline const int handler_installed = pthread_atfork(nullptr, nullptr, [] { ++counter; });
};

/// The contexts of one thread, those that were used last. A context in use is not among them, so
/// that a call from within a call (a progress callable may do that) gets another one.
class Contexts {
 public:
  using Key = std::tuple<std::string, int, std::uintptr_t>;

  Contexts() = default;
  Contexts(const Contexts&) = delete;
  ~Contexts() { forget_those_of_the_parent(); }

  std::unique_ptr<Context> take(const Key& key) {
    forget_those_of_the_parent();
    if (const auto found = find(key); found != kept_.end()) {
      std::unique_ptr<Context> context = std::move(found->second);
      kept_.erase(found);
      return context;
    }
    const auto& [device, threads, stream] = key;
    return std::make_unique<Context>(ContextOptions{
        .device = device, .threads = threads, .stream = reinterpret_cast<void*>(stream)});
  }
  void put_back(const Key& key, std::unique_ptr<Context> context) {
    constexpr std::size_t kMost = 4;  // each has threads and memory
    if (const auto found = find(key); found != kept_.end()) kept_.erase(found);
    if (kept_.size() == kMost) kept_.erase(kept_.begin());
    kept_.emplace_back(key, std::move(context));
  }
  void synchronize() {
    forget_those_of_the_parent();
    for (const auto& [key, context] : kept_) context->synchronize();
  }
  void release_scratch() {
    forget_those_of_the_parent();
    for (const auto& [key, context] : kept_) context->release_scratch();
  }

 private:
  using Kept = std::vector<std::pair<Key, std::unique_ptr<Context>>>;

  Kept::iterator find(const Key& key) {
    return std::find_if(kept_.begin(), kept_.end(),
                        [&](const auto& kept) { return kept.first == key; });
  }

  /// Their memory is lost.
  void forget_those_of_the_parent() {
    if (forks_ == Forks::count()) return;
    forks_ = Forks::count();
    for (auto& [key, context] : kept_) static_cast<void>(context.release());
    kept_.clear();
  }

  Kept kept_;
  int forks_ = Forks::count();
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

/// Throws Error{out_of_memory} if the thread cannot be started.
template <class Work>
std::unique_ptr<Running> start(Work&& work) {
  try {
    return std::make_unique<Running>(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::out_of_memory,
                "no thread can be started for the call: " + std::string(error.what()));
  }
}

/// Runs the work beside this thread, which looks after Python in the meantime.
void watch(std::unique_ptr<Context>& kept, const nb::object& progress,
           const std::function<void(Context&)>& work) {
  Context& context = *kept;
  constexpr std::chrono::milliseconds kInterval{20};
  std::atomic<double> fraction{0};
  if (!progress.is_none()) context.on_progress([&](double now) { fraction = now; });

  double told = 0;
  const auto look_after_python = [&] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (const double now = fraction; now > told && !progress.is_none()) progress(told = now);
  };
  const int forks = Forks::count();
  auto running = start([&] { work(context); });
  try {
    for (bool done = false; !done;) {
      {
        const WithoutGil without_gil;
        done = running->wait_for(kInterval);
      }
      if (!done) look_after_python();
      if (forks != Forks::count())
        throw std::runtime_error(
            "the process was forked by a callable that this call has called; "
            "the call goes on in the parent only");
    }
  } catch (...) {
    if (forks != Forks::count()) {
      static_cast<void>(running.release());
      static_cast<void>(kept.release());
      throw;
    }
    const WithoutGil without_gil;
    context.cancel();
    running->join();
    throw;
  }
  running->finish();
  look_after_python();  // the last report, and a signal that came just before the end
}

Told warnings_of(const Context& context) {
  Told told;
  for (const Warning& warning : context.warnings())
    told.emplace_back(name_of(warning.kind), warning.count, in_words_of_python(warning.message));
  return told;
}

}  // namespace

void WithoutGil::take_back() noexcept {
  try {
    PyEval_RestoreThread(thread_);
  } catch (...) {
    while (true) pause();
  }
}

void WithoutGil::look_for_signals() {
  take_back();
  std::exception_ptr raised;
  if (PyErr_CheckSignals() != 0) raised = std::make_exception_ptr(nb::python_error());
  thread_ = PyEval_SaveThread();
  if (raised) std::rethrow_exception(raised);
}

Told call_on(std::unique_ptr<Context>& context, const CallOptions& options, bool brief,
             const std::function<void(Context&)>& work) {
  Told told;
  const auto work_to_the_end = [&](Context& running) {
    work(running);
    if (options.wait) running.synchronize();
    told = warnings_of(running);
  };
  if (brief && options.progress.is_none()) {
    const WithoutGil without_gil;
    work_to_the_end(*context);
  } else {
    watch(context, options.progress, work_to_the_end);
    context->on_progress({});
  }
  return told;
}

Told call(const CallOptions& options, bool brief, const std::function<void(Context&)>& work) {
  const Contexts::Key key{options.device, options.threads, options.stream};
  std::unique_ptr<Context> context = contexts().take(key);
  Told told = call_on(context, options, brief, work);
  // Only after success: a cancel() that came too late for its call would end the next one.
  contexts().put_back(key, std::move(context));
  return told;
}

void synchronize() {
  const WithoutGil without_gil;
  contexts().synchronize();
}

void release_scratch() { contexts().release_scratch(); }

void bind_call_options(nb::module_& module) {
  nb::class_<CallOptions>(module, "CallOptions")
      .def_rw("device", &CallOptions::device)
      .def_rw("threads", &CallOptions::threads)
      .def_rw("progress", &CallOptions::progress, nb::for_setter(nb::arg("report").none()))
      .def_rw("stream", &CallOptions::stream)
      .def_rw("wait", &CallOptions::wait);
}

}  // namespace thiessen::python
