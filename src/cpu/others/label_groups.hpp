// SPDX-License-Identifier: Apache-2.0
//
// The groups of sites that share a label, for outputs that tell of sites of another label.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/statistics/label_slots.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Numbers labels from 0 on in the order in which they turn up. Two NaN are one label, as are 0 and
/// -0.
class LabelGroups {
 public:
  explicit LabelGroups(ElementType type) : type_(type), slots_({}) {}

  std::uint32_t group_of(const std::byte* label);
  std::uint32_t count() const { return static_cast<std::uint32_t>(slots_.size()) - 1; }

 private:
  ElementType type_;
  LabelSlots slots_;  ///< a group is one less than its slot
};

}  // namespace thiessen
