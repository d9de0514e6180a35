// What snag gen is asked to test, from the command line and the configuration file together.
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

struct GenOptions {
  std::string class_name;
  std::vector<std::string> headers;  // as behind #include; quotes may be left out
  std::vector<std::string> flags;    // of the compiler, sources and libraries included
  std::string compile_commands;      // folder of a compile_commands.json, or empty
  std::string source;  // there; flags and, if none are given, headers are taken from it
  std::vector<std::string> factories;  // functions, or expressions that make an object
  std::vector<std::string> include;    // patterns of methods; empty: all
  std::vector<std::string> exclude;
  std::vector<ArgPool> pools;
  std::string folder;  // where the driver is built, made if it is not there
  // Asked while commands run: true ends them, and what they were for.
  std::function<bool()> should_stop = [] { return false; };
};

}  // namespace snag::gen
