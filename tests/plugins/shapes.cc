// Code of many shapes, for the plugins that group its hooks: everything that it executes has to be
// reported of, once, and in the order it has for each address.
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "tests/plugins/listener.h"

#define SHAPE __attribute__((noinline)) long

struct Node {
  long a, b;
  int c, d;
  Node* next;
  double x, y, z;
};
Node nodes[16];
long table[64];
int counts[64];
char bytes[64];

SHAPE straight(Node* n) { return n->a + n->b + n->c + n->d; }

SHAPE before_a_loop(Node* n, int rounds) {
  long sum = n->a + n->b;
  for (int i = 0; i < rounds; ++i) sum += table[i] * n->c;
  n->a = sum;
  n->b = sum + 1;
  return sum;
}

SHAPE loop_in_loop(int rows, int columns) {
  long sum = 0;
  for (int i = 0; i < rows; ++i) {
    const Node at = nodes[i];
    for (int j = 0; j < columns; ++j) {
      sum += static_cast<long>(at.x * nodes[j].x + at.y * nodes[j].y) + at.d;
      table[j] += sum;
    }
    counts[i] += 1;
  }
  return sum;
}

SHAPE diamonds(Node* n, long limit) {
  long x = n->a;
  if (x > limit) x = 1000 / x;
  long y = n->b;
  if (y > limit) {
    y = 1000 / y;
  } else {
    y = limit % 7;
  }
  return x + y + n->c;
}

SHAPE ways_with_accesses(Node* n, long limit) {
  long x = n->a;
  if (x > limit) n->b = x;
  return x + n->c + n->d;
}

SHAPE list(Node* n) {
  long sum = 0;
  for (; n; n = n->next) {
    sum += n->a;
    if (sum > 1000) return sum + n->b;
  }
  return sum;
}

SHAPE copies(Node* to, const Node* from) {
  to[0] = from[0];
  to->a = from->b;
  std::memcpy(&to->x, &from->x, 3 * sizeof(double));
  to[1] = Node{};
  return to->a;
}

SHAPE throws(Node* n, int how) {
  n->a = 1;
  n->b = 2;
  if (how == 1) throw std::runtime_error("one");
  n->c = 3;
  if (how == 2) throw 2;
  n->d = 4;
  return n->a;
}

SHAPE catches(Node* n, int how) {
  long sum = n->a;
  try {
    sum += throws(n, how);
    sum += n->b;
  } catch (int value) {
    sum += value + n->c;
    n->a = sum;
  } catch (const std::exception&) {
    n->b = sum;
    n->d = 1;
  }
  return sum + n->d;
}

SHAPE switches(Node* n, int which) {
  long sum = n->a + n->b;
  switch (which) {
    case 0:
      sum += n->c;
      break;
    case 1:
      sum += n->d;
      n->c = 1;
      [[fallthrough]];
    case 2:
      n->d = 2;
      break;
    default:
      return sum;
  }
  return sum + n->c;
}

SHAPE around(Node* n, int rounds) {
again:
  n->a += 1;
  n->b += n->a;
  if (--rounds > 0) goto again;
  n->c = rounds;
  n->d = rounds;
  return n->b;
}

SHAPE mixed_sizes(Node* n, char* at) {
  long sum = n->a + at[3];
  at[5] = static_cast<char>(sum);
  return sum + n->b + at[3];
}

SHAPE many(const long* t) {
  long sum = 0;
  for (int i = 0; i < 20; ++i) sum = sum * 3 + t[i];
  return sum + t[20] * t[21] * t[22] + t[30] * t[31] + t[40] * t[41];
}

struct __attribute__((packed)) Packed {
  char before;
  long value;
  int other;
};
Packed packed[8];
SHAPE beside_words(Packed* at) {
  at->value = 1;
  at->other = 2;
  return at[1].value + at[1].other;
}

long all() {
  for (int i = 0; i < 16; ++i)
    nodes[i] = {i, 2 * i, 3 * i, i % 5, i < 15 ? &nodes[i + 1] : nullptr, 1.0 * i, 2.0 * i, 3.0};
  long sum = straight(nodes) + before_a_loop(&nodes[1], 5) + before_a_loop(&nodes[1], 0);
  sum += loop_in_loop(4, 6) + loop_in_loop(2, 0);
  sum += diamonds(&nodes[3], 2) + diamonds(&nodes[3], 100);
  sum += ways_with_accesses(&nodes[4], 1) + ways_with_accesses(&nodes[4], 1000);
  sum += list(nodes) + copies(&nodes[8], &nodes[5]);
  for (int i = 0; i < 4; ++i) sum += catches(&nodes[6], i) + switches(&nodes[7], i);
  sum += beside_words(packed) + beside_words(&packed[3]);
  return sum + around(&nodes[2], 3) + mixed_sizes(&nodes[2], bytes) + many(table);
}

int main(int, char** arguments) {
  listen(std::atoi(arguments[1]));
  const long sum = all() + all();
  begin_listening();
  const long again = all();
  print_accesses();
  std::exit(sum == 0 && again == 0);
}
