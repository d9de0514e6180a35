// Expect: clean
// Threads that each work with files of their own by all calls that name files, beside one that they
// make together: who makes it is decided by the system.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

std::string folder;
std::atomic<int> makers;

void MakeTogether() {
  const int fd = open((folder + "/together").c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (fd >= 0) {
    ++makers;
    close(fd);
  } else {
    assert(errno == EEXIST);
  }
}

void Close(int fd) {
  assert(fd >= 0);
  close(fd);
}

void Open(const std::string& path) {
  Close(open(path.c_str(), O_CREAT | O_RDWR, 0600));
  Close(open64(path.c_str(), O_RDONLY));
  Close(openat(AT_FDCWD, path.c_str(), O_RDONLY));
  Close(openat64(AT_FDCWD, path.c_str(), O_RDONLY));
  Close(creat(path.c_str(), 0600));
  Close(creat64(path.c_str(), 0600));
  for (const char* mode : {"w", "r+", "a", "r"}) {
    std::FILE* file = fopen(path.c_str(), mode);
    assert(file != nullptr);
    file = freopen(path.c_str(), "r", file);
    assert(file != nullptr);
    file = freopen64(path.c_str(), "r", file);
    assert(file != nullptr);
    fclose(file);
    file = fopen64(path.c_str(), "r");
    assert(file != nullptr);
    fclose(file);
  }
  assert(fopen((path + "-none").c_str(), "r") == nullptr);
  assert(truncate(path.c_str(), 3) == 0 && truncate64(path.c_str(), 4) == 0);
}

void Look(const std::string& path) {
  struct stat info;
  struct stat64 info64;
  struct statx infox;
  assert(access(path.c_str(), R_OK) == 0 && faccessat(AT_FDCWD, path.c_str(), R_OK, 0) == 0);
  assert(stat(path.c_str(), &info) == 0 && info.st_size == 4 && lstat(path.c_str(), &info) == 0);
  assert(stat64(path.c_str(), &info64) == 0 && lstat64(path.c_str(), &info64) == 0);
  assert(fstatat(AT_FDCWD, path.c_str(), &info, 0) == 0);
  assert(fstatat64(AT_FDCWD, path.c_str(), &info64, 0) == 0);
  assert(statx(AT_FDCWD, path.c_str(), 0, STATX_SIZE, &infox) == 0 && infox.stx_size == 4);
  DIR* entries = opendir(folder.c_str());
  assert(entries != nullptr);
  closedir(entries);
}

void Move(const std::string& path) {
  const std::string other = path + "-other";
  assert(rename(path.c_str(), other.c_str()) == 0);
  assert(renameat(AT_FDCWD, other.c_str(), AT_FDCWD, path.c_str()) == 0);
  assert(renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, other.c_str(), 0) == 0);
  assert(link(other.c_str(), path.c_str()) == 0 && unlink(other.c_str()) == 0);
  assert(linkat(AT_FDCWD, path.c_str(), AT_FDCWD, other.c_str(), 0) == 0);
  assert(unlinkat(AT_FDCWD, other.c_str(), 0) == 0);
  assert(symlink(path.c_str(), other.c_str()) == 0 && remove(other.c_str()) == 0);
  assert(symlinkat(path.c_str(), AT_FDCWD, other.c_str()) == 0 && remove(other.c_str()) == 0);
  assert(mkfifo(other.c_str(), 0600) == 0 && remove(other.c_str()) == 0);
  assert(remove(path.c_str()) == 0);
}

void Work(int number) {
  MakeTogether();
  const std::string path = folder + "/file" + std::to_string(number);
  Open(path);
  Look(path);
  Move(path);
  const std::string own = path + "-folder";
  assert(mkdir(own.c_str(), 0700) == 0 && rmdir(own.c_str()) == 0);
  assert(mkdirat(AT_FDCWD, own.c_str(), 0700) == 0 && remove(own.c_str()) == 0);
}

void Temporary() {
  std::string name = folder + "/XXXXXX";
  for (const auto& make :
       {+[](char* path) { return mkstemp(path); }, +[](char* path) { return mkstemp64(path); },
        +[](char* path) { return mkostemp(path, O_CLOEXEC); },
        +[](char* path) { return mkostemp64(path, O_CLOEXEC); },
        +[](char* path) { return mkstemps(path, 0); },
        +[](char* path) { return mkstemps64(path, 0); }}) {
    std::string path = name;
    Close(make(path.data()));
    assert(unlink(path.c_str()) == 0);
  }
}

int main() {
  char name[] = "/tmp/snag_filesXXXXXX";
  assert(mkdtemp(name) != nullptr);
  folder = name;
  std::thread a(Work, 1), b(Work, 2), c(Temporary);
  a.join();
  b.join();
  c.join();
  assert(makers == 1);
  assert(unlink((folder + "/together").c_str()) == 0 && rmdir(name) == 0);
}
