// The compiler's plugin that groups the hooks (plugins/), if there is one for this compiler.
//
// A plugin fits one version of one compiler. The version is taken from the names of the compiler's
// files, as Debian and others choose them (/usr/lib/llvm-19/bin/clang, x86_64-linux-gnu-g++-12):
// asking the compiler would take longer than compiling a small file. Without a plugin everything
// works, but measuring the coverage of programs that run freely is slower.
#pragma once

#include <string>
#include <vector>

#include "tool/toolchain/resources.h"
#include "tool/toolchain/toolchain.h"

namespace snag::toolchain {

// The flag that loads it; none if there is no plugin, or if SNAG_PLUGIN is 0.
std::vector<std::string> group_plugin_flags(const Compiler& compiler, const Resources& resources);

// The major version in the path of a compiler; empty if there is none.
std::string version_from_path(CompilerKind kind, const std::string& path);

}  // namespace snag::toolchain
