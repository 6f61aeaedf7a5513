// Compiled once per instruction set, MISIEVE_LEVEL naming it. Everything here has internal linkage and nothing is taken from the
// standard library's templates: a copy compiled for a newer machine must never be the one that the linker keeps for all.
#include "level.hpp"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>  // every x86-64 has it
#endif

#if defined(__GNUC__)
#define MISIEVE_INLINE inline __attribute__((always_inline))
#else
#define MISIEVE_INLINE inline
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

// ---- narrowing -----------------------------------------------------------------------------------------------------------

// The bits of the value itself if it is a whole number from 0 to 255, else something above.
template <class T>  // T unsigned: a negative value arrives as a large one
MISIEVE_INLINE T code_bits(T v) {
    return v;
}
// Adding 2^52 (2^23) leaves a whole number in the low bits of the sum; anything else shows there, or does not come back. (Nor
// does -0.0: that is merely slow.) All in integers, as compilers do not turn comparisons into the masks they are.
template <class Bits, class Float>
MISIEVE_INLINE Bits code_bits(Float v, Float magic) {
    const Float sum = v + magic, back = sum - magic;
    const Bits strange = load<Bits>(&back) ^ load<Bits>(&v);
    return (load<Bits>(&sum) ^ load<Bits>(&magic)) | strange | strange << 8;
}
MISIEVE_INLINE u64 code_bits(double v) { return code_bits<u64>(v, 4503599627370496.0); }
MISIEVE_INLINE u32 code_bits(float v) { return code_bits<u32>(v, 8388608.0f); }

#if defined(__AVX512BW__)
template <class T>
MISIEVE_INLINE size_t narrow_vectors(const char* in, size_t n, u8* out) {
    size_t i = 0;
    if constexpr (sizeof(T) == 2) {
        for (; i + 32 <= n; i += 32)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm512_cvtusepi16_epi8(_mm512_loadu_si512(in + 2 * i)));
    } else if constexpr (sizeof(T) == 4) {
        for (; i + 16 <= n; i += 16) {
            __m512i v = _mm512_loadu_si512(in + 4 * i);
            if constexpr (static_cast<T>(0.5) != 0) {
                const __m512 f = _mm512_castsi512_ps(v), magic = _mm512_set1_ps(8388608.0f), sum = _mm512_add_ps(f, magic);
                const __mmask16 odd = _mm512_cmp_ps_mask(_mm512_sub_ps(sum, magic), f, _CMP_NEQ_UQ);
                v = _mm512_xor_si512(_mm512_castps_si512(sum), _mm512_castps_si512(magic));
                v = _mm512_mask_set1_epi32(v, odd, -1);
            }
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm512_cvtusepi32_epi8(v));
        }
    } else {
        for (; i + 8 <= n; i += 8) {
            __m512i v = _mm512_loadu_si512(in + 8 * i);
            if constexpr (static_cast<T>(0.5) != 0) {
                const __m512d f = _mm512_castsi512_pd(v), magic = _mm512_set1_pd(4503599627370496.0);
                const __m512d sum = _mm512_add_pd(f, magic);
                const __mmask8 odd = _mm512_cmp_pd_mask(_mm512_sub_pd(sum, magic), f, _CMP_NEQ_UQ);
                v = _mm512_xor_si512(_mm512_castpd_si512(sum), _mm512_castpd_si512(magic));
                v = _mm512_mask_set1_epi64(v, odd, -1);
            }
            _mm_storel_epi64(reinterpret_cast<__m128i*>(out + i), _mm512_cvtusepi64_epi8(v));
        }
    }
    return i;
}
#else
// Loops that compilers turn into vector code: a group of values is checked as a whole, and mostly found to be codes.
template <class T>
MISIEVE_INLINE size_t narrow_vectors(const char* in, size_t n, u8* out) {
    using Bits = decltype(code_bits(T{}));
    constexpr size_t group = 32;
    size_t i = 0;
    for (; i + group <= n; i += group, in += group * sizeof(T)) {
        Bits bits[group], all = 0;
        for (size_t k = 0; k < group; ++k) {
            bits[k] = code_bits(load<T>(in + k * sizeof(T)));
            all |= bits[k];
        }
        if (all >> 8 == 0)
            for (size_t k = 0; k < group; ++k) out[i + k] = static_cast<u8>(bits[k]);
        else
            for (size_t k = 0; k < group; ++k) out[i + k] = bits[k] < unusual ? static_cast<u8>(bits[k]) : unusual;
    }
    return i;
}
#endif

