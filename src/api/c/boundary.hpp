// SPDX-License-Identifier: Apache-2.0
//
// The boundary that no exception crosses, and the state behind the opaque pointer.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "thiessen/context.hpp"
#include "thiessen/error.hpp"
#include "thiessen/thiessen.h"

struct thiessen_context {
  explicit thiessen_context(const thiessen::ContextOptions& options)
      : context(options), device(context.device()) {}

  thiessen::Context context;
  std::string device;  // ends with a zero, which a string_view need not
};

namespace thiessen::c {

/// Keeps the text for thiessen_last_error() and returns the status.
thiessen_status fail(thiessen_status status, std::string_view text) noexcept;

thiessen_status status_of(ErrorCode code) noexcept;

/// Runs the body of a C function; whatever it throws becomes a status.
template <class Call>
thiessen_status at_boundary(const Call& call) noexcept {
  try {
    call();
    return THIESSEN_OK;
  } catch (const Error& error) {
    return fail(status_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(THIESSEN_OUT_OF_MEMORY, "no memory for a few hundred bytes");
  } catch (const std::exception& error) {
    return fail(THIESSEN_INTERNAL, error.what());
  } catch (...) {
    return fail(THIESSEN_INTERNAL, "an exception of an unknown type");
  }
}

}  // namespace thiessen::c
