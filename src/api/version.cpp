// SPDX-License-Identifier: Apache-2.0
#include "thiessen/version.hpp"

#include <string_view>

#define THIESSEN_TEXT_OF(number) #number
#define THIESSEN_TEXT(number) THIESSEN_TEXT_OF(number)

namespace thiessen {

static_assert(std::string_view(THIESSEN_TEXT(THIESSEN_VERSION_MAJOR) "." THIESSEN_TEXT(
                  THIESSEN_VERSION_MINOR) "." THIESSEN_TEXT(THIESSEN_VERSION_PATCH)) ==
                  THIESSEN_VERSION,
              "version.hpp is not of the version that the file VERSION has");

const char* version() noexcept { return THIESSEN_VERSION; }

}  // namespace thiessen
