// Names the accesses of a small program that is compiled here, by each compiler there is, in
// several ways. It is compiled with hooks, as programs for Snag are, but the hooks are those of
// this test, which print each access. A comment "//= name" says what all accesses of its line must
// be called ("//= a | b": one of these).
#include "tool/binary/variables/variables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tool/binary/source_lines.h"

namespace snag::binary {
namespace {

constexpr const char* kSource = R"(#include <array>
#include <atomic>
#include <memory>
#include <vector>
#define NOINLINE __attribute__((noinline))
void escape(void*);
struct Limits { int min, max; };
struct Config { Limits limits; int sizes[4]; union { int a; float b; }; };
struct Bits { short s; unsigned a : 3; unsigned b : 5; unsigned c : 8; double w; };
struct Padded { int bx; virtual ~Padded() {} };
struct Tail : Padded { int dy; };
int counter;
int grid[2][3];
static short buffer[8];
Bits bits;
Tail tail;
namespace ns {
long cache;
Config config;
std::array<int, 3> trio;
std::atomic<int> ready;
}
namespace { int hidden; }
struct Stats { static int total; };
int Stats::total;
thread_local int depth;

NOINLINE void globals(int i) {
  counter += 1;                 //= counter
  ns::cache = i;                //= ns::cache
  escape(buffer);
  buffer[i] = 3;                //= buffer[1]
  grid[i][2] = 4;               //= grid[1][2]
  ns::config.limits.max = i;    //= ns::config.limits.max
  ns::config.sizes[i]++;        //= ns::config.sizes[1]
  ns::config.a = 1;             //= ns::config.a
  ns::trio[2] = i;              //= ns::trio[2]
  bits.w = i;                   //= bits.w
  bits.c = 7;                   //= bits.c | bits
  bits.b = 7;                   //= bits
  tail.dy = i;                  //= tail.dy
  tail.bx = i;                  //= tail.bx
  ns::ready.store(i);           //= ns::ready
  escape(&hidden);
  hidden = i;                   //= hidden
  Stats::total = i;             //= Stats::total
  static int table[4];
  escape(table);
  table[3] = i;                 //= globals()::table[3]
}

struct Base { long base_; };
namespace shop {
template <class T>
struct Queue : Base {
  int pad = 0;
  T count_ = 0;
  Config config_;
  T* data_ = nullptr;
  Limits pairs_[3];
  int cells_[2][2];
  std::vector<int> items_;
  std::atomic<int> flag_;
  NOINLINE int member(int i) {
    count_++;                   //= shop::Queue::count_
    this->pad += 2;             //= shop::Queue::pad | byte 8 of 128 bytes allocated at names.cc:Q
    base_ = 3;                  //= Base::base_
    config_.limits.max = i;     //= shop::Queue::config_.limits.max
    escape(this);
    ++config_.sizes[i];         //= shop::Queue::config_.sizes[i]
    pairs_[i].max = 1;          //= shop::Queue::pairs_[i].max
    cells_[i][1] = 1;           //= shop::Queue::cells_[i][1]
    flag_.store(i);             //= shop::Queue::flag_
    escape(this);
    auto lambda = [this](int k) NOINLINE {
      count_ = k;               //= shop::Queue::count_
    };
    lambda(i);
    return count_;              //= shop::Queue::count_
  }
};
}

NOINLINE int pointer(shop::Queue<int>* q, int i) {
  q->count_ = 5;                //= shop::Queue::count_
  escape(q);
  ++q->base_;                   //= Base::base_
  escape(q);
  return q->pad;                //= shop::Queue::pad
}
NOINLINE void reference(shop::Queue<int>& q) {
  q.count_ = 6;                 //= shop::Queue::count_
}
NOINLINE void plain(int* p, int i) {
  escape(p);
  *p = 7;                       //= *p (16 bytes allocated at names.cc:L)
  escape(p);
  p[i] = 4;                     //= p[i] (16 bytes allocated at names.cc:L)
}
NOINLINE void smart(const std::unique_ptr<Limits>& limits) {
  limits->max = 4;              //= Limits::max | limits, on the stack of T0
}
NOINLINE int sum(const std::vector<int>& numbers) {
  int total = 0;
  for (int x : numbers) total += x;   //= numbers[...] (12 bytes allocated at names.cc:V) | numbers, on the stack of T0
  return total;
}
struct Remote {
  Remote();  // elsewhere, and there clang describes the class
  int first_, value_;
};
NOINLINE void remote(Remote* r) {
  r->value_ = 2;                //= Remote::value_
}
NOINLINE void by_reference(int& x) {
  escape(&x);
  x = 1;                        //= x, on the stack of T0
}
NOINLINE void locals() {
  bool done = false;            //= local `done` of locals, on the stack of T0
  Limits limits = {0, 0};
  escape(&limits);
  limits.max = 3;               //= local `limits.max` of locals, on the stack of T0
  escape(&done);
  auto lambda = [&]() NOINLINE {
    escape(&done);
    done = true;                //= local `done` of locals, on the stack of T0 | memory on the stack of T0
  };
  lambda();
  int number = 0;
  escape(&number);
  by_reference(number);
}
struct Task { long id; int left; Task* next; };
NOINLINE int by_argument(void* arg, Task* other) {
  escape(arg);
  int tid = *(int*)arg;         //= *arg, on the stack of T0 | local `tid` of by_argument, on the stack of T0 | memory on the stack of T0
  escape(other);
  int left = other->left;       //= Task::left | local `left` of by_argument, on the stack of T0
  escape(&left);
  int sum = tid + left;
  sum += other->left;           //= Task::left | local `sum` of by_argument, on the stack of T0 | memory on the stack of T0
  escape(&sum);
  Task* next = other->next;     //= Task::next | local `next` of by_argument, on the stack of T0
  escape(&next);
  return sum;
}
struct Other { long id; int left; long next; };
NOINLINE void shadowed(Task* it, Other* other) {
  {
    Other* it = other;
    escape(it);
  }
  escape(it);
  it->left = 3;                 //= Task::left
}
NOINLINE int by_value(Limits limits) {
  auto lambda = [limits]() NOINLINE {
    return limits.max;          //= captured `limits`, on the stack of T0
  };
  escape(&lambda);
  return lambda();
}
NOINLINE void thread_locals() {
  depth = 3;                    //= thread-local `depth` of T0
}
int main(int argc, char**) {
  globals(argc);
  auto* q = new shop::Queue<int>;                          // line Q
  q->member(argc);
  pointer(q, argc);
  reference(*q);
  int* p = new int[4];                                     // line L
  plain(p, argc);
  smart(std::make_unique<Limits>());
  std::vector<int> numbers = {1, 2, 3};                    // line V
  sum(numbers);
  locals();
  remote(new Remote);
  int number = 3;
  by_argument(&number, new Task{1, 2, nullptr});
  shadowed(new Task{1, 2, nullptr}, new Other{1, 2, 3});
  by_value({1, 2});
  thread_locals();
}
)";

// Prints "kind operation address size begin block-size depth stack... alloc-depth alloc-stack..."
// of each access, and first the load bias.
constexpr const char* kHooks = R"(#include <cstdio>
#include <cstdlib>
#include <new>
typedef unsigned long word;
extern "C" char __executable_start;
static word shadow[1000], stack_top;
static int depth;
static struct Block { word begin, size; int depth; word stack[24]; } blocks[1000];
static int block_count;
static int frames(word pc, word* out) {
  int n = 0;
  out[n++] = pc;
  for (int i = depth; i > 0 && n < 24; --i) out[n++] = shadow[i - 1];
  return n;
}
static void print(word address, word size, char operation, word pc) {
  const word here = (word)__builtin_frame_address(0), self = (word)__builtin_thread_pointer();
  const Block* block = nullptr;
  for (int i = 0; i < block_count; ++i) {
    if (address >= blocks[i].begin && address < blocks[i].begin + blocks[i].size) block = &blocks[i];
  }
  const char kind = block ? 'h' : address > here - 100000 && address < stack_top ? 's'
                    : address > self - 10000 && address < self ? 't' : 'g';
  word stack[24];
  const int n = frames(pc, stack);
  std::printf("%c %c %lx %lx %lx %lx %x", kind, operation, address, size, block ? block->begin : 0, block ? block->size : 0, n);
  for (int i = 0; i < n; ++i) std::printf(" %lx", stack[i]);
  std::printf(" %x", block ? block->depth : 0);
  for (int i = 0; block && i < block->depth; ++i) std::printf(" %lx", block->stack[i]);
  std::printf("\n");
}
#define PC ((word)__builtin_return_address(0))
void* operator new(std::size_t size) {
  void* p = std::malloc(size);
  Block& block = blocks[block_count++];
  block.begin = (word)p;
  block.size = size;
  block.depth = frames(PC, block.stack);
  return p;
}
void* operator new[](std::size_t size) {
  void* p = std::malloc(size);
  Block& block = blocks[block_count++];
  block.begin = (word)p;
  block.size = size;
  block.depth = frames(PC, block.stack);
  return p;
}
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
struct Remote { Remote(); int first_, value_; };
Remote::Remote() : first_(0), value_(0) {}
void escape(void* p) { asm volatile("" : : "r"(p) : "memory"); }
extern "C" {
void __tsan_init() { if (stack_top == 0) { stack_top = (word)__builtin_frame_address(0) + 100000; std::printf("%lx\n", PIE ? (word)&__executable_start : 0); } }
void __tsan_func_entry(void* pc) { shadow[depth++] = (word)pc; }
void __tsan_func_exit() { --depth; }
#define PLAIN(n) \
  void __tsan_read##n(void* p) { print((word)p, n, 'r', PC); } void __tsan_write##n(void* p) { print((word)p, n, 'w', PC); } \
  void __tsan_unaligned_read##n(void* p) { print((word)p, n, 'r', PC); } void __tsan_unaligned_write##n(void* p) { print((word)p, n, 'w', PC); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void __tsan_read_range(void*, long) {} void __tsan_write_range(void*, long) {}
void __tsan_vptr_update(void*, void*) {} void __tsan_vptr_read(void*) {}
void __tsan_atomic32_store(int* p, int v, int) { print((word)p, 4, 'a', PC); *p = v; }
int __tsan_atomic32_load(int* p, int) { print((word)p, 4, 'a', PC); return *p; }
void* __tsan_memcpy(void* a, const void* b, word n) { return __builtin_memcpy(a, b, n); }
void* __tsan_memmove(void* a, const void* b, word n) { return __builtin_memmove(a, b, n); }
void* __tsan_memset(void* a, int b, word n) { return __builtin_memset(a, b, n); }
}
)";

