// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "thiessen/context.hpp"

namespace thiessen::cli {

/// From now on SIGINT, SIGTERM and SIGHUP end the command properly: with exit code 130 and no
/// half-written file. A second signal ends it at once with 128 + its number. A full disk, a file
/// size limit and a closed pipe are errors, not signals.
void install_signal_handlers();

/// While it lives, a signal cancels the call that runs in `context`; if there are several, the last
/// one.
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

/// Throws Error{cancelled} if a signal came; for use between the steps of a command.
void throw_if_interrupted();

/// From now on a signal also removes a file, by the name that it has before it is whole: others may
/// write it, too, so that the death of one process does not. Names of files that are gone do no
/// harm.
void remove_on_signal(const std::string& name);

/// Removes those files.
void remove_shared_files() noexcept;

}  // namespace thiessen::cli
