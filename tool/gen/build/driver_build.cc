#include "tool/gen/build/driver_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "tool/base/subprocess.h"
#include "tool/base/whole_file.h"
#include "tool/gen/build/adapters.h"
#include "tool/gen/build/compile_errors.h"
#include "tool/gen/build/compile_input.h"
#include "tool/gen/build/driver_source.h"
#include "tool/gen/model/text_parts.h"
#include "tool/toolchain/resources.h"
#include "tool/toolchain/toolchain_run.h"

namespace snag::gen {
namespace {

using Words = std::vector<std::string>;

constexpr int kMaxRounds = 20;
constexpr int kMaxCompilations = 7;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Shows the calls that methods make to each other (tool/gen/driver/inner_calls.h). Functions of the
// standard library are many, short and irrelevant, unless they are under test; clang cannot leave
// them out.
Words flags_for_inner_calls(const std::string& class_file) {
  Words flags = {"-finstrument-functions"};
  const auto compiler = toolchain::find_compiler("SNAG_CXX", "g++");
  constexpr std::string_view kStandardLibrary = "/include/c++/";
  if (!compiler || compiler->kind != toolchain::CompilerKind::kGcc) return flags;
  std::string others = "/include/snag/,/lib/gcc/";  // intrinsics have no address
  if (class_file.find(kStandardLibrary) == std::string::npos)
    others += "," + std::string(kStandardLibrary);
  flags.push_back("-finstrument-functions-exclude-file-list=" + others);
  return flags;
}

std::string how_to_write_a_factory(const ClassModel& model) {
  std::string text = fmt::format(
      "Say how to make one with --factory, an expression or a function that returns {0}, {0}*, "
      "std::unique_ptr<{0}> or std::shared_ptr<{0}>:\n",
      model.class_name);
  if (model.is_abstract || !model.constructors.empty()) {
    text += fmt::format("  --factory 'std::make_unique<{}>(1)'\n",
                        model.is_abstract ? "Derived" : model.class_name);
  }
  text += fmt::format(
      "  --factory make_it --header my_factory.h      with   inline std::unique_ptr<{}> "
      "make_it(int "
      "size) {{ ... }}\n",
      model.class_name);
  if (!model.makers.empty()) {
    text += "These functions return one:";
    for (std::size_t i = 0; i < model.makers.size() && i < 5; ++i)
      text += (i == 0 ? " " : ", ") + model.makers[i];
    text += "\n";
  }
  text.pop_back();
  return text;
}

class Builder {
 public:
  Builder(const GenTarget& options, const toolchain::Resources& resources)
      : options_(options), resources_(resources) {}

  Expected<Driver> build() {
    auto input = compile_input(options_);
    if (!input) return tl::unexpected(input.error());
    input_ = std::move(*input);
    if (auto read = read_class(); !read) return tl::unexpected(read.error());
    driver_.headers = input_.headers;
    driver_.flags = input_.flags;
    driver_.directory = input_.directory;
    collect();
    if (auto checked = check_pieces(); !checked) return tl::unexpected(checked.error());
    if (auto rounds = check_in_rounds(); !rounds) return tl::unexpected(rounds.error());
    if (auto compiled = compile(); !compiled) return tl::unexpected(compiled.error());
    finish();
    return std::move(driver_);
  }

 private:
  // A variant that cannot be used, and why.
  using Failures = std::map<std::size_t, CompileError>;

  std::string reader() const { return resources_.library_dir() + "/snag-read-class"; }

  Expected<void> read_class() {
    Words command = {reader(), "--class", options_.class_name};
    for (const std::string& header : input_.headers) command = with(command, {"--header", header});
    for (const std::string& factory : options_.factories) {
      if (is_plain_name(factory)) command = with(command, {"--factory", factory});
    }
    auto printed = run_command(with(with(command, {"--"}), input_.flags), input_.directory,
                               options_.should_stop);
    if (!printed) return tl::unexpected(printed.error());
    if (printed->exit_code == 2) {
      std::string message = printed->err;
      while (message.ends_with('\n')) message.pop_back();
      if (message.find("error: ") != std::string::npos)
        message = "the header does not compile with these flags:\n" + message;
      return usage_error(message);
    }
    if (printed->exit_code != 0) {
      return internal_error(fmt::format("snag-read-class ended with exit code {}: {}",
                                        printed->exit_code, printed->err));
    }
    auto model = parse_class_model(printed->out);
    if (!model) return tl::unexpected(model.error());
    driver_.model = std::move(*model);
    return {};
  }

  void collect() {
    for (auto* make : {maker_pieces, constructor_pieces, method_pieces}) {
      for (Piece& piece : make(driver_.model, options_)) pieces_.push_back(std::move(piece));
    }
    failures_.resize(pieces_.size());
  }

