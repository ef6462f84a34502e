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
#define THIESSEN_HIDDEN __attribute__((visibility("hidden")))
#else
#define THIESSEN_API
#endif
// A class inside of an exported one is exported, too, unless it says so.
#ifndef THIESSEN_HIDDEN
#define THIESSEN_HIDDEN
#endif
