// A test that sleeps "long enough" for the worker to finish: on a busy machine it is not.
#include <atomic>
#include <cassert>
#include <chrono>
#include <string>
#include <thread>

struct Downloader {
  std::atomic<bool> done = false;
  std::string text;
  std::thread worker;

  void Start() {
    worker = std::thread([this] {
      text = "contents";
      done = true;
    });
  }
  ~Downloader() { worker.join(); }
};

int main() {
  Downloader downloader;
  downloader.Start();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  assert(downloader.done);
}
