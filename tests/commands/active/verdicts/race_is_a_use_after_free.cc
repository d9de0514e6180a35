// confirmed: race gives memory back
// harmful: yes
// consequences: uses memory
// unsaid: no consequence
// unmet: heap
//
// One thread gives memory back while another one is on its way through it. So it uses freed memory
// in both orders of the free and the first read: if it comes first, at the second read.
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

struct Connection {
  int id = 3;
  std::string name = "a name that is too long to be a part of the object";
  ~Connection() { id = -1; }
};

std::unique_ptr<Connection> connection = std::make_unique<Connection>();
std::size_t seen;

void Drop() { connection.reset(); }

void Look() {
  if (Connection* c = connection.get())
    seen = c->name.size(), seen += static_cast<std::size_t>(c->id);
}

int main() {
  std::thread looker(Look), dropper(Drop);
  looker.join();
  dropper.join();
  std::printf("%zu\n", seen);
}
