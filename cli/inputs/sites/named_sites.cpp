// SPDX-License-Identifier: Apache-2.0
#include "inputs/sites/named_sites.hpp"

#include <algorithm>
#include <array>

#include "io/files/lower_case.hpp"
#include "io/raster/file_part.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {

void warn_of_unnamed(std::int64_t count, const std::string& what, const std::string& name,
                     std::vector<CommandWarning>& warnings) {
  if (count > 0)
    warnings.push_back({"unnamed", count,
                        name + ": " + std::to_string(count) + " of its " + what +
                            " have no name; their numbers are taken for it"});
}

void warn_of_features(const io::VectorFile& layer, const std::string& name,
                      std::vector<CommandWarning>& warnings) {
  if (const std::int64_t count = layer.without_geometry(); count > 0)
    warnings.push_back(
        {"no_geometry", count,
         name + ": " + std::to_string(count) +
             " of its features have no geometry, or an empty one, and are left out"});
  warn_of_unnamed(layer.unnamed(), "features", name, warnings);
}

void drop_name_column(const std::string& label_field, std::vector<io::Column>& columns) {
  if (io::lower_case(label_field) != "name") return;
  const auto found = std::find_if(columns.begin(), columns.end(), [](const io::Column& column) {
    return io::lower_case(column.name) == "name";
  });
  if (found != columns.end()) columns.erase(found);
}

void load_value_names(const SiteArguments& arguments, Sites& sites) {
  constexpr std::array kNameless{ElementType::boolean, ElementType::u64, ElementType::f32,
                                 ElementType::f64};
  const ElementType type = sites.raster.element_type();
  if (std::find(kNameless.begin(), kNameless.end(), type) != kNameless.end() ||
      !arguments.components.empty() || arguments.band == "rgb")
    return;
  const std::string band = arguments.band.empty() ? "" : "|band=" + arguments.band;
  sites.names = as_usage_error([&] {
    const bool is_named = io::part_of(arguments.file).band.has_value();
    return io::read_value_names(is_named ? arguments.file : arguments.file + band);
  });
}

}  // namespace thiessen::cli
