// SPDX-License-Identifier: Apache-2.0
#include "words/file_access.hpp"

#include "io/files/access.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {

void add_access_flags(CLI::App& command, AccessArguments& arguments, const char* format_flags) {
  command
      .add_option(format_flags, arguments.format,
                  "What files are whose suffix names no format, as a suffix: tif")
      ->type_name("NAME")
      ->check(check_word)
      ->group("Files");
  command
      .add_option("--driver", arguments.drivers,
                  "Open files by this driver of GDAL, whatever their suffix says and other files "
                  "they name; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->check(check_word)
      ->group("Files");
  command
      .add_flag("--allow-remote", arguments.remote,
                "Files may lead to the network: /vsicurl/, /vsis3/ and drivers that make requests")
      ->group("Files");
}

void set_access(const AccessArguments& arguments) {
  io::set_access(
      {.format = arguments.format.starts_with('.') ? arguments.format.substr(1) : arguments.format,
       .drivers = arguments.drivers,
       .remote = arguments.remote});
}

}  // namespace thiessen::cli
