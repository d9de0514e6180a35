// Expect: clean
// Writers put a new version of a file under a temporary name and rename it; readers see the old or
// a new one, always whole. The folder is created again in each run.
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

std::string folder;

void Write(int version) {
  std::string path = folder + "/config", temporary = path + std::to_string(version);
  std::FILE* file = std::fopen(temporary.c_str(), "w");
  assert(file != nullptr);
  std::fprintf(file, "%d %d\n", version, -version);
  std::fclose(file);
  assert(std::rename(temporary.c_str(), path.c_str()) == 0);
}

int main() {
  char name[] = "/tmp/snag_renameXXXXXX";
  assert(mkdtemp(name) != nullptr);
  folder = name;
  Write(1);
  std::thread a(Write, 2), b(Write, 3), reader([] {
    for (int i = 0; i < 2; ++i) {
      std::FILE* file = std::fopen((folder + "/config").c_str(), "r");
      assert(file != nullptr);
      int version = 0, negative = 0;
      assert(std::fscanf(file, "%d %d", &version, &negative) == 2 && negative == -version);
      std::fclose(file);
    }
  });
  a.join();
  b.join();
  reader.join();
  unlink((folder + "/config").c_str());
  rmdir(name);
}
