// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "talk/report.hpp"

namespace thiessen::cli {

/// Shows on stderr how much of a command's work is done.
///
/// On a terminal it is a bar with percentage, speed and the time that is left; it appears after
/// half a second, and is removed at the end or before an error message. Elsewhere, if --progress is
/// given, it is the text that GDAL's programs print, with one write for each sign: a dot for every
/// 2.5 %, a number for every 10 %.
///
///     0...10...20...30...40...50...60...70...80...90...100 - done.
class Progress {
 public:
  explicit Progress(const TalkArguments& arguments);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins a part of the work, which ends when the fraction `end` of all is done. `name` is a
  /// literal; `cells` is the number of cells of the part, for the speed, or 0.
  void stage(const char* name, double end, std::int64_t cells = 0) noexcept;

  /// Says that this fraction of the stage is done. From any thread, one at a time; a smaller
  /// fraction than before is ignored.
  void advance(double fraction) noexcept;

  /// For readers and writers: calls advance() from `first` to `last`. Throws Error{cancelled} after
  /// a signal. Must not outlive this object.
  std::function<void(double)> checkpoint(double first = 0, double last = 1);

  /// Says that all is done. Without it the work counts as broken off.
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
