// Identifies a violation: its kind, and the methods involved.
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

  // A test with these methods and more probably shows the same violation.
  bool covers(const Signature& other) const;
  // Whether a user would call them the same. The method that throws identifies an exception: it
  // matters little whether another method had to change the object's state first.
  bool is_same(const Signature& other) const;
};

Signature signature_of(const Violation& violation);

}  // namespace snag::gen
