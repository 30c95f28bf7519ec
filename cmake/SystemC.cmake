# SystemC 2.3.4 from the distribution's package, which ships no CMake config: target forerun::systemc.
find_path(SYSTEMC_INCLUDE systemc.h REQUIRED)
find_library(SYSTEMC_LIBRARY systemc REQUIRED)
add_library(forerun-systemc INTERFACE)
target_include_directories(forerun-systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE})
target_link_libraries(forerun-systemc INTERFACE ${SYSTEMC_LIBRARY})
# The library is built as C++17; without this, C++20 code does not link.
target_compile_definitions(forerun-systemc INTERFACE SC_CPLUSPLUS=201703L)
add_library(forerun::systemc ALIAS forerun-systemc)
