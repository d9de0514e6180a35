// The configuration file of snag gen, for classes that always need the same options: TOML with the
// names of the options.
//
//   class = "ns::Pool"
//   header = ["pool.h", "<memory>"]        # or one, as a string
//   flags = ["-std=c++20", "-lpool"]
//   factory = "std::make_unique<ns::Pool>(4)"
//   exclude = ["wait*", "operator=*"]
//
//   [arg-pool]
//   int = [1, 2, 3]
//   "resize.n" = [1, 2]
//   "std::string" = ['"a"', '"b"']         # C++ expressions
#pragma once

#include <string>
#include <string_view>

#include "tool/base/error.h"
#include "tool/gen/model/gen_target.h"

namespace snag::gen {

// Adds the file's settings to `options`: lists grow, and values that are already set stay.
Expected<void> read_config(const std::string& path, GenTarget& options);
Expected<void> parse_config(std::string_view text, const std::string& path, GenTarget& options);

// "type=value,value", as in --arg-pool.
Expected<ArgPool> parse_arg_pool(const std::string& text);

}  // namespace snag::gen
