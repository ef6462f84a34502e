// SPDX-License-Identifier: Apache-2.0
#include "nearest_site_results.hpp"

#include <limits>
#include <utility>

#include "arguments.hpp"

namespace thiessen::cli {
namespace {

Extents offset_extents(const Extents& extents) {
  if (extents.rank() == 2) return {2, extents[0], extents[1]};
  return {3, extents[0], extents[1], extents[2]};
}

ElementType label_type(const Sites& sites) {
  const ElementType type = sites.raster.element_type();
  if (type != ElementType::boolean) return type;
  return sites.extents().count() <= std::numeric_limits<std::int32_t>::max() ? ElementType::i32
                                                                             : ElementType::i64;
}

template <class T>
View<T> view_of(ResultFile* result) {
  return result != nullptr ? result->raster.view<T>() : View<T>();
}

template <>
View<void> view_of<void>(ResultFile* result) {
  return result != nullptr ? result->raster.view() : View<void>();
}

}  // namespace

void add_result_flags(CLI::App& command, ResultArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* help) {
    return command.add_option(flag, value, help)
        ->group("Outputs")
        ->type_name("FILE")
        ->check(check_file_name);
  };
  option("--labels", arguments.labels, "Label of the nearest site: .npy .png .pgm");
  option("--distance", arguments.distance, "Distance to it: .npy");
  option("--squared", arguments.squared, "Squared distance in cells, exact: .npy");
  option("--site-index", arguments.site_index, "Linear index of its cell: .npy");
  option("--offset", arguments.offset, "Site minus cell, one plane an axis: .npy");
  option("--direction", arguments.direction, "Compass direction in degrees (2-D): .npy");
  option("--picture", arguments.picture, "Coloured cells, sites black (2-D): .png .ppm");
  command.add_option("--distance-type", arguments.distance_type, "f32 or f64")
      ->group("Outputs")
      ->type_name("TYPE")
      ->capture_default_str()
      ->check(CLI::IsMember({"f32", "f64"}));
  command.add_flag("--overwrite", arguments.overwrite, "Replace files that exist")
      ->group("Outputs");
}

NearestSiteResults::NearestSiteResults(const ResultArguments& arguments, const Sites& sites)
    : files_(arguments.overwrite) {
  const Extents& extents = sites.extents();
  const bool picture = !arguments.picture.empty();
  if (picture && extents.rank() != 2)
    throw UsageError("--picture " + arguments.picture + ": pictures are made of 2-D rasters only");
  const ElementType distance =
      arguments.distance_type == "f64" ? ElementType::f64 : ElementType::f32;
  labels_ = add(arguments.labels, label_type(sites), extents, picture);
  distance_ = add(arguments.distance, distance, extents, picture);
  squared_ = add(arguments.squared, ElementType::i64, extents);
  site_index_ = add(arguments.site_index, ElementType::i64, extents);
  offset_ = add(arguments.offset, ElementType::i32, offset_extents(extents));
  direction_ = add(arguments.direction, ElementType::f32, extents);
  if (picture)
    picture_ = add(arguments.picture, ElementType::u8, Extents{extents[0], extents[1], 3});
  if (files_.empty())
    throw UsageError(
        "no output: give at least one of --labels, --distance, --squared, "
        "--site-index, --offset, --direction, --picture");
}

ResultFile* NearestSiteResults::add(const std::string& path, ElementType type,
                                    const Extents& extents, bool needed) {
  if (path.empty() && !needed) return nullptr;
  return &files_.add({.path = path, .type = type, .extents = extents});
}

NearestSiteOutputs NearestSiteResults::views() {
  return {.labels = view_of<void>(labels_),
          .site_index = view_of<std::int64_t>(site_index_),
          .distance = view_of<void>(distance_),
          .squared = view_of<std::int64_t>(squared_),
          .offset = view_of<std::int32_t>(offset_),
          .direction = view_of<float>(direction_)};
}

bool NearestSiteResults::paint(Context& context, const Sites& sites) {
  if (picture_ == nullptr) return false;
  render(context,
         {.labels = labels_->raster.view(),
          .distance = distance_->raster.view(),
          .sites = sites.raster.view()},
         picture_->raster.view<std::uint8_t>());
  return true;
}

}  // namespace thiessen::cli
