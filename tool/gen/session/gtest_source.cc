#include "tool/gen/session/gtest_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "tool/gen/build/driver_source.h"
#include "tool/toolchain/compiler_args.h"

namespace snag::gen {
namespace {

// "try_pop(int&)" as "TryPop".
std::string camel(const std::string& name) {
  std::string result;
  bool upper = true;
  for (const char c : name.substr(0, name.find('('))) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      upper = false;
    } else {
      upper = true;
    }
  }
  return result.empty() ? "Operator" : result;
}

std::string unqualified(const std::string& class_name) {
  const std::string plain = class_name.substr(0, class_name.find('<'));
  const std::size_t colon = plain.rfind(':');
  return colon == std::string::npos ? plain : plain.substr(colon + 1);
}

std::string literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

bool compares(const Violation& violation) {
  return violation.kind == ViolationKind::kResult || violation.kind == ViolationKind::kException;
}

// The test cannot know that a reference is one to the object.
std::string expected(const CallResult& call) {
  return call.compared.rfind("itself", 0) == 0 ? "?" + call.compared.substr(6) : call.compared;
}

using Row = std::vector<std::string>;

Row row_of(const TestOutcome& outcome, const std::vector<std::size_t>& records) {
  Row row;
  for (const std::size_t record : records)
    row.push_back(record < outcome.calls.size() ? expected(outcome.calls[record]) : "");
  return row;
}

std::set<Row> allowed_rows(const Violation& violation, const std::vector<std::size_t>& records) {
  std::set<Row> rows;
  for (const Linearization& linearization : violation.linearizations) {
    if (linearization.finished) rows.insert(row_of(linearization.outcome, records));
  }
  return rows;
}

class TestWriter {
 public:
  TestWriter(const DriverInfo& driver, const WorkerSettings& settings, const FoundViolation& found)
      : driver_(driver),
        settings_(settings),
        found_(found),
        violation_(found.violation),
        test_(found.violation.test) {}

  std::string text() {
    if (compares(violation_)) records_ = telling_records(violation_);
    head();
    body();
    return text_;
  }

 private:
  void add(int indent, const std::string& line) {
    text_ += std::string(static_cast<std::size_t>(indent), ' ') + line + "\n";
  }

  void head() {
    const char* kind = kViolationNames[static_cast<int>(violation_.kind)];
    add(0, fmt::format("// Fails as long as {} is not thread-safe here: {}.", driver_.class_name,
                       kind));
    add(0, driver_.directory.empty()
               ? "// Written by `snag gen`. To build it, with the flags of the class:"
               : "// Written by `snag gen`. To build it:");
    add(0, "//   " + build_command());
    if (driver_.headers.empty()) add(0, "// Add the header of the class here.");
    for (const std::string& header : driver_.headers) text_ += include_line(header);
    text_ += "\n#include <snag/gtest.h>\n#include <snag/outcome.h>\n\n";
    text_ += "#include <algorithm>\n#include <sstream>\n#include <string>\n#include <thread>\n";
    text_ += "#include <vector>\n\n";
  }

  // With the flags of the session, in the folder to which they refer.
  std::string build_command() const {
    namespace fs = std::filesystem;
    std::string file = found_.gtest_file;
    std::string command;
    if (!driver_.directory.empty()) {
      file = fs::absolute(file).lexically_normal().lexically_proximate(driver_.directory).string();
      command = "cd " + toolchain::quote_argument(driver_.directory) + " && ";
    }
    command += "snag c++ -std=c++20 -O1 -g " + toolchain::quote_argument(file);
    for (const std::string& flag : driver_.flags) command += " " + toolchain::quote_argument(flag);
    const std::string program = fs::path(file).replace_extension().string();
    return command + " -lgtest_main -lgtest -o " + toolchain::quote_argument(program);
  }

