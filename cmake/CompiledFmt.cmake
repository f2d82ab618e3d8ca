# fmt, compiled once. As a header it is compiled again in every source, for 2.7 s each at -O3: a third of a build. Debian's
# archive is not for shared libraries, so src/base/fmt.cpp has what fmt's own source has, in a namespace of ours: a
# program that links the static library beside another fmt keeps that.
add_library(fewdim_fmt INTERFACE)
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  get_target_property(fmt_folder fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(fewdim_fmt SYSTEM INTERFACE ${fmt_folder})
  target_compile_definitions(fewdim_fmt INTERFACE "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace fewdim_v9 {"
    "FMT_END_NAMESPACE=}}")
else()  # other versions have other functions to instantiate
  target_link_libraries(fewdim_fmt INTERFACE fmt::fmt-header-only)
endif()
