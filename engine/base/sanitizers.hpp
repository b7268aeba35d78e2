#pragma once
/// \file Macros for the sanitizers that this file is compiled with, by Sphaera's build or by a host project.
/// GCC reports a sanitizer by a predefined macro, clang by __has_feature.
///
/// SPHAERA_THREAD_SANITIZER: ThreadSanitizer is on. SPHAERA_SANITIZED: AddressSanitizer, MemorySanitizer or
/// ThreadSanitizer is on; these make the program slow and replace its memory functions.

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