  std::string test_name() const {
    std::vector<std::string> names;
    for (const auto& suffix : test_.suffixes) {
      for (const TestCall& call : suffix) {
        const std::string name = camel(driver_.methods[call.method].name);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    if (names.size() == 1) return names[0] + "BesideItself";
    std::string result;
    for (const std::string& name : names) result += (result.empty() ? "" : "Beside") + name;
    return result;
  }

  void make_object(const char* name, const CallText& made) {
    CallText owned = made;
    if (made.made_as == MadeAs::kPointer) owned.expression = "snag::own(" + made.expression + ")";
    for (const std::string& line : object_text(name, owned)) add(4, line);
  }

  // The place of a record among the results, or nothing.
  int place(std::size_t record) const {
    const auto found = std::find(records_.begin(), records_.end(), record);
    return found == records_.end() ? -1 : static_cast<int>(found - records_.begin());
  }

  bool may_throw(std::size_t record) const {
    const auto throws = [&](const TestOutcome& outcome) {
      return record < outcome.calls.size() && outcome.calls[record].thrown;
    };
    return throws(violation_.outcome) ||
           std::any_of(violation_.linearizations.begin(), violation_.linearizations.end(),
                       [&](const Linearization& l) { return throws(l.outcome); });
  }

  // Whether it returns nothing, as far as known.
  enum class Returns { kNothing, kSomething, kUnknown };
  Returns returns(std::size_t record) const {
    Returns seen = Returns::kUnknown;
    const auto look = [&](const TestOutcome& outcome) {
      if (record >= outcome.calls.size()) return;
      const CallResult& call = outcome.calls[record];
      if (call.state != CallState::kDone || call.thrown) return;
      const bool is_void = call.text == "void" || call.text.rfind("void; ", 0) == 0;
      seen = is_void ? Returns::kNothing : Returns::kSomething;
    };
    look(violation_.outcome);
    for (const Linearization& linearization : violation_.linearizations)
      look(linearization.outcome);
    return seen;
  }

  // A call whose result is not compared. It is kept anyway: an optimising compiler would omit the
  // reads of the call, and with them the race.
  std::string plain_call(const CallText& call, std::size_t record) const {
    const Returns result = returns(record);
    if (may_throw(record) || result == Returns::kUnknown)
      return fmt::format("snag::outcome_of([&]() -> decltype(auto) {{ return {}; }});",
                         call.expression);
    return result == Returns::kNothing ? call.expression + ";"
                                       : fmt::format("snag::keep({});", call.expression);
  }

  void make_call(int indent, const CallText& call, std::size_t record) {
    for (const std::string& declaration : call.declarations) add(indent, declaration);
    const int at = place(record);
    if (at < 0) {
      add(indent, plain_call(call, record));
      return;
    }
    const std::string wrapped =
        fmt::format("results[{}] = snag::outcome_of([&]() -> decltype(auto) {{ return {}; }});", at,
                    call.expression);
    add(indent, wrapped);
    for (const std::string& output : call.outputs)
      add(indent, fmt::format("results[{}] += \"; \" + {};", at, output));
  }

  void body() {
    add(0, fmt::format("TEST({}, {}) {{", camel(unqualified(driver_.class_name)), test_name()));
    const bool races = violation_.kind == ViolationKind::kRace;
    add(2, fmt::format("snag::explore_test({{.runs = 5'000{}}}, [] {{",
                       races ? "" : ", .races = false"));
    make_object("object", found_.text.object);
    if (found_.text.second) make_object("other", *found_.text.second);
    for (std::size_t i = 0; i < found_.text.prefix.size(); ++i)
      make_call(4, found_.text.prefix[i], i);
    if (!records_.empty())
      add(4, fmt::format("std::vector<std::string> results({});", records_.size()));
    std::size_t record = test_.prefix.size();
    for (std::size_t thread = 0; thread < found_.text.suffixes.size(); ++thread) {
      add(4, fmt::format("std::thread thread{}([&] {{", thread + 1));
      for (const CallText& call : found_.text.suffixes[thread]) make_call(6, call, record++);
      add(4, "});");
    }
    for (std::size_t thread = 0; thread < found_.text.suffixes.size(); ++thread)
      add(4, fmt::format("thread{}.join();", thread + 1));
    if (!records_.empty()) check();
    add(2, "});");
    add(0, "}");
  }

  // The texts of results are limited, those of the test are not.
  bool is_any_cut() const {
    const auto is_cut = [&](const TestOutcome& outcome) {
      return std::any_of(records_.begin(), records_.end(), [&](std::size_t record) {
        return record < outcome.calls.size() && outcome.calls[record].compared.size() >= kTextSize;
      });
    };
    return is_cut(violation_.outcome) ||
           std::any_of(violation_.linearizations.begin(), violation_.linearizations.end(),
                       [&](const Linearization& l) { return is_cut(l.outcome); });
  }

  void check() {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (records_[i] < test_.calls()) continue;
      const std::size_t observation = records_[i] - test_.calls();
      const std::size_t count = settings_.observers.size();
      std::string call = driver_.methods[settings_.observers[observation % count]].text;
      const std::string object = observation < count ? "object" : "other";
      for (std::size_t at; (at = call.find("{object}")) != std::string::npos;)
        call.replace(at, 8, object);
      add(4, fmt::format("results[{}] = snag::outcome_of([&]() -> decltype(auto) {{ return {}; }},",
                         i, call));
      add(4, "                             snag::Look::kBehindReferences);");
    }
    if (is_any_cut()) {
      add(4, "// Only this much of a long text is known.");
      add(4, fmt::format("for (std::string& result : results) result = result.substr(0, {});",
                         kTextSize));
    }
    add(4,
        "// What the calls give when they are made one after the other, in all possible orders.");
    add(4, "const std::vector<std::vector<std::string>> allowed = {");
    for (const Row& row : allowed_rows(violation_, records_)) {
      std::string line = "{";
      for (const std::string& text : row) line += (line.size() > 1 ? ", " : "") + literal(text);
      add(8, line + "},");
    }
    add(4, "};");
    add(4, "EXPECT_TRUE(std::find(allowed.begin(), allowed.end(), results) != allowed.end())");
    add(8, "<< \"no order of the calls gives \" << testing::PrintToString(results);");
  }

  const DriverInfo& driver_;
  const WorkerSettings& settings_;
  const FoundViolation& found_;
  const Violation& violation_;
  const Test& test_;
  std::vector<std::size_t> records_;
  std::string text_;
};

}  // namespace

