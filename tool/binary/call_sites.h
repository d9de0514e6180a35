// All calls of the compiler's hooks in a file: the locations that a program could ever execute.
//
// They are found by looking at the code for call instructions whose target is a hook, or a stub of
// the procedure linkage table that leads to one. Bytes in the middle of another instruction may
// look like a call by chance, but would have to hit one of a few hundred addresses out of four
// billion.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/error.h"
#include "tool/binary/location_kind.h"

namespace snag::binary {

struct CallSite {
  std::uint64_t return_address = 0;  // as the file itself gives addresses
  LocationKind kind = LocationKind::kAccess;
};

// Sorted by address. Empty for a file without hooks.
Expected<std::vector<CallSite>> find_call_sites(const std::string& path);

// The same for calls of any functions: `classify` says, for the linker's name of a function, what
// kind of call it is; nothing if it is not wanted.
struct ClassifiedCall {
  std::uint64_t return_address = 0;
  int kind = 0;
};
Expected<std::vector<ClassifiedCall>> find_calls(
    const std::string& path, const std::function<std::optional<int>(std::string_view)>& classify);

// The kind of access that a hook reports; nothing if the function is not a hook, or reports no
// access.
std::optional<LocationKind> kind_of_hook(std::string_view name);

}  // namespace snag::binary
