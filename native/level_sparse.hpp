// What the rows of a sparse matrix are checked for before they are counted. Bits are gathered in words as wide as the values,
// so that compilers use vectors. Part of level.cpp, which compiles it once per instruction set.
#pragma once
#include "level_basics.hpp"

namespace misieve {
namespace {

// Whether n values all have the bits of 1.
template <class Word>
MISIEVE_INLINE bool all_are(const char* data, size_t n, Word wanted) {
    Word odd = 0;
    for (size_t k = 0; k < n; ++k) odd |= static_cast<Word>(load<Word>(data + k * sizeof(Word)) ^ wanted);
    return odd == 0;
}

template <class T>
bool all_ones(const char* data, size_t n) {
    const T one{1};
    if constexpr (sizeof(T) == 1) return all_are(data, n, load<u8>(&one));
    if constexpr (sizeof(T) == 2) return all_are(data, n, load<u16>(&one));
    if constexpr (sizeof(T) == 4) return all_are(data, n, load<u32>(&one));
    if constexpr (sizeof(T) == 8) return all_are(data, n, load<u64>(&one));
}

// Whether each of n indices is larger than the one before it.
template <class Index>
bool all_rise(const void* indices, size_t n) {
    const auto* index = static_cast<const Index*>(indices);
    Index falls = 0;
    for (size_t k = 1; k < n; ++k) falls |= index[k] <= index[k - 1] ? Index{1} : Index{0};
    return falls == 0;
}

}  // namespace
}  // namespace misieve
