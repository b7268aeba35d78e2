/* Makes allocations, mappings and threads fail: a library for LD_PRELOAD on Linux with glibc.
 *
 *   cc -O2 -shared -fPIC -o fail_malloc.so fail_malloc.c
 *   LD_PRELOAD=./fail_malloc.so FAIL_MALLOC_REPORT=count.txt sphaera first scene.csv --rays rays.csv
 *   LD_PRELOAD=./fail_malloc.so FAIL_MALLOC_AT=17 sphaera first scene.csv --rays rays.csv
 *
 * Counted together, from 0, over all threads and from the start of the process: malloc, calloc, realloc to a
 * larger size, aligned_alloc, posix_memalign, memalign, valloc, and anonymous mmap. Threads are counted
 * apart.
 *
 *   FAIL_MALLOC_AT=N      call N fails with ENOMEM
 *   FAIL_MALLOC_COUNT=N   this many calls fail from there on; default 1; 0: all
 *   FAIL_MALLOC_MIN=N     only calls for at least N bytes are counted; default 0
 *   FAIL_MALLOC_REPORT=F  at exit the number of calls and the number of threads are written to F
 *   FAIL_MALLOC_TRACE=1   each failing call writes its stack to stderr (addresses for addr2line)
 *   FAIL_THREAD_AT=N      pthread_create fails with EAGAIN, from thread N on
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* p, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern size_t malloc_usable_size(void* p);

static atomic_long calls, threads;
static long fail_at = -1, fail_count = 1, fail_min, thread_at = -1;
static int trace;
static char report[4096];

static long number_of(const char* name, long missing) {
  const char* text = getenv(name);
  return text && *text ? atol(text) : missing;
}

/* Set by read_settings. Earlier calls, of the dynamic linker, neither count nor fail. */
static int ready;

__attribute__((constructor(101))) static void read_settings(void) {
  fail_at = number_of("FAIL_MALLOC_AT", -1);
  fail_count = number_of("FAIL_MALLOC_COUNT", 1);
  fail_min = number_of("FAIL_MALLOC_MIN", 0);
  thread_at = number_of("FAIL_THREAD_AT", -1);
  trace = number_of("FAIL_MALLOC_TRACE", 0) != 0;
  const char* file = getenv("FAIL_MALLOC_REPORT");
  if (file) strncpy(report, file, sizeof report - 1);
  void* stack[4];
  if (trace) backtrace(stack, 4); /* loads libgcc now: it allocates */
  ready = 1;
}

__attribute__((destructor(101))) static void write_report(void) {
  if (!*report) return;
  const int fd = open(report, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return;
  char text[64];
  const int length = snprintf(text, sizeof text, "%ld %ld\n", atomic_load(&calls), atomic_load(&threads));
  if (write(fd, text, (size_t)length) != length) abort();
  close(fd);
}

static int fails(size_t size) {
  if (!ready || (long)size < fail_min) return 0;
  const long n = atomic_fetch_add(&calls, 1);
  if (fail_at < 0 || n < fail_at || (fail_count > 0 && n >= fail_at + fail_count)) return 0;
  static _Thread_local int tracing;
  if (trace && !tracing) {
    tracing = 1;
    void* stack[48];
    backtrace_symbols_fd(stack, backtrace(stack, 48), STDERR_FILENO);
    tracing = 0;
  }
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }

void* calloc(size_t count, size_t size) {
  return fails(size > 0 && count > (size_t)-1 / size ? (size_t)-1 >> 1 : count * size)
             ? NULL
             : __libc_calloc(count, size);
}

void* realloc(void* p, size_t size) {
  const int grows = !p || size > malloc_usable_size(p);
  return grows && fails(size) ? NULL : __libc_realloc(p, size);
}

void* memalign(size_t alignment, size_t size) {
  return fails(size) ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void* valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

int posix_memalign(void** p, size_t alignment, size_t size) {
  const int before = errno; /* posix_memalign leaves errno alone */
  void* const got = memalign(alignment, size);
  errno = before;
  if (!got) return ENOMEM;
  *p = got;
  return 0;
}

void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  if ((flags & MAP_ANONYMOUS) && fails(length)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

void* mmap64(void* address, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mmap(address, length, protection, flags, fd, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* data) {
  static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "pthread_create");
  const long n = atomic_fetch_add(&threads, 1);
  if (thread_at >= 0 && n >= thread_at) return EAGAIN;
  return next(thread, attributes, start, data);
}
