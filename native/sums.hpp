// Sums of rows of a table over the stored entries of a sparse matrix: what naive Bayes adds up at prediction.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "threads.hpp"

namespace misieve {

template <class Index>
struct Pattern {
    const Index* indices;
    const Index* indptr;
    std::size_t rows, columns, entries;
};

template <class Index>
bool rises(const Pattern<Index>& x) {
    if (x.indptr[0] != 0 || x.indptr[x.rows] != static_cast<Index>(x.entries)) return false;
    for (std::size_t i = 0; i < x.rows; ++i)
        if (x.indptr[i + 1] < x.indptr[i]) return false;
    return true;
}

// Whether all entries of a row lie inside the matrix: bit operations that run several entries at a time on any machine.
template <class Index>
bool inside(const Pattern<Index>& x, std::size_t first, std::size_t last) {
    using Unsigned = std::make_unsigned_t<Index>;
    if (first < last && x.columns == 0) return false;
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    const auto limit = static_cast<Unsigned>(x.columns - 1 < most ? x.columns - 1 : most);
    Unsigned outside = 0;  // the top bit is set by an index below zero, and by one above the limit
    for (std::size_t k = first; k < last; ++k) {
        const auto index = static_cast<Unsigned>(x.indices[k]);
        outside |= index | (limit - index);
    }
    return outside >> (8 * sizeof(Index) - 1) == 0;
}

// The sum of a single class goes in four lanes, by the position of the entry in its row, so that an addition need not wait for
// the one before it.
template <class Index>
double sum_lanes(const Index* column, std::size_t n, const double* table) {
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        a += table[column[k]];
        b += table[column[k + 1]];
        c += table[column[k + 2]];
        d += table[column[k + 3]];
    }
    if (k < n) a += table[column[k]];
    if (k + 1 < n) b += table[column[k + 1]];
    if (k + 2 < n) c += table[column[k + 2]];
    return (a + b) + (c + d);
}

template <class Index>
void sum_row(const Pattern<Index>& x, std::size_t first, std::size_t last, const double* table, std::size_t s, double* out) {
    if (s == 1) {
        out[0] = sum_lanes(x.indices + first, last - first, table);
        return;
    }
    for (std::size_t c = 0; c < s; ++c) out[c] = 0.0;
    for (std::size_t k = first; k < last; ++k) {
        const double* values = table + static_cast<std::size_t>(x.indices[k]) * s;
        for (std::size_t c = 0; c < s; ++c) out[c] += values[c];
    }
}

// out (rows, s) = x, all of whose entries are ones, times table (columns, s); false if x points outside itself.
template <class Index>
bool sum_ones(const Pattern<Index>& x, const double* table, std::size_t s, std::size_t jobs, double* out) {
    if (!rises(x)) return false;
    constexpr std::size_t rows_of_a_task = 256;
    std::atomic<bool> sound{true};
    share(jobs, (x.rows + rows_of_a_task - 1) / rows_of_a_task, [&](std::size_t, std::size_t task) {
        const std::size_t end = task * rows_of_a_task + rows_of_a_task;
        for (std::size_t row = task * rows_of_a_task; row < end && row < x.rows; ++row) {
            const auto first = static_cast<std::size_t>(x.indptr[row]), last = static_cast<std::size_t>(x.indptr[row + 1]);
            if (!inside(x, first, last)) {
                sound = false;
                return;
            }
            sum_row(x, first, last, table, s, out + row * s);
        }
    });
    return sound;
}

}  // namespace misieve
