// What the parts of level.cpp share: types, and reading them from anywhere.
#pragma once
#include <cstring>

#include "level.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>  // every x86-64 has it
#endif

#if defined(__GNUC__)
#define MISIEVE_INLINE inline __attribute__((always_inline))
#define MISIEVE_APART __attribute__((noinline))  // what is rare must not take registers from what is not
#else
#define MISIEVE_INLINE inline
#define MISIEVE_APART
#endif

namespace misieve {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using std::ptrdiff_t;
using std::size_t;

template <class T>
MISIEVE_INLINE T load(const void* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

}  // namespace
}  // namespace misieve
