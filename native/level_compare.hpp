// Few cells: sixteen rows and more at a time are compared with each. Part of level.cpp, which compiles it once per instruction
// set.
#pragma once
#include "level_histogram.hpp"

namespace misieve {
namespace {

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

}  // namespace
}  // namespace misieve
