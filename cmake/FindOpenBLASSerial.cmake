# OpenBLAS built without threads of its own, linked statically: every call runs on the calling thread, and no
# other BLAS of the process is touched. Defines OpenBLASSerial::openblas.
find_library(OpenBLASSerial_LIBRARY NAMES libopenblas.a PATH_SUFFIXES openblas-serial
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial /usr/lib/x86_64-linux-gnu/openblas-serial NO_DEFAULT_PATH)
find_path(OpenBLASSerial_INCLUDE_DIR cblas.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial
  /usr/include/x86_64-linux-gnu/openblas-serial NO_DEFAULT_PATH)
# The runtime alone will do: its development package (libgfortran.so without a number) is not needed.
find_library(GFORTRAN_LIBRARY NAMES gfortran libgfortran.so.5 PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLASSerial
  REQUIRED_VARS OpenBLASSerial_LIBRARY OpenBLASSerial_INCLUDE_DIR GFORTRAN_LIBRARY
  REASON_FAILURE_MESSAGE "install it with: apt-get install libopenblas-serial-dev (or run scripts/install-deps)")
mark_as_advanced(OpenBLASSerial_LIBRARY OpenBLASSerial_INCLUDE_DIR GFORTRAN_LIBRARY)

if(OpenBLASSerial_FOUND AND NOT TARGET OpenBLASSerial::openblas)
  add_library(OpenBLASSerial::openblas STATIC IMPORTED)
  set_target_properties(OpenBLASSerial::openblas PROPERTIES
    IMPORTED_LOCATION "${OpenBLASSerial_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLASSerial_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${GFORTRAN_LIBRARY};m")
endif()
