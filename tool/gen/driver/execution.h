// One run of a test: objects, prefix, suffixes, observers. Used by the worker, by --test and by
// --describe.
#pragma once

#include <snag/gen_driver.h>

#include <vector>

#include "protocol/gen_worker.h"

namespace snag_gen {

using snag::gen::CallRecord;
using snag::gen::PlainCall;
using snag::gen::PlainOrder;
using snag::gen::PlainTest;

// What the calls of a run have in common.
struct RunData {
  const Driver& driver;
  const std::uint8_t* ignored;  // bits: methods whose results are not compared
  std::atomic<std::uint64_t>* clock;
  void* object = nullptr;
  void* second = nullptr;
  bool is_described = false;
  int names = 0;            // of variables in the description
  std::string unmade = {};  // what a constructor did instead of making an object
};

struct CallData {
  RunData* run = nullptr;
  const PlainCall* plain = nullptr;
  CallRecord* record = nullptr;
  bool looks_behind = false;
  void* object = nullptr;         // the object that the call is made on, or that was built
  std::unique_ptr<Keeper> owner;  // of what was built
  std::unique_ptr<Keeper> kept;   // a list
  Keeper* outputs[snag::gen::kMaxArguments] = {};
  unsigned output_count = 0;
  void* range = nullptr;
  // Description.
  int arguments = 0;
  int described = 0;
  std::string texts[snag::gen::kMaxArguments];
  std::vector<std::string> declarations;
  std::vector<std::string> shown_outputs;
  std::string range_name;
  const char* made_as = nullptr;  // of constructors: "object", "pointer", "owner", "reference"
};

// What is compared of the runs of a test.
struct Compared {
  const std::uint16_t* observers;
  std::uint32_t observer_count;
  const std::uint8_t* ignored;  // bits: methods whose results are not compared
};

class Execution {
 public:
  // The records are those of the calls, then of the observers on the object and the second object.
  Execution(const Driver& driver, const PlainTest& test, CallRecord* records,
            const Compared& compared, std::atomic<std::uint64_t>* clock);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution();

  bool make_objects();  // false if there is none: unmade() says why
  void make_prefix();
  void make_suffix(unsigned thread);
  void make_next(unsigned thread);  // only the next call of its suffix
  void observe(std::atomic<std::uint32_t>* observing);

  std::uint32_t record_count() const { return record_count_; }
  // The hash of all outcomes, in their order.
  std::uint64_t hash() const;
  std::string explain() const;
  const std::string& unmade() const { return run_.unmade; }

 private:
  void make_call(std::uint32_t index);

  const Driver& driver_;
  const PlainTest& test_;
  CallRecord* records_;
  const std::uint16_t* observers_;
  std::uint32_t observer_count_;
  std::uint32_t call_count_;
  std::uint32_t record_count_;
  RunData run_;
  CallData first_, second_;
  std::vector<CallData> calls_;
  std::uint32_t first_call_[snag::gen::kMaxTestThreads] = {};
  std::uint32_t made_[snag::gen::kMaxTestThreads] = {};
};

// Makes an object by a constructor of the table; the data keep it alive.
void* build(const Driver& driver, RunData& run, const PlainCall& plain, CallData& data);

// The call as C++: declarations before it, and its text.
void describe_call(const Method& method, CallData& data, const std::string& object,
                   std::string* result);
void describe_call(const Constructor& constructor, CallData& data, std::string* result);

std::uint32_t call_count(const PlainTest& test);

}  // namespace snag_gen
