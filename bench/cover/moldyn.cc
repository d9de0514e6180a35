// Molecular dynamics: particles in a periodic box that attract and repel each other
// (Lennard-Jones). Each thread computes the forces of its share of the pairs into an array of its
// own; between barriers the arrays are added up, and the particles are moved.
#include <pthread.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 2;
constexpr double kStep = 0.0005, kCutoff = 2.5;

struct Vector {
  double x = 0, y = 0, z = 0;
};

struct Particle {
  Vector place, speed, force;
};

struct World {
  double side;
  int count;
  Particle* particles;
  Vector* partial[kThreads];  // forces
  double energy[kThreads] = {};
  pthread_barrier_t barrier;
};

double nearest(double distance, double side) {
  if (distance > side / 2) return distance - side;
  return distance < -side / 2 ? distance + side : distance;
}

void add_forces(World& world, int self) {
  const int count = world.count;
  const Particle* const particles = world.particles;
  Vector* const mine = world.partial[self];
  double energy = 0;
  for (int i = self; i < count; i += kThreads) {
    const Vector at = particles[i].place;
    for (int j = i + 1; j < count; ++j) {
      const double dx = nearest(at.x - particles[j].place.x, world.side);
      const double dy = nearest(at.y - particles[j].place.y, world.side);
      const double dz = nearest(at.z - particles[j].place.z, world.side);
      const double square = dx * dx + dy * dy + dz * dz;
      if (square > kCutoff * kCutoff) continue;
      const double inverse = 1 / square, sixth = inverse * inverse * inverse;
      const double strength = 48 * inverse * sixth * (sixth - 0.5);
      energy += 4 * sixth * (sixth - 1);
      mine[i].x += dx * strength;
      mine[i].y += dy * strength;
      mine[i].z += dz * strength;
      mine[j].x -= dx * strength;
      mine[j].y -= dy * strength;
      mine[j].z -= dz * strength;
    }
  }
  world.energy[self] = energy;
}

void move(World& world, int self) {
  const int count = world.count;
  for (int i = self * count / kThreads; i < (self + 1) * count / kThreads; ++i) {
    Particle& p = world.particles[i];
    p.force = {};
    for (Vector* partial : world.partial) {
      p.force.x += partial[i].x;
      p.force.y += partial[i].y;
      p.force.z += partial[i].z;
      partial[i] = {};
    }
    p.speed.x += p.force.x * kStep;
    p.speed.y += p.force.y * kStep;
    p.speed.z += p.force.z * kStep;
    const auto wrap = [&](double x) {
      return x < 0 ? x + world.side : x >= world.side ? x - world.side : x;
    };
    p.place = {wrap(p.place.x + p.speed.x * kStep), wrap(p.place.y + p.speed.y * kStep),
               wrap(p.place.z + p.speed.z * kStep)};
  }
}

void simulate(World& world, int self, int steps) {
  for (int step = 0; step < steps; ++step) {
    add_forces(world, self);
    pthread_barrier_wait(&world.barrier);
    move(world, self);
    pthread_barrier_wait(&world.barrier);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 12;
  const int cells = argc > 2 ? std::atoi(argv[2]) : 8;
  World world;
  world.side = cells * 1.6;
  world.count = 4 * cells * cells * cells;
  const auto particles = std::make_unique<Particle[]>(world.count);
  std::unique_ptr<Vector[]> partial[kThreads];
  world.particles = particles.get();
  for (int i = 0; i < kThreads; ++i) {
    partial[i] = std::make_unique<Vector[]>(world.count);
    world.partial[i] = partial[i].get();
  }
  for (int i = 0; i < world.count; ++i) {
    const int cell = i / 4, corner = i % 4;
    Particle& p = particles[i];
    p.place = {1.6 * (cell % cells) + 0.8 * (corner & 1),
               1.6 * (cell / cells % cells) + 0.8 * (corner >> 1),
               1.6 * (cell / cells / cells) + 0.8 * ((corner ^ corner >> 1) & 1)};
    p.speed = {std::sin(i), std::cos(3 * i), std::sin(7 * i)};
  }
  pthread_barrier_init(&world.barrier, nullptr, kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(simulate, std::ref(world), i, steps);
  for (std::thread& thread : threads) thread.join();
  double energy = 0;
  for (double part : world.energy) energy += part;
  std::printf("%.6f\n", energy);
}
