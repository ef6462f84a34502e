// SPDX-License-Identifier: Apache-2.0
#include "slabs/slab_store.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "io/files/output_file.hpp"

namespace thiessen::cli {
namespace {

std::string summary_name(std::int64_t slab) { return "summary-" + std::to_string(slab); }

std::string slab_name(std::int64_t slab, std::int64_t result) {
  return "slab-" + std::to_string(slab) + "-" + std::to_string(result);
}

/// Calls visit(bytes, count) for the contiguous pieces of some rows.
template <class Visit>
void for_each_piece(const ResultRows& rows, Visit&& visit) {
  const View<void>& cells = rows.cells;
  std::size_t bytes = size_of(cells.element_type());
  for (int each = rows.axis; each < cells.rank(); ++each)
    bytes *= static_cast<std::size_t>(cells.extent(each));
  const std::int64_t pieces = rows.axis == 0 ? 1 : cells.extent(0);
  for (std::int64_t piece = 0; piece < pieces; ++piece)
    visit(cells.bytes() + piece * cells.stride(0), bytes);
}

}  // namespace

SlabStore::SlabStore(const RunFolder& folder, std::int64_t results) : folder_(folder) {
  const auto is_done = [&](std::int64_t slab) {
    for (std::int64_t result = 0; result < results; ++result)
      if (!std::filesystem::exists(folder_.path(slab_name(slab, result)))) return false;
    return true;
  };
  while (results > 0 && is_done(done_)) ++done_;
}

std::optional<KeptSummary> SlabStore::summary(std::int64_t slab) const {
  std::ifstream file(folder_.path(summary_name(slab)), std::ios::binary);
  if (!file) return std::nullopt;
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty()) folder_.refuse("has a damaged file " + summary_name(slab));
  return KeptSummary{slab_summary(std::as_bytes(std::span(bytes).first(bytes.size() - 1))),
                     static_cast<std::uint8_t>(bytes.back())};
}

void SlabStore::keep_summary(std::int64_t slab, const KeptSummary& kept) const {
  std::vector<std::byte> bytes = slab_bytes(kept.summary);
  bytes.push_back(static_cast<std::byte>(kept.kinds));
  folder_.keep(summary_name(slab), bytes);
}

void SlabStore::keep(std::int64_t slab, const std::vector<ResultRows>& results) const {
  for (std::int64_t i = 0; i < std::ssize(results); ++i) {
    io::OutputFile file(folder_.path(slab_name(slab, i)), true);
    for_each_piece(results[static_cast<std::size_t>(i)],
                   [&](const std::byte* bytes, std::size_t count) { file.write(bytes, count); });
    file.commit();
  }
}

void SlabStore::load(std::int64_t slab, const std::vector<ResultRows>& results) const {
  for (std::int64_t i = 0; i < std::ssize(results); ++i) {
    std::ifstream file(folder_.path(slab_name(slab, i)), std::ios::binary);
    for_each_piece(results[static_cast<std::size_t>(i)], [&](std::byte* bytes, std::size_t count) {
      file.read(reinterpret_cast<char*>(bytes), static_cast<std::streamsize>(count));
    });
    if (!file || file.peek() != std::ifstream::traits_type::eof())
      folder_.refuse("has a damaged file " + slab_name(slab, i));
  }
}

void SlabStore::remove() const {
  folder_.remove([](const std::string& name) {
    return name.starts_with("slab-") || name.starts_with("summary-");
  });
}

}  // namespace thiessen::cli
