// Which violations a person would call the same: of the same kind, by the same methods.
#pragma once

#include <set>
#include <string>

#include "tool/gen/judge/judge.h"

namespace snag::gen {

struct Signature {
  ViolationKind kind = ViolationKind::kResult;
  std::string detail;               // type of the exception, and the method that threw it
  std::set<std::uint16_t> methods;  // of the suffixes
  bool operator==(const Signature&) const = default;

  // A test with these methods and more shows most probably the same.
  bool covers(const Signature& other) const;
  // A person would call them the same. An exception is known by who throws it: whether another
  // method was needed to bring the object into the state before matters little.
  bool is_same(const Signature& other) const;
};

Signature signature_of(const Violation& violation);

}  // namespace snag::gen
