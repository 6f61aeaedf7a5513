// Histograms: several rows per increment. Part of level.cpp, which compiles it once per instruction set.
#pragma once
#include "level_basics.hpp"

namespace misieve {
namespace {

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

}  // namespace
}  // namespace misieve
