// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace thiessen::cli {

/// Throws UsageError if the command line names as an output a file that one of its inputs is read
/// from: the file itself, by any name or link, or a source of a VRT. Inputs are the flags that take
/// a FILE; outputs are those of them in the groups Output and Outputs. Costs nothing unless an
/// output exists. Likewise if an output has a name of GDAL's own file systems (/vsis3/a/b.tif).
void require_outputs_apart(const CLI::App& command);

}  // namespace thiessen::cli
