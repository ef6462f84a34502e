// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <fstream>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

/// Bytes that can be had without swapping, or -1 where the system does not say.
std::int64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  for (std::string rest; info >> name >> kibibytes; std::getline(info, rest))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return -1;
}

}  // namespace

void require_memory(std::int64_t bytes) {
  const std::int64_t available = available_memory();
  if (available < 0 || bytes <= available) return;
  throw Error(ErrorCode::out_of_memory, "this takes " + std::to_string(bytes >> 20) +
                                            " MiB of memory; " + std::to_string(available >> 20) +
                                            " MiB are available");
}

}  // namespace thiessen::cli
