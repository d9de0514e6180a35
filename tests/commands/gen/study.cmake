# Some classes of the CovCon study (bench/papers/covcon) with their correct twins, one of each kind of bug: so that the
# study cannot rot.
set(study ${PROJECT_SOURCE_DIR}/bench/papers/covcon)
foreach(name logger synchronized_map string_buffer per_user_pool)
  add_test(NAME gen.study.${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/run_study.py
                                          $<TARGET_FILE:snag> ${study} ${name})
  set_tests_properties(gen.study.${name} PROPERTIES LABELS gen TIMEOUT 600)
endforeach()
