# Functions for the folders' CMakeLists.txt.

# snag_folders(<variable> <folder>): this folder and all below it.
function(snag_folders variable folder)
  file(GLOB_RECURSE entries LIST_DIRECTORIES true RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${folder}/*)
  set(found ${folder})
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${entry})
      list(APPEND found ${entry})
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# snag_sources(<variable> <folder>...): the sources in these folders below the current one, without the unit tests.
function(snag_sources variable)
  set(found)
  foreach(folder IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc ${folder}/*.S)
    list(APPEND found ${sources})
  endforeach()
  list(FILTER found EXCLUDE REGEX "_test\\.cc$")
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# snag_build_fast(<target>...): less optimised, in batches: code that no user waits for.
function(snag_build_fast)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${SNAG_UNITY_BUILD})
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endforeach()
endfunction()

# The headers that every unit test includes, compiled once. No definitions but GoogleTest's own, so that they fit all of them.
if(SNAG_BUILD_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unit/test_headers.cc CONTENT "")
  add_library(snag_test_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/unit/test_headers.cc)
  target_link_libraries(snag_test_headers PRIVATE GTest::gmock)
  target_precompile_headers(snag_test_headers PRIVATE <gmock/gmock.h>)
  target_compile_options(snag_test_headers PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endif()

# snag_add_unit_test(<name> <source>... LIBS <library>...): a GoogleTest program, registered with ctest.
function(snag_add_unit_test name)
  if(NOT SNAG_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE SNAG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)  # they take longer to build than to run
  # A test names the members that it is about.
  target_compile_options(${name} PRIVATE -Wno-missing-field-initializers)
  if(TARGET snag_test_headers)
    target_precompile_headers(${name} REUSE_FROM snag_test_headers)
    # g++ 12 is wrong about std::string, which it only says when the header is precompiled.
    target_compile_options(${name} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
  # Not gtest_discover_tests: one program that crashes when listing its tests would hide all the others.
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120)
endfunction()

# snag_add_unit_tests(<prefix> <folder>... LIBS <library>...): one test program per *_test.cc in these folders.
function(snag_add_unit_tests prefix)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  foreach(folder IN LISTS arg_UNPARSED_ARGUMENTS)
    file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cc)
    foreach(test IN LISTS tests)
      get_filename_component(name ${test} NAME_WE)
      snag_add_unit_test(${prefix}_${name} ${test} LIBS ${arg_LIBS})
    endforeach()
  endforeach()
endfunction()
