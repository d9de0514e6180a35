#include "tool/gen/judge/signature.h"

#include <fmt/format.h>

#include <algorithm>

namespace snag::gen {

bool Signature::covers(const Signature& other) const {
  return kind == other.kind && detail == other.detail &&
         std::includes(other.methods.begin(), other.methods.end(), methods.begin(), methods.end());
}

bool Signature::is_same(const Signature& other) const {
  if (kind == ViolationKind::kException) return covers(other) || other.covers(*this);
  return *this == other;
}

namespace {

// The methods of the suffixes that threw what no order throws, then such observers.
std::set<std::uint16_t> throwers(const Violation& violation) {
  std::set<std::uint16_t> methods;
  const auto& calls = violation.outcome.calls;
  const Test& test = violation.test;
  for (std::size_t i = test.prefix.size(); i < test.calls() && i < calls.size(); ++i) {
    if (calls[i].thrown && calls[i].compared == violation.message)
      methods.insert(test.suffix_call(i - test.prefix.size()).method);
  }
  return methods;
}

}  // namespace

Signature signature_of(const Violation& violation) {
  Signature signature;
  signature.kind = violation.kind;
  if (violation.kind == ViolationKind::kException) {
    signature.detail = violation.message;
    for (const std::uint16_t method : throwers(violation))
      signature.detail += fmt::format(" by {}", method);
  }
  for (const auto& suffix : violation.test.suffixes) {
    for (const TestCall& call : suffix) signature.methods.insert(call.method);
  }
  return signature;
}

}  // namespace snag::gen
