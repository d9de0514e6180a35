// ThreadSanitizer does not see the library's own lock, and sees what libc's functions and the
// allocator do on its behalf: it must ignore these. And it must know which events come
// before which, since the program may rely on that as on any other synchronisation.
#pragma once

extern "C" {
__attribute__((weak)) void AnnotateIgnoreReadsBegin(const char* file, int line);
__attribute__((weak)) void AnnotateIgnoreReadsEnd(const char* file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesBegin(const char* file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesEnd(const char* file, int line);
__attribute__((weak)) void AnnotateHappensBefore(const char* file, int line,
                                                 const volatile void* address);
__attribute__((weak)) void AnnotateHappensAfter(const char* file, int line,
                                                const volatile void* address);
}

namespace snag::schedule {

inline bool has_thread_sanitizer() { return &AnnotateIgnoreReadsBegin != nullptr; }

inline void look_away() {
  if (!has_thread_sanitizer()) return;
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
inline void look_again() {
  if (!has_thread_sanitizer()) return;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
inline void tell_before(const volatile void* address) {
  if (&AnnotateHappensBefore) AnnotateHappensBefore(__FILE__, __LINE__, address);
}
inline void tell_after(const volatile void* address) {
  if (&AnnotateHappensAfter) AnnotateHappensAfter(__FILE__, __LINE__, address);
}

}  // namespace snag::schedule
