// SPDX-License-Identifier: Apache-2.0
#include "site_input.hpp"

#include <filesystem>
#include <limits>

#include "arguments.hpp"
#include "io/raster_file.hpp"
#include "memory.hpp"

namespace thiessen::cli {
namespace {

constexpr std::int64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

ElementType number_type(std::int64_t most) {
  return most <= kMostInt32 ? ElementType::i32 : ElementType::i64;
}

Raster read_sites(const std::string& path, Progress& progress) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (!none) require_memory(static_cast<std::int64_t>(size), 1);
  return as_usage(
      [&] { return io::read_raster(path, {.progress = progress.checkpoint()}).raster; });
}

Raster draw_sites(const SiteArguments& arguments, Context& context) {
  if (arguments.size.empty()) throw UsageError("--random needs --size WxH or WxHxD");
  const Extents extents = parse_size("--size", arguments.size);
  const std::int64_t cells = extents.count();
  const std::int64_t count = parse_integer("--random", arguments.random, 0, cells);
  const std::uint64_t seed = parse_seed("--seed", arguments.seed);
  const ElementType type = number_type(count);
  require_memory(cells, size_of(type));
  Raster sites(type, extents);
  random_sites(context, sites.view(), count, seed);
  return sites;
}

Raster read_or_draw(const SiteArguments& arguments, Context& context, Progress& progress) {
  progress.stage(arguments.file.empty() ? "random sites" : "read", 0.2);
  if (!arguments.file.empty()) return read_sites(arguments.file, progress);
  if (!arguments.random.empty()) return draw_sites(arguments, context);
  throw UsageError("no sites: give --sites FILE, or --random N with --size WxH");
}

/// Puts the numbers of the components in place of the raster.
void number_components(const std::string& connectivity, Context& context, Sites& sites) {
  ComponentsOptions options;
  options.connectivity = parse_connectivity("--components", connectivity, sites.extents().rank());
  options.nodata = sites.nodata;
  Raster labels(number_type(sites.extents().count()), sites.grid());
  connected_components(context, std::as_const(sites.raster).view(), options, labels.view());
  sites.raster = std::move(labels);
  if (sites.nodata) sites.nodata = std::int64_t{-1};
}

}  // namespace

void add_site_flags(CLI::App& command, SiteArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)->type_name(type)->group("Sites");
  };
  auto* sites = option("--sites", arguments.file, "FILE",
                       "Raster whose non-zero cells are the sites: .npy .png .pgm .ppm")
                    ->check(check_file_name);
  auto* random =
      option("--random", arguments.random, "N", "That many random cells as sites, labelled 1, 2, …")
          ->excludes(sites);
  option("--size", arguments.size, "SIZE", "Cells of the random raster, WxH or WxHxD")
      ->needs(random);
  option("--seed", arguments.seed, "N", "Seed of the random sites")
      ->capture_default_str()
      ->needs(random);
  auto* components =
      option("--components", arguments.components, "N",
             "Number the connected areas of equal value as separate sites: neighbours are the "
             "4 or 8 around a cell (6 or 26 in 3-D)")
          ->needs(sites);
  auto* values = option("--values", arguments.values, "LIST",
                        "Exactly the cells of these values are the sites: 3,7")
                     ->needs(sites)
                     ->excludes(components);
  command
      .add_flag("--zero-is-site", arguments.zero_is_site,
                "Every cell that is not nodata is a site, zero too")
      ->group("Sites")
      ->needs(sites)
      ->excludes(values)
      ->excludes(components);
  option("--nodata", arguments.nodata, "V", "Cells of this value lie outside the domain")
      ->needs(sites);
}

Sites load_sites(const SiteArguments& arguments, Context& context, Progress& progress) {
  Sites sites{.raster = read_or_draw(arguments, context, progress), .nodata = {}, .values = {}};
  if (!arguments.nodata.empty()) sites.nodata = parse_label("--nodata", arguments.nodata);
  if (!arguments.values.empty()) sites.values = parse_labels("--values", arguments.values);
  sites.zero_is_site = arguments.zero_is_site;
  if (!arguments.components.empty()) {
    progress.stage("components", 0.3, sites.extents().count());
    number_components(arguments.components, context, sites);
  }
  return sites;
}

}  // namespace thiessen::cli
