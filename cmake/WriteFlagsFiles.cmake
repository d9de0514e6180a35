# Writes <OUTPUT>/{gcc,clang}-{compile,link,shared}.flags for a Snag at PREFIX, by asking the executable SNAG.
# Run as: cmake -DSNAG=... -DPREFIX=... -DOUTPUT=... -P WriteFlagsFiles.cmake; or included.
foreach(compiler gcc clang)
  foreach(step compile link shared)
    set(options --${step})
    if(compiler STREQUAL "clang")
      list(APPEND options --clang)
    endif()
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env SNAG_PREFIX=${PREFIX} ${SNAG} flags ${options}
      OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE "${OUTPUT}/${compiler}-${step}.flags" "${flags}")
  endforeach()
endforeach()
