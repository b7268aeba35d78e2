# find_package(sphaera CONFIG) → sphaera::sphaera. A static library needs what it was built with.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(TBB)
find_dependency(embree)
include(${CMAKE_CURRENT_LIST_DIR}/sphaera-targets.cmake)
