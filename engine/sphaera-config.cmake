# find_package(sphaera CONFIG) → sphaera::sphaera. A shared library brings what it needs; what a static one was built
# with is linked to the consumer.
if("@library_type@" STREQUAL "STATIC_LIBRARY")
  include(CMakeFindDependencyMacro)
  find_dependency(Threads)
  find_dependency(TBB)
  find_dependency(embree)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/sphaera-targets.cmake)
