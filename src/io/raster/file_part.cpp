// SPDX-License-Identifier: Apache-2.0
#include "io/raster/file_part.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include "io/files/io_error.hpp"

namespace thiessen::io {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& name) {
  std::error_code none;
  return fs::exists(name, none);
}

[[noreturn]] void refuse_key(const fs::path& name, std::string_view piece) {
  fail(name, "there is no such file, and " + excerpt(piece) +
                 " names no part of one; a part is FILE|layer=NAME or FILE|band=N");
}

int to_band(const fs::path& name, std::string_view text) {
  int band = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, band);
  if (problem != std::errc() || rest != end || band < 1)
    fail(name, "names the band " + excerpt(text) + "; FILE|band=N takes a whole number from 1 on");
  return band;
}

/// Takes a piece key=value behind the file; false if the key is none.
bool parse_piece(const fs::path& name, std::string_view piece, FilePart& part) {
  const std::size_t equals = piece.find('=');
  const std::string_view key = piece.substr(0, equals);
  const bool is_layer = key == "layer" || key == "layername";
  if (equals == std::string_view::npos || (!is_layer && key != "band")) return false;
  const std::string_view value = piece.substr(equals + 1);
  if (is_layer ? !part.layer.empty() : part.band.has_value())
    fail(name, is_layer ? "names two layers" : "names two bands");
  if (is_layer && value.empty()) fail(name, "names no layer; FILE|layer=NAME takes a name");
  if (is_layer)
    part.layer = value;
  else
    part.band = to_band(name, value);
  return true;
}

}  // namespace

FilePart part_of(const fs::path& name) {
  std::string file = name.string();
  FilePart part{name};
  for (;;) {
    const std::size_t bar = file.rfind('|');
    if (bar == std::string::npos || is_there(file)) break;
    const std::string piece = file.substr(bar + 1);
    file.resize(bar);
    if (parse_piece(name, piece, part))
      part.file = file;
    else if (is_there(file))
      refuse_key(name, piece);
    else
      break;  // a name for GDAL alone, or of no file
  }
  return part;
}

void refuse_layer(const FilePart& part, const std::string& kind) {
  if (!part.layer.empty())
    fail(part.file, "is " + kind + ", which has no layer " + excerpt(part.layer));
}

void refuse_band(const FilePart& part, const std::string& kind) {
  if (part.band)
    fail(part.file, "is " + kind + ", which has no band " + std::to_string(*part.band));
}

void refuse_missing_band(const fs::path& file, int bands, int band) {
  fail(file, "has " + std::to_string(bands) + (bands == 1 ? " band" : " bands") + ", and no band " +
                 std::to_string(band));
}

ReadOptions reading_of(const FilePart& part, ReadOptions options) {
  refuse_layer(part, "a raster");
  if (part.band && options.band.value_or(*part.band) != *part.band)
    fail(part.file, "is named with the band " + std::to_string(*part.band) + ", and the band " +
                        std::to_string(*options.band) + " is asked for");
  if (part.band) options.band = part.band;
  return options;
}

}  // namespace thiessen::io