struct MadeAccess {
  MemoryReport memory{};
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  AccessKind kind = AccessKind::kOther;
  std::vector<std::uint64_t> stack;

  // By the thread that has the stack, unless another one is asked for.
  Access by(Tid thread = 0) const { return {address, size, thread, kind, stack}; }
};

class Names : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-variables-XXXXXX";
    folder_ = mkdtemp(name);
    const std::string compiler = GetParam().substr(0, GetParam().find(' '));
    if (std::system(fmt::format("command -v {} >/dev/null", compiler).c_str()) != 0)
      GTEST_SKIP() << "no " << compiler;
    std::ofstream(folder_ / "names.cc") << kSource;
    std::ofstream(folder_ / "hooks.cc") << kHooks;
    const int pie = GetParam().find("-no-pie") == std::string::npos;
    run(fmt::format(
        "cd {0} && {1} -g -std=c++20 -fsanitize=thread -c names.cc && {1} -g -w -DPIE={2} "
        "-c hooks.cc && {1} names.o hooks.o -o names && ./names >accesses",
        folder_.string(), GetParam(), pie));
    read_accesses();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static void run(const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  void read_accesses() {
    std::ifstream file(folder_ / "accesses");
    file >> std::hex;
    std::uint64_t base = 0;
    file >> base;
    modules_ = ModuleMap({{base, base, base + 0x1000000, folder_ / "names"}});
    for (char kind = 0; file >> kind;) {
      MadeAccess access;
      std::size_t depth = 0;
      char operation = 0;
      file >> operation;
      access.kind = operation == 'r'   ? AccessKind::kRead
                    : operation == 'w' ? AccessKind::kWrite
                                       : AccessKind::kOther;
      file >> access.address >> access.size >> access.memory.begin >> access.memory.size >> depth;
      access.stack.resize(depth);
      for (std::uint64_t& address : access.stack) file >> address;
      file >> access.memory.alloc_depth;
      ASSERT_LE(access.memory.alloc_depth, kMaxStackDepth);
      for (int i = 0; i < access.memory.alloc_depth; ++i) file >> access.memory.alloc_stack[i];
      access.memory.kind = kind == 'h'   ? MemoryKind::kHeap
                           : kind == 's' ? MemoryKind::kStack
                           : kind == 't' ? MemoryKind::kThreadLocal
                                         : MemoryKind::kGlobal;
      accesses_.push_back(access);
    }
    ASSERT_FALSE(accesses_.empty());
  }

  VariableName name(const MadeAccess& access) {
    return variables_.name(modules_, access.by(), access.memory);
  }
  // The line of the user's code that made the access.
  int line_of(const MadeAccess& access) {
    for (const std::uint64_t address : access.stack) {
      const Frame* frame = display_frame(symbolizer_.lookup(modules_, address));
      if (frame != nullptr && is_user_frame(*frame)) return frame->line;
    }
    return 0;
  }

  const MadeAccess& access_at(const std::string& text);
  void expect_names_of_the_source();
  void expect_certainty();
  void expect_no_names_of_other_memory();
  void expect_blocks_without_source();
  void expect_symbols_without_debug_information();

  std::filesystem::path folder_;
  ModuleMap modules_;
  std::vector<MadeAccess> accesses_;
  Symbolizer symbolizer_;
  SourceLines source_;
  Variables variables_{
      symbolizer_, [this](const std::string& path, int line) { return source_.line(path, line); }};
};

