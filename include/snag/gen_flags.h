// What the tables of <snag/gen_driver.h> say about a method, in its flags.
#pragma once

namespace snag_gen {

inline constexpr unsigned kConst = 1;
inline constexpr unsigned kStatic = 2;
// Const, without arguments, and returns a value: can observe the final state.
inline constexpr unsigned kObserver = 4;

}  // namespace snag_gen
