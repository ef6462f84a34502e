// SPDX-License-Identifier: Apache-2.0
#include "api/c/boundary.hpp"

#include <algorithm>
#include <array>

namespace thiessen::c {
namespace {

/// A fixed array: the message that memory has run out must not need memory.
thread_local std::array<char, 512> last_error{};
thread_local std::array<char, 64> last_argument{};

template <std::size_t kSize>
void keep(std::string_view text, std::array<char, kSize>& place) noexcept {
  const std::size_t length = std::min(text.size(), kSize - 1);
  std::copy_n(text.data(), length, place.data());
  place[length] = '\0';
}

}  // namespace

thiessen_status fail(thiessen_status status, std::string_view text,
                     std::string_view argument) noexcept {
  keep(text, last_error);
  keep(argument, last_argument);
  return status;
}

thiessen_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
      return THIESSEN_INVALID_ARGUMENT;
    case ErrorCode::unsupported:
      return THIESSEN_UNSUPPORTED;
    case ErrorCode::out_of_memory:
      return THIESSEN_OUT_OF_MEMORY;
    case ErrorCode::cancelled:
      return THIESSEN_CANCELLED;
    case ErrorCode::io:
      return THIESSEN_IO;
    case ErrorCode::device_failed:
      return THIESSEN_DEVICE_FAILED;
  }
  return THIESSEN_INTERNAL;
}

}  // namespace thiessen::c

const char* thiessen_last_error(void) { return thiessen::c::last_error.data(); }

const char* thiessen_last_error_argument(void) { return thiessen::c::last_argument.data(); }

const char* thiessen_status_name(thiessen_status status) {
  switch (status) {
    case THIESSEN_OK:
      return "ok";
    case THIESSEN_INVALID_ARGUMENT:
      return "invalid_argument";
    case THIESSEN_UNSUPPORTED:
      return "unsupported";
    case THIESSEN_OUT_OF_MEMORY:
      return "out_of_memory";
    case THIESSEN_CANCELLED:
      return "cancelled";
    case THIESSEN_IO:
      return "io";
    case THIESSEN_INTERNAL:
      return "internal";
    case THIESSEN_DEVICE_FAILED:
      return "device_failed";
    default:
      return "unknown";
  }
}

const char* thiessen_version(void) { return thiessen::version(); }
