/* The C interface behind <snag/schedule.h>: plain data, so that it does not depend on the program's
   compiler flags. */
#pragma once

#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* A place that marks an event. The last two are the library's, and atomic. */
struct snag_event_site {
  const char* name;
  const char* file;
  int line;
  unsigned skipped; /* the generation of a schedule that does not mention the event */
  unsigned known;   /* the generation for which `index` is right */
  int index;
};

/* Counts the schedules of the process; 0 while none is active. */
extern unsigned snag_schedule_generation;
/* The current thread passes an event; returns when the schedule allows it. */
void snag_schedule_reach(struct snag_event_site* site);

/* The names of the events that a module of the program marks, one after the other, each ended by 0.
 */
void snag_schedule_add_events(const char* begin, const char* end);
void snag_schedule_remove_events(const char* begin);

enum snag_schedule_mode { SNAG_SCHEDULE_ACTIVE, SNAG_SCHEDULE_PASSIVE, SNAG_SCHEDULE_OFF };

struct snag_schedule_options {
  const char* text;
  const char* name;  /* may be null */
  int mode;          /* SNAG_SCHEDULE_MODE overrides it */
  double time_limit; /* seconds; 0: SNAG_SCHEDULE_TIMEOUT, or 10 */
};

/* Activates a schedule. Null, or what is wrong with it; to be freed. */
char* snag_schedule_begin(const struct snag_schedule_options* options);
/* Ends it. Null if it was met, or what went wrong; to be freed. */
char* snag_schedule_end(void);
/* The same for a test that gave up: without the events that it therefore did not come to. */
char* snag_schedule_abandon(void);

void snag_schedule_name_thread(const char* name);

/* What is called with what went wrong. Null: prints it and aborts. Returns the one before. */
typedef void (*snag_schedule_handler)(const char* message);
snag_schedule_handler snag_schedule_set_handler(snag_schedule_handler handler);
/* Hands a failure to the handler. */
void snag_schedule_fail(const char* message);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
