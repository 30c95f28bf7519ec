# forerun_library(NAME SOURCES...): a static library with the project's warnings as errors.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror)

function(forerun_library NAME)
  add_library(${NAME} STATIC ${ARGN})
endfunction()
