// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/output_format.hpp"

#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <filesystem>
#include <optional>

#include "driver/base/output_file.hpp"
#include "driver/base/ranks.hpp"

namespace dromos::driver {
namespace {

struct Extension {
  const char* text;
  GraphFormat format;
};
constexpr Extension extensions[] = {
    {".mtx", GraphFormat::matrix_market}, {".txt", GraphFormat::edge_list},   {".el", GraphFormat::edge_list},
    {".e", GraphFormat::edge_list},       {".edges", GraphFormat::edge_list}, {".tsv", GraphFormat::edge_list},
    {".graph", GraphFormat::metis},       {".metis", GraphFormat::metis},     {".gr", GraphFormat::dimacs},
    {".smat", GraphFormat::smat},         {".h5", GraphFormat::hdf5},         {".hdf5", GraphFormat::hdf5}};

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
  if (file.extension() == ".gz" || file.extension() == ".xz") file.replace_extension();
  if (const auto format = format_by_extension(file)) return *format;
  throw ArgumentError(
      fmt::format("{}: its name does not tell the format; give --to FORMAT, or a name that ends in "
                  ".mtx, .txt, .graph, .gr, .smat or .h5",
                  path));
}

}  // namespace

void declare_output_format(ArgumentParser& parser, std::string& name) {
  parser
      .add_option(
          "--to", name,
          "Format to write: matrix-market, edge-list, metis, dimacs, smat or hdf5. Default: by the name (.mtx, "
          ".txt .el .e .edges .tsv, .graph .metis, .gr, .smat, .h5 .hdf5; .gz or .xz at the end compresses text)")
      .value_name("NAME")
      .suggest({"matrix-market", "edge-list", "metis", "dimacs", "smat", "hdf5"});
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
  if (format == GraphFormat::hdf5) require_hdf5(path);
  return format;
}

}  // namespace dromos::driver
