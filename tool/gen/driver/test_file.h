// A test in a file: for `snag run` and `snag replay` on the driver.
//
//   snag-gen-test 1
//   constructor INDEX OBJECT SEED...   (OBJECT 1: on the second one; eight seeds)
//   second INDEX OBJECT SEED...        (if there is a second object)
//   prefix INDEX OBJECT SEED...        (one line a call)
//   thread                             (begins the calls of the next thread)
//   call INDEX OBJECT SEED...
//   observers INDEX...
//   ignored INDEX...                   (methods whose results are not compared)
//   allowed HASH                       (of an outcome that some order of the calls has)
//   wanted HASH                        (of one call: only outcomes that have it fail)
//
// Lines that begin with # are comments.
#pragma once

#include "tool/gen/driver/execution.h"

namespace snag_gen {

struct TestFile {
  PlainTest test{};
  std::vector<std::uint16_t> observers;
  std::uint8_t ignored[snag::gen::kMaxMethods / 8] = {};
  std::vector<std::uint64_t> allowed;
  std::uint64_t wanted = 0;
};

bool read_test_file(const char* path, TestFile& file);

// Runs the test; ends with snag_fail if its outcome is not allowed.
int run_test_file(const Driver& driver, const char* path);
// Prints each call: "D statement" before it, "O expression" for each output and "E expression", for
// the constructor, the second object, and every call; an empty line between the calls. What makes
// an object also has "M object" (or pointer, owner, reference), which is what the expression is.
int describe_test_file(const Driver& driver, const char* path);

}  // namespace snag_gen
