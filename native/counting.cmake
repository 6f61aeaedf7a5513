# The counting kernels as a static library: level.cpp once per instruction set, the rest for any machine.
add_library(counting STATIC ${CMAKE_CURRENT_LIST_DIR}/count_dense.cpp ${CMAKE_CURRENT_LIST_DIR}/count_matrix.cpp
                            ${CMAKE_CURRENT_LIST_DIR}/count_sparse.cpp ${CMAKE_CURRENT_LIST_DIR}/level_choice.cpp)
set_target_properties(counting PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(counting PUBLIC Threads::Threads)

function(add_level name)
  add_library(level_${name} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/level.cpp)
  set_target_properties(level_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(level_${name} PRIVATE MISIEVE_LEVEL=${name})
  target_compile_options(level_${name} PRIVATE ${ARGN})
  target_sources(counting PRIVATE $<TARGET_OBJECTS:level_${name}>)
endfunction()

set(counting_options)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(counting_options -O3 -ffp-contract=off -fno-math-errno -Wall -Wextra)
endif()
if(MISIEVE_SANITIZE)  # see tests/
  list(TRANSFORM counting_options REPLACE "-O3" "-O1")
endif()
target_compile_options(counting PRIVATE ${counting_options})
add_level(portable ${counting_options})

# A universal macOS build compiles one file for two processors: it gets the portable level only.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$"
   AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT CMAKE_OSX_ARCHITECTURES MATCHES ";|arm64")
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag("-march=x86-64-v4 -mavx512vpopcntdq" MISIEVE_HAS_V4)
  if(MISIEVE_HAS_V4)
    add_level(avx2 ${counting_options} -march=x86-64-v3)
    # GCC 12 warns about its own header (its bug 105593).
    add_level(avx512 ${counting_options} -Wno-maybe-uninitialized -march=x86-64-v4 -mavx512vpopcntdq -mprefer-vector-width=512)
    target_compile_definitions(counting PRIVATE MISIEVE_X86_LEVELS)
  endif()
endif()
