// SPDX-License-Identifier: Apache-2.0
//
// The boundary that no exception crosses.
#pragma once

#include <exception>
#include <new>
#include <string_view>

#include "thiessen/error.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

/// Keeps the text for thiessen_last_error() and the name of the argument that it is about, and
/// returns the status.
thiessen_status fail(thiessen_status status, std::string_view text,
                     std::string_view argument = "") noexcept;

thiessen_status status_of(ErrorCode code) noexcept;

/// Runs the body of a C function; whatever it throws becomes a status.
template <class Call>
thiessen_status at_boundary(const Call& call) noexcept {
  try {
    call();
    return THIESSEN_OK;
  } catch (const Error& error) {
    return fail(status_of(error.code()), error.what(), error.broken_rule().argument);
  } catch (const std::bad_alloc&) {
    return fail(THIESSEN_OUT_OF_MEMORY, "no memory for a few hundred bytes");
  } catch (const std::exception& error) {
    return fail(THIESSEN_INTERNAL, error.what());
  } catch (...) {
    return fail(THIESSEN_INTERNAL, "an exception of an unknown type");
  }
}

}  // namespace thiessen::c
