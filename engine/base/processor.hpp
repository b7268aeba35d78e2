#pragma once
/// \file The processors whose own instructions the library uses. Built with SPHAERA_PORTABLE it uses none, as
/// on all others.

#if !defined(SPHAERA_PORTABLE)
#if defined(__x86_64__)
#define SPHAERA_X86_64
#elif defined(__aarch64__)
#define SPHAERA_AARCH64
#endif
#endif