std::vector<std::string> object_text(const std::string& name, const CallText& made) {
  std::vector<std::string> lines = made.declarations;
  switch (made.made_as) {
    case MadeAs::kObject:
      lines.push_back(fmt::format("auto {} = {};", name, made.expression));
      break;
    case MadeAs::kReference:
      lines.push_back(fmt::format("auto& {} = {};", name, made.expression));
      break;
    case MadeAs::kPointer:
    case MadeAs::kOwner:
      lines.push_back(fmt::format("const auto {}_owner = {};", name, made.expression));
      lines.push_back(fmt::format("auto& {0} = *{0}_owner;", name));
      break;
  }
  return lines;
}

std::vector<std::size_t> telling_records(const Violation& violation) {
  const std::size_t prefix = violation.test.prefix.size();
  std::vector<std::size_t> records;
  for (std::size_t i = prefix; i < violation.outcome.calls.size(); ++i) {
    if (!violation.outcome.calls[i].compared.empty()) records.push_back(i);
  }
  const auto tells = [&](const std::vector<std::size_t>& some) {
    return allowed_rows(violation, some).count(row_of(violation.outcome, some)) == 0;
  };
  // Drops observers first: the results of the calls themselves are better evidence.
  for (std::size_t i = records.size(); i-- > 0;) {
    if (records[i] < violation.test.calls()) break;
    std::vector<std::size_t> fewer = records;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (!fewer.empty() && tells(fewer)) records = std::move(fewer);
  }
  return records;
}

std::string gtest_source(const DriverInfo& driver, const WorkerSettings& settings,
                         const FoundViolation& found) {
  return TestWriter(driver, settings, found).text();
}

}  // namespace snag::gen
