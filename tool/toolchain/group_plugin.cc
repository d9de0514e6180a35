#include "tool/toolchain/group_plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace snag::toolchain {
namespace {

namespace fs = std::filesystem;

// The real path of the program that a command names; empty if there is none.
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

// "12" of "12" and of "12.2.0"; empty if this is not a version.
std::string major_version(std::string_view version) {
  const std::string_view major = version.substr(0, version.find_first_not_of("0123456789"));
  const std::string_view rest = version.substr(major.size());
  const bool is_version =
      rest.empty() || (rest.size() > 1 && rest.front() == '.' &&
                       rest.find_first_not_of("0123456789.") == std::string_view::npos);
  return is_version ? std::string(major) : "";
}

}  // namespace

std::string version_from_path(CompilerKind kind, const std::string& path) {
  const std::string name = fs::path(path).filename();
  if (const std::size_t dash = name.rfind('-'); dash != std::string::npos) {
    const std::string_view compiler = std::string_view(name).substr(0, dash);
    for (const char* known : {"clang", "gcc", "g++"}) {
      if (compiler.find(known) == std::string_view::npos) continue;
      std::string version = major_version(std::string_view(name).substr(dash + 1));
      if (!version.empty()) return version;
    }
  }
  const fs::path bin = fs::path(path).parent_path();
  const std::string package = bin.parent_path().filename();
  constexpr std::string_view kLlvm = "llvm-";
  const bool in_package = kind == CompilerKind::kClang && name.starts_with("clang") &&
                          bin.filename() == "bin" && package.starts_with(kLlvm);
  return in_package ? major_version(std::string_view(package).substr(kLlvm.size())) : "";
}

std::vector<std::string> group_plugin_flags(const Compiler& compiler, const Resources& resources) {
  const char* wanted = std::getenv("SNAG_PLUGIN");
  if (wanted && std::strcmp(wanted, "0") == 0) return {};
  for (const std::string& word : compiler.command) {
    const std::string path = resolved(word);  // (c++ may be g++, too)
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
