// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thiessen {

/// Makes room for more elements, so that adding them does not throw. A list that grows little by
/// little is copied seldom.
template <class Element>
void make_room(std::vector<Element>& list, std::int64_t more = 1) {
  const std::size_t all = list.size() + static_cast<std::size_t>(more);
  if (all > list.capacity()) list.reserve(std::max(all, 2 * list.capacity()));
}

}  // namespace thiessen