std::vector<std::string> source_lines() {
  std::vector<std::string> lines = {""};  // they count from 1
  std::istringstream source(kSource);
  for (std::string line; std::getline(source, line);) lines.push_back(line);
  return lines;
}

std::size_t line_with(const std::vector<std::string>& lines, const std::string& text) {
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].find(text) != std::string::npos) return i;
  }
  return 0;
}

// The names that a line allows; empty: it says nothing.
std::set<std::string> expected_names(const std::vector<std::string>& lines, std::size_t number) {
  std::set<std::string> names;
  const std::string& line = lines[number];
  const std::size_t mark = line.find("//= ");
  if (mark == std::string::npos) return names;
  std::string rest = line.substr(mark + 4);
  for (const char* place : {"L", "V", "Q"}) {
    const std::string text = fmt::format("names.cc:{}", place);
    const std::size_t at = rest.find(text);
    if (at == std::string::npos) continue;
    rest.replace(at, text.size(),
                 fmt::format("names.cc:{}", line_with(lines, fmt::format("// line {}", place))));
  }
  for (std::size_t bar; (bar = rest.find(" | ")) != std::string::npos; rest.erase(0, bar + 3))
    names.insert(rest.substr(0, bar));
  names.insert(rest);
  return names;
}

// The first access that the line with this text makes.
const MadeAccess& Names::access_at(const std::string& text) {
  static const MadeAccess kNone;
  const auto line = static_cast<int>(line_with(source_lines(), text));
  for (const MadeAccess& access : accesses_) {
    if (line_of(access) == line) return access;
  }
  ADD_FAILURE() << "no access at '" << text << "'";
  return kNone;
}

