// From a class and its compile flags to an executable that can call its methods.
//
//   gen::GenTarget target{"ns::Queue<int>", {"queue.h"}, {"-std=c++20"}};
//   target.folder = "build/queue-driver";
//   auto driver = gen::build_driver(target);   // takes some seconds
//
// Reads the class, writes a driver with every way to call every method, compiles it, and drops what
// does not compile, in rounds until all of it does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/gen/model/class_model.h"
#include "tool/gen/model/gen_target.h"

namespace snag::gen {

struct DriverCall {
  std::string name;  // "push(const int&)"
  std::string text;  // "{object}.push({0})"
  int arguments = 0;
  unsigned flags = 0;  // of methods, as in snag/gen_driver.h
};

// A method of the class that the driver does not call.
enum class LeftOutKind {
  kMethod,
  kConstructor,
  kTwin,  // a template that does not compile; a plain method of the same name is called
};

struct LeftOutCall {
  std::string name;
  std::string reason;  // one sentence
  LeftOutKind kind = LeftOutKind::kMethod;
};

struct Driver {
  std::string executable;
  std::string source;
  std::vector<std::string> headers;
  std::vector<std::string> flags;  // those of the class
  std::string directory;           // where they hold
  ClassModel model;
  std::vector<DriverCall> constructors;  // in the order of the driver's tables
  std::vector<DriverCall> methods;
  std::vector<LeftOutCall> left_out;
  int rounds = 0;
};

// Errors are kUsage if the class, the headers or the flags are to blame, and say what to do; they
// may have several lines, with the compiler's own words.
Expected<Driver> build_driver(const GenTarget& options);

}  // namespace snag::gen