template <class T>
void narrow(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) {
        for (size_t i = narrow_vectors<T>(in, cols, out); i < cols; ++i) {
            const auto bits = code_bits(load<T>(in + i * sizeof(T)));
            out[i] = bits < unusual ? static_cast<u8>(bits) : unusual;
        }
    }
}

void copy_bytes(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) std::memcpy(out, in, cols);
}

void narrow_signed_bytes(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) {
        for (size_t i = 0; i < cols; ++i) {
            const u8 v = load<u8>(in + i);
            out[i] = v < 128 ? v : unusual;
        }
    }
}

// ---- transposing ---------------------------------------------------------------------------------------------------------

#if defined(__SSE2__)
MISIEVE_INLINE void transpose_16(const u8* in, ptrdiff_t in_stride, u8* out, size_t out_stride) {
    __m128i a[16], b[16];
    for (int i = 0; i < 16; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i * in_stride));
    // Interleaving row i with row i + 8, four times, sends byte (r, c) to (c, r).
    for (int i = 0; i < 8; ++i) {
        b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
        b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
    }
    for (int i = 0; i < 8; ++i) {
        a[2 * i] = _mm_unpacklo_epi8(b[i], b[i + 8]);
        a[2 * i + 1] = _mm_unpackhi_epi8(b[i], b[i + 8]);
    }
    for (int i = 0; i < 8; ++i) {
        b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
        b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
    }
    for (int i = 0; i < 8; ++i) {
        a[2 * i] = _mm_unpacklo_epi8(b[i], b[i + 8]);
        a[2 * i + 1] = _mm_unpackhi_epi8(b[i], b[i + 8]);
    }
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

// ---- histograms: several rows per increment ------------------------------------------------------------------------------

constexpr u64 even_bytes = 0x00FF00FF00FF00FFu;
constexpr u64 even_pairs = 0x0000FFFF0000FFFFu;

int bits_for(u32 k) {
    int b = 1;
    while ((u32{1} << b) < k) ++b;
    return b;
}

// Eight cells x * n_classes + y in the bytes of a word: no byte overflows, so that one product does them all.
MISIEVE_INLINE u64 cells(const u8* x, const u8* y, u32 n_classes) { return load<u64>(x) * n_classes + load<u64>(y); }

// A counter of codes (high, low), each of b bits, split into counters of high and of low; only parts below k occur.
template <class In, class Out>
MISIEVE_INLINE void fold(const In* table, u32 k, int b, Out* out) {
    for (u32 high = 0; high < k; ++high) {
        const In* row = table + (size_t{high} << b);
        u32 sum = 0;
        for (u32 low = 0; low < k; ++low) {
            out[low] += row[low];
            sum += row[low];
        }
        out[high] += sum;
    }
}

// Cells below 2^b, b <= 3: four rows address one of 2^(4b) counters.
void count_fours(const u8* x, size_t n, u32 k, int b, const ClassBlock& y, i64* out, u16* table) {
    const size_t size = size_t{1} << (4 * b);
    u16* second = table + size;  // neighbours that are equal should not wait for each other
    std::memset(table, 0, 2 * size * sizeof *table);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        u64 w = cells(x + i, y.codes + i, y.n_classes);
        w = (w & even_bytes) | (w >> (8 - b) & (even_bytes << b));
        w = (w & even_pairs) | (w >> (16 - 2 * b) & (even_pairs << (2 * b)));
        ++table[w & 0xFFFF];
        ++second[w >> 32];
    }
    for (size_t code = 0; code < size; ++code) table[code] = static_cast<u16>(table[code] + second[code]);
    u32 pairs[64] = {};
    fold(table, u32{1} << (2 * b), 2 * b, pairs);
    fold(pairs, k, b, out);
    for (; i < n; ++i) ++out[x[i] * y.n_classes + y.codes[i]];
}

