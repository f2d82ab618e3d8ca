# A private OpenBLAS, linked statically and hidden: no other BLAS of the process is touched. It is the threaded build
# with its threads sent home (src/base/blas.hpp says why); every call runs on the calling thread.
# Defines OpenBLASStatic::openblas.
find_library(OpenBLASStatic_LIBRARY NAMES libopenblas.a PATH_SUFFIXES openblas-pthread
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread /usr/lib/x86_64-linux-gnu/openblas-pthread NO_DEFAULT_PATH)
find_path(OpenBLASStatic_INCLUDE_DIR cblas.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread
  /usr/include/x86_64-linux-gnu/openblas-pthread NO_DEFAULT_PATH)
# The runtime alone will do: its development package (libgfortran.so without a number) is not needed.
find_library(GFORTRAN_LIBRARY NAMES gfortran libgfortran.so.5 PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLASStatic
  REQUIRED_VARS OpenBLASStatic_LIBRARY OpenBLASStatic_INCLUDE_DIR GFORTRAN_LIBRARY
  REASON_FAILURE_MESSAGE "install it with: apt-get install libopenblas-pthread-dev (or run scripts/install-deps)")
mark_as_advanced(OpenBLASStatic_LIBRARY OpenBLASStatic_INCLUDE_DIR GFORTRAN_LIBRARY)

if(OpenBLASStatic_FOUND AND NOT TARGET OpenBLASStatic::openblas)
  add_library(OpenBLASStatic::openblas STATIC IMPORTED)
  set_target_properties(OpenBLASStatic::openblas PROPERTIES
    IMPORTED_LOCATION "${OpenBLASStatic_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLASStatic_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${GFORTRAN_LIBRARY};m")
endif()
