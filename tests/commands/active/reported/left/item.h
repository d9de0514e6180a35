// One of two files of the same name: nobody has a race here.
#pragma once

struct LeftItem {
  void Set(int to) { value = to; }
  int value = 0;
};
