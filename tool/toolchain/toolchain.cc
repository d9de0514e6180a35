#include "tool/toolchain/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "tool/base/text.h"

namespace snag::toolchain {
namespace {

using Words = std::vector<std::string>;

// g++ inserts no hooks for these; clang calls __tsan_memcpy and so on by itself.
constexpr const char* kWrap = "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset";

// Overrides --no-undefined and -z defs: the hooks stay undefined until the library is loaded. The
// gold linker does not support it.
constexpr const char* kAllowUndefined = "-Wl,-z,undefs";

void append(Words& to, const Words& from) { to.insert(to.end(), from.begin(), from.end()); }

std::string_view stem(std::string_view path) {
  auto name = base_name(path);
  return name.substr(0, name.rfind('.'));
}

// Sanitizers whose runtime replaces the same functions as ours, or that the compilers do not
// combine with -fsanitize=thread.
std::string refuse_sanitizers(const CompilerArgs& args) {
  constexpr std::string_view kIncompatible[] = {
      "address",          "hwaddress",     "memory",   "leak", "kernel-address",
      "kernel-hwaddress", "kernel-memory", "dataflow", "type", "realtime"};
  for (const std::string& name : args.sanitizers) {
    if (name == "thread") {
      return "leave out -fsanitize=thread: Snag adds these hooks itself and brings its own runtime "
             "for them.";
    }
    if (std::count(std::begin(kIncompatible), std::end(kIncompatible), name) > 0) {
      return fmt::format(
          "leave out -fsanitize={0}: it does not combine with the thread hooks that Snag uses; "
          "build a second binary for -fsanitize={0}.",
          name);
    }
  }
  return "";
}

class Planner {
 public:
  Planner(const Compiler& compiler, const CompilerArgs& args, const Resources& resources,
          const std::string& scratch)
      : compiler_(compiler), args_(args), resources_(resources), scratch_(scratch) {}

  BuildPlan plan() {
    plan_.compiler_words = compiler_.command.size();
    bool sources = args_.count(ArgRole::kSource) > 0;
    if (args_.action == CompilerAction::kQuery) {
      Words command = compiler_.command;
      append_user(command);
      plan_.commands.push_back(std::move(command));
    } else if (args_.action == CompilerAction::kCompile) {
      plan_.commands.push_back(compile_only());
    } else if (!sources) {
      plan_.commands.push_back(link(args_.args));
    } else if (compiler_.kind == CompilerKind::kClang && args_.sanitizers.empty()) {
      plan_.commands.push_back(compile_and_link());
    } else {
      split();
    }
    return std::move(plan_);
  }

 private:
  Words begin_compile() const {
    Words command = compiler_.command;
    append(command, compile_flags(compiler_.kind, resources_));
    append(command, compiler_.plugin_flags);
    return command;
  }

  void append_user(Words& command) const {
    for (const CompilerArg& arg : args_.args) {
      // With -flto, gcc would insert the hooks when linking, where the flag must not be given.
      if (arg.role != ArgRole::kLto || args_.action == CompilerAction::kQuery)
        append(command, arg.words);
    }
  }

  // Fortified functions bypass the ones that the runtime replaces.
  void end_compile(Words& command) const {
    if (args_.fortify) command.push_back("-U_FORTIFY_SOURCE");
  }

  Words compile_only() const {
    Words command = begin_compile();
    append_user(command);
    end_compile(command);
    return command;
  }

  void end_link(Words& command) {
    if (args_.relocatable) return;
    if (args_.shared) {
      for (const std::string& flag : shared_link_flags(compiler_.kind)) {
        if (flag != kAllowUndefined || !args_.gold) command.push_back(flag);
      }
      return;
    }
    append(command, link_flags(resources_));
    plan_.links_runtime = true;
  }

  // An option makes clang leave its runtime out, so one command is enough. (It leaves out the
  // runtimes of all sanitizers, so it does not work if the user has chosen another one, too.)
  Words compile_and_link() {
    Words command = begin_compile();
    command.push_back("-fno-sanitize-link-runtime");
    begin_link(command);
    append_user(command);
    end_compile(command);
    // Otherwise a preceding -x would make a source of our archive.
    if (args_.count(ArgRole::kLanguage) > 0) append(command, {"-x", "none"});
    end_link(command);
    return command;
  }

  // Before the user's folders: there -lsnag_schedule is the variant that leaves the interposed
  // functions to the runtime.
  void begin_link(Words& command) const {
    if (!args_.shared && !args_.relocatable)
      command.push_back("-L" + resources_.library_dir() + "/instrumented");
  }

  Words link(const std::vector<CompilerArg>& args) {
    Words command = compiler_.command;
    begin_link(command);
    for (const CompilerArg& arg : args) {
      bool compiles = arg.role == ArgRole::kLanguage || arg.role == ArgRole::kDependency ||
                      arg.role == ArgRole::kLto;
      if (!compiles) append(command, arg.words);
    }
    end_link(command);
    return command;
  }

  // Compiles each source with a separate command to an object in the scratch directory; then links
  // these.
  void split() {
    std::vector<CompilerArg> link_args = args_.args;
    int number = 0;
    for (CompilerArg& arg : link_args) {
      if (arg.role != ArgRole::kSource) continue;
      std::string source = arg.words[0];
      std::string object =
          fmt::format("{}/{}-{}.o", scratch_, number++, source == "-" ? "stdin" : stem(source));
      plan_.commands.push_back(compile_one(arg, object));
      arg = {ArgRole::kLinkInput, {object}, ""};
    }
    plan_.commands.push_back(link(link_args));
    plan_.uses_scratch = true;
  }

