# CSDP (COIN-OR, Common Public License 1.0) as one object of our own, FEWDIM_CSDP_OBJECT, with its names hidden. Debian's
# libsdp.a is made for programs, not for libraries: it prints, it calls exit() when memory is short, it reads the file
# param.csdp from the current folder, and its reference to stdout can't be linked into a shared library. Those names are
# turned to hooks that src/solvers/unfolding/csdp.cpp defines.
find_library(CSDP_LIBRARY NAMES libsdp.a)
find_path(CSDP_INCLUDE_DIR csdp/blockmat.h)
mark_as_advanced(CSDP_LIBRARY CSDP_INCLUDE_DIR)
if(NOT CSDP_LIBRARY OR NOT CSDP_INCLUDE_DIR)
  message(FATAL_ERROR "CSDP is missing; install it with: apt-get install libsdp-dev (or run scripts/install-deps)")
endif()

set(csdp_entries easy_sdp initsoln free_mat)
set(csdp_hooks initparams user_exit)
set(csdp_system exit=exit stdout=stdout puts=puts putchar=putchar fflush=fflush __printf_chk=checked_printf printf=printf)
set(csdp_rename "")
set(csdp_keep "")
foreach(name ${csdp_entries} ${csdp_hooks})
  list(APPEND csdp_rename --redefine-sym ${name}=fewdim_csdp_${name})
  list(APPEND csdp_keep --keep-global-symbol=fewdim_csdp_${name})
endforeach()
foreach(name ${csdp_hooks})
  list(APPEND csdp_keep --weaken-symbol=fewdim_csdp_${name})
endforeach()
foreach(pair ${csdp_system})
  string(REGEX MATCH "^(.*)=(.*)$" pair "${pair}")
  list(APPEND csdp_rename --redefine-sym ${CMAKE_MATCH_1}=fewdim_csdp_${CMAKE_MATCH_2})
endforeach()

set(csdp_folder "${CMAKE_CURRENT_BINARY_DIR}/csdp")
set(FEWDIM_CSDP_OBJECT "${csdp_folder}/csdp.o")
file(MAKE_DIRECTORY "${csdp_folder}")
add_custom_command(OUTPUT "${FEWDIM_CSDP_OBJECT}"
  COMMAND "${CMAKE_OBJCOPY}" ${csdp_rename} "${CSDP_LIBRARY}" "${csdp_folder}/renamed.a"
  COMMAND "${CMAKE_LINKER}" -r -u fewdim_csdp_easy_sdp -u fewdim_csdp_initsoln "${csdp_folder}/renamed.a"
          -o "${csdp_folder}/joined.o"
  COMMAND "${CMAKE_OBJCOPY}" ${csdp_keep} "${csdp_folder}/joined.o" "${FEWDIM_CSDP_OBJECT}"
  DEPENDS "${CSDP_LIBRARY}" COMMENT "Hiding the names of CSDP" VERBATIM)
set_source_files_properties("${FEWDIM_CSDP_OBJECT}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
