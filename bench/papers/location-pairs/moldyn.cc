// Molecular dynamics of particles with Lennard-Jones forces by THREADS threads, as in the Java
// Grande benchmark: each thread has a copy of all particles and computes a part of the forces;
// between two barriers thread 0 sums them up and scales them (figure 14 of the location-pairs
// paper), then all threads move their particles by them. In the end all copies must agree.
#include <pthread.h>

#include <cmath>
#include <thread>
#include <vector>

#include "../../programs/check.h"

#ifndef THREADS
#define THREADS 4
#endif

namespace {

constexpr int kSide = 3;
constexpr int kParticles = kSide * kSide * kSide;
constexpr int kMoves = 4;
constexpr double kBox = 4.0;
constexpr double kCutOff = 2.0;
constexpr double kTimeStep = 0.002;

pthread_barrier_t barrier;
double shared_force[3][kParticles];
double part_of_force[THREADS][3][kParticles];
double potential[THREADS], kinetic[THREADS];
double total_potential, total_kinetic;
double scale = 1;

void Wait() { pthread_barrier_wait(&barrier); }

struct Particle {
  double place[3], velocity[3];

  void Move(int id) {
    for (int k = 0; k < 3; ++k) {
      velocity[k] += shared_force[k][id];
      place[k] += kTimeStep * velocity[k];
      if (place[k] < 0) place[k] += kBox;
      if (place[k] >= kBox) place[k] -= kBox;
    }
  }

  double KineticEnergy() const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += velocity[k] * velocity[k];
    return sum / 2;
  }

  void ScaleVelocity(double factor) {
    for (int k = 0; k < 3; ++k) velocity[k] *= factor;
  }
};

class Simulation {
 public:
  void Run(int thread) {
    thread_ = thread;
    Place();
    for (int move = 0; move < kMoves; ++move) {
      for (int i = 0; i < kParticles; ++i) particles_[i].Move(i);
      Wait();
      if (thread_ == 0) ClearForces();
      ClearPart();
      Wait();
      for (int i = thread_; i < kParticles; i += THREADS) AddForces(i);
      Wait();
      if (thread_ == 0) SumForces();
      Wait();
      kinetic[thread_] = 0;
      for (int i = thread_; i < kParticles; i += THREADS)
        kinetic[thread_] += particles_[i].KineticEnergy();
      Wait();
      if (thread_ == 0) SumEnergies();
      Wait();
      for (Particle& particle : particles_) particle.ScaleVelocity(scale);
    }
  }

  const Particle& particle(int i) const { return particles_[i]; }

 private:
  void Place() {
    for (int i = 0; i < kParticles; ++i) {
      const int at[3] = {i % kSide, i / kSide % kSide, i / kSide / kSide};
      for (int k = 0; k < 3; ++k) {
        particles_[i].place[k] = at[k] * (kBox / kSide) + 0.01 * ((i * 7 + k * 3) % 5);
        particles_[i].velocity[k] = 0.1 * ((i * 5 + k) % 3 - 1);
      }
    }
  }

  void ClearForces() {
    for (auto& direction : shared_force)
      for (double& force : direction) force = 0;
  }

  void ClearPart() {
    for (auto& direction : part_of_force[thread_])
      for (double& force : direction) force = 0;
    potential[thread_] = 0;
  }

  // The forces between particle i and those behind it.
  void AddForces(int i) {
    for (int j = i + 1; j < kParticles; ++j) {
      double distance[3], square = 0;
      for (int k = 0; k < 3; ++k) {
        distance[k] = particles_[i].place[k] - particles_[j].place[k];
        if (distance[k] < -kBox / 2) distance[k] += kBox;
        if (distance[k] > kBox / 2) distance[k] -= kBox;
        square += distance[k] * distance[k];
      }
      if (square > kCutOff * kCutOff || square < 0.01) continue;
      const double inverse = 1 / square, sixth = inverse * inverse * inverse;
      potential[thread_] += 4 * sixth * (sixth - 1);
      const double strength = 24 * sixth * (2 * sixth - 1) * inverse;
      for (int k = 0; k < 3; ++k) {
        part_of_force[thread_][k][i] += distance[k] * strength;
        part_of_force[thread_][k][j] -= distance[k] * strength;
      }
    }
  }

  void SumForces() {
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < kParticles; ++i)
        for (auto& part : part_of_force) shared_force[k][i] += part[k][i];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < kParticles; ++i) shared_force[k][i] = shared_force[k][i] * kTimeStep / 2;
  }

  void SumEnergies() {
    total_kinetic = total_potential = 0;
    for (double energy : kinetic) total_kinetic += energy;
    for (double energy : potential) total_potential += energy;
    scale = total_kinetic > 1 ? 0.99 : 1;
  }

  int thread_ = 0;
  Particle particles_[kParticles];
};

Simulation simulations[THREADS];

void RunThread(int thread) { simulations[thread].Run(thread); }

[[gnu::noinline]] void CheckCopies() {
  for (const Simulation& simulation : simulations)
    for (int i = 0; i < kParticles; ++i)
      for (int k = 0; k < 3; ++k)
        CHECK(simulation.particle(i).place[k] == simulations[0].particle(i).place[k]);
  CHECK(std::isfinite(total_kinetic) && std::isfinite(total_potential));
}

}  // namespace

int main() {
  pthread_barrier_init(&barrier, nullptr, THREADS);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < THREADS; ++thread) threads.emplace_back(RunThread, thread);
  for (std::thread& thread : threads) thread.join();
  CheckCopies();
}
