# LLVM, MLIR and LLD 22 from the distribution's packages: targets forerun::llvm, forerun::mlir, forerun::lld.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(LLD 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(forerun-llvm INTERFACE)
target_include_directories(forerun-llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(forerun-llvm INTERFACE LLVM)
add_library(forerun::llvm ALIAS forerun-llvm)

add_library(forerun-mlir INTERFACE)
target_include_directories(forerun-mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(forerun-mlir INTERFACE MLIR forerun-llvm)
add_library(forerun::mlir ALIAS forerun-mlir)

add_library(forerun-lld INTERFACE)
target_include_directories(forerun-lld SYSTEM INTERFACE ${LLD_INCLUDE_DIRS})
target_link_libraries(forerun-lld INTERFACE lldELF lldCommon forerun-llvm)
add_library(forerun::lld ALIAS forerun-lld)
