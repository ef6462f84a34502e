// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "thiessen/export.hpp"

namespace thiessen {

/// The kind of an error. The message names the argument, its value and the rule.
enum class ErrorCode {
  invalid_argument,  ///< an argument breaks a documented rule
  unsupported,       ///< no backend or method of this build can do what is asked
  out_of_memory,     ///< memory was refused; the message says how many bytes were asked for
  cancelled,         ///< Context::cancel() was called
  device_failed,     ///< a device, or the driver of one, reports a fault
  io,                ///< a file cannot be read or written (only thrown by file readers and writers)
};

/// An argument that breaks a rule: "k", "2000", "must be from 0 to 1024".
struct BrokenRule {
  std::string argument = {};  ///< the name of an option, an input or an output
  std::string value = {};     ///< empty if there is none to show
  std::string rule = {};
};

/// The only exception type that the library throws on purpose.
class THIESSEN_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : Error(code, message, {}) {}

  /// The message is "k = 2000; must be from 0 to 1024".
  Error(ErrorCode code, BrokenRule broken) : Error(code, text_of(broken), std::move(broken)) {}

  ErrorCode code() const noexcept { return code_; }

  /// The parts of the message, so that a caller can put it in other words. The members are empty
  /// for an error that does not concern one argument.
  const BrokenRule& broken_rule() const noexcept { return *broken_; }

 private:
  /// By reference, so that `broken` is whole while the message is made of it.
  Error(ErrorCode code, const std::string& message, BrokenRule&& broken)
      : std::runtime_error(message),
        code_(code),
        broken_(std::make_shared<const BrokenRule>(std::move(broken))) {}

  static std::string text_of(const BrokenRule& broken) {
    return broken.argument + (broken.value.empty() ? " " : " = " + broken.value + "; ") +
           broken.rule;
  }

  ErrorCode code_;
  std::shared_ptr<const BrokenRule> broken_;  // a copy of an exception must not throw
};

}  // namespace thiessen
