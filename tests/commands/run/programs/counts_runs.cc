// Leaves files behind: a count of the runs in its folder, and others that it changes. Fails in the
// run of the number that is the first argument; with "race" as the second one, also in an
// interleaving; with "temporary", it leaves a temporary file.
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

std::atomic<int> value;

void Add() {
  const int old = value;
  value = old + 1;
}

int main(int argc, char** argv) {
  assert(errno == 0);
  int count = 0;
  if (std::FILE* file = std::fopen("count.txt", "r")) {
    if (std::fscanf(file, "%d", &count) != 1) count = 0;
    std::fclose(file);
  }
  std::FILE* file = std::fopen("./count.txt", "w");
  std::fprintf(file, "%d", count + 1);
  std::fclose(file);
  if (std::FILE* kept = std::fopen("data/kept.txt", "a")) {
    std::fputs("more", kept);
    std::fclose(kept);
  }
  std::remove("data/deep/gone.txt");
  mkdir("made", 0700);
  std::thread a(Add), b(Add);
  a.join();
  b.join();
  if (argc > 2 && std::strcmp(argv[2], "race") == 0) assert(value == 2);
  if (argc > 2 && std::strcmp(argv[2], "temporary") == 0) {
    std::string name = std::string(std::getenv("TMPDIR")) + "/leftXXXXXX";
    close(mkstemp(name.data()));
  }
  assert(argc < 2 || count + 1 != std::atoi(argv[1]));
}
