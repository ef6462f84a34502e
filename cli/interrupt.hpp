// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thiessen/context.hpp"

namespace thiessen::cli {

/// From here on SIGINT, SIGTERM and SIGHUP end the command in good order: with exit code 130 and
/// nothing half-written. A full disk, a file size limit and a closed pipe are errors and no
/// signals.
void install_signal_handlers();

/// While it lives, a signal cancels the call that runs in `context`; of several the one made last.
class Interruptible {
 public:
  explicit Interruptible(Context& context);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  Context* outer_;
};

/// Whether a signal came.
bool interrupted();

/// Throws Error{cancelled} if a signal came: between the steps of a command.
void throw_if_interrupted();

}  // namespace thiessen::cli
