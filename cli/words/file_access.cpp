// SPDX-License-Identifier: Apache-2.0
#include "words/file_access.hpp"

#include "io/files/access.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {

void add_access_flags(CLI::App& command, AccessArguments& arguments, const char* format_flags) {
  const FlagGroup files(command, "Files");
  files.word(format_flags, arguments.format, "NAME",
             "Format of files whose suffix names none, as a suffix: tif");
  files
      .word("--driver", arguments.drivers, "NAME",
            "Let this driver of GDAL open files, whatever their suffix is and whatever files they "
            "name; repeatable")
      ->allow_extra_args(false);
  files.flag("--allow-remote", arguments.remote,
             "Files may lead to the network: /vsicurl/, /vsis3/ and drivers that make requests");
}

void set_access(const AccessArguments& arguments) {
  io::set_access(
      {.format = arguments.format.starts_with('.') ? arguments.format.substr(1) : arguments.format,
       .drivers = arguments.drivers,
       .remote = arguments.remote});
}

}  // namespace thiessen::cli