// Cells below 2^b, b <= 7: two rows address one of 2^(2b) counters.
void count_twos(const u8* x, size_t n, u32 k, int b, const ClassBlock& y, i64* out, u16* table) {
    const size_t size = size_t{1} << (2 * b);
    const bool two = b < 7;  // then both tables fit the first-level cache
    u16* second = two ? table + size : table;
    std::memset(table, 0, (two ? 2 : 1) * size * sizeof *table);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        u64 w = cells(x + i, y.codes + i, y.n_classes);
        w = (w & even_bytes) | (w >> (8 - b) & (even_bytes << b));
        ++table[w & 0xFFFF];
        ++second[w >> 16 & 0xFFFF];
        ++table[w >> 32 & 0xFFFF];
        ++second[w >> 48];
    }
    for (size_t code = 0; code < size && two; ++code) table[code] = static_cast<u16>(table[code] + second[code]);
    fold(table, k, b, out);
    for (; i < n; ++i) ++out[x[i] * y.n_classes + y.codes[i]];
}

// Any number of cells up to 256 x 256: one row per increment, four tables while they are small.
void count_ones(const u8* x, size_t n, u32 k, const ClassBlock& y, i64* out, u32* table) {
    size_t i = 0;
    if (k <= 8192 && n >= k) {
        std::memset(table, 0, 4 * size_t{k} * sizeof *table);
        u32 *t1 = table + k, *t2 = t1 + k, *t3 = t2 + k;
        const u32 s = y.n_classes;
        const u8* c = y.codes;
        for (; i + 4 <= n; i += 4) {
            ++table[x[i] * s + c[i]];
            ++t1[x[i + 1] * s + c[i + 1]];
            ++t2[x[i + 2] * s + c[i + 2]];
            ++t3[x[i + 3] * s + c[i + 3]];
        }
        for (u32 cell = 0; cell < k; ++cell) out[cell] += i64{table[cell]} + t1[cell] + t2[cell] + t3[cell];
    }
    for (; i < n; ++i) ++out[x[i] * y.n_classes + y.codes[i]];
}

void count_histogram(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    const u32 k = n_values * y.n_classes;
    const int b = bits_for(k);
    if (b <= 3 && n >= (size_t{1} << (4 * b)))
        count_fours(x, n, k, b, y, out, static_cast<u16*>(scratch));
    else if (b <= 7 && n >= size_t{k} * k)
        count_twos(x, n, k, b, y, out, static_cast<u16*>(scratch));
    else
        count_ones(x, n, k, y, out, static_cast<u32*>(scratch));
}

// ---- few cells: sixteen rows and more at a time are compared with each -----------------------------------------------------

#if defined(__GNUC__)
#if defined(__AVX2__)
constexpr size_t lanes = 32;
#else
constexpr size_t lanes = 16;
#endif
typedef u8 Bytes __attribute__((vector_size(lanes)));
typedef u16 Pairs __attribute__((vector_size(lanes)));

constexpr u32 compared_cells = lanes == 32 ? 32 : 14;  // beyond, a histogram costs less
constexpr size_t strip_rows = 255 * lanes;             // a byte holds how many comparisons came true

MISIEVE_INLINE u32 sum_of(const Bytes& counters) {
    u8 each[lanes];
    std::memcpy(each, &counters, lanes);
    u32 sum = 0;
    for (const u8 one : each) sum += one;
    return sum;
}

// out[k] += rows whose cell is first + k, for some consecutive cells.
template <u32 some>
MISIEVE_INLINE void compare(const Bytes* cells, size_t vectors, u32 first, i64* out) {
    Bytes sum[some], key[some];
    for (u32 k = 0; k < some; ++k) {
        sum[k] = Bytes{};
        key[k] = Bytes{} + static_cast<u8>(first + k);
    }
    for (size_t i = 0; i < vectors; ++i) {
        const Bytes here = cells[i];
        for (u32 k = 0; k < some; ++k) sum[k] -= (Bytes)(here == key[k]);
    }
    for (u32 k = 0; k < some; ++k) out[k] += sum_of(sum[k]);
}

