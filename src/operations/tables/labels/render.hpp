// SPDX-License-Identifier: Apache-2.0
//
// What render() takes and gives besides the structs of its own header.
#pragma once

#include <cstdint>
#include <vector>

#include "thiessen/render.hpp"

namespace thiessen {

struct RenderShape : RenderOptions {
  std::vector<std::int64_t> shape = {};
};

struct RenderOutputs {
  View<std::uint8_t> pixels;
};

}  // namespace thiessen
