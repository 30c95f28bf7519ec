# Tests of the vector instructions. The QEMU oracle's guest program is built when a clang for RISC-V is there; without it the tests that need it are skipped,
# saying so.
add_library(forerun_vector_testing STATIC VectorTestHart.cpp VectorOracle.cpp)
target_link_libraries(forerun_vector_testing PUBLIC forerun_sim_core)
find_program(FORERUN_RISCV_CLANG NAMES clang-22 HINTS ${LLVM_TOOLS_BINARY_DIR})
set(VECTOR_GUEST ${CMAKE_CURRENT_BINARY_DIR}/VectorOracleGuest.elf)
target_compile_definitions(forerun_vector_testing PRIVATE FORERUN_VECTOR_GUEST="${VECTOR_GUEST}")
if(FORERUN_RISCV_CLANG)
  # Nothing but the instructions under test may use vector registers.
  add_custom_command(OUTPUT ${VECTOR_GUEST}
    COMMAND ${FORERUN_RISCV_CLANG} --target=riscv64 -march=rv64gcv_zfh -mabi=lp64d -O1 -fno-vectorize -fno-slp-vectorize -mno-relax -nostdlib -static
            -ffreestanding -fno-pic -fuse-ld=lld ${CMAKE_CURRENT_SOURCE_DIR}/VectorOracleGuest.c -o ${VECTOR_GUEST}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/VectorOracleGuest.c VERBATIM)
  add_custom_target(VectorOracleGuest DEPENDS ${VECTOR_GUEST})
  add_dependencies(forerun_vector_testing VectorOracleGuest)
endif()

foreach(name VectorBfloatTest VectorMnemonicsTest VectorOracleTest VectorSemanticsTest)
  forerun_test(${name} ${name}.cpp LIBS forerun_vector_testing)
endforeach()

forerun_test(VectorProgramsTest VectorProgramsTest.cpp LIBS forerun_qemu_harness)
if(QEMU_COMPILER)
  foreach(name integers floating memory)
    forerun_qemu_program(vector-${name} VectorPrograms/${name}.c rv64gcv_zfh_zvfh_zvl512b -fno-math-errno)
    add_dependencies(VectorProgramsTest vector-${name}-elf)
  endforeach()
endif()
