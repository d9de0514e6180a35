// The elevator of the location-pairs paper: LIFTS lifts, four passengers, ten floors. Passengers
// call a lift at a floor; an idle lift claims a floor with a call, travels there, takes everybody
// who waits for its direction, and brings them to their floors. In the end everybody who called has
// arrived: no passenger is lost, and none arrives twice.
//
// The error is the paper's, operator SPCR in GetUpPeople: who waits is read in one critical region
// and taken off the floor in another one, so whoever calls in between is never seen again.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "../../programs/check.h"

#ifndef LIFTS
#define LIFTS 3
#endif

namespace {

constexpr int kFloors = 10;
constexpr int kPassengers = 4;

struct Call {
  int from, to;
};
constexpr Call kCalls[kPassengers] = {{1, 7}, {6, 2}, {1, 4}, {8, 3}};

// Where people want to go.
struct People {
  int count = 0;
  int to[kPassengers];

  [[gnu::always_inline]] void Add(int floor) { to[count++] = floor; }
};

// What the paper calls Controls: who waits at which floor, and whether a lift is on its way there.
class Controls {
 public:
  void PushUp(int floor, int to) {
    std::lock_guard guard(floors_[floor].lock);
    floors_[floor].up_people.Add(to);
    if (floors_[floor].up_people.count == 1) floors_[floor].up_claimed = false;
  }

  void PushDown(int floor, int to) {
    std::lock_guard guard(floors_[floor].lock);
    floors_[floor].down_people.Add(to);
    if (floors_[floor].down_people.count == 1) floors_[floor].down_claimed = false;
  }

  bool ClaimUp(int floor) {
    if (!UpCallWaits(floor)) return false;
    std::lock_guard guard(floors_[floor].lock);
    if (floors_[floor].up_claimed) return false;
    floors_[floor].up_claimed = true;
    return true;
  }

  bool ClaimDown(int floor) {
    if (!DownCallWaits(floor)) return false;
    std::lock_guard guard(floors_[floor].lock);
    if (floors_[floor].down_claimed) return false;
    floors_[floor].down_claimed = true;
    return true;
  }

  People GetUpPeople(int floor) {
    People people;
    if constexpr (kCorrect) {
      std::lock_guard guard(floors_[floor].lock);
      people = floors_[floor].up_people;
      floors_[floor].up_people.count = 0;
      floors_[floor].up_claimed = false;
    } else {
      {
        std::lock_guard guard(floors_[floor].lock);
        people = floors_[floor].up_people;
      }
      std::lock_guard guard(floors_[floor].lock);
      floors_[floor].up_people.count = 0;
      floors_[floor].up_claimed = false;
    }
    return people;
  }

  People GetDownPeople(int floor) {
    std::lock_guard guard(floors_[floor].lock);
    const People people = floors_[floor].down_people;
    floors_[floor].down_people.count = 0;
    floors_[floor].down_claimed = false;
    return people;
  }

 private:
  // Somebody waits there, and no lift is on its way.
  bool UpCallWaits(int floor) {
    std::lock_guard guard(floors_[floor].lock);
    return floors_[floor].up_people.count != 0 && !floors_[floor].up_claimed;
  }
  bool DownCallWaits(int floor) {
    std::lock_guard guard(floors_[floor].lock);
    return floors_[floor].down_people.count != 0 && !floors_[floor].down_claimed;
  }

  struct Floor {
    std::mutex lock;
    People up_people, down_people;
    bool up_claimed = false, down_claimed = false;
  };
  Floor floors_[kFloors];
};

Controls controls;
std::atomic<int> calls_made = 0;

class Lift {
 public:
  void Run() {
    while (true) {
      // In this order: a call that is not seen now was claimed by a lift that will serve it.
      const bool last_look = calls_made.load() == kPassengers;
      if (!ServeACall() && last_look) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  int arrived() const { return arrived_; }

 private:
  bool ServeACall() {
    for (int floor = 0; floor < kFloors; ++floor) {
      if (controls.ClaimUp(floor)) {
        Deliver(controls.GetUpPeople(floor));
        return true;
      }
      if (controls.ClaimDown(floor)) {
        Deliver(controls.GetDownPeople(floor));
        return true;
      }
    }
    return false;
  }

  void Deliver(const People& people) { arrived_ += people.count; }

  int arrived_ = 0;
};

Lift lifts[LIFTS];

void RunLift(int number) { lifts[number].Run(); }

void CallLifts() {
  for (const Call& call : kCalls) {
    if (call.to > call.from)
      controls.PushUp(call.from, call.to);
    else
      controls.PushDown(call.from, call.to);
    calls_made.store(&call - kCalls + 1);
  }
}

[[gnu::noinline]] void CheckPassengers() {
  int arrived = 0;
  for (const Lift& lift : lifts) arrived += lift.arrived();
  CHECK(arrived == kPassengers);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < LIFTS; ++i) threads.emplace_back(RunLift, i);
  CallLifts();
  for (std::thread& thread : threads) thread.join();
  CheckPassengers();
}
