# snag gen up to the driver. Labelled, since each driver is compiled: ctest -L gen.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME gen.input COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/run.py $<TARGET_FILE:snag>
                                ${PROJECT_SOURCE_DIR}/tests/baselines/gen)
add_test(NAME gen.real_classes COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/real_classes.py
                                       $<TARGET_FILE:snag>)
set_tests_properties(gen.input gen.real_classes PROPERTIES LABELS gen TIMEOUT 900)
