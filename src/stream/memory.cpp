// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

#include "thiessen/slabs/stream.hpp"

namespace thiessen {

std::int64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  for (std::string rest; info >> name >> kibibytes; std::getline(info, rest))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return -1;
}

}  // namespace thiessen
