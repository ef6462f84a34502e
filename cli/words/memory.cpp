// SPDX-License-Identifier: Apache-2.0
#include "words/memory.hpp"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "operations/rows/numbers.hpp"
#include "slabs/ranks.hpp"
#include "thiessen/error.hpp"
#include "thiessen/slabs/stream.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {

void add_memory_flags(CLI::App& command, MemoryArguments& arguments) {
  const FlagGroup choice(command, "Choice");
  choice.word(
      "--memory", arguments.memory, "SIZE",
      "Memory that the run may take: 500M, 2G. A raster that needs more is done in slabs, with the "
      "same results (default: half of the available memory). With many ranks: memory of each rank");
  choice.word("--slab-rows", arguments.slab_rows, "N",
              "Work in slabs of this many rows (3-D: planes), whatever memory there is");
  choice.flag("--dry-run", arguments.dry_run,
              "Print the memory and the number of slabs that the run would need, and stop");
}

std::int64_t memory_limit(const MemoryArguments& arguments) {
  if (arguments.memory.empty()) {
    const std::int64_t available = available_memory();
    return available < 0 ? std::numeric_limits<std::int64_t>::max()
                         : available / 2 / ranks().on_this_machine();
  }
  constexpr std::string_view kLetters = "KMGT";
  std::string digits = arguments.memory;
  const std::size_t letter =
      kLetters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(digits.back()))));
  if (letter != std::string_view::npos) digits.pop_back();
  const int shift = letter == std::string_view::npos ? 0 : 10 * (static_cast<int>(letter) + 1);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> shift;
  std::int64_t number = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || end.ec != std::errc{} || end.ptr != digits.data() + digits.size() ||
      number < 1 || number > most)
    throw UsageError("--memory " + arguments.memory +
                     ": must be a number of bytes, or one with K, M, G or T: 2G");
  return number << shift;
}

void require_memory(std::int64_t cells, std::size_t bytes_per_cell, const std::string& cause) {
  const std::int64_t available = available_memory();
  if (available < 0 || bytes_per_cell == 0 ||
      cells <= available / static_cast<std::int64_t>(bytes_per_cell))
    return;
  const double needed = static_cast<double>(cells) * static_cast<double>(bytes_per_cell);
  throw Error(ErrorCode::out_of_memory,
              (cause.empty() ? "" : cause + ": ") + std::to_string(cells) + " cells of " +
                  std::to_string(bytes_per_cell) + (bytes_per_cell == 1 ? " byte" : " bytes") +
                  " need " + text_of_bytes(needed) + " of memory, and " +
                  text_of_bytes(static_cast<double>(available)) + " are available");
}

void require_memory(double bytes, const Extents& extents, const std::string& cause) {
  const std::int64_t cells = std::max<std::int64_t>(extents.count(), 1);
  const double of_cell = std::ceil(bytes / static_cast<double>(cells));
  require_memory(cells, std::max<std::size_t>(static_cast<std::size_t>(of_cell), 1), cause);
}

void require_memory_for_file(const std::string& path, std::size_t bytes_per_byte) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (!none) require_memory(static_cast<std::int64_t>(size), bytes_per_byte, path);
}

void give_arrays_back() {
#ifdef __GLIBC__
  constexpr int kArray = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kArray);
#endif
}

}  // namespace thiessen::cli
