// Variables on the stacks and in the thread-local storage of others, and stacks that have one owner
// after the other.
#include <semaphore.h>

#include <thread>

sem_t given, taken;
int* lent = nullptr;
thread_local int mine = 0;
int* lent_mine = nullptr;

void lender(int value) {
  int local[4] = {value, 0, 0, 0};
  mine = value;
  lent = local;
  lent_mine = &mine;
  sem_post(&given);
  sem_wait(&taken);
  local[3] += local[1] + mine;
}
void borrower() {
  sem_wait(&given);
  lent[1] = lent[0] + 1;
  *lent_mine += 1;
  int here[8];
  for (int i = 0; i < 8; ++i) here[i] = lent[i % 4];
  lent[2] = here[1];
  sem_post(&taken);
}

int main() {
  sem_init(&given, 0, 0);
  sem_init(&taken, 0, 0);
  for (int round = 0; round < 3; ++round) {
    std::thread a(lender, round), b(borrower);
    a.join();
    b.join();
  }
}
