#pragma once
/// \file The C interface as its own sources see it. They alone make its functions visible: all else in the
/// library is hidden, also what is linked into it.

#pragma GCC visibility push(default)
#include <sphaera/sphaera.h>
#pragma GCC visibility pop
