// Makes tests: a prefix that brings an object into some state, and a suffix for each thread.
//
// For a pair of methods (m1, m2) two tests: one on a new object, one after up to five calls that
// may change its state. The suffixes alternate, m1 m2 m1 ... and m2 m1 m2 ..., with at most two
// calls each in the first five tests of the pair and at most five later. Every sequence (the prefix
// and one suffix, alone) must run without an exception, a crash or an endless wait; the caller
// finds that out and reports it back. The generator makes up to ten attempts at each test, and
// remembers the results.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tool/gen/model/test.h"
#include "tool/gen/session/policy.h"

namespace snag::gen {

// The result of running a sequence.
enum class SequenceEnd {
  kGood,
  kThrows,  // a call threw: used only if nothing better is found
  kWaits,   // a call blocked forever: likewise, if that costs no time
  kBad,     // crashed, ended the process, did not return; or the object could not be made
};

struct SequenceResult {
  SequenceEnd end = SequenceEnd::kGood;
  std::size_t failed_call = 0;  // in the suffix, or in the prefix
  bool in_prefix = false;       // also: an object could not be made
  bool is_costly = false;       // it did not return, or ended the process
};

// A test under construction.
struct Draft {
  Test test;
  std::optional<MethodPair> pair;  // that it is about
  bool with_prefix = false;
  std::size_t longest_suffix = 2;
  int tries = 0;
};

class Generator {
 public:
  static constexpr int kTries = 10;
  static constexpr std::size_t kPrefixCalls = 5;
  static constexpr std::uint64_t kShortTests = 5;  // of a pair

  Generator(const DriverInfo& driver, PolicyKind policy, std::size_t threads, std::uint64_t seed);

  // The two drafts of the next pair; empty if no pair is left.
  std::vector<Draft> next();
  // Starts another attempt for the same methods; false if there were enough.
  bool redo(Draft& draft);

  // The known result of a thread's sequence; nothing if it has to be run.
  std::optional<SequenceResult> known(const Test& test, std::size_t thread) const;
  void remember(const Test& test, std::size_t thread, const SequenceResult& result);

  // Uses another one from now on; the last one stays.
  void leave_out_constructor(std::uint16_t constructor);
  const std::vector<std::uint16_t>& constructors() const { return constructors_; }

  PairCounts& counts() { return counts_; }
  const PairCounts& counts() const { return counts_; }
  // Methods that never ran alone without trouble are left out after this many attempts.
  std::vector<std::uint16_t> take_hopeless();

 private:
  void make(Draft& draft);
  TestCall call_of(std::uint16_t method, const Test& test);
  TestCall constructor();
  std::uint16_t any_method(const std::vector<std::uint16_t>& methods);
  std::vector<std::vector<std::uint16_t>> suffix_methods(const Draft& draft);
  template <class IsBad>
  void add_call(std::vector<TestCall>& calls, std::uint16_t method, const Test& test,
                const IsBad& is_bad);

  struct Experience {
    std::uint64_t good = 0, bad = 0;
  };

  const DriverInfo& driver_;
  Random random_;
  std::size_t threads_;
  PairCounts counts_;
  std::unique_ptr<Policy> policy_;
  std::vector<std::uint64_t> tests_of_pair_;
  std::vector<std::uint16_t> constructors_;  // that make objects
  std::vector<std::uint16_t> all_;
  std::vector<std::uint16_t> changers_;  // methods that may change the state
  std::vector<bool> takes_object_;       // methods with a parameter of the class
  std::unordered_map<std::uint64_t, SequenceResult> sequences_;
  std::unordered_set<std::uint64_t> bad_;  // sequences that end with the call that failed
  std::vector<Test> good_prefixes_;
  std::vector<Experience> experience_;  // with each method
};

// Does the parameter list name the class?
bool takes_class(const std::string& method_name, const std::string& class_name);

}  // namespace snag::gen
