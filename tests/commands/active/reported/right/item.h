// One of two files of the same name: the race is in this one, and in the same line.
#pragma once

struct RightItem {
  void Set(int to) { value = to; }
  int value = 0;
};
