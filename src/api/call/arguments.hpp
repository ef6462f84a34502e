// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/outputs.hpp"
#include "operations/operation.hpp"
#include "thiessen/context.hpp"

namespace thiessen {

/// The structs of one call of an operation, as its rows know them.
class Arguments {
 public:
  virtual ~Arguments() = default;

  virtual void run(Context& context) = 0;
  /// What memory for the outputs depends on.
  virtual ResultShape shape() const = 0;

  void* inputs = nullptr;
  void* options = nullptr;
  void* outputs = nullptr;
  void* results = nullptr;
};

std::unique_ptr<Arguments> make_arguments(const Operation& operation);

}  // namespace thiessen
