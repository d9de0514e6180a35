// account: a deposit and a withdrawal, each of which reads the balance in one critical section and
// writes it in another.
// Fails: the withdrawal happens between the deposit's read and its write (or the other way round),
// one of the two updates is lost, and the auditor runs after both.
// Correct: read and write in one critical section.
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int balance = 100;
static volatile int updates_done = 0;

static void Update(int amount) {
  pthread_mutex_lock(&lock);
  int before = balance;
  if (!kCorrect) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  balance = before + amount;
  updates_done = updates_done + 1;
  pthread_mutex_unlock(&lock);
}

static void* Deposit(void*) {
  Update(50);
  return nullptr;
}

static void* Withdraw(void*) {
  Update(-30);
  return nullptr;
}

static void* Audit(void*) {
  pthread_mutex_lock(&lock);
  if (updates_done == 2) CHECK(balance == 120);
  pthread_mutex_unlock(&lock);
  return nullptr;
}

int main() {
  pthread_t deposit, withdraw, audit;
  CHECK(pthread_create(&deposit, nullptr, Deposit, nullptr) == 0);
  CHECK(pthread_create(&withdraw, nullptr, Withdraw, nullptr) == 0);
  CHECK(pthread_create(&audit, nullptr, Audit, nullptr) == 0);
  pthread_join(deposit, nullptr);
  pthread_join(withdraw, nullptr);
  pthread_join(audit, nullptr);
  return 0;
}
