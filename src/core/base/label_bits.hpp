// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// One label as it lies in memory; only the bytes of its element type count.
struct LabelBits {
  alignas(8) std::array<std::byte, 8> bytes{};
};

/// `value` as an element of `type`, which is that of `whose` array. Throws Error{invalid_argument}
/// naming `argument` if the type cannot hold exactly that value.
LabelBits to_label_bits(const LabelValue& value, ElementType type, const char* argument,
                        const char* whose = "the sites'");

}  // namespace thiessen
