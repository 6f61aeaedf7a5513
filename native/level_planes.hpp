// Bit planes and population counts. Part of level.cpp, which compiles it once per instruction set.
#pragma once
#include "level_compare.hpp"

namespace misieve {
namespace {

#if defined(__AVX2__) && defined(__POPCNT__)

// Bit k of 64 values, as a word.
template <int planes>
MISIEVE_INLINE void split(const u8* x, u64* out, size_t stride) {
#if defined(__AVX512BW__)
    const __m512i v = _mm512_loadu_si512(x);
    for (int k = 0; k < planes; ++k) out[k * stride] = _mm512_test_epi8_mask(v, _mm512_set1_epi8(static_cast<char>(1 << k)));
#else
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + 32));
    for (int k = 0; k < planes; ++k) {
        const u32 a = static_cast<u32>(_mm256_movemask_epi8(_mm256_slli_epi16(low, 7 - k)));
        const u32 b = static_cast<u32>(_mm256_movemask_epi8(_mm256_slli_epi16(high, 7 - k)));
        out[k * stride] = u64{b} << 32 | a;
    }
#endif
}

template <int planes>
void split_all(const u8* x, size_t n, u64* out, size_t stride) {
    size_t word = 0;
    for (; 64 * (word + 1) <= n; ++word) split<planes>(x + 64 * word, out + word, stride);
    if (64 * word < n) {
        alignas(64) u8 rest[64] = {};
        std::memcpy(rest, x + 64 * word, n - 64 * word);
        split<planes>(rest, out + word, stride);
    }
}

// out[c] += rows in mask with class c, for some consecutive classes.
template <int classes>
MISIEVE_INLINE void tally(const u64* mask, const u64* y, size_t y_stride, size_t words, i64* out) {
#if defined(__AVX512VPOPCNTDQ__)
    __m512i sum[classes];
    for (int c = 0; c < classes; ++c) sum[c] = _mm512_setzero_si512();
    for (size_t i = 0; i < words; i += 8) {
        const __m512i m = _mm512_loadu_si512(mask + i);
        for (int c = 0; c < classes; ++c) {
            const __m512i both = _mm512_and_si512(m, _mm512_loadu_si512(y + c * y_stride + i));
            sum[c] = _mm512_add_epi64(sum[c], _mm512_popcnt_epi64(both));
        }
    }
    for (int c = 0; c < classes; ++c) out[c] += _mm512_reduce_add_epi64(sum[c]);
#else
    u64 sum[classes] = {};
    for (size_t i = 0; i < words; ++i)
        for (int c = 0; c < classes; ++c) sum[c] += static_cast<u64>(__builtin_popcountll(mask[i] & y[c * y_stride + i]));
    for (int c = 0; c < classes; ++c) out[c] += static_cast<i64>(sum[c]);
#endif
}

