#include "tool/gen/driver/execution.h"

#include <algorithm>

#include "tool/gen/driver/inner_calls.h"

namespace snag_gen {

std::uint32_t call_count(const PlainTest& test) {
  std::uint32_t count = test.prefix;
  for (unsigned i = 0; i < test.threads; ++i) count += test.suffix[i];
  return std::min(count, snag::gen::kMaxCalls);
}

void* build(const Driver& driver, RunData& run, const PlainCall& plain, CallData& data) {
  data.run = &run;
  data.plain = &plain;
  if (plain.method >= driver.constructor_count) return nullptr;
  Call call(data);
  try {
    driver.constructors[plain.method].code(call);
  } catch (const CallIsDescribed&) {
    throw;
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (const std::exception& exception) {
    run.unmade = "throws " + snag::thrown_type();
    if (*exception.what()) run.unmade += " (" + std::string(exception.what()) + ")";
    return nullptr;
  } catch (...) {
    run.unmade = "throws " + snag::thrown_type();
    return nullptr;
  }
  if (!data.object) run.unmade = "gives no object";
  return data.object;
}

Execution::Execution(const Driver& driver, const PlainTest& test, CallRecord* records,
                     const Compared& compared, std::atomic<std::uint64_t>* clock)
    : driver_(driver),
      test_(test),
      records_(records),
      observers_(compared.observers),
      observer_count_(compared.observer_count),
      call_count_(snag_gen::call_count(test)),
      record_count_(call_count_ + observer_count_ * (test.has_second ? 2 : 1)),
      run_{driver, compared.ignored, clock, nullptr, nullptr, false, 0},
      calls_(record_count_) {
  std::uint32_t first = test.prefix;
  for (unsigned i = 0; i < test.threads; ++i) {
    first_call_[i] = first;
    first += test.suffix[i];
  }
  for (std::uint32_t i = 0; i < record_count_; ++i) {
    records_[i].state.store(snag::gen::CallState::kNotMade, std::memory_order_relaxed);
    records_[i].thrown = 0;
    records_[i].size = records_[i].compared = 0;
    records_[i].hash = records_[i].begin = records_[i].end = 0;
  }
}

Execution::~Execution() {
  // Destroys the objects before the arguments that they may still use.
  first_.owner.reset();
  second_.owner.reset();
}

bool Execution::make_objects() {
  run_.object = build(driver_, run_, test_.constructor, first_);
  if (!run_.object) return false;
  if (!test_.has_second) return true;
  run_.second = build(driver_, run_, test_.second, second_);
  return run_.second != nullptr;
}

void Execution::make_prefix() {
  for (std::uint32_t i = 0; i < test_.prefix; ++i) make_call(i);
}

void Execution::make_call(std::uint32_t index) {
  CallData& data = calls_[index];
  data.run = &run_;
  data.plain = &test_.calls[index];
  data.record = &records_[index];
  data.object = data.plain->on_second ? run_.second : run_.object;
  if (data.plain->method >= driver_.method_count) return;
  Call call(data);
  driver_.methods[data.plain->method].code(call);
}

void Execution::make_suffix(unsigned thread) {
  const ThreadOfTest here(thread);
  for (std::uint32_t i = 0; i < test_.suffix[thread]; ++i) make_call(first_call_[thread] + i);
}

void Execution::make_next(unsigned thread) {
  if (made_[thread] < test_.suffix[thread]) make_call(first_call_[thread] + made_[thread]++);
}

void Execution::observe(std::atomic<std::uint32_t>* observing) {
  static constexpr PlainCall kNoArguments{};
  for (std::uint32_t i = call_count_; i < record_count_; ++i) {
    const std::uint32_t number = (i - call_count_) % observer_count_;
    PlainCall plain = kNoArguments;
    plain.method = observers_[number];
    if (plain.method >= driver_.method_count) continue;
    observing->store(number + 1, std::memory_order_relaxed);
    CallData& data = calls_[i];
    data.run = &run_;
    data.plain = &plain;
    data.record = &records_[i];
    data.looks_behind = true;
    data.object = i - call_count_ < observer_count_ ? run_.object : run_.second;
    Call call(data);
    driver_.methods[plain.method].code(call);
  }
  observing->store(0, std::memory_order_relaxed);
}

std::uint64_t Execution::hash() const {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (std::uint32_t i = 0; i < record_count_; ++i) {
    hash ^= records_[i].hash + static_cast<std::uint64_t>(records_[i].state.load());
    hash = (hash ^ (hash >> 31)) * 0xbf58476d1ce4e5b9;
  }
  return hash;
}

std::string Execution::explain() const {
  std::string text;
  for (std::uint32_t i = test_.prefix; i < record_count_; ++i) {
    const std::uint16_t method =
        i < call_count_ ? test_.calls[i].method : observers_[(i - call_count_) % observer_count_];
    if (i >= call_count_ && records_[i].compared == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(driver_.methods[method].name) +
            (i >= call_count_ ? " = " : " -> ") + std::string(records_[i].text, records_[i].size);
  }
  return text;
}

namespace {

// Up to the last argument, or to where an object would be made.
void describe_arguments(int arguments, void (*code)(Call&), CallData& data) {
  data.arguments = arguments;
  Call call(data);
  try {
    code(call);
  } catch (const CallIsDescribed&) {
  }
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

void fill_in_arguments(const CallData& data, std::string& text) {
  const auto count = static_cast<unsigned>(data.arguments);
  for (unsigned i = 0; i < count && i < snag::gen::kMaxArguments; ++i)
    replace(text, "{" + std::to_string(i) + "}", data.texts[i]);
}

}  // namespace

void describe_call(const Method& method, CallData& data, const std::string& object,
                   std::string* result) {
  if (method.arguments > 0) describe_arguments(method.arguments, method.code, data);
  *result = method.text;
  replace(*result, "{object}", object);
  fill_in_arguments(data, *result);
}

void describe_call(const Constructor& constructor, CallData& data, std::string* result) {
  describe_arguments(constructor.arguments, constructor.code, data);
  *result = constructor.text;
  fill_in_arguments(data, *result);
}

}  // namespace snag_gen
