#include "tool/toolchain/compiler_args.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "tool/base/text.h"

namespace snag::toolchain {
namespace {

// Options whose argument is the next word, each between spaces. Joined forms (-DNAME) are
// recognised because they are longer. From the manuals of gcc 12 and clang 19.
constexpr std::string_view kSeparate =
    " -o -x -I -D -U -L -l -T -u -z -e -A -B -G -F -include -imacros -isystem -iquote "
    "-idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib -MF -MT -MQ "
    "-MJ -Xlinker -Xassembler -Xpreprocessor --param -aux-info -dumpbase -dumpbase-ext "
    "-dumpdir -wrapper --sysroot --entry -Tbss -Tdata -Ttext -Xclang -mllvm -target -arch "
    "-Xanalyzer -include-pch -ivfsoverlay -gcc-toolchain --config -cxx-isystem -c-isystem "
    "-iframework -framework -working-directory -rpath --serialize-diagnostics -dependency-file "
    "-Xopenmp-target -Xthinlto ";

constexpr std::string_view kSourceSuffixes[] = {
    ".c",  ".i",  ".cc", ".cp",   ".cxx", ".cpp",  ".CPP",  ".c++", ".C",
    ".ii", ".m",  ".mi", ".mm",   ".M",   ".mii",  ".s",    ".S",   ".sx",
    ".cu", ".ll", ".bc", ".cppm", ".ccm", ".cxxm", ".c++m", ".ixx"};

constexpr std::string_view kHeaderSuffixes[] = {".h",   ".hh",  ".H",   ".hp", ".hxx",
                                                ".hpp", ".HPP", ".h++", ".tcc"};

constexpr std::string_view kQueries[] = {"--version",     "--help",       "-help",
                                         "--target-help", "-dumpversion", "-dumpfullversion",
                                         "-dumpmachine",  "-dumpspecs"};

constexpr std::string_view kStopsBeforeLinking[] = {"-c",
                                                    "-S",
                                                    "-E",
                                                    "-M",
                                                    "-MM",
                                                    "-fsyntax-only",
                                                    "--compile",
                                                    "--assemble",
                                                    "--preprocess",
                                                    "--precompile",
                                                    "--analyze",
                                                    "--dependencies",
                                                    "--user-dependencies",
                                                    "-emit-ast"};

constexpr std::string_view kAuxiliaryOutputs[] = {
    "--coverage",  "-coverage", "-ftest-coverage", "-fprofile-arcs",   "-gsplit-dwarf",
    "-save-temps", "-fdump-",   "-fstack-usage",   "-fcallgraph-info", "-ftime-trace"};

template <typename Range>
bool contains(const Range& range, std::string_view word) {
  return std::find(std::begin(range), std::end(range), word) != std::end(range);
}

bool takes_next_word(const std::string& option) {
  return option.find(' ') == std::string::npos &&
         kSeparate.find(' ' + option + ' ') != kSeparate.npos;
}

std::string_view suffix(std::string_view path) {
  auto name = base_name(path);
  auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

// Calls `use` with each part of a list separated by commas.
template <typename Use>
void for_each_part(std::string_view list, Use use) {
  while (true) {
    auto comma = list.find(',');
    use(list.substr(0, comma));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

bool is_lto(std::string_view word) {
  return word == "-flto" || word.starts_with("-flto=") || word.starts_with("-flto-") ||
         word == "-ffat-lto-objects" || word == "-fno-fat-lto-objects" ||
         word == "-fuse-linker-plugin" || word == "-fwhole-program-vtables" ||
         word == "-fsplit-lto-unit";
}

class Parser {
 public:
  CompilerArgs parse(const std::vector<std::string>& args) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (takes_next_word(args[i]) && i + 1 < args.size()) {
        add({args[i], args[i + 1]});
        ++i;
      } else {
        add({args[i]});
      }
    }
    bool inputs = result_.count(ArgRole::kSource) + result_.count(ArgRole::kLinkInput) > 0;
    if (query_ || !inputs) {
      result_.action = CompilerAction::kQuery;
    } else if (stops_ || header_ || result_.dry_run) {
      result_.action = CompilerAction::kCompile;
    } else {
      result_.action = CompilerAction::kLink;
    }
    return std::move(result_);
  }

 private:
  void add(std::vector<std::string> words) {
    ArgRole role = note(words[0], words.size() > 1 ? words[1] : std::string());
    result_.args.push_back(
        {role, std::move(words), role == ArgRole::kSource ? language_ : std::string()});
  }

  ArgRole note(const std::string& word, const std::string& value) {
    if (word.empty() || word[0] != '-' || word == "-") return note_input(word);
    if (word == "-o" || (word.starts_with("-o") && !word.starts_with("-object"))) {
      result_.output = word == "-o" ? value : word.substr(2);
      return ArgRole::kOutput;
    }
    if (word.starts_with("-x")) {
      language_ = word == "-x" ? value : word.substr(2);
      if (language_ == "none") language_.clear();
      return ArgRole::kLanguage;
    }
    if (word.starts_with("-l")) return ArgRole::kLinkInput;
    if (is_lto(word)) return ArgRole::kLto;
    if (note_dependency(word)) return ArgRole::kDependency;
    note_mode(word);
    note_sanitizers(word);
    if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-Wp,")) {
      result_.fortify |= (word + value).find("_FORTIFY_SOURCE") != std::string::npos;
    }
    return ArgRole::kOption;
  }

  ArgRole note_input(const std::string& path) {
    if (!language_.empty()) {
      header_ |= language_.find("header") != std::string::npos;
      return ArgRole::kSource;
    }
    if (contains(kHeaderSuffixes, suffix(path))) {
      header_ = true;
      return ArgRole::kSource;
    }
    return path == "-" || contains(kSourceSuffixes, suffix(path)) ? ArgRole::kSource
                                                                  : ArgRole::kLinkInput;
  }

  bool note_dependency(std::string_view word) {
    if (word == "-MD" || word == "-MMD") {
      result_.dependencies = true;
      return true;
    }
    if (word == "-MF") result_.dependency_file = true;
    return word == "-MF" || word == "-MT" || word == "-MQ" || word == "-MP" || word == "-MJ";
  }

  void note_mode(std::string_view word) {
    query_ |= contains(kQueries, word) || word.starts_with("-print-") ||
              word.starts_with("--print-") || word.starts_with("--help=");
    stops_ |= contains(kStopsBeforeLinking, word);
    result_.dry_run |= word == "-###";
    result_.gold |= word == "-fuse-ld=gold";
    result_.shared |= word == "-shared" || word == "--shared";
    result_.relocatable |= word == "-r" || word == "--relocatable";
    if (word == "-static" || word == "--static" || word == "-static-pie")
      result_.static_option = word;
    for (std::string_view prefix : kAuxiliaryOutputs) {
      result_.auxiliary_outputs |= word.starts_with(prefix);
    }
  }

  void note_sanitizers(std::string_view word) {
    constexpr std::string_view kOn = "-fsanitize=", kOff = "-fno-sanitize=";
    auto& on = result_.sanitizers;
    if (word.starts_with(kOn)) {
      for_each_part(word.substr(kOn.size()), [&](std::string_view name) {
        if (!contains(on, name)) on.emplace_back(name);
      });
    } else if (word.starts_with(kOff)) {
      for_each_part(word.substr(kOff.size()), [&](std::string_view name) {
        std::erase_if(on, [&](const std::string& known) { return name == "all" || known == name; });
      });
    }
  }

  CompilerArgs result_;
  std::string language_;  // of -x, which applies from here on
  bool query_ = false;
  bool stops_ = false;
  bool header_ = false;
};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

void expand(const std::vector<std::string>& args, const FileReader& read, int depth,
            std::vector<std::string>& out) {
  constexpr int kMaxDepth =
      100;  // a file that includes itself ends here, as an argument the compiler rejects
  for (const std::string& arg : args) {
    std::optional<std::string> text;
    if (arg.size() > 1 && arg[0] == '@' && depth < kMaxDepth) text = read(arg.substr(1));
    if (text) {
      expand(split_response_file(*text), read, depth + 1, out);
    } else {
      out.push_back(arg);
    }
  }
}

}  // namespace

int CompilerArgs::count(ArgRole role) const {
  return static_cast<int>(std::count_if(args.begin(), args.end(),
                                        [&](const CompilerArg& arg) { return arg.role == role; }));
}

CompilerArgs parse_compiler_args(const std::vector<std::string>& args) {
  return Parser().parse(args);
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& args,
                                               const FileReader& read) {
  std::vector<std::string> out;
  expand(args, read, 0, out);
  return out;
}

std::vector<std::string> split_response_file(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote == '\0' && is_space(c)) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      word += c;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::string quote_argument(const std::string& arg) {
  constexpr std::string_view kPlain = "+,-./:=@_%^#";
  bool plain = !arg.empty() && std::all_of(arg.begin(), arg.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos;
  });
  if (plain && arg[0] != '#') return arg;
  std::string quoted = "\"";
  for (char c : arg) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace snag::toolchain