// Only the cells of values from 1 on: those of value 0 are what is left of the class totals.
void count_compares(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    const u32 s = y.n_classes, k = n_values * s;
    // Strips of cells, aligned as vectors are.
    Bytes* cells = reinterpret_cast<Bytes*>((reinterpret_cast<std::uintptr_t>(scratch) + lanes - 1) / lanes * lanes);
    i64 found[compared_cells + max_mask_classes] = {};
    const size_t whole = n / lanes * lanes;
    for (size_t first = 0; first < whole; first += strip_rows) {
        const size_t vectors = (whole - first < strip_rows ? whole - first : strip_rows) / lanes;
        for (size_t i = 0; i < vectors; ++i) {
            const size_t row = first + i * lanes;
            // No byte overflows into its neighbour.
            cells[i] = (Bytes)(load<Pairs>(x + row) * static_cast<u16>(s) + load<Pairs>(y.codes + row));
        }
        u32 cell = s;
        for (; cell + 6 <= k; cell += 6) compare<6>(cells, vectors, cell, found + cell);
        switch (k - cell) {
            case 5: compare<5>(cells, vectors, cell, found + cell); break;
            case 4: compare<4>(cells, vectors, cell, found + cell); break;
            case 3: compare<3>(cells, vectors, cell, found + cell); break;
            case 2: compare<2>(cells, vectors, cell, found + cell); break;
            case 1: compare<1>(cells, vectors, cell, found + cell); break;
        }
    }
    for (size_t i = whole; i < n; ++i) ++found[x[i] * s + y.codes[i]];
    for (u32 c = 0; c < s; ++c) {
        i64 zero = y.totals[c];
        for (u32 cell = s + c; cell < k; cell += s) {
            zero -= found[cell];
            out[cell] += found[cell];
        }
        out[c] += zero;
    }
}
#endif

// Few cells or many, without masks of the classes.
void count_plainly(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
#if defined(__GNUC__)
    if (y.totals != nullptr && (n_values - 1) * y.n_classes <= compared_cells)
        return count_compares(x, n, n_values, y, out, scratch);
#endif
    count_histogram(x, n, n_values, y, out, scratch);
}

// ---- bit planes and population counts ------------------------------------------------------------------------------------

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

void count(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    if (n_values > 1)
        count_many(x, n, n_values, y, out, scratch);
    else if (y.totals != nullptr)
        for (u32 c = 0; c < y.n_classes; ++c) out[c] += y.totals[c];
    else
        for (size_t i = 0; i < n; ++i) ++out[y.codes[i]];
}

i64 mask(const u8* codes, size_t n, u8 code, u64* out) {
    i64 found = 0;
    const size_t words = (n + 511) / 512 * 8;
    for (size_t w = 0; w < words; ++w) {
        u64 bits = 0;
        const size_t end = 64 * (w + 1) <= n ? 64 : (64 * w < n ? n - 64 * w : 0);
#if defined(__AVX2__)
        if (end == 64) {
            const __m256i wanted = _mm256_set1_epi8(static_cast<char>(code));
            const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 64 * w));
            const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 64 * w + 32));
            bits = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted))) |
                   u64{static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)))} << 32;
            found += __builtin_popcountll(bits);
            out[w] = bits;
            continue;
        }
#endif
        for (size_t i = 0; i < end; ++i) {
            const u64 same = codes[64 * w + i] == code;
            bits |= same << i;
            found += static_cast<i64>(same);
        }
        out[w] = bits;
    }
    return found;
}

u64 sum_words(const char* in, size_t words) {
    u64 a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        a += load<u64>(in + 8 * i);
        b += load<u64>(in + 8 * i + 8);
        c += load<u64>(in + 8 * i + 16);
        d += load<u64>(in + 8 * i + 24);
    }
    for (; i < words; ++i) a += load<u64>(in + 8 * i);
    return a + b + c + d;
}

}  // namespace

#define MISIEVE_STRING(name) #name
#define MISIEVE_TABLE(name)                                                                                                   \
    extern const Level level_##name;                                                                                          \
    const Level level_##name = {MISIEVE_STRING(name),                                                                         \
                                {copy_bytes, narrow_signed_bytes, copy_bytes, narrow<u16>, narrow<u16>, narrow<u32>,          \
                                 narrow<u32>, narrow<u64>, narrow<u64>, narrow<float>, narrow<double>},                       \
                                transpose,                                                                                    \
                                largest,                                                                                      \
                                count,                                                                                        \
                                mask,                                                                                         \
                                uses_masks,                                                                                   \
                                sum_words}
#define MISIEVE_EXPAND(name) MISIEVE_TABLE(name)
MISIEVE_EXPAND(MISIEVE_LEVEL);

}  // namespace misieve
