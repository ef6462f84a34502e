// SPDX-License-Identifier: Apache-2.0
#include "io/files/access.hpp"

#include <utility>

namespace thiessen::io {
namespace {

Access& access_of_process() {
  static Access access;
  return access;
}

}  // namespace

void set_access(Access access) { access_of_process() = std::move(access); }

const Access& access() noexcept { return access_of_process(); }

}  // namespace thiessen::io