  Words compile_one(const CompilerArg& source, const std::string& object) const {
    Words command = begin_compile();
    // Clang warns of arguments for the linker when it does not link.
    if (compiler_.kind == CompilerKind::kClang) command.push_back("-Qunused-arguments");
    for (const CompilerArg& arg : args_.args) {
      if (arg.role == ArgRole::kOption || arg.role == ArgRole::kDependency)
        append(command, arg.words);
    }
    end_compile(command);
    append(command, side_files(source.words[0]));
    append(command, {"-c", "-o", object});
    if (!source.language.empty()) append(command, {"-x", source.language});
    append(command, source.words);
    return command;
  }

  // Moves the files that are written next to the object to where one command would have put them.
  Words side_files(const std::string& source) const {
    Words words;
    if (args_.dependencies && !args_.dependency_file) {
      std::string target = args_.output.empty() ? fmt::format("{}.o", stem(source)) : args_.output;
      auto dot = target.rfind('.');
      bool has_suffix = dot != std::string::npos && target.find('/', dot) == std::string::npos;
      words = {"-MF", target.substr(0, has_suffix ? dot : std::string::npos) + ".d", "-MT", target};
    }
    if (args_.auxiliary_outputs && compiler_.kind == CompilerKind::kGcc) {
      std::string name(base_name(source));
      std::string suffix = name.substr(stem(source).size());
      append(words,
             {"-dumpdir", args_.output.empty() ? "./" : args_.output + "-", "-dumpbase", name});
      if (!suffix.empty()) append(words, {"-dumpbase-ext", suffix});
    }
    return words;
  }

  const Compiler& compiler_;
  const CompilerArgs& args_;
  const Resources& resources_;
  const std::string& scratch_;
  BuildPlan plan_;
};

}  // namespace

std::optional<CompilerKind> kind_from_name(const std::vector<std::string>& command) {
  std::optional<CompilerKind> kind;
  for (const std::string& word : command) {
    std::string_view name = base_name(word);
    if (name.find("clang") != std::string_view::npos) return CompilerKind::kClang;
    if (name.find("g++") != std::string_view::npos || name.find("gcc") != std::string_view::npos) {
      kind = CompilerKind::kGcc;
    }
  }
  return kind;
}

std::vector<std::string> compile_flags(CompilerKind kind, const Resources& resources) {
  Words flags = {"-fsanitize=thread"};
  if (kind == CompilerKind::kGcc) {
    append(flags, {"--param", "tsan-distinguish-volatile=1"});
    // As builtins these three have no hooks; as calls, the linker's --wrap redirects them.
    append(flags, {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"});
    // "atomic_thread_fence is not supported" is true only of libtsan.
    append(flags, {"-Wno-tsan"});
  } else {
    // Otherwise the compiler omits the hook for the read of x++, since it reports the write anyway.
    append(flags, {"-mllvm", "-tsan-instrument-read-before-write"});
    append(flags, {"-mllvm", "-tsan-distinguish-volatile"});
    // Snag's symboliser finds compile units by them; gcc always writes them.
    append(flags, {"-gdwarf-aranges"});
  }
  append(flags, {"-g", "-D__SNAG__=1"});
  // Instantiates std::string's members in the program, where they get hooks; and finds more bugs.
  append(flags, {"-D_GLIBCXX_ASSERTIONS"});
  // The runtime does not replace __read_chk and similar functions.
  append(flags, {"-U_FORTIFY_SOURCE"});
  // Not -isystem: with the prefix /usr this would break #include_next in the C++ library.
  append(flags, {"-idirafter", resources.include_dir()});
  return flags;
}

std::vector<std::string> link_flags(const Resources& resources) {
  // Links the runtime at any position, and also if only shared libraries are instrumented.
  Words flags = {"-Wl,-u,__tsan_init"};
  append(flags, {kWrap});
  // So that shared libraries find the hooks and the replaced functions in the program.
  append(flags, {"-Xlinker", "--dynamic-list=" + resources.exports()});
  append(flags, {resources.runtime(), "-lpthread", "-ldl"});
  return flags;
}

std::vector<std::string> shared_link_flags(CompilerKind kind) {
  Words flags = {kAllowUndefined};
  if (kind == CompilerKind::kGcc) append(flags, {kWrap});
  return flags;
}

tl::expected<BuildPlan, std::string> plan_build(const Compiler& compiler,
                                                const std::vector<std::string>& args,
                                                const Resources& resources,
                                                const std::string& scratch) {
  CompilerArgs parsed = parse_compiler_args(args);
  if (parsed.action != CompilerAction::kQuery) {
    std::string refused = refuse_sanitizers(parsed);
    if (!refused.empty()) return tl::make_unexpected(refused);
  }
  if (parsed.action == CompilerAction::kLink && !parsed.static_option.empty()) {
    return tl::make_unexpected(fmt::format(
        "leave out {}: Snag's runtime replaces functions of the shared C library, so the "
        "program must be linked dynamically (-static-libstdc++ and -static-libgcc are fine).",
        parsed.static_option));
  }
  return Planner(compiler, parsed, resources, scratch).plan();
}

}  // namespace snag::toolchain
