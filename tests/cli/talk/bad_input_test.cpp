// SPDX-License-Identifier: Apache-2.0
//
// Errors in the arguments, the input or the disk: each gives one line that says so and the right
// exit code, and no file appears or disappears.
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "cli/command.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 1;  // the machine cannot: disk, memory, permissions

struct BadInput {
  std::string name;
  std::string arguments;
  int exit_code;
  std::vector<std::string> words;  // that the message must hold
  std::optional<std::uint64_t> file_size_limit = std::nullopt;
};

void PrintTo(const BadInput& row, std::ostream* stream) { *stream << row.arguments; }

/// An NPY file with any header and any number of bytes of cells.
std::string npy(const std::string& header, std::size_t cell_bytes) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.push_back(static_cast<char>(header.size() & 0xff));
  bytes.push_back(static_cast<char>(header.size() >> 8));
  return bytes + header + std::string(cell_bytes, '\1');
}

std::string npy(const std::string& descr, const std::string& shape, std::size_t cell_bytes) {
  return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n",
             cell_bytes);
}

class BadInputTest : public CommandTest {
 protected:
  void SetUp() override {
    write("u8.npy", raster_of<std::uint8_t>({2, 3}, {0, 1, 0, 0, 0, 2}));
    write("u8_3d.npy", raster_of<std::uint8_t>({2, 1, 3}, {0, 1, 0, 0, 0, 2}));
    write("bool.npy", raster_of<bool>({2, 2}, {true, false, false, true}));
    write("large_label.npy", raster_of<std::int32_t>({1, 3}, {0, 70'000, 0}));
    write("negative_label.npy", raster_of<std::int32_t>({1, 3}, {0, -7, 0}));
    write("no_cells.npy", Raster::of<std::uint8_t>({0, 4}));
    const std::string whole = read_bytes("u8.npy");
    write_bytes("truncated_signature.npy", whole.substr(0, 5));
    write_bytes("truncated_header.npy", whole.substr(0, 40));
    write_bytes("truncated_cells.npy", whole.substr(0, whole.size() - 1));
    write_bytes("longer.npy", whole + "x");
    write_bytes("empty.npy", "");
    write_bytes("lying.npy", npy("'|u1'", "(1000, 1000)", 50));
    write_bytes("lying_wildly.npy", npy("'<f8'", "(1000000000, 1000000000)", 50));
    write_bytes("uncountable.npy", npy("'|u1'", "(1073741824, 1073741824, 1073741824)", 50));
    write_bytes("negative.npy", npy("'|u1'", "(-3, 4)", 12));
    write_bytes("long_axis.npy", npy("'|u1'", "(1, 1073741825)", 50));
    write_bytes("complex.npy", npy("'<c16'", "(2, 2)", 64));
    write_bytes("object.npy", npy("'|O'", "(2, 2)", 32));
    write_bytes("string.npy", npy("'<U1'", "(2, 2)", 16));
    write_bytes("structured.npy", npy("[('a', '|u1')]", "(2, 2)", 4));
    write_bytes("no_dictionary.npy", npy("import os", 4));
    write_bytes("one_axis.npy", npy("'|u1'", "(5,)", 5));
    write_bytes("four_axes.npy", npy("'|u1'", "(1, 2, 1, 2)", 4));
    write_bytes("text.png", "this is no picture\n");
    write_bytes("damaged.png", "\x89PNG\r\n\x1a\nrubbish");
    write_bytes("short.pgm", "P5\n4 3\n255\n123");
    fs::create_directory(path("folder"));
    fs::create_symlink("out.npy", path("link_to_out.npy"));
  }

  /// The names and contents of all files.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (const std::string& name : names())
      contents[name] = fs::is_regular_file(path(name)) ? read_bytes(name) : "not a regular file";
    return contents;
  }
};

class BadInputTable : public BadInputTest, public ::testing::WithParamInterface<BadInput> {};

TEST_P(BadInputTable, SaysSoInOneLineAndLeavesNothing) {
  const BadInput& row = GetParam();
  const auto before = contents();
  Settings settings;
  settings.file_size_limit = row.file_size_limit;
  const Outcome outcome = run(row.arguments, settings);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, row.exit_code) << outcome.err;
  expect_one_line_of_complaint(outcome);
  for (const std::string& word : row.words)
    EXPECT_NE(outcome.err.find(word), std::string::npos) << "no \"" << word << "\" in\n"
                                                         << outcome.err;
  EXPECT_EQ(contents(), before);
}

std::string name_of(const ::testing::TestParamInfo<BadInput>& row) { return row.param.name; }

const std::string kRandom = "voronoi --random 5 --size 8x6 ";

/// A file of sites that cannot be read, and the words that the message must have besides its name.
BadInput bad_sites(const std::string& file, std::vector<std::string> words) {
  std::string name = file;
  for (char& c : name)
    if (c == '.' || c == '/') c = '_';
  words.push_back(file + ": ");
  return {"sites_" + name, "voronoi --sites " + file + " --labels out.npy --distance out2.npy",
          kBadUsage, std::move(words)};
}

INSTANTIATE_TEST_SUITE_P(
    Sites, BadInputTable,
    ::testing::Values(
        bad_sites("missing.npy", {"No such file"}), bad_sites("folder", {"Is a directory"}),
        bad_sites("empty.npy", {"empty"}), bad_sites("truncated_signature.npy", {"NPY"}),
        bad_sites("truncated_header.npy", {"header"}),
        bad_sites("truncated_cells.npy", {"2 x 3", "6", "5"}),
        bad_sites("longer.npy", {"after its last cell"}),
        bad_sites("lying.npy", {"1000 x 1000", "50"}),
        bad_sites("lying_wildly.npy", {"1000000000 x 1000000000", "50"}),
        bad_sites("uncountable.npy", {"2^63"}), bad_sites("negative.npy", {"-3"}),
        bad_sites("long_axis.npy", {"1073741825", "1073741824"}),
        bad_sites("complex.npy", {"complex", "<c16"}), bad_sites("object.npy", {"objects", "|O"}),
        bad_sites("string.npy", {"text", "<U1"}), bad_sites("structured.npy", {"structured"}),
        bad_sites("no_dictionary.npy", {"header", "import os"}),
        bad_sites("one_axis.npy", {"1 axis", "2 or 3"}),
        bad_sites("four_axes.npy", {"4 axes", "2 or 3"}),
        bad_sites("text.png", {"PNG", "this is "}), bad_sites("damaged.png", {"PNG"}),
        bad_sites("short.pgm", {"3 x 4", "12"}),
        BadInput{"no_file_name", "voronoi --sites '' --labels out.npy", kBadUsage, {"--sites"}}),
    name_of);

BadInput bad_size(const std::string& name, const std::string& size,
                  std::vector<std::string> words) {
  words.push_back("--size " + size);
  return {"size_" + name, "voronoi --random 5 --labels out.npy --size " + size, kBadUsage,
          std::move(words)};
}

INSTANTIATE_TEST_SUITE_P(
    Size, BadInputTable,
    ::testing::Values(
        bad_size("of_no_cells", "0x5", {"'0'", "2^30"}),
        bad_size("too_long", "99999999999x2", {"'99999999999'", "2^30"}),
        bad_size("beyond_64_bits", "99999999999999999999x2", {"2^30"}),
        bad_size("of_one_axis", "5", {"WxH"}), bad_size("with_an_empty_axis", "5x", {"''"}),
        bad_size("of_four_axes", "5x5x5x5", {"WxH"}),
        bad_size("of_many_axes", "5x5x5x5x5x5x5", {"WxH"}), bad_size("negative", "-1x5", {"'-1'"}),
        bad_size("in_floats", "1e3x5", {"'1e3'"}), bad_size("in_capitals", "5X5", {"'5X5'"}),
        bad_size("of_words", "wide", {"'wide'"}),
        BadInput{"size_of_2_60_cells",
                 "voronoi --random 5 --size 1000000000x1000000000 --labels out.npy",
                 kFailed,
                 {"memory"}},
        BadInput{"size_of_a_terabyte",
                 "voronoi --random 5 --size 1000000x1000000 --metric chessboard --labels out.npy",
                 kFailed,
                 {"memory"}},
        BadInput{"size_whose_bytes_wrap_to_zero",
                 "voronoi --random 5 --size 1073741824x1073741824x4 --labels out.npy",
                 kBadUsage,
                 {"2^60"}},
        BadInput{"size_of_too_many_cells_to_count",
                 "voronoi --random 5 --size 1000000000x1000000000x1000000000 --labels out.npy",
                 kBadUsage,
                 {"2^60"}}),
    name_of);

/// A command line that is fine, with one flag added that is not.
BadInput bad_flag(const std::string& name, const std::string& flag,
                  std::vector<std::string> words) {
  return {name, kRandom + "--labels out.npy " + flag, kBadUsage, std::move(words)};
}

INSTANTIATE_TEST_SUITE_P(
    Values, BadInputTable,
    ::testing::Values(
        bad_flag("spacing_nan", "--spacing nan,1", {"--spacing", "nan", "finite"}),
        bad_flag("spacing_infinite", "--spacing 1,inf", {"--spacing", "inf", "finite"}),
        bad_flag("spacing_zero", "--spacing 0,1", {"--spacing", "'0'", "> 0"}),
        bad_flag("spacing_negative", "--spacing 1,-2", {"--spacing", "'-2'", "> 0"}),
        bad_flag("spacing_of_one_axis", "--spacing 1", {"--spacing 1", "x,y"}),
        bad_flag("spacing_of_three_axes", "--spacing 1,2,3", {"--spacing 1,2,3", "x,y"}),
        bad_flag("spacing_comma", "--spacing ,", {"--spacing ,"}),
        bad_flag("spacing_words", "--spacing wide,1", {"--spacing", "wide"}),
        bad_flag("spacing_too_uneven", "--spacing 1,1e-300", {"--spacing 1,1e-300;"}),
        bad_flag("seed_negative", "--seed -1", {"--seed", "-1"}),
        bad_flag("seed_too_large", "--seed 18446744073709551616",
                 {"--seed", "18446744073709551616"}),
        bad_flag("seed_words", "--seed abc", {"--seed", "abc"}),
        bad_flag("metric_unknown", "--metric taxi", {"--metric", "taxi", "manhattan"}),
        bad_flag("method_unknown", "--method magic", {"--method magic", "brute-force"}),
        bad_flag("device_unknown", "--device abacus", {"device", "abacus", "cpu"}),
        bad_flag("device_not_there", "--device cpu:7", {"cpu:7"}),
        bad_flag("devices_of_the_cpu", "--device cpu:0,cpu:0", {"cpu:0,cpu:0", "several"}),
        bad_flag("device_empty", "--device ''", {"--device", "empty"}),
        bad_flag("threads_negative", "--threads -1", {"--threads", "-1"}),
        bad_flag("threads_words", "--threads x", {"--threads", "x"}),
        bad_flag("threads_too_many", "--threads 99999999999", {"--threads", "99999999999"}),
        bad_flag("unreached_fraction", "--unreached 1.5", {"unreached", "1.5", "i32"}),
        bad_flag("unreached_too_large", "--unreached 2147483648",
                 {"unreached", "2147483648", "i32"}),
        bad_flag("unreached_nan", "--unreached nan", {"unreached", "nan", "i32"}),
        bad_flag("unreached_words", "--unreached abc", {"--unreached", "abc", "number"}),
        bad_flag("max_distance_nan", "--max-distance nan", {"distance", "nan", ">= 0"}),
        bad_flag("max_distance_negative", "--max-distance -1", {"distance", "-1", ">= 0"}),
        bad_flag("max_distance_words", "--max-distance far", {"--max-distance", "far"}),
        bad_flag("distance_type_unknown", "--distance-type f16", {"--distance-type", "f16", "f64"}),
        bad_flag("distance_to_unknown", "--distance-to edge",
                 {"--distance-to", "edge", "boundary"}),
        bad_flag("unknown_flag", "--bogus", {"--bogus"}),
        bad_flag("beginning_of_a_flag", "--dist out2.npy", {"--dist"}),
        bad_flag("stray_word", "stray", {"stray"}),
        bad_flag("flag_given_twice", "--labels out2.npy", {"--labels"}),
        bad_flag("unknown_flag_of_two_lines", "--bo\ngus", {"gus"}),
        bad_flag("metric_of_two_lines", "--metric ta\nxi", {"--metric", "xi"}),
        bad_flag("spacing_of_two_lines", "--spacing 1\n2,1", {"--spacing"})),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Combinations, BadInputTable,
    ::testing::Values(
        BadInput{"no_command", "", kBadUsage, {"command"}},
        BadInput{"unknown_command", "bogus", kBadUsage, {"bogus"}},
        BadInput{"unknown_flag_of_devices", "devices --bogus", kBadUsage, {"--bogus"}},
        BadInput{"no_sites", "voronoi --labels out.npy", kBadUsage, {"--sites", "--random"}},
        BadInput{"no_output", kRandom, kBadUsage, {"--labels", "--distance"}},
        BadInput{"output_without_a_name",
                 kRandom + "--labels '' --distance out.npy",
                 kBadUsage,
                 {"--labels"}},
        bad_flag("sites_and_random", "--sites u8.npy", {"--sites", "--random"}),
        BadInput{"random_without_size",
                 "voronoi --random 5 --labels out.npy",
                 kBadUsage,
                 {"--random", "--size"}},
        BadInput{"size_without_random",
                 "voronoi --size 5x5 --labels out.npy",
                 kBadUsage,
                 {"--random", "--size"}},
        BadInput{"size_of_sites",
                 "voronoi --sites u8.npy --size 5x5 --labels out.npy",
                 kBadUsage,
                 {"--size"}},
        BadInput{"more_random_sites_than_cells",
                 "voronoi --random 26 --size 5x5 --labels out.npy",
                 kBadUsage,
                 {"--random 26", "25"}},
        BadInput{"random_negative",
                 "voronoi --random -1 --size 5x5 --labels out.npy",
                 kBadUsage,
                 {"--random", "-1"}},
        BadInput{"random_words",
                 "voronoi --random abc --size 5x5 --labels out.npy",
                 kBadUsage,
                 {"--random", "abc"}},
        BadInput{"random_beyond_64_bits",
                 "voronoi --random 99999999999999999999 --size 5x5 --labels out.npy",
                 kBadUsage,
                 {"--random", "99999999999999999999"}},
        BadInput{"nodata_outside_of_the_type",
                 "voronoi --sites u8.npy --nodata 300 --labels out.npy",
                 kBadUsage,
                 {"nodata", "300", "u8"}},
        BadInput{"nodata_words",
                 "voronoi --sites u8.npy --nodata abc --labels out.npy",
                 kBadUsage,
                 {"--nodata", "abc", "number"}},
        BadInput{"nodata_of_booleans",
                 "voronoi --sites bool.npy --nodata 0 --labels out.npy",
                 kBadUsage,
                 {"nodata", "bool"}},
        bad_flag("nodata_of_random_sites", "--nodata 3", {"--nodata"}),
        BadInput{"values_that_do_not_fit",
                 "voronoi --sites u8.npy --values 3,300 --labels out.npy",
                 kBadUsage,
                 {"--values 300", "u8"}},
        BadInput{"values_of_words",
                 "voronoi --sites u8.npy --values 3,x --labels out.npy",
                 kBadUsage,
                 {"--values 3,x", "'x'", "number"}},
        BadInput{"values_and_free_nodata",
                 "voronoi --sites u8.npy --values 3 --free-nodata --nodata 0 --labels out.npy",
                 kBadUsage,
                 {"--free-nodata", "--values"}},
        BadInput{"components_and_free_nodata",
                 "voronoi --sites u8.npy --components 4 --free-nodata --nodata 0 --labels out.npy",
                 kBadUsage,
                 {"--free-nodata", "--components"}},
        BadInput{"free_nodata_without_nodata",
                 "voronoi --sites u8.npy --free-nodata --labels out.npy",
                 kBadUsage,
                 {"--free-nodata: there is no nodata value of u8.npy; give --nodata V"}},
        BadInput{"free_nodata_of_no_value",
                 "voronoi --sites u8.npy --free-nodata --nodata none --labels out.npy",
                 kBadUsage,
                 {"--free-nodata: there is no nodata value of u8.npy"}},
        BadInput{"free_nodata_of_random_sites",
                 "voronoi --random 3 --size 9x9 --free-nodata --labels out.npy",
                 kBadUsage,
                 {"--free-nodata", "--sites"}},
        BadInput{"free_nodata_of_a_source_without",
                 "proximity u8.npy out.npy --free-nodata",
                 kBadUsage,
                 {"--free-nodata: there is no nodata value of u8.npy; gdal_edit.py"}},
        BadInput{"free_nodata_and_use_input_nodata",
                 "proximity u8.npy out.npy --free-nodata -use_input_nodata YES",
                 kBadUsage,
                 {"--free-nodata", "--use_input_nodata"}},
        BadInput{"values_and_zero_is_site",
                 "voronoi --sites u8.npy --values 3 --zero-is-site --labels out.npy",
                 kBadUsage,
                 {"--zero-is-site", "--values"}},
        BadInput{"values_of_components",
                 "voronoi --sites u8.npy --values 3 --components 4 --labels out.npy",
                 kBadUsage,
                 {"--values", "--components"}},
        BadInput{"components_5",
                 "voronoi --sites u8.npy --components 5 --labels out.npy",
                 kBadUsage,
                 {"--components 5", "4 or 8"}},
        BadInput{"components_0",
                 "voronoi --sites u8.npy --components 0 --labels out.npy",
                 kBadUsage,
                 {"--components 0", "4 or 8"}},
        BadInput{"components_8_in_3d",
                 "voronoi --sites u8_3d.npy --components 8 --labels out.npy",
                 kBadUsage,
                 {"--components 8", "6, 18 or 26"}},
        BadInput{"signed_to_the_boundary",
                 kRandom + "--signed-distance --distance-to boundary --distance out.npy",
                 kBadUsage,
                 {"signed", "boundary"}},
        BadInput{"coverage_without_signed",
                 "voronoi --sites u8.npy --coverage --distance out.npy",
                 kBadUsage,
                 {"--coverage", "--signed-distance"}},
        BadInput{"coverage_with_labels",
                 "voronoi --sites u8.npy --signed-distance --coverage --labels out.npy",
                 kBadUsage,
                 {"--coverage", "--labels"}},
        BadInput{"coverage_of_random_sites",
                 kRandom + "--signed-distance --coverage --distance out.npy",
                 kBadUsage,
                 {"--coverage", "--random"}},
        BadInput{"coverage_of_integers",
                 "voronoi --sites large_label.npy --signed-distance --coverage --distance out.npy",
                 kBadUsage,
                 {"--coverage is i32", "u8, u16"}},
        BadInput{"squared_with_spacing",
                 kRandom + "--squared out.npy --spacing 2,2",
                 kBadUsage,
                 {"squared", "spacing"}},
        BadInput{"squared_of_manhattan",
                 kRandom + "--squared out.npy --metric manhattan",
                 kBadUsage,
                 {"squared", "euclidean"}},
        BadInput{"direction_in_3d",
                 "voronoi --random 5 --size 4x4x4 --direction out.npy",
                 kBadUsage,
                 {"direction", "2-D"}},
        BadInput{"picture_in_3d",
                 "voronoi --random 5 --size 4x4x4 --picture out.png",
                 kBadUsage,
                 {"--picture", "2-D"}},
        BadInput{"spacing_of_two_axes_in_3d",
                 "voronoi --random 5 --size 4x4x4 --spacing 1,2 --labels out.npy",
                 kBadUsage,
                 {"--spacing 1,2", "x,y,z"}}),
    name_of);

BadInput bad_proximity(const std::string& name, const std::string& flags,
                       std::vector<std::string> words) {
  return {"proximity_" + name, "proximity u8.npy out.npy " + flags, kBadUsage, std::move(words)};
}

INSTANTIATE_TEST_SUITE_P(
    Proximity, BadInputTable,
    ::testing::Values(
        BadInput{"proximity_of_nothing", "proximity", kBadUsage, {"--input"}},
        BadInput{"proximity_into_nothing", "proximity u8.npy", kBadUsage, {"--output"}},
        BadInput{"proximity_of_a_missing_file",
                 "proximity missing.npy out.npy",
                 kBadUsage,
                 {"missing.npy", "No such file"}},
        BadInput{"proximity_of_complex_numbers",
                 "proximity complex.npy out.npy",
                 kBadUsage,
                 {"complex.npy", "complex"}},
        BadInput{"proximity_into_itself",
                 "proximity u8.npy u8.npy",
                 kBadUsage,
                 {"u8.npy", "is the input u8.npy"}},
        BadInput{"proximity_into_three_files",
                 "proximity u8.npy out.npy out2.npy",
                 kBadUsage,
                 {"out2.npy"}},
        BadInput{
            "proximity_floats_into_png", "proximity u8.npy out.png", kBadUsage, {"out.png", "f32"}},
        BadInput{
            "proximity_without_a_suffix", "proximity u8.npy out", kBadUsage, {"out: ", "suffix"}},
        bad_proximity("unknown_flag", "--bogus 1", {"--bogus"}),
        bad_proximity("band_0", "-srcband 0", {"--band 0", "from 1"}),
        bad_proximity("band_abc", "-srcband abc", {"--band abc"}),
        bad_proximity("dstband", "-dstband 2", {"--dstband 2", "must be 1"}),
        bad_proximity("format", "-of HFA", {"--of HFA", "out.npy", "another format"}),
        bad_proximity("other_format", "-of GTiff", {"--of GTiff", "out.npy"}),
        bad_proximity("type", "-ot CFloat32", {"--ot CFloat32", "Float32"}),
        bad_proximity("values", "-values 1,x", {"--values 1,x", "'x'"}),
        bad_proximity("values_beyond_the_type", "-values 300", {"--values 300", "u8"}),
        bad_proximity("units", "-distunits miles", {"--distunits miles", "PIXEL", "GEO"}),
        bad_proximity("geo_without_georeference", "-distunits GEO", {"u8.npy", "georeference"}),
        bad_proximity("maxdist", "-maxdist -1", {"--maxdist -1", ">= 0"}),
        bad_proximity("maxdist_nan", "-maxdist nan", {"--maxdist nan"}),
        bad_proximity("nodata", "-nodata x", {"--nodata x"}),
        bad_proximity("nodata_beyond_the_type", "-ot Byte -nodata 256", {"--nodata 256", "u8"}),
        bad_proximity("nodata_nan_of_integers", "-ot Byte -nodata nan", {"--nodata nan", "u8"}),
        bad_proximity("fixed_value_beyond_the_type", "-ot Byte -fixed-buf-val -1",
                      {"--fixed-buf-val -1", "u8"}),
        bad_proximity("use_input_nodata", "-use_input_nodata maybe", {"maybe", "YES", "NO"}),
        bad_proximity("both_ways_of_nodata", "-use_input_nodata YES --ignore-input-nodata",
                      {"--ignore-input-nodata"}),
        bad_proximity("empty_word", "-maxdist ''", {"--maxdist", "empty"}),
        bad_proximity("flag_twice", "-maxdist 1 -maxdist 2", {"--maxdist"})),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Outputs, BadInputTable,
    ::testing::Values(
        BadInput{"floats_into_png", kRandom + "--distance out.png", kBadUsage, {"out.png", "f32"}},
        BadInput{"floats_into_pgm", kRandom + "--distance out.pgm", kBadUsage, {"out.pgm", "f32"}},
        BadInput{"labels_into_ppm", kRandom + "--labels out.ppm", kBadUsage, {"out.ppm", "PPM"}},
        BadInput{"colours_into_pgm",
                 kRandom + "--picture out.pgm",
                 kBadUsage,
                 {"out.pgm", "written as .png"}},
        BadInput{"offsets_into_png", kRandom + "--offset out.png", kBadUsage, {"out.png", "PNG"}},
        BadInput{"labels_in_3d_into_png",
                 "voronoi --random 5 --size 4x4x4 --labels out.png",
                 kBadUsage,
                 {"out.png", "4 x 4 x 4"}},
        BadInput{"no_cells_into_png",
                 "voronoi --sites no_cells.npy --labels out.png",
                 kBadUsage,
                 {"out.png", "0 x 4"}},
        BadInput{"unknown_suffix", kRandom + "--labels out.xyz", kBadUsage, {"out.xyz", ".npy"}},
        BadInput{"no_suffix", kRandom + "--labels out", kBadUsage, {"out: ", ".npy"}},
        BadInput{"bad_output_among_good_ones",
                 kRandom + "--labels out.npy --distance out.xyz",
                 kBadUsage,
                 {"out.xyz"}},
        BadInput{"two_outputs_of_one_name",
                 kRandom + "--labels out.npy --distance out.npy",
                 kBadUsage,
                 {"out.npy"}},
        BadInput{"two_outputs_of_one_file",
                 kRandom + "--labels out.npy --distance ./out.npy --overwrite",
                 kBadUsage,
                 {"out.npy"}},
        BadInput{"two_outputs_of_one_file_that_is_not_there_yet",
                 kRandom + "--labels out.npy --distance link_to_out.npy",
                 kBadUsage,
                 {"link_to_out.npy"}},
        BadInput{"two_outputs_of_one_existing_file",
                 kRandom + "--labels u8.npy --site-index folder/../u8.npy --overwrite",
                 kBadUsage,
                 {"u8.npy"}},
        BadInput{"existing_output", kRandom + "--labels u8.npy", kFailed, {"u8.npy", "exists"}},
        BadInput{"one_existing_output",
                 kRandom + "--labels out.npy --distance u8.npy",
                 kFailed,
                 {"u8.npy", "exists"}},
        BadInput{"sites_as_output",
                 "voronoi --sites u8.npy --labels u8.npy",
                 kBadUsage,
                 {"u8.npy", "is the input u8.npy"}},
        BadInput{"output_below_a_file",
                 kRandom + "--distance out2.npy --labels u8.npy/out.npy",
                 kFailed,
                 {"u8.npy/out.npy", "Not a directory"}},
        BadInput{"output_in_a_missing_folder",
                 kRandom + "--distance out2.npy --labels missing/out.npy",
                 kFailed,
                 {"missing/out.npy", "No such file"}},
        BadInput{"output_of_too_long_a_name",
                 kRandom + "--labels " + std::string(252, 'n') + ".npy",
                 kFailed,
                 {"too long"}},
        BadInput{"label_too_large_for_pgm",
                 "voronoi --sites large_label.npy --labels out.pgm --distance out.npy",
                 kFailed,
                 {"out.pgm", "70000", "65535"}},
        BadInput{"label_too_large_for_png",
                 "voronoi --sites large_label.npy --distance out.npy --labels out.png",
                 kFailed,
                 {"out.png", "70000", "65535"}},
        BadInput{"negative_label_into_pgm",
                 "voronoi --sites negative_label.npy --labels out.pgm",
                 kFailed,
                 {"out.pgm", "-7"}},
        BadInput{"components_do_not_lift_the_limit_of_unreached",
                 "voronoi --sites u8.npy --components 4 --unreached 70000 --max-distance 0 "
                 "--labels out.pgm",
                 kFailed,
                 {"out.pgm", "70000"}}),
    name_of);

/// A disk that is full after so many bytes.
BadInput full_disk(const std::string& name, const std::string& outputs, std::uint64_t bytes,
                   const std::string& culprit) {
  return {name,
          "voronoi --random 400 --size 300x300 " + outputs,
          kFailed,
          {culprit, "too large"},
          bytes};
}

INSTANTIATE_TEST_SUITE_P(
    FullDisk, BadInputTable,
    ::testing::Values(
        full_disk("npy", "--labels out.npy", 2'000, "out.npy"),
        full_disk("pgm", "--labels out.pgm", 2'000, "out.pgm"),
        full_disk("png", "--labels out.png", 2'000, "out.png"),
        full_disk("coloured_png", "--picture out.png", 2'000, "out.png"),
        full_disk("coloured_ppm", "--picture out.ppm", 2'000, "out.ppm"),
        full_disk("not_a_byte", "--labels out.npy", 0, "out.npy"),
        full_disk("one_byte_too_few", "--labels out.npy", 128 + 4 * 300 * 300 - 1, "out.npy"),
        full_disk("more_than_a_buffer", "--offset out.npy --distance-type f64", 500'000, "out.npy"),
        full_disk("second_of_two", "--labels out.png --distance out.npy", 100'000, "out.npy"),
        full_disk("last_of_many",
                  "--labels a.npy --distance b.npy --direction c.npy --picture d.png "
                  "--squared e.npy",
                  500'000, "e.npy")),
    name_of);

class ManyThreads : public BadInputTest, public ::testing::WithParamInterface<std::string> {};

/// Either the message says that there are too many, or they work like fewer: no crash, no other
/// output.
TEST_P(ManyThreads, AreRefusedOrWork) {
  const auto before = contents();
  const Outcome outcome = run(kRandom + "--labels out.npy --threads " + GetParam());
  EXPECT_EQ(outcome.signal, 0);
  if (outcome.exit_code == 0) {
    EXPECT_EQ(outcome.err, "");
    succeed(kRandom + "--labels one.npy --threads 1");
    EXPECT_EQ(read_bytes("out.npy"), read_bytes("one.npy"));
  } else {
    EXPECT_EQ(outcome.exit_code, kBadUsage);
    expect_one_line_of_complaint(outcome);
    EXPECT_EQ(contents(), before);
  }
}

INSTANTIATE_TEST_SUITE_P(BadInputTest, ManyThreads,
                         ::testing::Values("64", "1000", "100000", "2147483647"),
                         [](const auto& row) { return row.param; });

TEST_F(BadInputTest, AnUnwritableFolderIsKnownBeforeAnyWork) {
  // 200,000 sites by brute force would take minutes.
  const Outcome outcome =
      run("voronoi --random 200000 --size 5000x5000 --method brute-force --labels missing/out.npy",
          {.limit = std::chrono::seconds(20)});
  EXPECT_EQ(outcome.exit_code, kFailed);
  expect_one_line_of_complaint(outcome);
}

TEST_F(BadInputTest, TooLittleMemoryIsSaidInOneLine) {
  const Settings settings{.memory_limit = std::uint64_t{400} << 20};
  if (run("--version", settings).exit_code != 0)
    GTEST_SKIP() << "this build does not start in so little address space (a sanitizer?)";
  const auto before = contents();
  const Outcome outcome =
      run("voronoi --random 5 --size 12000x12000 --metric chessboard --labels out.npy", settings);
  EXPECT_EQ(outcome.exit_code, kFailed);
  expect_one_line_of_complaint(outcome);
  EXPECT_NE(outcome.err.find("memory"), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(), before);
}

}  // namespace
}  // namespace thiessen::cli
