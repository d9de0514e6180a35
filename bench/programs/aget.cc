// aget: two downloaders write chunks and count them, each its own and, under a lock, the total; on
// an interrupt another thread saves both to a file, so that the download can be resumed.
// Fails: the saver reads the counts while a downloader has counted its chunk but not yet added it
// to the total.
// Correct: downloaders change both under the lock, and the saver holds it too.
#include <pthread.h>

#include "check.h"

enum { kDownloaders = 2, kChunks = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int chunks[kDownloaders];
static volatile int total = 0;

static void* Download(void* argument) {
  volatile int* mine = static_cast<volatile int*>(argument);
  for (int i = 0; i < kChunks; ++i) {
    if (kCorrect) pthread_mutex_lock(&lock);
    *mine = *mine + 1;
    if (!kCorrect) pthread_mutex_lock(&lock);
    total = total + 1;
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

static void* Save(void*) {
  if (kCorrect) pthread_mutex_lock(&lock);
  int saved_chunks = chunks[0] + chunks[1];
  int saved_total = total;
  if (kCorrect) pthread_mutex_unlock(&lock);
  CHECK(saved_chunks == saved_total);
  return nullptr;
}

int main() {
  pthread_t downloaders[kDownloaders], saver;
  for (int i = 0; i < kDownloaders; ++i) {
    void* mine = const_cast<int*>(&chunks[i]);
    CHECK(pthread_create(&downloaders[i], nullptr, Download, mine) == 0);
  }
  CHECK(pthread_create(&saver, nullptr, Save, nullptr) == 0);
  for (pthread_t downloader : downloaders) pthread_join(downloader, nullptr);
  pthread_join(saver, nullptr);
  CHECK(total == kDownloaders * kChunks);
  return 0;
}
