// Errors as values: one sentence for the person at the terminal, and what kind of trouble it is.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace snag {

enum class ErrorKind {
  kUsage,       // the request makes no sense, or a file is not what it should be
  kNothingRan,  // the program could not be run under control
  kInternal,    // Snag's own fault, or the machine's
};

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> usage_error(std::string message) {
  return tl::unexpected<Error>(Error{ErrorKind::kUsage, std::move(message)});
}
inline tl::unexpected<Error> nothing_ran(std::string message) {
  return tl::unexpected<Error>(Error{ErrorKind::kNothingRan, std::move(message)});
}
inline tl::unexpected<Error> internal_error(std::string message) {
  return tl::unexpected<Error>(Error{ErrorKind::kInternal, std::move(message)});
}

}  // namespace snag
