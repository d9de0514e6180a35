# Sessions of snag gen on drivers that were written by hand, built as users build theirs.
set(drivers ${CMAKE_CURRENT_BINARY_DIR}/drivers)
file(MAKE_DIRECTORY ${drivers})
file(GLOB driver_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/snag/*.h ${CMAKE_CURRENT_SOURCE_DIR}/drivers/*.h)

# snag_gen_driver_program(<name> <source> <flag>...)
function(snag_gen_driver_program name source)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/drivers/${source}.cc)
  add_custom_command(
    OUTPUT ${drivers}/${name}
    COMMAND $<TARGET_FILE:snag> c++ -std=c++20 -O1 -g -Wall -Wextra ${ARGN} ${file}
            ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/libsnag_gen_driver.a -o ${drivers}/${name}
    DEPENDS ${file} ${driver_headers} snag ${snag_group_plugins} snag_runtime snag_gen_driver
            ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/libsnag_gen_driver.a
            ${PROJECT_BINARY_DIR}/${SNAG_LIBRARY_DIR}/libsnag_runtime.a
    COMMENT "Building the driver ${name} with snag c++"
    VERBATIM)
  add_custom_target(gen_driver_${name} ALL DEPENDS ${drivers}/${name})
endfunction()

foreach(name queue stack difficult rendezvous stale_map account store stream channel ticket unmade vandal)
  snag_gen_driver_program(${name} ${name})
endforeach()
foreach(name stale_map account stream channel)
  snag_gen_driver_program(${name}_fixed ${name} -DFIXED)
endforeach()

snag_add_cases(gen.session session.py LABELS gen TIMEOUT 600 OPTIONS --drivers ${drivers})
