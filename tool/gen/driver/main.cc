// The driver's command line: --list, --worker N (for `snag gen`), --test FILE, --describe FILE.
#include <cstdio>
#include <cstring>

#include "tool/gen/driver/test_file.h"
#include "tool/gen/driver/worker.h"

namespace snag_gen {
namespace {

int list(const Driver& driver) {
  std::printf("class\t%s\n", driver.class_name.c_str());
  for (std::size_t i = 0; i < driver.constructor_count; ++i) {
    const Constructor& c = driver.constructors[i];
    std::printf("constructor\t%d\t0\t%s\t%s\n", c.arguments, c.name, c.text);
  }
  for (std::size_t i = 0; i < driver.method_count; ++i) {
    const Method& m = driver.methods[i];
    std::printf("method\t%d\t%u\t%s\t%s\n", m.arguments, m.flags, m.name, m.text);
  }
  return 0;
}

}  // namespace

int driver_main(int argc, char** argv, const Driver& driver) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) return list(driver);
  if (argc == 3 && std::strcmp(argv[1], "--worker") == 0) return work(driver, std::atoi(argv[2]));
  if (argc == 3 && std::strcmp(argv[1], "--test") == 0) return run_test_file(driver, argv[2]);
  if (argc == 3 && std::strcmp(argv[1], "--describe") == 0)
    return describe_test_file(driver, argv[2]);
  std::fprintf(stderr,
               "This is a driver of snag gen for %s.\n"
               "  --list           its constructors and methods\n"
               "  --test FILE      runs one test, for snag run and snag replay\n"
               "  --describe FILE  the test as C++\n",
               driver.class_name.c_str());
  return 2;
}

}  // namespace snag_gen
