# Installed so that find_package(fewdim) and pkg-config both work, wherever the folder is moved to.
include(CMakePackageConfigHelpers)
set(FEWDIM_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/fewdim")

install(DIRECTORY include/fewdim DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/include/fewdim/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fewdim")
# Two exports: the shared library needs Eigen alone, the static one everything it is made of.
foreach(kind shared static)
  install(TARGETS fewdim_${kind} EXPORT fewdim-${kind}-targets)
  install(EXPORT fewdim-${kind}-targets NAMESPACE fewdim:: DESTINATION "${FEWDIM_CMAKE_DIR}")
endforeach()

configure_package_config_file(cmake/fewdim-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/fewdim-config.cmake"
  INSTALL_DESTINATION "${FEWDIM_CMAKE_DIR}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/fewdim-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/fewdim-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/fewdim-config-version.cmake"
  cmake/FindOpenBLASStatic.cmake cmake/FindZstd.cmake cmake/FindUtf8proc.cmake cmake/FindStemmer.cmake
  DESTINATION "${FEWDIM_CMAKE_DIR}")

# pkg-config finds the prefix from its own file's place, so that --prefix and DESTDIR at install time are honored.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(FEWDIM_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(FEWDIM_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(FEWDIM_PC_PREFIX "\${pcfiledir}/${up}")
  set(FEWDIM_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(FEWDIM_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(FEWDIM_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
foreach(name fewdim fewdim-static)
  configure_file(cmake/${name}.pc.in "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# The manual page and the shells' completions are printed by the program itself.
if(FEWDIM_CLI)
  set(printed "${CMAKE_CURRENT_BINARY_DIR}/printed")
  install(CODE "file(MAKE_DIRECTORY \"${printed}\")
foreach(name man \"completion bash\" \"completion zsh\" \"completion fish\")
  string(REPLACE \" \" \"-\" file \"\${name}\")
  separate_arguments(words UNIX_COMMAND \"\${name}\")
  execute_process(COMMAND \"$<TARGET_FILE:fewdim_cli>\" \${words} OUTPUT_FILE \"${printed}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
endforeach()")
  install(FILES "${printed}/man" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" RENAME fewdim.1)
  install(FILES "${printed}/completion-bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME fewdim)
  install(FILES "${printed}/completion-zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" RENAME _fewdim)
  install(FILES "${printed}/completion-fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME fewdim.fish)
endif()
