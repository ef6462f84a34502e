// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace thiessen {

/// A thread that does one task after the other beside the caller: files are read and written while
/// the library computes. What is opened in a task must be closed in one.
class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Waits for the task before, whose exception it throws, and begins this one.
  void start(std::function<void()> task) {
    wait();
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }

  /// Waits for the last task, and throws its exception.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !task_; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return task_ || ends_; });
      if (!task_) return;
      lock.unlock();
      std::exception_ptr failure;
      try {
        task_();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      task_ = nullptr;
      failure_ = failure;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  std::exception_ptr failure_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace thiessen
