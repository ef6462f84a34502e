// SPDX-License-Identifier: Apache-2.0
//
// Runs the command as a user would: a process of its own, in a folder of its own, without a shell.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

  /// The names of everything in it, hidden files included, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

/// A signal for the running command.
struct Interruption {
  int signal = 0;
  /// Called with the process every few milliseconds; `delay` starts when it returns true. Empty: at
  /// once.
  std::function<bool(pid_t)> ready = {};
  std::chrono::milliseconds delay{0};
  bool after_words = false;  ///< not before there is output on stderr
  int second_signal = 0;     ///< another one, before the command can act on the first
};

/// The sizes of the files below a folder that a process has open, including those without a name.
std::vector<std::uintmax_t> open_files(pid_t process, const std::filesystem::path& folder);

struct Settings {
  std::vector<std::string> launcher = {};  ///< a program that runs the command, and its arguments
  std::filesystem::path folder = ".";
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< besides our own
  std::optional<std::uint64_t> file_size_limit = std::nullopt;        ///< RLIMIT_FSIZE, in bytes
  std::optional<std::uint64_t> memory_limit = std::nullopt;           ///< RLIMIT_AS, in bytes
  std::optional<std::uint64_t> stack_limit = std::nullopt;            ///< RLIMIT_STACK, in bytes
  bool close_stderr = false;                                          ///< as `2>&-` in a shell
  std::optional<std::string> output = std::nullopt;  ///< a file or device in place of our pipe
  std::optional<int> terminal = std::nullopt;        ///< stderr is a terminal of so many columns
  std::optional<Interruption> interruption = std::nullopt;
  std::chrono::seconds limit{120};  ///< killed after that
};

/// The exit code of bad usage or bad input.
inline constexpr int kBadUsage = 2;

struct Outcome {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;
  bool timed_out = false;
  std::string out;                              ///< of stdout
  std::string err;                              ///< of stderr
  std::chrono::duration<double> reaction{0.0};  ///< from the interruption to the end
};

/// Runs the command (THIESSEN_COMMAND) with these arguments.
Outcome run_command(const std::vector<std::string>& arguments, const Settings& settings = {});

std::vector<std::string> lines_of(const std::string& text);

/// A test with a folder for its files, in which the command runs.
class CommandTest : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::vector<std::string> names() const { return folder_.names(); }

  /// Spaces separate `arguments`; a word cannot hold one, and '' is the empty word.
  Outcome run(std::string_view arguments, Settings settings = {}) const;

  /// run(), which must end with exit code 0 and print nothing.
  void succeed(std::string_view arguments) const;

  /// Sizes of the output files that a command is writing.
  std::vector<std::uintmax_t> output_files(pid_t process) const {
    return open_files(process, folder_.path());
  }

  void write_bytes(const std::string& name, std::string_view bytes) const;
  std::string read_bytes(const std::string& name) const;
  void write(const std::string& name, const Raster& raster) const;
  Raster read(const std::string& name) const;

  /// Expects a raster of these cells; NaN equals NaN.
  template <class T>
  void expect_cells(const std::string& file, std::initializer_list<T> cells) const {
    const Raster raster = read(file);
    const View<const T> view = std::as_const(raster).view<T>();
    ASSERT_EQ(raster.extents().count(), static_cast<std::int64_t>(cells.size())) << file;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const T actual = view.data()[i];
      const T expected = cells.begin()[i];
      if (expected != expected)
        EXPECT_NE(actual, actual) << file << ", cell " << i;
      else
        EXPECT_EQ(actual, expected) << file << ", cell " << i;
    }
  }

 private:
  TemporaryFolder folder_;
};

/// Exactly one line on stderr, from us, and nothing on stdout.
void expect_one_line_of_complaint(const Outcome& outcome);

template <class T>
Raster raster_of(const Extents& extents, std::initializer_list<T> cells) {
  Raster raster = Raster::of<T>(extents);
  EXPECT_EQ(raster.size_bytes(), cells.size() * sizeof(T));
  std::copy(cells.begin(), cells.end(), raster.view<T>().data());
  return raster;
}

}  // namespace thiessen::cli
