// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "report.hpp"

namespace thiessen::cli {

/// How much of a command's work is done, told on stderr.
///
/// On a terminal a bar with percentage, speed and the time that is left; it comes after half a
/// second, and goes away at the end or before an error is told. Elsewhere, if --progress asks for
/// it, the text that GDAL's programs print, one write for each of its signs: a dot for every 2.5 %,
/// a number for every 10 %.
///
///     0...10...20...30...40...50...60...70...80...90...100 - done.
class Progress {
 public:
  explicit Progress(const TalkArguments& arguments);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins a part of the work, which ends when the fraction `end` of all is done. `name` is a
  /// literal; `cells` are those of the whole part, for the speed, or 0.
  void stage(const char* name, double end, std::int64_t cells = 0) noexcept;

  /// That fraction of the stage is done. From any thread, one at a time; less than before is
  /// passed over.
  void advance(double fraction) noexcept;

  /// For readers and writers: advance() from `first` to `last`. Throws Error{cancelled} after a
  /// signal. Must not outlive this object.
  std::function<void(double)> checkpoint(double first = 0, double last = 1);

  /// All is done. Without it the work counts as broken off.
  void finish() noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Style { none, bar, text };

  static Style style_for(const TalkArguments& arguments) noexcept;
  void show_text() noexcept;
  void show_bar() noexcept;
  std::string describe(Clock::time_point now) const;

  Style style_;
  Clock::time_point start_ = Clock::now(), stage_start_ = start_, shown_ = start_;
  const char* name_ = "";
  std::int64_t cells_ = 0;
  double begin_ = 0, end_ = 0;  // of the stage
  double part_ = 0, whole_ = 0;
  bool visible_ = false;
  int ticks_ = 0;
};

}  // namespace thiessen::cli
