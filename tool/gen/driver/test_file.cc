#include "tool/gen/driver/test_file.h"

#include <snag/explore_c.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace snag_gen {

using namespace snag::gen;

namespace {

bool read_call(std::istream& line, PlainCall& call) {
  unsigned value = 0;
  if (!(line >> value) || value > 0xffff) return false;
  call.method = static_cast<std::uint16_t>(value);
  if (!(line >> value)) return false;
  call.on_second = value != 0;
  for (std::uint8_t& seed : call.seeds) {
    if (!(line >> value)) return false;
    seed = static_cast<std::uint8_t>(value % 16);
  }
  return true;
}

bool read_line(const std::string& text, TestFile& file) {
  std::istringstream line(text);
  std::string word;
  line >> word;
  PlainTest& test = file.test;
  if (word == "constructor") return read_call(line, test.constructor);
  if (word == "second") {
    test.has_second = 1;
    return read_call(line, test.second);
  }
  if (word == "prefix" || word == "call") {
    const std::uint32_t count = call_count(test);
    if (count == kMaxCalls || !read_call(line, test.calls[count])) return false;
    if (word == "prefix") return test.threads == 0 && ++test.prefix;
    return test.threads > 0 && ++test.suffix[test.threads - 1];
  }
  if (word == "thread") return test.threads < kMaxTestThreads && ++test.threads;
  if (word == "observers") {
    for (std::uint16_t method; line >> method;) file.observers.push_back(method);
    return file.observers.size() <= kMaxObservers;
  }
  if (word == "ignored") {
    for (std::uint16_t method; line >> method;)
      file.ignored[method / 8 % sizeof file.ignored] |= static_cast<std::uint8_t>(1 << method % 8);
    return true;
  }
  if (word == "allowed") {
    std::uint64_t hash = 0;
    if (!(line >> std::hex >> hash)) return false;
    file.allowed.push_back(hash);
    return true;
  }
  if (word == "wanted") return static_cast<bool>(line >> std::hex >> file.wanted);
  return word.empty() || word[0] == '#' || word == "snag-gen-test";
}

CallRecord records[kMaxRecords];
std::atomic<std::uint64_t> call_clock;
std::atomic<std::uint32_t> observing;

void print_call(const std::string& text, const CallData& data) {
  for (const std::string& declaration : data.declarations)
    std::printf("D %s\n", declaration.c_str());
  if (data.made_as) std::printf("M %s\n", data.made_as);
  for (const std::string& output : data.shown_outputs) std::printf("O %s\n", output.c_str());
  std::printf("E %s\n\n", text.c_str());
}

}  // namespace

bool read_test_file(const char* path, TestFile& file) {
  std::ifstream in(path);
  std::string line;
  bool is_first = true;
  while (std::getline(in, line)) {
    if (is_first && line.rfind("snag-gen-test 1", 0) != 0) break;
    is_first = false;
    if (!read_line(line, file)) {
      std::fprintf(stderr, "%s: cannot make sense of: %s\n", path, line.c_str());
      return false;
    }
  }
  if (is_first) std::fprintf(stderr, "%s is not a test of snag gen\n", path);
  return !is_first;
}

int run_test_file(const Driver& driver, const char* path) {
  TestFile file;
  if (!read_test_file(path, file)) return 2;
  const PlainTest& test = file.test;
  const auto observers = static_cast<std::uint32_t>(file.observers.size());
  Execution execution(driver, test, records, {file.observers.data(), observers, file.ignored},
                      &call_clock);
  if (!execution.make_objects()) return 0;
  execution.make_prefix();
  std::thread threads[kMaxTestThreads];
  for (unsigned i = 0; i < test.threads; ++i)
    threads[i] = std::thread([&execution, i] { execution.make_suffix(i); });
  for (unsigned i = 0; i < test.threads; ++i) threads[i].join();
  execution.observe(&observing);
  const bool is_allowed =
      file.allowed.empty() ||
      std::find(file.allowed.begin(), file.allowed.end(), execution.hash()) != file.allowed.end();
  const auto is_wanted = [&](const CallRecord& record) { return record.hash == file.wanted; };
  if (!is_allowed &&
      (file.wanted == 0 || std::any_of(records, records + execution.record_count(), is_wanted))) {
    snag_fail(
        ("no order of these calls, one after the other, gives: " + execution.explain()).c_str());
  }
  return 0;
}

int describe_test_file(const Driver& driver, const char* path) {
  TestFile file;
  if (!read_test_file(path, file)) return 2;
  RunData run{driver, file.ignored, &call_clock, nullptr, nullptr, true, 0};
  const auto describe_object = [&](const PlainCall& plain) {
    if (plain.method >= driver.constructor_count) return;
    CallData data;
    data.run = &run;
    data.plain = &plain;
    std::string text;
    describe_call(driver.constructors[plain.method], data, &text);
    print_call(text, data);
  };
  const PlainTest& test = file.test;
  describe_object(test.constructor);
  if (test.has_second) describe_object(test.second);
  // Nothing is called, but a virtual call reads its object before it evaluates the arguments, and
  // some arguments are made from the object. These are never destroyed, since that may fail.
  RunData& real = *new RunData{driver, file.ignored, &call_clock, nullptr, nullptr, false, 0};
  int none = 0;  // memory to point at, if the object cannot be made now
  const auto make_object = [&](const PlainCall& plain) {
    void* object = build(driver, real, plain, *new CallData);
    return object ? object : &none;
  };
  run.object = make_object(test.constructor);
  if (test.has_second) run.second = make_object(test.second);
  for (std::uint32_t i = 0; i < call_count(test); ++i) {
    const PlainCall& plain = test.calls[i];
    if (plain.method >= driver.method_count) continue;
    CallData data;
    data.run = &run;
    data.plain = &plain;
    data.object = plain.on_second && run.second ? run.second : run.object;
    std::string text;
    describe_call(driver.methods[plain.method], data, plain.on_second ? "other" : "object", &text);
    print_call(text, data);
  }
  return 0;
}

}  // namespace snag_gen
