// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

/// The bytes that are available without swapping, or -1 if the system does not say.
std::int64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  for (std::string rest; info >> name >> kibibytes; std::getline(info, rest))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return -1;
}

std::string gibibytes(double bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GiB", bytes / 0x1p30);
  return text.data();
}

}  // namespace

void require_memory(std::int64_t cells, std::size_t bytes_per_cell, const std::string& cause) {
  const std::int64_t available = available_memory();
  if (available < 0 || cells <= available / static_cast<std::int64_t>(bytes_per_cell)) return;
  const double needed = static_cast<double>(cells) * static_cast<double>(bytes_per_cell);
  throw Error(ErrorCode::out_of_memory,
              (cause.empty() ? "" : cause + ": ") + std::to_string(cells) + " cells of " +
                  std::to_string(bytes_per_cell) + (bytes_per_cell == 1 ? " byte" : " bytes") +
                  " need " + gibibytes(needed) + " of memory, and " +
                  gibibytes(static_cast<double>(available)) + " are available");
}

void require_memory_for_file(const std::string& path, std::size_t bytes_per_byte) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (!none) require_memory(static_cast<std::int64_t>(size), bytes_per_byte, path);
}

}  // namespace thiessen::cli
