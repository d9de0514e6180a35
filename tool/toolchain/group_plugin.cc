#include "tool/toolchain/group_plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sstream>

namespace snag::toolchain {
namespace {

namespace fs = std::filesystem;

// Where the program that a command names really lies; empty: nowhere.
std::string resolved(const std::string& program) {
  std::error_code error;
  if (program.find('/') != std::string::npos) return fs::canonical(program, error).string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / program;
    if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, error))
      return fs::canonical(file, error).string();
  }
  return "";
}

}  // namespace

std::string version_from_path(CompilerKind kind, const std::string& path) {
  static const std::regex in_name(".*/[^/]*(?:clang|gcc|g\\+\\+)[^/]*-([0-9]+)(?:[.][0-9.]+)?");
  static const std::regex in_folder(".*/llvm-([0-9]+)(?:[.][0-9.]+)?/bin/clang[^/]*");
  std::smatch match;
  if (std::regex_match(path, match, in_name)) return match[1];
  if (kind == CompilerKind::kClang && std::regex_match(path, match, in_folder)) return match[1];
  return "";
}

std::vector<std::string> group_plugin_flags(const Compiler& compiler, const Resources& resources) {
  const char* wanted = std::getenv("SNAG_PLUGIN");
  if (wanted && std::strcmp(wanted, "0") == 0) return {};
  for (const std::string& word : compiler.command) {
    const std::string path = resolved(word);  // (of c++ that is g++, too)
    if (kind_from_name({path}) != compiler.kind) continue;
    const std::string version = version_from_path(compiler.kind, path);
    if (version.empty()) return {};
    const bool clang = compiler.kind == CompilerKind::kClang;
    const std::string plugin = fmt::format("{}/groups-{}-{}.so", resources.library_dir(),
                                           clang ? "clang" : "gcc", version);
    if (access(plugin.c_str(), R_OK) != 0) return {};
    return {(clang ? "-fpass-plugin=" : "-fplugin=") + plugin};
  }
  return {};
}

}  // namespace snag::toolchain