void Names::expect_names_of_the_source() {
  const auto lines = source_lines();
  std::set<std::pair<std::size_t, std::string>> seen;
  std::set<std::size_t> lines_seen;
  for (const MadeAccess& access : accesses_) {
    const auto line = static_cast<std::size_t>(line_of(access));
    ASSERT_LT(line, lines.size());
    const auto expected = expected_names(lines, line);
    if (expected.empty()) continue;
    const std::string text = name(access).text;
    if (!seen.insert({line, text}).second) continue;
    EXPECT_THAT(expected, testing::Contains(text)) << line << ": " << lines[line];
    lines_seen.insert(line);
  }
  // The optimiser may drop or join accesses, but not most of them.
  EXPECT_GE(lines_seen.size(), 20u);
  for (std::size_t line = 1; GetParam() == "g++ -O0" && line < lines.size(); ++line) {
    EXPECT_TRUE(expected_names(lines, line).empty() || lines_seen.contains(line))
        << "no access at " << line << ": " << lines[line];
  }
}

void Names::expect_certainty() {
  EXPECT_TRUE(name(access_at("ns::config.limits.max = i")).certain);
  EXPECT_TRUE(name(access_at("q->count_ = 5")).certain);
  EXPECT_TRUE(name(access_at("config_.limits.max = i;     //= shop")).certain);
  EXPECT_TRUE(name(access_at("pairs_[i].max = 1")).certain);
  EXPECT_TRUE(name(access_at("r->value_ = 2")).certain);
  EXPECT_FALSE(name(access_at("*p = 7")).certain);
  EXPECT_FALSE(name(access_at("  x = 1;")).certain);
}

