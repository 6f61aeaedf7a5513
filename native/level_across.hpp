// Columns side by side, as a row of a matrix has them: each byte is compared with each value, and what comes true is counted
// down the columns. Nothing is transposed. Part of level.cpp, which compiles it once per instruction set.
#pragma once
#include "level_compare.hpp"

namespace misieve {
namespace {

constexpr size_t strip = 255;  // rows: a byte holds how many comparisons came true

#if defined(__GNUC__) && defined(__AVX512BW__)
constexpr size_t wide = 64;
constexpr u32 together = 8;  // values
constexpr u32 most_abreast = 64;
using Wide = __m512i;
MISIEVE_INLINE Wide all_of(u8 value) { return _mm512_set1_epi8(static_cast<char>(value)); }
MISIEVE_INLINE Wide load_wide(const u8* x) { return _mm512_loadu_si512(x); }
MISIEVE_INLINE Wide larger(Wide a, Wide b) { return _mm512_max_epu8(a, b); }
MISIEVE_INLINE Wide plus(Wide a, Wide b) { return _mm512_add_epi8(a, b); }
MISIEVE_INLINE Wide count_equal(Wide sum, Wide here, Wide key) {
    return _mm512_mask_sub_epi8(sum, _mm512_cmpeq_epi8_mask(here, key), sum, _mm512_set1_epi8(-1));
}
#elif defined(__GNUC__)
constexpr size_t wide = lanes;
constexpr u32 together = 7;  // values: their sums and keys stay in registers
constexpr u32 most_abreast = lanes == 32 ? 64 : 24;
using Wide = Bytes;
MISIEVE_INLINE Wide all_of(u8 value) { return Bytes{} + value; }
MISIEVE_INLINE Wide load_wide(const u8* x) { return load<Bytes>(x); }
MISIEVE_INLINE Wide larger(Wide a, Wide b) { return a > b ? a : b; }
MISIEVE_INLINE Wide plus(Wide a, Wide b) { return a + b; }
MISIEVE_INLINE Wide count_equal(Wide sum, Wide here, Wide key) { return sum - (Bytes)(here == key); }
#endif

#if defined(__GNUC__)
// All columns abreast, for some consecutive values.
template <u32 some>
MISIEVE_INLINE void compare_some(const u8* x, const u32* offsets, size_t n, size_t cols, u32 first, u32* out,
                                 size_t out_stride) {
    for (size_t from = 0; from < n; from += strip) {
        const size_t end = from + strip < n ? from + strip : n;
        for (size_t part = 0; part < cols; part += wide) {
            Wide sum[some], key[some];
            for (u32 v = 0; v < some; ++v) {
                sum[v] = all_of(0);
                key[v] = all_of(static_cast<u8>(first + v));
            }
            for (size_t i = from; i < end; ++i) {
                const Wide here = load_wide(x + offsets[i] + part);
                for (u32 v = 0; v < some; ++v) sum[v] = count_equal(sum[v], here, key[v]);
            }
            for (u32 v = 0; v < some; ++v) {
                u8 each[wide];
                std::memcpy(each, &sum[v], wide);
                u32* mine = out + v * out_stride + part;
                for (size_t k = 0; k < wide; ++k) mine[k] += each[k];
            }
        }
    }
}

#if defined(__AVX512BW__)
// The sum of three bits, for each bit of three vectors: `sum` keeps its ones, the twos are returned.
MISIEVE_INLINE Wide add_bits(Wide& sum, Wide a, Wide b) {
    const Wide twos = _mm512_ternarylogic_epi64(sum, a, b, 0xE8);
    sum = _mm512_ternarylogic_epi64(sum, a, b, 0x96);
    return twos;
}

// Eight values at a time: bit v of a byte is set where the value is first + v, and the bits of sixteen rows are added up as
// binary numbers, bit by bit (a carry-save adder, after Harley and Seal), before anything is counted.
template <u32 some>
MISIEVE_INLINE void add_some(const u8* x, const u32* offsets, size_t n, u32 first, u32* out, size_t out_stride) {
    // 0x78 .. 0x7F index the bits; any other value, less than the first or more than the last, is above: its top bit is set, and
    // such a byte indexes nothing.
    const Wide bit_of = _mm512_set4_epi32(static_cast<int>(0x80402010u), 0x08040201, 0, 0);
    const Wide base = all_of(static_cast<u8>(first)), shift = all_of(0x78), one = all_of(1);
    const auto bits = [&](size_t i) {
        return _mm512_shuffle_epi8(bit_of, _mm512_adds_epu8(_mm512_sub_epi8(load_wide(x + offsets[i]), base), shift));
    };
    const auto is_set = [](Wide plane, u32 v) { return _mm512_test_epi8_mask(plane, all_of(static_cast<u8>(1u << v))); };
    constexpr size_t rows = 16, most = 255 * rows;
    for (size_t from = 0; from < n; from += most) {
        const size_t end = from + most < n ? from + most : n;
        Wide ones = all_of(0), twos = ones, fours = ones, eights = ones, sixteens[some];
        for (Wide& one_value : sixteens) one_value = all_of(0);
        const auto add_rows = [&](const auto& row) {
            Wide two[2], four[2], eight[2];
            for (size_t a = 0; a < 2; ++a) {
                for (size_t b = 0; b < 2; ++b) {
                    for (size_t c = 0; c < 2; ++c) {
                        const size_t i = 8 * a + 4 * b + 2 * c;
                        two[c] = add_bits(ones, row(i), row(i + 1));
                    }
                    four[b] = add_bits(twos, two[0], two[1]);
                }
                eight[a] = add_bits(fours, four[0], four[1]);
            }
            const Wide sixteen = add_bits(eights, eight[0], eight[1]);
            for (u32 v = 0; v < some; ++v)
                sixteens[v] = _mm512_mask_add_epi8(sixteens[v], is_set(sixteen, v), sixteens[v], one);
        };
        size_t i = from;
        for (; i + rows <= end; i += rows) add_rows([&](size_t k) { return bits(i + k); });
        if (i < end) add_rows([&](size_t k) { return i + k < end ? bits(i + k) : all_of(0); });
        for (u32 v = 0; v < some; ++v) {
            const auto part = [&](Wide plane, char weight) { return _mm512_maskz_set1_epi8(is_set(plane, v), weight); };
            const Wide low = plus(plus(part(ones, 1), part(twos, 2)), plus(part(fours, 4), part(eights, 8)));
            u8 high_bytes[wide], low_bytes[wide];
            std::memcpy(high_bytes, &sixteens[v], wide);
            std::memcpy(low_bytes, &low, wide);
            u32* mine = out + v * out_stride;
            for (size_t k = 0; k < wide; ++k) mine[k] += u32{rows} * high_bytes[k] + low_bytes[k];
        }
    }
}
#endif

template <u32 some>
void count_some(const u8* x, const u32* offsets, size_t n, size_t cols, u32 first, u32* out, size_t out_stride) {
#if defined(__AVX512BW__)
    if constexpr (some > 2) return add_some<some>(x, offsets, n, first, out, out_stride);
#endif
    compare_some<some>(x, offsets, n, cols, first, out, out_stride);
}

template <u32 most>
MISIEVE_INLINE void count_rest(const u8* x, const u32* offsets, size_t n, size_t cols, u32 first, u32 left, u32* out,
                               size_t out_stride) {
    if constexpr (most > 0) {
        if (left == most) return count_some<most>(x, offsets, n, cols, first, out, out_stride);
        count_rest<most - 1>(x, offsets, n, cols, first, left, out, out_stride);
    }
}

void count_down(const u8* x, const u32* offsets, size_t n, size_t cols, u32 first, u32 n_values, u32* out, size_t out_stride) {
    for (; n_values > together; n_values -= together, first += together, out += together * out_stride)
        count_some<together>(x, offsets, n, cols, first, out, out_stride);
    count_rest<together>(x, offsets, n, cols, first, n_values, out, out_stride);
}

void most_down(const u8* x, size_t stride, size_t n, size_t cols, u8* most) {
    for (size_t part = 0; part < cols; part += wide) {
        Wide found = all_of(0);
        for (size_t i = 0; i < n; ++i) found = larger(found, load_wide(x + i * stride + part));
        std::memcpy(most + part, &found, wide);
    }
}

void unusual_down(const u8* x, size_t stride, size_t n, size_t cols, u8* values, u32* unusual_ones) {
    for (size_t part = 0; part < cols; part += wide) {
        for (size_t k = 0; k < wide; ++k) unusual_ones[part + k] = 0;
        Wide most = all_of(0);
        for (size_t from = 0; from < n; from += strip) {
            Wide sum = all_of(0);
            const size_t end = from + strip < n ? from + strip : n;
            for (size_t i = from; i < end; ++i) {
                const Wide here = load_wide(x + i * stride + part);
                most = larger(most, plus(here, all_of(1)));  // 0 where unusual
                sum = count_equal(sum, here, all_of(unusual));
            }
            u8 each[wide];
            std::memcpy(each, &sum, wide);
            for (size_t k = 0; k < wide; ++k) unusual_ones[part + k] += each[k];
        }
        std::memcpy(values + part, &most, wide);
    }
}
#else
constexpr u32 most_abreast = 0;  // the compiler has no vectors to count in

void most_down(const u8*, size_t, size_t, size_t, u8*) {}
void unusual_down(const u8*, size_t, size_t, size_t, u8*, u32*) {}
void count_down(const u8*, const u32*, size_t, size_t, u32, u32, u32*, size_t) {}
#endif

}  // namespace
}  // namespace misieve
