// Expect: clean
// Streams used by several threads: cout and cerr shared, string streams, files and stdio in
// private.
#include <cassert>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

int main() {
  auto body = [](int me) {
    std::ostringstream out;
    out << std::setw(4) << std::setfill('0') << me << ' ' << 0.5 << ' ' << std::hex << 255;
    assert(out.str() == "000" + std::to_string(me) + " 0.5 ff");
    std::istringstream in("12 word 3.5");
    int number;
    std::string word;
    double real;
    in >> number >> word >> real;
    assert(in && number == 12 && word == "word" && real == 3.5);
    std::cout << "thread " << me << '\n' << std::flush;
    std::cerr << "error " << me << '\n';
    std::printf("stdio %d\n", me);
    std::fputs("line\n", stderr);
    std::FILE* file = std::tmpfile();
    assert(file != nullptr && std::fprintf(file, "%d", me) == 1);
    std::rewind(file);
    assert(std::fscanf(file, "%d", &number) == 1 && number == me);
    std::fclose(file);
  };
  std::thread a(body, 1), b(body, 2);
  body(3);
  a.join();
  b.join();
  assert(std::cout.good());
}
