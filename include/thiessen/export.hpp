// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(_WIN32) && defined(THIESSEN_SHARED)
#ifdef THIESSEN_BUILDING
#define THIESSEN_API __declspec(dllexport)
#else
#define THIESSEN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define THIESSEN_API __attribute__((visibility("default")))
#else
#define THIESSEN_API
#endif
