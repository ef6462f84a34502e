// SPDX-License-Identifier: Apache-2.0
//
// What --help prints: the flags that most calls need. --help-all prints the others, too.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace thiessen::cli {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return CLI::Formatter::make_help(app, name, mode);
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
           groups_of(app, mode) + make_subcommands(app, mode) + '\n' + make_footer(app);
  }

 private:
  std::string groups_of(const CLI::App* app, CLI::AppFormatMode mode) const {
    std::string text;
    bool has_more = false;
    for (const std::string& group : app->get_groups()) {
      const std::vector<const CLI::Option*> options =
          app->get_options([&](const CLI::Option* option) {
            return option->get_group() == group && option->nonpositional();
          });
      if (group.empty() || options.empty()) continue;
      if (mode == CLI::AppFormatMode::Normal && is_rare(group))
        has_more = true;
      else
        text += (text.empty() ? "" : "\n") + make_group(group, false, options);
    }
    return has_more ? text + "\nFlags of rarer use: --help-all\n" : text;
  }

  static bool is_rare(const std::string& group) {
    constexpr const char* kRare[] = {"Jump flooding", "Raster methods", "Walks",         "Earth",
                                     "Study area",    "Files",          "Vector outputs"};
    return std::find(std::begin(kRare), std::end(kRare), group) != std::end(kRare);
  }
};

}  // namespace thiessen::cli
