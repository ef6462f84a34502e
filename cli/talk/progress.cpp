// SPDX-License-Identifier: Apache-2.0
#include "talk/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "talk/interrupt.hpp"

namespace thiessen::cli {
namespace {

constexpr int kTicks = 40;
constexpr int kTicksPerNumber = 4;
constexpr std::chrono::milliseconds kPatience(500), kRedraw(100);
constexpr std::string_view kEraseLine = "\r\033[K";

/// A failed write here is no failure of the command.
void put(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool can_erase_lines() noexcept {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::strcmp(terminal, "dumb") != 0;
}

int terminal_width() noexcept {
  constexpr int kUsual = 80;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

Progress::Progress(const TalkArguments& arguments) : style_(style_for(arguments)) {}

Progress::~Progress() {
  if (visible_) put(style_ == Style::bar ? kEraseLine : "\n");
}

Progress::Style Progress::style_for(const TalkArguments& arguments) noexcept {
  if (arguments.quiet || arguments.no_progress) return Style::none;
  if (can_erase_lines()) return Style::bar;
  return arguments.progress ? Style::text : Style::none;
}

void Progress::stage(const char* name, double end, std::int64_t cells) noexcept {
  name_ = name;
  cells_ = cells;
  begin_ = end_;
  end_ = end;
  stage_start_ = Clock::now();
  part_ = 0;
  advance(0);
}

void Progress::advance(double fraction) noexcept {
  part_ = std::clamp(fraction, part_, 1.0);
  whole_ = std::max(whole_, begin_ + (end_ - begin_) * part_);
  if (style_ == Style::text) show_text();
  if (style_ == Style::bar) show_bar();
}

std::function<void(double)> Progress::checkpoint(double first, double last) {
  return [=, this](double fraction) {
    throw_if_interrupted();
    advance(first + (last - first) * fraction);
  };
}

void Progress::finish() noexcept {
  whole_ = 1;
  if (style_ == Style::text) show_text();
  if (visible_) put(style_ == Style::bar ? kEraseLine : " - done.\n");
  style_ = Style::none;
  visible_ = false;
}

void Progress::show_text() noexcept {
  if (!visible_) put("0");
  visible_ = true;
  while (ticks_ < static_cast<int>(whole_ * kTicks)) {
    ++ticks_;
    put(ticks_ % kTicksPerNumber == 0 ? std::to_string(100 * ticks_ / kTicks) : ".");
  }
}

void Progress::show_bar() noexcept try {
  const Clock::time_point now = Clock::now();
  if (now - start_ < kPatience || now - shown_ < kRedraw) return;
  shown_ = now;
  visible_ = true;
  // The last column stays free: some terminals begin a new line after it.
  const int width = terminal_width() - 1;
  std::string line = print("%3d%% ", static_cast<int>(100 * whole_));
  const std::string facts = describe(now);
  constexpr int kBrackets = 3, kShortest = 10, kLongest = 60;
  const int room = width - static_cast<int>(line.size() + facts.size()) - kBrackets;
  if (room >= kShortest) {
    const auto length = static_cast<std::size_t>(std::min(room, kLongest));
    const auto filled = static_cast<std::size_t>(whole_ * static_cast<double>(length));
    line += "[" + std::string(filled, '#') + std::string(length - filled, '.') + "] ";
  }
  line += facts;
  line.resize(std::min(line.size(), static_cast<std::size_t>(width)));
  put("\r" + line + "\033[K");
} catch (const std::bad_alloc&) {  // without memory the bar is not drawn
}

/// "compute, 123.4 Mpixel/s, 0:12 left".
std::string Progress::describe(Clock::time_point now) const {
  using Seconds = std::chrono::duration<double>;
  std::string facts = name_;
  const double in_stage = Seconds(now - stage_start_).count();
  if (cells_ > 0 && part_ > 0 && in_stage > 0) {
    facts += print(", %.1f Mpixel/s", static_cast<double>(cells_) * part_ / in_stage / 1e6);
  }
  constexpr double kTooLong = 360'000;  // seconds: no estimate is good for that long
  const double left = Seconds(now - start_).count() * (1 - whole_) / std::max(whole_, 1e-9);
  if (left > kTooLong) return facts;
  const int seconds = static_cast<int>(std::lround(left)), hours = seconds / 3600;
  return facts + ", " +
         (hours > 0 ? print("%d:%02d", hours, seconds / 60 % 60) : print("%d", seconds / 60)) +
         print(":%02d left", seconds % 60);
}

}  // namespace thiessen::cli
