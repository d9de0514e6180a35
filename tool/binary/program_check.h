// Checks a program's file before it is started, so that what cannot work is reported in one
// sentence.
#pragma once

#include <string>

#include "tool/base/error.h"

namespace snag::binary {

// The runtime exports this symbol; a program without it was not built with `snag c++`.
inline constexpr const char* kRuntimeSymbol = "__snag_runtime_version";

// Whether the file is an x86-64 ELF executable that was linked with Snag's runtime.
Expected<void> check_program(const std::string& path);

// Names a binary in traces: 64 bits of XXH3 over the file.
Expected<std::uint64_t> hash_file(const std::string& path);

}  // namespace snag::binary
