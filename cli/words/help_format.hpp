// SPDX-License-Identifier: Apache-2.0
//
// What --help prints of a command with many flags: those that most calls need, on one screen.
// --help-all prints the others, too, with what they need and exclude.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thiessen::cli {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return CLI::Formatter::make_help(app, name, mode);
    HelpFormat format = *this;
    if (mode == CLI::AppFormatMode::Normal) format.common_ = common_of(app->get_name());
    return format.make_description(app) + format.make_usage(app, std::move(name)) +
           format.make_positionals(app) + format.groups_of(app) +
           format.make_subcommands(app, mode) + '\n' + format.make_footer(app);
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (common_.empty()) return CLI::Formatter::make_option_opts(option);
    const std::string type = option->get_type_name(), value = option->get_default_str();
    if (option->get_type_size() == 0 || type.empty()) return {};
    return " " + type.substr(0, type.find(":{")) + (value.empty() ? "" : "=" + value);
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr auto kManyChoices = 8;  // more are left to --help-all
    std::string text = CLI::Formatter::make_option_desc(option);
    const std::string type = option->get_type_name();
    const std::size_t list = type.find(":{");
    if (common_.empty() || list == std::string::npos) return text;
    const auto choices = CLI::detail::split(type.substr(list + 2, type.find('}') - list - 2), ',');
    return choices.size() > kManyChoices ? text : text + ": " + CLI::detail::join(choices, ", ");
  }

 private:
  using Words = std::vector<std::string>;

  struct Common {
    std::string_view command, flags;
  };
  static constexpr Common kCommon[] = {
      {"voronoi",
       "--help --help-all --method --signed-distance --k --sites --layer --label-field --random "
       "--seed --values --nodata --size --like --bounds --cell-size --metric --max-distance "
       "--spacing --device --threads --memory --labels --site-index --distance --direction "
       "--picture --overwrite --polygons --edges --table --contours-to --json --quiet"},
      {"cost",
       "--help --help-all --method --stiffness --cost --map --elevation --sites --layer "
       "--label-field --random --nodata --size --like --bounds --cell-size --connectivity "
       "--max-distance --spacing --device --threads --paths-from --memory --labels --distance "
       "--back-link --picture --paths --overwrite --polygons --table --json --quiet"},
      {"proximity",
       "--help --help-all --input --values --use_input_nodata --layer --size --like --bounds "
       "--cell-size --distunits --maxdist --fixed-buf-val --output --format --ot --nodata "
       "--overwrite --device --threads --memory --json --quiet"},
      {"render",
       "--help --help-all --labels --distance --sites --sites-layer --mode --marks --ramp --range "
       "--edges --contours --title --legend --scale-bar --names --site-names --unit --underlay "
       "--output --size --scale --world-file --overwrite --device --threads --json --quiet"}};

  /// The flags that --help prints of this command; empty: all.
  static Words common_of(const std::string& command) {
    for (const Common& each : kCommon)
      if (each.command == command) return CLI::detail::split(std::string(each.flags), ' ');
    return {};
  }

  bool is_rare(const CLI::Option* option) const {
    return !common_.empty() &&
           std::none_of(common_.begin(), common_.end(),
                        [&](const std::string& flag) { return option->check_name(flag); });
  }

  std::string groups_of(const CLI::App* app) const {
    std::string text;
    for (const std::string& group : app->get_groups()) {
      const std::vector<const CLI::Option*> options =
          app->get_options([&](const CLI::Option* option) {
            return option->get_group() == group && option->nonpositional() && !is_rare(option);
          });
      if (!group.empty() && !options.empty()) text += make_group(group, false, options);
    }
    return common_.empty() ? text : text + "\nFlags of rarer use: --help-all\n";
  }

  Words common_;
};

}  // namespace thiessen::cli
