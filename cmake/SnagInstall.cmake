# What is installed, and the CMake package for users' projects.
include(CMakePackageConfigHelpers)

# All of it, without the tests: what `make build` makes.
add_custom_target(snag_product)
add_dependencies(snag_product snag snag_read_class snag_runtime snag_gen_driver snag_schedule_archives
                 snag_schedule_shared ${snag_group_plugins})

install(TARGETS snag RUNTIME DESTINATION bin)
foreach(wrapper snag-c++ snag-cc)
  install(FILES ${PROJECT_BINARY_DIR}/bin/${wrapper} DESTINATION bin)  # a symbolic link stays one
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/libsnag_runtime.a
              ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/libsnag_gen_driver.a
              ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/exports.list DESTINATION ${SNAG_LIBRARY_DIR})
install(TARGETS snag_read_class RUNTIME DESTINATION ${SNAG_LIBRARY_DIR})
if(snag_group_plugins)
  install(TARGETS ${snag_group_plugins} LIBRARY DESTINATION ${SNAG_LIBRARY_DIR})
endif()
# Event schedules: for plain builds, so in the ordinary place.
install(FILES ${PROJECT_BINARY_DIR}/lib/libsnag_schedule.a DESTINATION lib)
install(TARGETS snag_schedule_shared LIBRARY DESTINATION lib)
install(FILES ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/schedule-exports.list DESTINATION ${SNAG_LIBRARY_DIR})
install(FILES ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/instrumented/libsnag_schedule.a
        DESTINATION ${SNAG_LIBRARY_DIR}/instrumented)
configure_file(cmake/snag-schedule.pc.in ${PROJECT_BINARY_DIR}/lib/pkgconfig/snag-schedule.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lib/pkgconfig/snag-schedule.pc DESTINATION lib/pkgconfig)
install(DIRECTORY include/snag DESTINATION include FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${SNAG_DATA_DIR})

# The flags contain the prefix, which is known only now.
install(CODE "
  set(SNAG \"$<TARGET_FILE:snag>\")
  set(PREFIX \"\${CMAKE_INSTALL_PREFIX}\")
  set(OUTPUT \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${SNAG_DATA_DIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/WriteFlagsFiles.cmake\")
  message(STATUS \"Installing: \${OUTPUT}/*.flags\")
")

# Everything in the package is relative to its own place, so the same files serve the build tree.
set(package ${PROJECT_BINARY_DIR}/${SNAG_CMAKE_DIR})
configure_package_config_file(cmake/snagConfig.cmake.in ${package}/snagConfig.cmake
                              INSTALL_DESTINATION ${SNAG_CMAKE_DIR} INSTALL_PREFIX ${PROJECT_BINARY_DIR})
write_basic_package_version_file(${package}/snagConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package}/snagConfig.cmake ${package}/snagConfigVersion.cmake DESTINATION ${SNAG_CMAKE_DIR})
