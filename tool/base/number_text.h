// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snag {

// "12,345"
std::string grouped(std::uint64_t number);
// "1 run", "2 runs"
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace snag
