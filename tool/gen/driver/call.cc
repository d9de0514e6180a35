// Implements tool/gen/driver/execution.h: the part of Call and Source that is not a template.
#include <cstring>

#include "tool/gen/driver/execution.h"
#include "tool/gen/driver/inner_calls.h"

namespace snag_gen {

using snag::gen::kTextSize;

namespace {

std::uint64_t hash_text(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

void Source::take(std::unique_ptr<Keeper> keeper) {
  CallData& data = static_cast<Call*>(this)->data_;
  keeper->next = std::move(data.kept);
  data.kept = std::move(keeper);
}

void Source::note_output(Keeper& keeper) {
  CallData& data = static_cast<Call*>(this)->data_;
  if (data.output_count < snag::gen::kMaxArguments) data.outputs[data.output_count++] = &keeper;
}

std::string Source::declare(const std::string& before_name, const std::string& behind_name) {
  CallData& data = static_cast<Call*>(this)->data_;
  const std::string name = "argument" + std::to_string(++data.run->names);
  data.declarations.push_back(before_name + name + behind_name + ";");
  return name;
}

std::string Source::show_output(const std::string& name, const std::string& behind_name) {
  static_cast<Call*>(this)->data_.shown_outputs.push_back("snag::describe(" + name + behind_name +
                                                          ")");
  return name;
}

namespace {

// Half the time the other object, which is where such bugs hide; otherwise the object itself, or a
// new one if it does not matter that no other thread has it.
enum class Choice { kOther, kItself, kFresh };

Choice choice_of(const CallData& data, unsigned seed, bool fresh_allowed) {
  if (!data.run->object) return Choice::kFresh;
  if (data.run->second && seed % 4 < 2) return Choice::kOther;
  return fresh_allowed && seed % 4 == 3 ? Choice::kFresh : Choice::kItself;
}

}  // namespace

void* Source::chosen_object(bool fresh_allowed) {
  const CallData& data = static_cast<Call*>(this)->data_;
  const RunData& run = *data.run;
  switch (choice_of(data, seed_, fresh_allowed)) {
    case Choice::kOther:
      return data.plain->on_second ? run.object : run.second;
    case Choice::kItself:
      return data.plain->on_second ? run.second : run.object;
    case Choice::kFresh:
      break;
  }
  return fresh_object();
}

std::string Source::chosen_object_text(bool fresh_allowed) {
  const CallData& data = static_cast<Call*>(this)->data_;
  const Choice choice = choice_of(data, seed_, fresh_allowed);
  if (choice == Choice::kFresh) {
    static constexpr PlainCall kPlain{};
    const Constructor& constructor = data.run->driver.constructors[0];
    CallData fresh;
    fresh.run = data.run;
    fresh.plain = &kPlain;
    std::string text;
    describe_call(constructor, fresh, &text);
    return text;
  }
  return (choice == Choice::kOther) != (data.plain->on_second != 0) ? "other" : "object";
}

void* Source::fresh_object() {
  struct Fresh : Keeper {
    CallData data;
  };
  RunData& run = *static_cast<Call*>(this)->data_.run;
  auto& fresh = keep<Fresh>();
  static constexpr PlainCall kPlain{};
  return build(run.driver, run, kPlain, fresh.data);
}

void Call::select(unsigned index) {
  seed_ = index < snag::gen::kMaxArguments ? data_.plain->seeds[index] % 16u : 0;
}
bool Call::is_described() const { return data_.run->is_described; }
bool Call::all_described() const { return data_.described >= data_.arguments; }
void Call::add_text(unsigned index, std::string text) {
  ++data_.described;
  if (index < snag::gen::kMaxArguments) data_.texts[index] = std::move(text);
}
void* Call::object() const { return data_.object; }
void*& Call::range_buffer() { return data_.range; }
std::string& Call::range_name() { return data_.range_name; }
bool Call::looks_behind() const { return data_.looks_behind; }

void Call::note_made_as(const char* what) {
  if (!is_described()) return;
  data_.made_as = what;
  if (all_described()) throw CallIsDescribed();
}

void Call::built(void* object, std::unique_ptr<Keeper> keeper) {
  data_.object = object;
  data_.owner = std::move(keeper);
}

void Call::begin() {
  if (is_described()) return;
  data_.record->state.store(snag::gen::CallState::kRunning, std::memory_order_relaxed);
  data_.record->begin = data_.run->clock->fetch_add(1, std::memory_order_relaxed) + 1;
  begin_outer_call(data_.plain->method);
}

void Call::end() {
  end_outer_call();
  data_.record->end = data_.run->clock->fetch_add(1, std::memory_order_relaxed) + 1;
}

void Call::finish(std::string outcome) {
  for (unsigned i = 0; i < data_.output_count; ++i) outcome += "; " + data_.outputs[i]->describe();
  CallRecord& record = *data_.record;
  const std::uint16_t method = data_.plain->method;
  if (data_.run->ignored[method / 8 % (snag::gen::kMaxMethods / 8)] >> (method % 8) & 1) {
    record.compared = 0;
    record.hash = 0;
  } else {
    record.compared = static_cast<std::uint16_t>(std::min<std::size_t>(outcome.size(), kTextSize));
    record.hash = hash_text(outcome);
  }
  record.size = static_cast<std::uint16_t>(std::min<std::size_t>(outcome.size(), kTextSize));
  std::memcpy(record.text, outcome.data(), record.size);
  record.thrown = 0;
  record.state.store(snag::gen::CallState::kDone, std::memory_order_release);
}

void Call::finish_thrown(std::string type, const char* what) {
  const std::string compared = "throws " + type;
  finish(compared);
  CallRecord& record = *data_.record;
  record.thrown = 1;
  if (!*what || record.size >= kTextSize) return;
  const std::string shown = " (" + std::string(what).substr(0, 100) + ")";
  const std::size_t room = std::min<std::size_t>(shown.size(), kTextSize - record.size);
  std::memcpy(record.text + record.size, shown.data(), room);
  record.size = static_cast<std::uint16_t>(record.size + room);
}

}  // namespace snag_gen
