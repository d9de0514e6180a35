#include "tool/gen/session/generator.h"

#include <algorithm>

#include "tool/gen/judge/judge.h"
#include "tool/gen/judge/linearize.h"

namespace snag::gen {
namespace {

// Enough to choose from; more would only cost memory.
constexpr std::size_t kMostPrefixes = 200;
constexpr std::size_t kMostSequences = 200'000;
// A method that has failed this often, and never succeeded, is not worth more attempts.
constexpr std::uint64_t kHopeless = 2 * Generator::kTries;

// This many calls of each thread, or fewer if the oracle could not try all orders of them: a test
// that cannot be judged is wasted.
std::vector<std::size_t> suffix_lengths(std::size_t threads, std::size_t length) {
  std::vector<std::size_t> lengths(threads, 1);
  for (std::size_t calls = 2; calls <= length; ++calls) {
    for (std::size_t& one : lengths) {
      ++one;
      if (order_count(lengths, Oracle::kMostOrders + 1) > Oracle::kMostOrders) --one;
    }
  }
  return lengths;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

bool takes_class(const std::string& method_name, const std::string& class_name) {
  std::string base = class_name.substr(0, class_name.find('<'));
  base = base.substr(base.rfind(':') == std::string::npos ? 0 : base.rfind(':') + 1);
  const std::size_t open = method_name.find('(');
  if (base.empty() || open == std::string::npos) return false;
  for (std::size_t at = open; (at = method_name.find(base, at)) != std::string::npos;
       at += base.size()) {
    const std::size_t end = at + base.size();
    if (!is_word_character(method_name[at - 1]) &&
        (end == method_name.size() || !is_word_character(method_name[end])))
      return true;
  }
  return false;
}

Generator::Generator(const DriverInfo& driver, PolicyKind policy, std::size_t threads,
                     std::uint64_t seed)
    : driver_(driver),
      random_(seed),
      threads_(threads),
      counts_(driver.methods.size()),
      policy_(make_policy(policy)),
      tests_of_pair_(counts_.size()),
      experience_(driver.methods.size()) {
  for (std::size_t i = 0; i < driver.constructors.size(); ++i)
    constructors_.push_back(static_cast<std::uint16_t>(i));
  for (std::size_t i = 0; i < driver.methods.size(); ++i) {
    if ((driver.methods[i].flags & snag_gen::kConst) == 0)
      changers_.push_back(static_cast<std::uint16_t>(i));
    all_.push_back(static_cast<std::uint16_t>(i));
    takes_object_.push_back(takes_class(driver.methods[i].name, driver.class_name));
  }
}

void Generator::leave_out_constructor(std::uint16_t constructor) {
  if (constructors_.size() > 1) std::erase(constructors_, constructor);
}

std::vector<Draft> Generator::next() {
  const auto pair = policy_->next(counts_, random_);
  if (!pair) {
    bool any = false;
    for (std::size_t i = 0; i < counts_.methods(); ++i)
      any |= counts_.is_usable(static_cast<std::uint16_t>(i));
    // The policy draws no pairs, or there is none left.
    if (!any) return {};
  }
  std::vector<Draft> drafts(2);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    drafts[i].pair = pair;
    drafts[i].with_prefix = i == 1;
    drafts[i].longest_suffix = 5;
    if (pair) {
      std::uint64_t& tests = tests_of_pair_[counts_.index(pair->first, pair->second)];
      if (tests++ < kShortTests) drafts[i].longest_suffix = 2;
    }
    make(drafts[i]);
  }
  return drafts;
}

bool Generator::redo(Draft& draft) {
  if (draft.tries >= kTries) return false;
  make(draft);
  return true;
}

TestCall Generator::constructor() {
  TestCall call;
  call.method = constructors_[random_() % constructors_.size()];
  for (int i = 0; i < driver_.constructors[call.method].arguments; ++i)
    call.seeds[static_cast<std::size_t>(i) % kMaxArguments] =
        static_cast<std::uint8_t>(random_() % 16);
  return call;
}

TestCall Generator::call_of(std::uint16_t method, const Test& test) {
  TestCall call;
  call.method = method;
  for (int i = 0; i < driver_.methods[method].arguments; ++i)
    call.seeds[static_cast<std::size_t>(i) % kMaxArguments] =
        static_cast<std::uint8_t>(random_() % 16);
  // a.append(b) concurrent with b.append(a).
  if (test.second) call.on_second = random_() % (takes_object_[method] ? 2 : 4) == 0;
  return call;
}

// A step gets ten tries: known bad ones cost nothing but to be drawn again.
template <class IsBad>
void Generator::add_call(std::vector<TestCall>& calls, std::uint16_t method, const Test& test,
                         const IsBad& is_bad) {
  calls.emplace_back();
  for (int attempt = 0; attempt < kTries; ++attempt) {
    calls.back() = call_of(method, test);
    if (!is_bad()) return;
  }
}

std::uint16_t Generator::any_method(const std::vector<std::uint16_t>& methods) {
  for (;;) {
    const std::uint16_t method = methods[random_() % methods.size()];
    if (counts_.is_usable(method)) return method;
  }
}

std::vector<std::vector<std::uint16_t>> Generator::suffix_methods(const Draft& draft) {
  const std::size_t longest =
      std::min(draft.longest_suffix, (std::size_t{kMaxCalls} - kPrefixCalls) / threads_);
  // The short tests all have that length; later ones vary.
  const std::size_t length = longest <= 2 ? longest : 2 + random_() % (longest - 1);
  const std::vector<std::size_t> lengths = suffix_lengths(threads_, length);
  std::vector<std::vector<std::uint16_t>> methods(threads_);
  for (std::size_t thread = 0; thread < threads_; ++thread) {
    for (std::size_t i = 0; i < lengths[thread]; ++i) {
      methods[thread].push_back(!draft.pair             ? any_method(all_)
                                : (thread + i) % 2 == 0 ? draft.pair->first
                                                        : draft.pair->second);
    }
  }
  return methods;
}

void Generator::make(Draft& draft) {
  ++draft.tries;
  const std::vector<std::vector<std::uint16_t>> methods = suffix_methods(draft);
  Test test;
  const bool reuse = draft.with_prefix && !good_prefixes_.empty() && random_() % 2 == 0;
  if (reuse) {
    test = good_prefixes_[random_() % good_prefixes_.size()];
  } else {
    test.constructor = constructor();
  }
  bool wants_second = false;
  for (const auto& suffix : methods)
    for (const std::uint16_t method : suffix) wants_second |= takes_object_[method];
  if (wants_second && !test.second) test.second = constructor();
  if (draft.with_prefix && !reuse && !changers_.empty()) {
    const std::size_t calls = 1 + random_() % kPrefixCalls;
    for (std::size_t i = 0; i < calls; ++i) {
      const std::uint16_t method = changers_[random_() % changers_.size()];
      if (!counts_.is_usable(method)) continue;
      add_call(test.prefix, method, test,
               [&] { return bad_.count(sequence_hash(test, test.suffixes.size(), 0)) != 0; });
    }
  }
  for (std::size_t thread = 0; thread < threads_; ++thread) {
    test.suffixes.emplace_back();
    for (const std::uint16_t method : methods[thread]) {
      auto& suffix = test.suffixes.back();
      add_call(suffix, method, test,
               [&] { return bad_.count(sequence_hash(test, thread, suffix.size())) != 0; });
    }
  }
  draft.test = std::move(test);
}

std::optional<SequenceResult> Generator::known(const Test& test, std::size_t thread) const {
  const auto found = sequences_.find(sequence_hash(test, thread, test.suffixes[thread].size()));
  if (found == sequences_.end()) return std::nullopt;
  return found->second;
}

void Generator::remember(const Test& test, std::size_t thread, const SequenceResult& result) {
  if (sequences_.size() > kMostSequences) sequences_.clear();
  if (bad_.size() > kMostSequences) bad_.clear();
  const auto& suffix = test.suffixes[thread];
  sequences_[sequence_hash(test, thread, suffix.size())] = result;
  if (result.end == SequenceEnd::kGood) {
    for (const TestCall& call : suffix) ++experience_[call.method].good;
    if (!test.prefix.empty()) {
      Test prefix = test;
      prefix.suffixes.clear();
      if (good_prefixes_.size() < kMostPrefixes) {
        good_prefixes_.push_back(std::move(prefix));
      } else {
        good_prefixes_[random_() % kMostPrefixes] = std::move(prefix);
      }
    }
    return;
  }
  // One sequence of no calls at all stands for the prefix.
  bad_.insert(result.in_prefix ? sequence_hash(test, test.suffixes.size(), 0)
                               : sequence_hash(test, thread, result.failed_call + 1));
  const auto& calls = result.in_prefix ? test.prefix : suffix;
  if (result.failed_call >= calls.size()) return;
  Experience& last = experience_[calls[result.failed_call].method];
  if (result.end != SequenceEnd::kBad) {
    ++last.good;
  } else {
    last.bad += result.is_costly ? kHopeless / 2 : 1;
  }
}

std::vector<std::uint16_t> Generator::take_hopeless() {
  std::vector<std::uint16_t> hopeless;
  for (std::size_t i = 0; i < experience_.size(); ++i) {
    const auto method = static_cast<std::uint16_t>(i);
    if (!counts_.is_usable(method) || experience_[i].good > 0 || experience_[i].bad < kHopeless)
      continue;
    counts_.exclude(method);
    hopeless.push_back(method);
  }
  return hopeless;
}

}  // namespace snag::gen
