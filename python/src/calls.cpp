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
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "thiessen/error.hpp"
#include "thiessen/nearest_site.hpp"
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

/// Has a context report to this object, as long as it lives.
class Reports {
 public:
  Reports(Context& context, std::function<void(double)> report) : context_(context) {
    context.on_progress(std::move(report));
  }
  Reports(const Reports&) = delete;
  ~Reports() { context_.on_progress({}); }

 private:
  Context& context_;
};

/// Work on a thread of its own, and what it and the thread that looks after Python tell each other.
/// When a call has reported that all is done, nothing ends it any more. So it waits there until all
/// that can be raised has been.
class Running {
 public:
  Running(Context& context, const std::function<void(Context&)>& work)
      : reports_(context, [this](double now) { report(now); }), thread_([this, &context, &work] {
          try {
            work(context);
          } catch (...) {
            error_ = std::current_exception();
          }
          const std::scoped_lock lock(mutex_);
          done_ = true;
          changed_.notify_all();
        }) {}

  /// Waits for a while, or until the work waits or is done.
  void wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return done_ || waits_; });
  }
  bool is_done() {
    const std::scoped_lock lock(mutex_);
    return done_;
  }
  /// How much is done; nothing if it is too late to end the call.
  std::optional<double> fraction() {
    const std::scoped_lock lock(mutex_);
    if (fraction_ >= 1 && !waits_) return std::nullopt;
    return fraction_;
  }
  /// Has the work go on if it waits, with `always` never to wait again.
  void go_on(bool always) {
    const std::scoped_lock lock(mutex_);
    waits_ = false;
    is_heard_ = !always;
    changed_.notify_all();
  }

  /// Waits for the end and throws what the work threw.
  void finish() {
    join();
    if (error_) std::rethrow_exception(error_);
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  /// After join().
  bool was_cancelled() const {
    try {
      if (error_) std::rethrow_exception(error_);
    } catch (const Error& error) {
      return error.code() == ErrorCode::cancelled;
    } catch (...) {
      return false;
    }
    return false;
  }
  ~Running() { join(); }

 private:
  void report(double now) {
    std::unique_lock lock(mutex_);
    fraction_ = now;
    if (now < 1 || !is_heard_) return;
    waits_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !waits_; });
  }

  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  double fraction_ = 0;
  bool waits_ = false;
  bool is_heard_ = true;
  bool done_ = false;
  Reports reports_;
  std::thread thread_;  // last: it uses the others
};

/// Throws Error{out_of_memory} if the thread cannot be started.
std::unique_ptr<Running> start(Context& context, const std::function<void(Context&)>& work) {
  try {
    return std::make_unique<Running>(context, work);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::out_of_memory,
                "no thread can be started for the call: " + std::string(error.what()));
  }
}

/// Makes a call that a cancel() ends which came when its own call had ended already, with an error.
void forget_cancel(Context& context) {
  try {
    nearest_site(context, View<const std::uint8_t>(nullptr, {0, 0}), {}, {});
  } catch (const Error&) {  // it has come
  }
}

/// Runs the work beside this thread, which looks after Python in the meantime.
void watch(std::unique_ptr<Context>& kept, const nb::object& progress,
           const std::function<void(Context&)>& work) {
  constexpr std::chrono::milliseconds kInterval{20};
  double told = 0;
  const auto look_after_python = [&](double now) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (now > told && !progress.is_none()) progress(told = now);
  };
  const int forks = Forks::count();
  auto running = start(*kept, work);
  try {
    while (!running->is_done()) {
      {
        const WithoutGil without_gil;
        running->wait_for(kInterval);
      }
      const std::optional<double> now = running->fraction();
      if (now && !running->is_done()) look_after_python(*now);
      if (forks != Forks::count())
        throw std::runtime_error(
            "the process was forked by a callable that this call has called; "
            "the call goes on in the parent only");
      if (now && *now >= 1) running->go_on(false);
    }
  } catch (...) {
    if (forks != Forks::count()) {
      static_cast<void>(running.release());
      static_cast<void>(kept.release());
      throw;
    }
    const WithoutGil without_gil;
    kept->cancel();
    running->go_on(true);
    running->join();
    if (!running->was_cancelled()) forget_cancel(*kept);
    throw;
  }
  running->finish();
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

void with_gil(const std::function<void()>& act) {
  PyGILState_STATE state{};
  try {
    state = PyGILState_Ensure();
    act();
  } catch (const std::exception&) {
    PyGILState_Release(state);
    throw;
  } catch (...) {
    while (true) pause();
  }
  PyGILState_Release(state);
}

CallOptions to_call_options(nb::handle options) {
  return {.device = nb::cast<std::string>(options.attr("device")),
          .threads = nb::cast<int>(options.attr("threads")),
          .progress = options.attr("progress"),
          .stream = nb::cast<std::uintptr_t>(options.attr("stream")),
          .wait = nb::cast<bool>(options.attr("wait"))};
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

}  // namespace thiessen::python
