// SPDX-License-Identifier: Apache-2.0
#include "words/format_choice.hpp"

#include "io/files/output_format.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {

void add_format_flags(CLI::App& command, FormatArguments& arguments) {
  const FlagGroup outputs(command, "Outputs");
  outputs.word("--output-format,--of", arguments.format, "NAME",
               "Format of the outputs whose suffix it fits, as GDAL names it: GTiff, COG, Zarr, "
               "netCDF, AAIGrid, GPKG, HFA … (default: by the suffix)");
  outputs
      .word("--creation-option,--co", arguments.creation_options, "NAME=VALUE",
            "How the files are made that GDAL writes: COMPRESS=ZSTD; may be repeated")
      ->allow_extra_args(false);
}

void FormatChoice::set(const std::string& path, io::WriteOptions& options) {
  const bool fits = io::is_format_for(path, arguments_.format);
  if (fits) options.format = arguments_.format;
  format_is_used_ = format_is_used_ || fits;
  const io::Format format =
      as_usage_error([&] { return io::output_format(path, options.format).format; });
  if (format != io::Format::geotiff && format != io::Format::gdal) return;
  options.creation_options = arguments_.creation_options;
  options_are_used_ = true;
}

void FormatChoice::require_use() const {
  if (!arguments_.format.empty() && !format_is_used_)
    throw UsageError("--output-format " + arguments_.format +
                     ": fits the suffix of no output; NPY and pictures have their own");
  if (!arguments_.creation_options.empty() && !options_are_used_)
    throw UsageError("--creation-option " + arguments_.creation_options.front() +
                     ": is for files that GDAL writes, and no output is one");
}

}  // namespace thiessen::cli
