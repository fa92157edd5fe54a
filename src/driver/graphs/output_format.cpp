// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/output_format.hpp"

#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <filesystem>
#include <optional>

#include "driver/base/option_values.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/ranks.hpp"
#include "io/text/text_file.hpp"

namespace dromos::driver {
namespace {

struct Extension {
  const char* text;
  GraphFormat format;
};
constexpr Extension extensions[] = {
    {".mtx", GraphFormat::matrix_market}, {".txt", GraphFormat::edge_list},   {".el", GraphFormat::edge_list},
    {".e", GraphFormat::edge_list},       {".edges", GraphFormat::edge_list}, {".tsv", GraphFormat::edge_list},
    {".wel", GraphFormat::edge_list},     {".csv", GraphFormat::csv},         {".adjlist", GraphFormat::adjacency_list},
    {".sg", GraphFormat::gapbs},          {".wsg", GraphFormat::gapbs},       {".graph", GraphFormat::metis},
    {".metis", GraphFormat::metis},       {".gr", GraphFormat::dimacs},       {".smat", GraphFormat::smat},
    {".graphml", GraphFormat::graphml},   {".h5", GraphFormat::hdf5},         {".hdf5", GraphFormat::hdf5}};

std::optional<GraphFormat> format_by_extension(const std::filesystem::path& file) {
  for (const Extension& extension : extensions) {
    if (file.extension() == extension.text) return extension.format;
  }
  return std::nullopt;
}

GraphFormat format_by_name(const std::string& name, const std::string& path) {
  if (!name.empty()) {
    const GraphFormat format = parse_format(name);
    if (format == GraphFormat::automatic) throw ArgumentError("--to automatic: name the format to write");
    return format;
  }
  std::filesystem::path file(path);
  const bool compressed = io::compression_of_name(path) != io::Compression::none;
  if (compressed) file.replace_extension();
  if (const auto format = format_by_extension(file)) {
    if (compressed && *format == GraphFormat::hdf5) {
      throw ArgumentError(
          fmt::format("{}: HDF5 files are not compressed as a whole; leave out '{}' (dromos convert --compression 1 "
                      "compresses inside)",
                      path, std::filesystem::path(path).extension().string()));
    }
    return *format;
  }
  if (path == "-") throw ArgumentError("standard output has no name that tells the format; give --to FORMAT");
  throw ArgumentError(
      fmt::format("{}: its name does not tell the format; give --to FORMAT, or a name that ends in "
                  ".mtx, .txt, .csv, .graph, .gr, .smat, .adjlist, .graphml, .sg or .h5",
                  path));
}

}  // namespace

void declare_output_format(ArgumentParser& parser, std::string& name) {
  parser
      .add_option(
          "--to", name,
          "Format to write: " + written_format_names() +
              ". Default: by the name (.mtx, .txt .el .wel .e .edges .tsv, .csv, .graph .metis, .gr, .smat, .adjlist, "
              ".graphml, .sg .wsg, .h5 .hdf5; .gz, .xz, .bz2 or .zst at the end compresses all but HDF5)")
      .value_name("NAME")
      .suggest(words_of(written_format_names()));
}

bool names_hdf5(const std::string& path) { return format_by_extension(path) == GraphFormat::hdf5; }

bool names_matrix_market(const std::string& path) { return format_by_extension(path) == GraphFormat::matrix_market; }

void check_ranks_can_write(const std::string& path, GraphFormat format) {
  if (format == GraphFormat::hdf5) return;
  throw ArgumentError(
      fmt::format("{}: {} ranks were started, and {} is written by one; leave out the launcher, or give the "
                  "file a name that ends in .h5",
                  path, num_ranks(), format_name(format)));
}

GraphFormat choose_output_format(const std::string& name, const std::string& path) {
  check_writable("output", path);
  const GraphFormat format = format_by_name(name, path);
  if (format == GraphFormat::hdf5) {
    require_hdf5(path);
    if (path == "-") throw ArgumentError("an HDF5 file cannot go to standard output; give it a name");
  }
  return format;
}

}  // namespace dromos::driver
