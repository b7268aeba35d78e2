#pragma once
/// \file The sanitizer that this code is compiled with, by this project's build or by a host's: GCC defines
/// macros, clang has features.
///
/// SPHAERA_THREAD_SANITIZER: ThreadSanitizer. SPHAERA_SANITIZED: any sanitizer that is slow and has its own
/// memory functions.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SPHAERA_THREAD_SANITIZER
#endif
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SPHAERA_SANITIZED
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SPHAERA_THREAD_SANITIZER
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(SPHAERA_THREAD_SANITIZER)
#define SPHAERA_SANITIZED
#endif
