// The functions of a loaded module, by the symbol tables of its file.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>

namespace snag::rt {

// Calls use(name, address relative to the module, size) for each function of the file, also for
// those that are not exported, unless the file was stripped. False if it cannot be read.
using UseFunction = void (*)(void* context, const char* name, std::uint64_t address,
                             std::uint64_t size);
bool for_each_function(const char* path, UseFunction use, void* context);

// Whether this symbol is the function that a user calls so: "take", "Pool::take" or
// "(anonymous namespace)::take", with any parameters, or the symbol itself.
bool names_function(const char* symbol, const char* name, std::size_t length);

}  // namespace snag::rt
