// Rows of bytes to columns, and the largest byte of a column. Part of level.cpp, which compiles it once per instruction set.
#pragma once
#include "level_basics.hpp"

namespace misieve {
namespace {

#if defined(__SSE2__)
MISIEVE_INLINE void transpose_16(const u8* in, ptrdiff_t in_stride, u8* out, size_t out_stride) {
    __m128i a[16], b[16];
    for (int i = 0; i < 16; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i * in_stride));
    // Interleaving row i with row i + 8, four times, sends byte (r, c) to (c, r).
    const auto interleave = [](const __m128i* from, __m128i* to) {
        for (int i = 0; i < 8; ++i) {
            to[2 * i] = _mm_unpacklo_epi8(from[i], from[i + 8]);
            to[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + 8]);
        }
    };
    interleave(a, b);
    interleave(b, a);
    interleave(a, b);
    interleave(b, a);
    for (int i = 0; i < 16; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * out_stride), a[i]);
}
#else
// Eight bytes by eight: swap the off-diagonal quarters of quarters of the square (Hacker's Delight, 7-3), on whole words.
MISIEVE_INLINE void exchange(u64& a, u64& b, int shift, u64 keep) {
    const u64 t = ((a >> shift) ^ b) & keep;
    b ^= t;
    a ^= t << shift;
}
MISIEVE_INLINE void transpose_8(const u8* in, ptrdiff_t in_stride, u8* out, size_t out_stride) {
    u64 w[8];
    for (int i = 0; i < 8; ++i) w[i] = load<u64>(in + i * in_stride);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < 8; ++i) w[i] = __builtin_bswap64(w[i]);
#endif
    for (int i = 0; i < 4; ++i) exchange(w[i], w[i + 4], 32, 0x00000000FFFFFFFFu);
    for (int i = 0; i < 8; i += (i & 1) ? 3 : 1) exchange(w[i], w[i + 2], 16, 0x0000FFFF0000FFFFu);
    for (int i = 0; i < 8; i += 2) exchange(w[i], w[i + 1], 8, 0x00FF00FF00FF00FFu);
    for (int i = 0; i < 8; ++i) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        w[i] = __builtin_bswap64(w[i]);
#endif
        std::memcpy(out + i * out_stride, &w[i], sizeof w[i]);
    }
}
MISIEVE_INLINE void transpose_16(const u8* in, ptrdiff_t in_stride, u8* out, size_t out_stride) {
    for (size_t r = 0; r < 16; r += 8)
        for (size_t c = 0; c < 16; c += 8)
            transpose_8(in + static_cast<ptrdiff_t>(r) * in_stride + c, in_stride, out + c * out_stride + r, out_stride);
}
#endif

void transpose(const u8* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    // 64 rows, so that what is written are whole cache lines.
    for (size_t first = 0; first < rows; first += 64) {
        const size_t end = first + 64 < rows ? first + 64 : rows;
        for (size_t c = 0; c < cols; c += 16)
            for (size_t r = first; r < end; r += 16)
                transpose_16(in + static_cast<ptrdiff_t>(r) * in_stride + c, in_stride, out + c * out_stride + r, out_stride);
    }
}

u8 largest(const u8* x, size_t n) {
    u8 m = 0;
    size_t i = 0;
#if !defined(__AVX2__)
    u8 most[64] = {};  // narrow vectors, several at a time: they need not wait for each other
    for (; i + 64 <= n; i += 64)
        for (size_t k = 0; k < 64; ++k) most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
    for (const u8 one : most) m = one > m ? one : m;
#endif
    for (; i < n; ++i) m = x[i] > m ? x[i] : m;
    return m;
}

}  // namespace
}  // namespace misieve
