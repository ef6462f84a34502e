// SPDX-License-Identifier: Apache-2.0
#include "results/flooding.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

/// Answers that --verify compares.
struct Answer {
  explicit Answer(const Extents& extents)
      : site_index(Raster::of<std::int64_t>(extents)), distance(Raster::of<double>(extents)) {}

  Raster site_index;
  Raster distance;
};

Answer answer_of(Context& context, const Sites& sites, const NearestSiteOptions& options) {
  Answer answer(sites.extents());
  find_nearest(
      context, sites, options,
      {.site_index = answer.site_index.view<std::int64_t>(), .distance = answer.distance.view()});
  return answer;
}

Answer answer_of_cpu(const Sites& sites, const NearestSiteOptions& options) {
  Context cpu({.device = "cpu"});
  const Interruptible interruptible(cpu);
  return answer_of(cpu, sites, options);
}

/// Whether the device of a context has the method "exact".
bool has_exact(const Context& context) {
  for (const DeviceInfo& device : devices())
    if (device.name == context.device())
      return std::any_of(device.methods.begin(), device.methods.end(),
                         [](const MethodInfo& method) { return method.method == Method::exact; });
  return false;
}

std::string in_digits(std::int64_t number, std::int64_t most) {
  const std::string text = std::to_string(number);
  const std::size_t width = std::max<std::size_t>(std::to_string(most).size(), 2);
  return std::string(width - std::min(width, text.size()), '0') + text;
}

}  // namespace

void add_flooding_flags(CLI::App& command, FloodingArguments& arguments) {
  const FlagGroup flooding(command, "Jump flooding");
  flooding
      .option("--frames", arguments.frames, "DIR",
              "Write the start and each pass as a picture (2-D)")
      ->check(check_file_name);
  flooding.flag("--verify", arguments.verify,
                "Count the cells that differ from the exact answer, and those of them that are no "
                "ties, and print the largest error in cells");
}

bool is_flooding(Method method) {
  for (const MethodInfo& each : methods())
    if (each.method == method) return each.flooding;
  return false;
}

void set_flooding(const FloodingArguments& arguments, const SiteArguments& sites,
                  NearestSiteOptions& options) {
  const bool flooding = is_flooding(options.method);
  if (flooding || sites.random.empty()) options.flooding.seed = parse_seed("--seed", sites.seed);
  if (arguments.verify && !flooding)
    throw UsageError("--verify: is for methods of jump flooding, not for " +
                     std::string(name_of(options.method)));
}

std::size_t bytes_per_cell(const FloodingArguments& arguments) {
  constexpr std::size_t kFrames = 8 + 8 + 3;  // the state, labels and picture
  constexpr std::size_t kAnswers = std::size_t{2} * (8 + 8);
  return (arguments.frames.empty() ? 0 : kFrames) + (arguments.verify ? kAnswers : 0);
}

Frames::Frames(const FloodingArguments& arguments, const Sites& sites, bool overwrite,
               const Context& context)
    : folder_(arguments.frames),
      sites_(sites),
      overwrite_(overwrite),
      painter_({.device = "cpu", .threads = context.threads()}) {
  if (folder_.empty()) return;
  const Extents& extents = sites.extents();
  if (extents.rank() != 2)
    throw UsageError("--frames " + folder_ + ": pictures are made of 2-D rasters only");
  const bool numbered = sites.are_points() ? sites.point_labels.extents().rank() == 0
                                           : sites.raster.element_type() == ElementType::boolean;
  labels_ = Raster(numbered ? ElementType::i64 : sites.label_type(), extents);
  picture_ = Raster::of<std::uint8_t>({extents[0], extents[1], 3});
}

/// Takes the labels that cells hold; the index plus one for sites without a label.
void Frames::gather_labels(const View<const std::int64_t>& site_index) {
  const std::size_t element = size_of(labels_.element_type());
  const bool points = sites_.are_points();
  const bool numbered = points ? sites_.point_labels.extents().rank() == 0
                               : sites_.raster.element_type() == ElementType::boolean;
  const std::byte* const source = points ? sites_.point_labels.bytes() : sites_.raster.bytes();
  std::byte* label = labels_.bytes();
  const std::int64_t* site = site_index.data();
  for (std::int64_t i = 0; i < site_index.extents().count(); ++i, ++site, label += element) {
    const std::int64_t number = *site + 1;
    if (numbered)
      std::memcpy(label, &number, sizeof number);
    else if (*site < 0)
      std::memset(label, 0, element);
    else
      std::memcpy(label, source + static_cast<std::size_t>(*site) * element, element);
  }
}

void Frames::make_folder() const {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!std::filesystem::is_directory(folder_))
    throw UsageError("--frames " + folder_ + ": cannot be made a folder");
}

void Frames::write(const FloodingPass& pass) {
  throw_if_interrupted();
  if (pass.number == 0) make_folder();
  gather_labels(pass.site_index);
  RenderInputs inputs{.labels = std::as_const(labels_).view()};
  RenderOptions look;
  if (!sites_.are_points() && sites_.values.empty()) {
    inputs.sites = sites_.raster.view();
    look.site_nodata = sites_.nodata;
  }
  render(painter_, inputs, look, picture_.view<std::uint8_t>());
  const std::filesystem::path path =
      std::filesystem::path(folder_) / ("pass-" + in_digits(pass.number, pass.count) + ".png");
  io::OutputFile file(path, overwrite_, throw_if_interrupted);
  io::write_raster(file, std::as_const(picture_).view(), {.threads = painter_.threads()});
  file.commit();
}

std::optional<Verification> verify(const FloodingArguments& arguments, Context& context,
                                   const Sites& sites, const NearestSiteOptions& options) {
  if (!arguments.verify) return std::nullopt;
  NearestSiteOptions own = options;
  own.flooding.on_pass = {};
  const Answer found = answer_of(context, sites, own);
  own.method = Method::exact;
  own.flooding = {};
  const Answer exact =
      has_exact(context) ? answer_of(context, sites, own) : answer_of_cpu(sites, own);
  Verification verification;
  verification.comparison = compare(context, {.site_index_a = exact.site_index.view<std::int64_t>(),
                                              .site_index_b = found.site_index.view<std::int64_t>(),
                                              .distance_a = exact.distance.view(),
                                              .distance_b = found.distance.view()});
  const auto& spacing = options.spacing.empty() ? sites.grid.spacing : options.spacing;
  const double finest = spacing.empty() ? 1 : *std::min_element(spacing.begin(), spacing.end());
  verification.largest_error = verification.comparison.largest_excess / finest;
  return verification;
}

nlohmann::ordered_json to_json(const Verification& verification) {
  const Comparison& comparison = verification.comparison;
  return {{"cells", comparison.cells},
          {"differing", comparison.differing},
          {"wrong", verification.wrong()},
          {"unreached", comparison.mismatched},
          {"largest_error_cells", verification.largest_error},
          {"worst_cell", comparison.worst_cell}};
}

void print(const Verification& verification) {
  const Comparison& comparison = verification.comparison;
  const auto percent = [&](std::int64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(comparison.cells);
  };
  std::fprintf(stderr,
               "verify: %lld of %lld cells (%.4f %%) differ from the exact answer; %lld (%.4f %%) "
               "are no ties, %lld of them unreached; largest error %.4g cells\n",
               static_cast<long long>(comparison.differing),
               static_cast<long long>(comparison.cells), percent(comparison.differing),
               static_cast<long long>(verification.wrong()), percent(verification.wrong()),
               static_cast<long long>(comparison.mismatched), verification.largest_error);
}

}  // namespace thiessen::cli
