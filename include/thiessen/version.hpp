/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the headers. version() and thiessen_version() return the library's version. */
#ifndef THIESSEN_VERSION_HPP
#define THIESSEN_VERSION_HPP

#include "thiessen/export.hpp"

#define THIESSEN_VERSION_MAJOR 0
#define THIESSEN_VERSION_MINOR 9
#define THIESSEN_VERSION_PATCH 0

#ifdef __cplusplus
namespace thiessen {

/// Version of the library: "0.9.0".
THIESSEN_API const char* version() noexcept;

}  // namespace thiessen
#endif

#endif