#if defined(__AVX512VPOPCNTDQ__)
// Two classes and up to eight values: masks and sums all stay in registers. out has 2 * n_values cells, value 0 not counted.
template <u32 n_values>
void tally_pairs(const u64* plane, size_t stride, const u64* y, size_t y_stride, size_t words, i64* out) {
    constexpr int planes = n_values <= 2 ? 1 : n_values <= 4 ? 2 : 3;
    __m512i sum[2 * n_values];
    for (__m512i& one : sum) one = _mm512_setzero_si512();
    for (size_t i = 0; i < words; i += 8) {
        const __m512i y0 = _mm512_loadu_si512(y + i), y1 = _mm512_loadu_si512(y + y_stride + i);
        __m512i mask[8];
        mask[0] = _mm512_set1_epi64(-1);
        for (int k = 0; k < planes; ++k) {
            const __m512i p = _mm512_loadu_si512(plane + static_cast<size_t>(k) * stride + i);
            for (int v = 0; v < 1 << k; ++v) {
                mask[v + (1 << k)] = _mm512_and_si512(mask[v], p);
                mask[v] = _mm512_andnot_si512(p, mask[v]);
            }
        }
        for (u32 v = 1; v < n_values; ++v) {
            sum[2 * v] = _mm512_add_epi64(sum[2 * v], _mm512_popcnt_epi64(_mm512_and_si512(mask[v], y0)));
            sum[2 * v + 1] = _mm512_add_epi64(sum[2 * v + 1], _mm512_popcnt_epi64(_mm512_and_si512(mask[v], y1)));
        }
    }
    for (u32 v = 1; v < n_values; ++v) {
        const __m512i four = _mm512_add_epi64(_mm512_unpacklo_epi64(sum[2 * v], sum[2 * v + 1]),
                                              _mm512_unpackhi_epi64(sum[2 * v], sum[2 * v + 1]));
        const __m256i two = _mm256_add_epi64(_mm512_castsi512_si256(four), _mm512_extracti64x4_epi64(four, 1));
        const __m128i one = _mm_add_epi64(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
        __m128i* at = reinterpret_cast<__m128i*>(out + 2 * v);
        _mm_storeu_si128(at, _mm_add_epi64(_mm_loadu_si128(at), one));
    }
}
#else
template <u32 n_values>
void tally_pairs(const u64* plane, size_t stride, const u64* y, size_t y_stride, size_t words, i64* out) {
    constexpr int planes = n_values <= 2 ? 1 : n_values <= 4 ? 2 : 3;
    u64 sum[2 * n_values] = {};
    for (size_t i = 0; i < words; ++i) {
        const u64 y0 = y[i], y1 = y[y_stride + i];
        u64 mask[8];
        mask[0] = ~u64{0};
        for (int k = 0; k < planes; ++k) {
            const u64 p = plane[static_cast<size_t>(k) * stride + i];
            for (int v = 0; v < 1 << k; ++v) {
                mask[v + (1 << k)] = mask[v] & p;
                mask[v] &= ~p;
            }
        }
        for (u32 v = 1; v < n_values; ++v) {
            sum[2 * v] += static_cast<u64>(__builtin_popcountll(mask[v] & y0));
            sum[2 * v + 1] += static_cast<u64>(__builtin_popcountll(mask[v] & y1));
        }
    }
    for (u32 cell = 2; cell < 2 * n_values; ++cell) out[cell] += static_cast<i64>(sum[cell]);
}
#endif

template <u32 n_values>
void count_pairs(const u8* x, size_t n, const ClassBlock& y, i64* out, void* scratch) {
    constexpr int planes = n_values <= 2 ? 1 : n_values <= 4 ? 2 : 3;
    constexpr size_t chunk = 256;
    u64* plane = static_cast<u64*>(scratch);
    i64 found[2 * n_values] = {};
    for (size_t first = 0; first < n; first += 64 * chunk) {
        const size_t rows = n - first < 64 * chunk ? n - first : 64 * chunk;
        split_all<planes>(x + first, rows, plane, chunk);
        tally_pairs<n_values>(plane, chunk, y.masks + first / 64, y.mask_stride, (rows + 511) / 512 * 8, found);
    }
    i64 zero0 = y.totals[0], zero1 = y.totals[1];
    for (u32 v = 1; v < n_values; ++v) {
        zero0 -= found[2 * v];
        zero1 -= found[2 * v + 1];
        out[2 * v] += found[2 * v];
        out[2 * v + 1] += found[2 * v + 1];
    }
    out[0] += zero0;
    out[1] += zero1;
}

// The rows of every value as a mask, by splitting the rows on one plane after the other; then each mask against each class.
// Value 0 is what is left of the class totals.
void count_planes(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    const int planes = bits_for(n_values);
    const u32 s = y.n_classes;
    if (s == 2) {
        switch (n_values) {
            case 2: return count_pairs<2>(x, n, y, out, scratch);
            case 3: return count_pairs<3>(x, n, y, out, scratch);
            case 4: return count_pairs<4>(x, n, y, out, scratch);
#if defined(__AVX512VPOPCNTDQ__)  // elsewhere there are not registers enough
            case 5: return count_pairs<5>(x, n, y, out, scratch);
            case 6: return count_pairs<6>(x, n, y, out, scratch);
            case 7: return count_pairs<7>(x, n, y, out, scratch);
            case 8: return count_pairs<8>(x, n, y, out, scratch);
#endif
        }
    }
    const size_t chunk = planes <= 3 ? 256 : planes == 4 ? 128 : 64;  // words: the masks of a chunk stay in the first-level cache
    u64* plane = static_cast<u64*>(scratch);      // [planes][chunk]
    u64* mask = plane + 8 * chunk;                // [2^planes][chunk]
    i64 zero[max_mask_classes];
    for (u32 c = 0; c < s; ++c) zero[c] = 0;
    for (size_t first = 0; first < n; first += 64 * chunk) {
        const size_t rows = n - first < 64 * chunk ? n - first : 64 * chunk;
        const size_t words = (rows + 511) / 512 * 8;
        switch (planes) {
            case 1: split_all<1>(x + first, rows, plane, chunk); break;
            case 2: split_all<2>(x + first, rows, plane, chunk); break;
            case 3: split_all<3>(x + first, rows, plane, chunk); break;
            case 4: split_all<4>(x + first, rows, plane, chunk); break;
            default: split_all<5>(x + first, rows, plane, chunk);
        }
        if (planes > 1) {
            for (size_t i = 0; i < words; ++i) {
                mask[i] = ~plane[i];
                mask[chunk + i] = plane[i];
            }
            for (int k = 1; k < planes; ++k) {
                const u64* p = plane + k * chunk;
                const u32 half = u32{1} << k;
                for (u32 v = 0; v < half; ++v) {
                    u64* unset = mask + v * chunk;
                    u64* set = mask + (v + half) * chunk;
                    if (v + half < n_values)
                        for (size_t i = 0; i < words; ++i) set[i] = unset[i] & p[i];
                    for (size_t i = 0; i < words; ++i) unset[i] &= ~p[i];
                }
            }
        }
        const u64* masks = y.masks + first / 64;
        for (u32 v = 1; v < n_values; ++v) {
            const u64* m = planes == 1 ? plane : mask + v * chunk;  // one plane is the mask of value 1
            u32 c = 0;
            i64 found[max_mask_classes] = {};
            for (; c + 4 <= s; c += 4) tally<4>(m, masks + c * y.mask_stride, y.mask_stride, words, found + c);
            for (; c + 2 <= s; c += 2) tally<2>(m, masks + c * y.mask_stride, y.mask_stride, words, found + c);
            for (; c < s; ++c) tally<1>(m, masks + c * y.mask_stride, y.mask_stride, words, found + c);
            for (c = 0; c < s; ++c) {
                out[v * s + c] += found[c];
                zero[c] += found[c];
            }
        }
    }
    for (u32 c = 0; c < s; ++c) out[c] += y.totals[c] - zero[c];
}

constexpr bool uses_masks = true;
#if defined(__AVX512VPOPCNTDQ__)
constexpr u32 plane_cells = 200;
#else
constexpr u32 plane_cells = 6;  // beyond, comparisons cost less
#endif

void count_many(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    if (y.masks != nullptr && n_values <= 32 && (n_values - 1) * y.n_classes <= plane_cells)
        count_planes(x, n, n_values, y, out, scratch);
    else
        count_plainly(x, n, n_values, y, out, scratch);
}
#else
constexpr bool uses_masks = false;

void count_many(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    count_plainly(x, n, n_values, y, out, scratch);
}
#endif

}  // namespace
}  // namespace misieve
