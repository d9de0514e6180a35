// What to test: the class and how to call it. From the command line and the configuration file.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace snag::gen {

// Values for arguments of one type, or for one parameter of a method.
struct ArgPool {
  std::string target;               // "std::string", "resize.n" or "resize.0"
  std::vector<std::string> values;  // C++ expressions
};

struct GenTarget {
  std::string class_name;
  std::vector<std::string> headers;  // as after #include; the quotes are optional
  std::vector<std::string> flags;    // of the compiler, including sources and libraries
  std::string compile_commands;      // folder of a compile_commands.json, or empty
  std::string source;  // an entry there: it provides the flags, and the headers if none are given
  std::vector<std::string> factories;  // functions, or expressions that make an object
  std::vector<std::string> include;    // patterns of methods; empty: all
  std::vector<std::string> exclude;
  std::vector<ArgPool> pools;
  std::string folder;  // where to build the driver; created if necessary
  // Polled while commands run: true aborts the build.
  std::function<bool()> should_stop = [] { return false; };
};

}  // namespace snag::gen
