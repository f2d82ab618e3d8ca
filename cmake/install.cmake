# Installed so that find_package(fewdim) and pkg-config both work.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/fewdim DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/include/fewdim/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fewdim")
install(TARGETS fewdim_static fewdim_shared EXPORT fewdim-targets)
install(EXPORT fewdim-targets NAMESPACE fewdim:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/fewdim")

configure_package_config_file(cmake/fewdim-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/fewdim-config.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/fewdim")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/fewdim-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/fewdim-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/fewdim-config-version.cmake"
  cmake/FindOpenBLASSerial.cmake cmake/FindZstd.cmake DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/fewdim")

get_target_property(FEWDIM_OPENBLAS OpenBLASSerial::openblas IMPORTED_LOCATION)
configure_file(cmake/fewdim.pc.in "${CMAKE_CURRENT_BINARY_DIR}/fewdim.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/fewdim.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
