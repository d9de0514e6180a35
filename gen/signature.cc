#include "gen/signature.h"

#include <algorithm>

namespace snag::gen {

bool Signature::covers(const Signature& other) const {
  return kind == other.kind && detail == other.detail &&
         std::includes(other.methods.begin(), other.methods.end(), methods.begin(), methods.end());
}

Signature signature_of(const Violation& violation) {
  Signature signature;
  signature.kind = violation.kind;
  if (violation.kind == ViolationKind::kException) signature.detail = violation.message;
  for (const auto& suffix : violation.test.suffixes) {
    for (const TestCall& call : suffix) signature.methods.insert(call.method);
  }
  return signature;
}

}  // namespace snag::gen
