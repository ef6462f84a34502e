// SPDX-License-Identifier: Apache-2.0
#include "opencl/device/programs.hpp"

#include <string_view>

#include "opencl/device/check.hpp"

namespace thiessen::opencl {
namespace {

struct File {
  std::string_view name;  ///< "brute_force"
  std::string_view text;
};

// Written by CMake: {"brute_force", R"(…)"}, …
constexpr File kFiles[] = {
#include "kernel_files.inc"
};

std::string_view text_of(std::string_view name) {
  for (const File& file : kFiles)
    if (file.name == name) return file.text;
  throw Error(ErrorCode::device_failed, "opencl: no program " + std::string(name));
}

/// Adds line numbers, so that the compiler's messages name the file and its lines.
std::string with_line_numbers(const std::string& name) {
  return "#line 1 \"" + name + ".cl\"\n" + std::string(text_of(name));
}

}  // namespace

std::string to_options(const Definitions& definitions) {
  // Every device of OpenCL 2.0 and later compiles this; nothing makes arithmetic inexact.
  std::string options = "-cl-std=CL1.2";
  for (const auto& [name, value] : definitions) options += " -D " + name + "=" + value;
  return options;
}

std::string source_of(const std::string& name) {
  if (name == "relaxation") return with_line_numbers(name);  // measures nothing
  const bool has_rows = name == "expansion" || name == "separable";
  return with_line_numbers("measure") + with_line_numbers(has_rows ? "row_table" : "random") +
         with_line_numbers(name);
}

cl::Program build_program(const cl::Context& context, const cl::Device& device,
                          const std::string& name, const std::string& source,
                          const std::string& options) {
  cl::Program program;
  try {
    program = cl::Program(context, source);
    program.build(std::vector<cl::Device>{device}, options.c_str());
    return program;
  } catch (const cl::BuildError& error) {
    std::string said;
    for (const auto& [each, log] : error.getBuildLog()) said += log;
    throw Error(ErrorCode::device_failed, "opencl: program " + name + " (" + options +
                                              ") does not compile: " + to_text(error) + "\n" +
                                              said);
  } catch (const cl::Error& error) {
    throw to_error("program " + name, error);
  }
}

}  // namespace thiessen::opencl