// The same places, if the address were another one.
void Names::expect_no_names_of_other_memory() {
  const auto name = [&](const MadeAccess& access, Tid thread) {
    return variables_.name(modules_, access.by(thread), access.memory).text;
  };
  const MadeAccess local = access_at("bool done = false;");
  EXPECT_EQ(name(local, 0), "local `done` of locals, on the stack of T0");
  EXPECT_EQ(name(local, 1), "memory on the stack of T0") << "it is not in T1's function";
  MadeAccess argument = access_at("int tid = *(int*)arg;");
  argument.kind = AccessKind::kRead;
  argument.size = 4;
  EXPECT_EQ(name(argument, 1), "*arg, on the stack of T0");
  const MadeAccess depth = access_at("depth = 3");
  EXPECT_EQ(name(depth, 0), "thread-local `depth` of T0");
  EXPECT_EQ(name(depth, 1), "thread-local memory of T0");

  MadeAccess null = local;
  null.address = 8;
  null.memory = {};
  EXPECT_EQ(name(null, 0), "unknown memory") << "a local variable is on a stack";
  null.stack = access_at("int left = other->left").stack;
  null.kind = AccessKind::kRead;
  EXPECT_EQ(name(null, 0), "Task::left") << "behind a null pointer";
  null.address = 0;
  EXPECT_EQ(name(null, 0), "unknown memory") << "the member is at 8";

  MadeAccess heap = local;
  heap.memory = access_at("*p = 7").memory;
  heap.address = heap.memory.begin + 4;
  EXPECT_THAT(name(heap, 0), testing::StartsWith("byte 4 of 16 bytes allocated at names.cc:"));
  MadeAccess task = access_at("q->count_ = 5");
  task.memory.size = 8;
  task.address = task.memory.begin + 4;
  EXPECT_THAT(name(task, 0), testing::StartsWith("byte 4 of 8 bytes allocated at names.cc:"))
      << "the block is too small for such an object";
}

void Names::expect_blocks_without_source() {
  Variables variables(symbolizer_, [](const std::string&, int) { return ""; });
  const auto name = [&](const MadeAccess& access) {
    return variables.name(modules_, access.by(), access.memory).text;
  };
  const auto line = line_with(source_lines(), "line L");
  EXPECT_EQ(name(access_at("*p = 7")), fmt::format("16 bytes allocated at names.cc:{}", line));
  EXPECT_EQ(name(access_at("p[i] = 4")),
            fmt::format("byte 4 of 16 bytes allocated at names.cc:{}", line));
  EXPECT_EQ(name(access_at("  x = 1;")), "memory on the stack of T0");
  EXPECT_EQ(name(access_at("ns::cache = i")), "ns::cache");
}

void Names::expect_symbols_without_debug_information() {
  const MadeAccess cache = access_at("ns::cache = i"), hidden = access_at("hidden = i"),
                   grid = access_at("grid[i][2] = 4"), table = access_at("table[3] = i"),
                   heap = access_at("*p = 7");
  run(fmt::format("strip --strip-debug {}", (folder_ / "names").string()));
  Symbolizer symbolizer;
  Variables variables(symbolizer, [](const std::string&, int) { return ""; });
  const auto name = [&](const MadeAccess& access) {
    return variables.name(modules_, access.by(), access.memory).text;
  };
  EXPECT_EQ(name(cache), "ns::cache");
  EXPECT_EQ(name(hidden), "hidden");
  EXPECT_EQ(name(grid), "byte 20 of grid");
  EXPECT_EQ(name(table), "byte 12 of globals(int)::table");
  EXPECT_EQ(name(heap), "16 bytes on the heap");
}

// All in one, since compiling takes the time.
TEST_P(Names, OfAllAccesses) {
  expect_names_of_the_source();
  expect_certainty();
  expect_no_names_of_other_memory();
  expect_blocks_without_source();
  expect_symbols_without_debug_information();
}

INSTANTIATE_TEST_SUITE_P(Compilers, Names,
                         testing::Values("g++ -O0", "g++ -O2", "g++ -O1 -gdwarf-4 -no-pie -fno-pie",
                                         "clang++-19 -O0 -gdwarf-4", "clang++-19 -O2"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(Variables, UnknownMemoryIsCalledSo) {
  Symbolizer symbolizer;
  Variables variables(symbolizer, [](const std::string&, int) { return ""; });
  MemoryReport memory{};
  EXPECT_EQ(variables.name(ModuleMap(), {0x1000, 4}, memory).text, "unknown memory");
  memory.kind = MemoryKind::kHeap;
  memory.begin = 0x1000;
  memory.size = 1;
  EXPECT_EQ(variables.name(ModuleMap(), {0x1000, 1}, memory).text, "1 byte on the heap");
  memory.kind = MemoryKind::kStack;
  memory.thread = 3;
  EXPECT_EQ(variables.name(ModuleMap(), {0x1000, 1}, memory).text, "memory on the stack of T3");
  const ModuleMap missing({{0x1000, 0x1000, 0x2000, "/nowhere"}});
  const std::uint64_t stack[] = {0x1010};
  EXPECT_EQ(variables.name(missing, {0x1000, 1, 3, AccessKind::kRead, stack}, memory).text,
            "memory on the stack of T3");
}

}  // namespace
}  // namespace snag::binary