  bool has_any(PieceKind kind) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].kind == kind && failures_[i].size() < pieces_[i].variants.size()) return true;
    }
    return false;
  }

  Expected<void> check_pieces() const {
    const std::string& name = driver_.model.class_name;
    for (const std::string& factory : options_.factories) {
      const auto is_it = [&](const Callable& creator) { return creator.factory == factory; };
      if (is_plain_name(factory) &&
          std::none_of(driver_.model.creators.begin(), driver_.model.creators.end(), is_it)) {
        return usage_error(
            fmt::format("there is no function '{}' in these headers: name the header that declares "
                        "it with --header",
                        factory));
      }
    }
    if (!has_any(PieceKind::kConstructor)) {
      return usage_error(fmt::format(
          "there is no way to make an object of {}{}.\n{}", name,
          driver_.model.is_abstract ? ", which is abstract" : ": it has no public constructor",
          how_to_write_a_factory(driver_.model)));
    }
    if (!has_any(PieceKind::kMethod)) {
      return usage_error(
          driver_.model.methods.empty()
              ? fmt::format("{} has no public methods: there is nothing to call", name)
              : fmt::format("--include and --exclude leave no method of {} to call", name));
    }
    return {};
  }

  // The first round tries everything, so that later ones have little to find.
  std::vector<Choice> choices(bool all) const {
    std::vector<Choice> result;
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      for (std::size_t variant = 0; variant < pieces_[piece].variants.size(); ++variant) {
        if (failures_[piece].count(variant) > 0) continue;
        result.push_back({piece, variant});
        if (!all || pieces_[piece].kind == PieceKind::kMaker) break;
      }
    }
    return result;
  }

  Expected<DriverSource> write(const std::vector<Choice>& chosen) {
    DriverSource source = write_driver(driver_.model, input_.headers, pieces_, chosen);
    driver_.source = options_.folder + "/driver.cc";
    if (auto written = write_whole_file(driver_.source, source.text); !written)
      return tl::unexpected(written.error());
    return source;
  }

  // Whether something was left out because of these errors.
  bool leave_out(const DriverSource& source, const std::vector<CompileError>& errors) {
    bool is_changed = false;
    const auto fail = [&](std::size_t piece, std::size_t variant, const CompileError& error) {
      is_changed = failures_[piece].emplace(variant, error).second || is_changed;
    };
    for (const CompileError& error : errors) {
      if (const Choice* choice = source.choice_at(error.line))
        fail(choice->piece, choice->variant, error);
      if (error.unmade.empty()) continue;
      // The compiler reports it once; the other pieces that need such an argument would follow one
      // by one.
      for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
        for (std::size_t variant = 0; variant < pieces_[piece].variants.size(); ++variant) {
          const auto& types = pieces_[piece].variants[variant].arg_types;
          if (std::find(types.begin(), types.end(), error.unmade) != types.end())
            fail(piece, variant, error);
        }
      }
    }
    return is_changed;
  }

  Expected<void> check_in_rounds() {
    const Words snag_flags = {"-D__SNAG__=1", "-D_GLIBCXX_ASSERTIONS", "-idirafter",
                              resources_.include_dir()};
    for (int round = 0; round < kMaxRounds; ++round) {
      auto source = write(choices(round == 0));
      if (!source) return tl::unexpected(source.error());
      const Words command =
          with(with({reader(), "--check", driver_.source, "--"}, snag_flags), input_.flags);
      auto printed = run_command(command, input_.directory, options_.should_stop);
      if (!printed) return tl::unexpected(printed.error());
      ++driver_.rounds;
      const std::vector<CompileError> errors = parse_check(printed->out);
      if (errors.empty()) return {};
      if (!leave_out(*source, errors)) return cannot_compile(errors);
      if (auto left = anything_left(); !left) return left;
      if (!may_hide_others(*source, errors)) return {};
    }
    return internal_error("the driver does not compile, however much is left out");
  }

  // The compiler reports an error within a template once, for the first piece that needs it. If
  // that piece is a best variant, other pieces with the same error may remain; otherwise the
  // compiler finds the few that do.
  static bool may_hide_others(const DriverSource& source, const std::vector<CompileError>& errors) {
    return std::any_of(errors.begin(), errors.end(), [&](const CompileError& error) {
      const Choice* choice = source.choice_at(error.line);
      return !error.is_direct && choice != nullptr && choice->variant == 0;
    });
  }

  Expected<void> cannot_compile(const std::vector<CompileError>& errors) const {
    std::string text = "the driver does not compile, and it is not a method's fault";
    for (std::size_t i = 0; i < errors.size() && i < 3; ++i) text += "\n  " + errors[i].text;
    return usage_error(text);
  }

  Expected<void> anything_left() const {
    const std::string& name = driver_.model.class_name;
    // The pools are the first pieces.
    for (std::size_t i = 0; i < options_.pools.size(); ++i) {
      if (failures_[i].empty()) continue;
      return usage_error(fmt::format("the values of --arg-pool for '{}' do not compile: {}",
                                     options_.pools[i].target, failures_[i].begin()->second.text));
    }
    for (const PieceKind kind : {PieceKind::kConstructor, PieceKind::kMethod}) {
      if (has_any(kind)) continue;
      const bool is_constructor = kind == PieceKind::kConstructor;
      std::string text = is_constructor
                             ? fmt::format("there is no way to make an object of {}:", name)
                             : fmt::format("no method of {} can be called:", name);
      for (const LeftOutCall& left : left_out(kind))
        text += fmt::format("\n  {}: {}", left.name, left.reason);
      if (is_constructor) text += "\n" + how_to_write_a_factory(driver_.model);
      return usage_error(text);
    }
    return {};
  }

  std::vector<LeftOutCall> left_out(PieceKind kind) const {
    std::vector<LeftOutCall> result;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].kind != kind || failures_[i].size() < pieces_[i].variants.size()) continue;
      std::string reason = "there is no way to write a call";
      bool fits_no_type = false;
      if (!failures_[i].empty()) {
        const CompileError& error = failures_[i].begin()->second;
        reason = readable_reason(error, pieces_[i].is_template);
        fits_no_type = error.text.starts_with("no matching");
      }
      const LeftOutKind left = kind == PieceKind::kConstructor ? LeftOutKind::kConstructor
                               : pieces_[i].has_plain_twin && fits_no_type ? LeftOutKind::kTwin
                                                                           : LeftOutKind::kMethod;
      result.push_back({pieces_[i].name, std::move(reason), left});
    }
    return result;
  }

  Expected<void> compile() {
    driver_.executable = options_.folder + "/driver";
    for (int attempt = 0; attempt < kMaxCompilations; ++attempt) {
      auto source = write(choices(false));
      if (!source) return tl::unexpected(source.error());
      Words command = {resources_.executable(), "c++", "-O1", "-w", driver_.source, "-o",
                       driver_.executable};
      if (sees_inner_calls_) command = with(command, flags_for_inner_calls(driver_.model.file));
      command = with(command, input_.flags);
      const std::string library = resources_.library_dir() + "/libsnag_gen_driver.a";
      if (std::filesystem::exists(library)) command.push_back(library);
      auto printed = run_command(command, input_.directory, options_.should_stop);
      if (!printed) return tl::unexpected(printed.error());
      if (printed->exit_code == 0) return {};
      // Functions that are always inlined (gnu_inline) have no address.
      if (sees_inner_calls_ && printed->err.find("undefined reference") != std::string::npos) {
        sees_inner_calls_ = false;
        continue;
      }
      const std::vector<CompileError> errors = parse_compiler_output(printed->err, "driver.cc");
      if (!leave_out(*source, errors))
        return usage_error("the driver cannot be built with these flags:\n" + printed->err);
      if (attempt > 0) give_up_on(*source, errors);
      if (auto left = anything_left(); !left) return left;
    }
    return usage_error("the driver cannot be built, however much is left out");
  }

  // Drops the variants of pieces that the compiler has rejected again: each would cost a
  // compilation.
  void give_up_on(const DriverSource& source, const std::vector<CompileError>& errors) {
    for (const CompileError& error : errors) {
      const Choice* choice = source.choice_at(error.line);
      if (choice == nullptr) continue;
      for (std::size_t i = 0; i < pieces_[choice->piece].variants.size(); ++i)
        failures_[choice->piece].emplace(i, error);
    }
  }

  void finish() {
    for (const Choice& choice : choices(false)) {
      const Piece& piece = pieces_[choice.piece];
      const Adapter& adapter = piece.variants[choice.variant];
      if (piece.kind == PieceKind::kMaker) continue;
      auto& calls = piece.kind == PieceKind::kMethod ? driver_.methods : driver_.constructors;
      calls.push_back({adapter.name, adapter.text, adapter.arguments, adapter.flags});
    }
    driver_.left_out = left_out(PieceKind::kConstructor);
    for (LeftOutCall& left : left_out(PieceKind::kMethod))
      driver_.left_out.push_back(std::move(left));
  }

  const GenTarget& options_;
  const toolchain::Resources& resources_;
  CompileInput input_;
  Driver driver_;
  std::vector<Piece> pieces_;
  std::vector<Failures> failures_;  // of each piece
  bool sees_inner_calls_ = true;
};

}  // namespace

Expected<Driver> build_driver(const GenTarget& options) {
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error)
    return usage_error(
        fmt::format("cannot make the folder '{}': {}", options.folder, error.message()));
  GenTarget absolute = options;
  absolute.folder = std::filesystem::absolute(options.folder).lexically_normal().string();
  return Builder(absolute, toolchain::find_resources()).build();
}

}  // namespace snag::gen
