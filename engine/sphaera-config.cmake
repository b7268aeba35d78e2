# find_package(sphaera CONFIG) → sphaera::sphaera. A shared library brings what it needs; what a static one was built
# with is linked to the consumer. COMPONENTS embree → sphaera::embree, for <sphaera/embree.hpp>.
include(CMakeFindDependencyMacro)
if("@library_type@" STREQUAL "STATIC_LIBRARY")
  find_dependency(Threads)
  find_dependency(TBB)
  find_dependency(embree @embree_VERSION_MAJOR@)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/sphaera-targets.cmake)

foreach(component IN LISTS ${CMAKE_FIND_PACKAGE_NAME}_FIND_COMPONENTS)
  if(component STREQUAL "embree")
    find_package(embree @embree_VERSION_MAJOR@ QUIET)
    if(embree_FOUND)
      include(${CMAKE_CURRENT_LIST_DIR}/sphaera-embree-targets.cmake)
      set(${CMAKE_FIND_PACKAGE_NAME}_embree_FOUND TRUE)
    endif()
  endif()
  if(${CMAKE_FIND_PACKAGE_NAME}_FIND_REQUIRED_${component} AND NOT ${CMAKE_FIND_PACKAGE_NAME}_${component}_FOUND)
    set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
    set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE
        "component ${component} is missing: sphaera has embree, which needs Embree @embree_VERSION_MAJOR@")
  endif()
endforeach()
