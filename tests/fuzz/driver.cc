// Feeds a fuzzer without libFuzzer: mutations of a corpus, the same ones for the same seed, and not
// guided by coverage. For `make test`, where the count is fixed, and for machines without
// libFuzzer.
//
// Usage: <program> (--runs <n> | --seconds <n>) [--seed <n>] <corpus folder>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaxInput = 64 * 1024;

std::string current;

// Sanitizers and failed requirements both end in abort.
extern "C" void save_input(int) {
  const char* path = "fuzz-crash";
  if (std::FILE* file = std::fopen(path, "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in '%s'\n", path);
  }
  std::_Exit(1);
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

const std::array<std::string, 14> kWords = {
    "0",     "-1",      "4294967296", "18446744073709551616",
    "1e999", "null",    "\"\"",       "[]",
    "{}",    "\\u0000", "\xff",       "*",
    "^",     "$"};

void mutate(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = std::min(text.size() - at, below(random, 1 << below(random, 10)));
  switch (below(random, 7)) {
    case 0:
      if (at < text.size()) text[at] ^= static_cast<char>(1 << below(random, 8));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(below(random, text.size() + 1), text.substr(at, length));
      break;
    case 4:
      text.insert(at, kWords[below(random, kWords.size())]);
      break;
    case 5: {  // a number becomes another one
      const std::size_t begin = text.find_first_of("0123456789", at);
      if (begin == std::string::npos) break;
      const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
      text.replace(begin, end - begin, std::to_string(random() >> below(random, 64)));
      break;
    }
    default: {  // a piece of another one
      const std::string& other = corpus[below(random, corpus.size())];
      const std::size_t from = below(random, other.size());
      text.replace(at, length, other.substr(from, below(random, 1 << below(random, 10))));
    }
  }
}

void execute(const std::string& text) {
  current = text;
  // A copy of the exact size: a read behind its end is then seen.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry);
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = UINT64_MAX, seed = 1;
  double seconds = 1e9;
  std::string folder;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--runs" && i + 1 < argc) {
      runs = std::strtoull(argv[++i], nullptr, 10);
    } else if (option == "--seconds" && i + 1 < argc) {
      seconds = std::strtod(argv[++i], nullptr);
    } else if (option == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      folder = option;
    }
  }
  const std::vector<std::string> corpus =
      folder.empty() ? std::vector<std::string>() : read_corpus(folder);
  if (corpus.empty() || (runs == UINT64_MAX && seconds == 1e9)) {
    std::fprintf(stderr, "usage: %s (--runs <n> | --seconds <n>) [--seed <n>] <corpus>\n", argv[0]);
    return 2;
  }
  std::signal(SIGABRT, save_input);
  for (const std::string& text : corpus) execute(text);

  Random random(seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t done = 0;
  for (; done < runs && std::chrono::steady_clock::now() < end; ++done) {
    std::string text = corpus[below(random, corpus.size())];
    for (std::size_t n = 1 + below(random, 4); n > 0; --n) mutate(text, corpus, random);
    if (text.size() > kMaxInput) text.resize(kMaxInput);
    execute(text);
  }
  std::printf("%zu seeds and %llu mutations, nothing found\n", corpus.size(),
              static_cast<unsigned long long>(done));
}
