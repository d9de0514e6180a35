#include "cli/option_table.h"

#include <string_view>

namespace snag::cli {

bool has_name(const char* names, const std::string& word) {
  for (std::string_view rest = names; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (name == word) return true;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return false;
}

SplitLine split_line(int argc, char** argv, Words words,
                     const std::function<bool(const std::string&)>& takes_value) {
  SplitLine line;
  int i = 1;
  for (; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      ++i;
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      if (words == Words::kEndOptions) break;
      line.words.push_back(word);
    } else if (!takes_value(word)) {
      line.options.push_back(word);
    } else if (word.starts_with("--") && i + 1 < argc) {
      // Joined, so that a value that looks like an option is still a value.
      line.options.push_back(word + "=" + argv[++i]);
    } else {
      line.options.push_back(word);
      if (i + 1 < argc) line.options.emplace_back(argv[++i]);
    }
  }
  for (; i < argc; ++i) line.tail.emplace_back(argv[i]);
  return line;
}

}  // namespace snag::cli
