#pragma once
/// \file Ends the process where memory or threads are missing and no exception can report it.
///
/// Sphaera's own code throws std::bad_alloc, and so do Embree and CLI11. The C libraries (cairo, fontconfig,
/// zlib) crash on a null pointer in places, and oneTBB waits for ever for a task that it could not allocate.
/// So in the tool a call of malloc, calloc or realloc never fails but ends the process: temporaries are
/// removed, stderr says "not enough memory", and the exit code is 4. The same holds for mappings and threads
/// of oneTBB, and for std::bad_alloc where nothing may be thrown. It holds from before the first initializer
/// of a static variable on. Not in builds with a sanitizer, which has a malloc of its own.

#include <cstddef>

namespace sphaera::tool {

/// Links the last resort into the program.
void arm_last_resort();

/// All outputs have their names: where memory or threads fail from now on, as while threads end, the process
/// ends with exit code 0.
void note_outputs_complete();

/// How many of `wanted` threads the system lets run at once, at least 1 (the present one).
std::size_t possible_threads(std::size_t wanted);

}  // namespace sphaera::tool
