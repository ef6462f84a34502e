// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "thiessen/export.hpp"

namespace thiessen {

/// What kind of thing went wrong; the message says which argument, its value and the rule.
enum class ErrorCode {
  invalid_argument,  ///< an argument breaks a documented rule
  unsupported,       ///< no backend or method of this build can do what is asked
  out_of_memory,     ///< memory was refused; the message says how many bytes were asked for
  cancelled,         ///< Context::cancel() was called
  device_failed,     ///< a device, or the driver of one, reports a fault
  io,                ///< a file cannot be read or written (only thrown by file readers and writers)
};

/// The only exception type that the library throws on purpose.
class THIESSEN_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace thiessen
