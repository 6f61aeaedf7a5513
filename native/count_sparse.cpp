// Compressed sparse matrices: only stored values other than zero are counted, the zeros are what is left of the class totals.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "count.hpp"
#include "target.hpp"
#include "threads.hpp"
#include "values.hpp"

namespace misieve {
namespace {

constexpr std::size_t entries_per_job = 1 << 16;
constexpr std::int64_t largest_limit = std::numeric_limits<std::int32_t>::max();

// Tables without their row of zeros: value v >= 1 of column j at cell (first(j) + v - 1) * n_classes.
struct Compact {
    const std::int64_t* starts;
    std::int64_t first(std::size_t j) const { return starts[j] - static_cast<std::int64_t>(j); }
    std::int64_t limit(std::size_t j) const { return starts[j + 1] - starts[j]; }
};

template <class Index>
bool good_lines(const Sparse& x) {
    const auto* indptr = static_cast<const Index*>(x.indptr);
    const std::size_t lines = x.by_row ? x.n_rows : x.n_columns;
    bool good = indptr[0] == 0 && static_cast<std::size_t>(indptr[lines]) == x.stored && indptr[lines] >= 0;
    for (std::size_t i = 0; i < lines; ++i) good &= indptr[i] <= indptr[i + 1];
    return good;
}

// Calls entry(across, value) for the stored values of a line; says whether their indices are inside and rise.
template <class T, class Index, class Entry>
inline Shape walk(const Sparse& x, std::size_t line, Entry&& entry) {
    using Unsigned = std::make_unsigned_t<Index>;
    const auto* indptr = static_cast<const Index*>(x.indptr);
    const auto* indices = static_cast<const Index*>(x.indices);
    const auto width = static_cast<std::size_t>(x.by_row ? x.n_columns : x.n_rows);
    const Index end = indptr[line + 1];
    std::int64_t last = -1;
    bool ordered = true;
    for (Index k = indptr[line]; k < end; ++k) {
        const std::size_t across = static_cast<Unsigned>(indices[k]);
        if (across >= width) return Shape::broken;
        ordered &= static_cast<std::int64_t>(across) > last;
        last = static_cast<std::int64_t>(across);
        entry(across, load_value<T>(x.data + static_cast<std::size_t>(k) * sizeof(T)));
    }
    return ordered ? Shape::canonical : Shape::unordered;
}

Shape worse(Shape a, Shape b) { return a < b ? b : a; }

// Missing and bad values are rare: kept only once there is one.
struct Rare {
    std::vector<std::int64_t> missing, bad;

    void add_missing(std::size_t cell, std::size_t cells) {
        if (missing.empty()) missing.resize(cells);
        ++missing[cell];
    }
    void add_bad(std::size_t column, std::size_t n_columns, std::size_t row) {
        if (bad.empty()) bad.assign(n_columns, -1);
        const auto at = static_cast<std::int64_t>(row);
        if (bad[column] < 0 || at < bad[column]) bad[column] = at;
    }
};

std::vector<std::int64_t> class_totals(const Target& y) {
    std::vector<std::int64_t> totals(y.n_classes);
    for (std::size_t i = 0; i < y.n_rows; ++i) ++totals[y.at(i)];
    return totals;
}

// Asks for memory that will be read soon, to be brought near but not into the first-level cache, which has other work. A macro:
// compilers leave out calls of functions that do nothing else.
#if defined(__GNUC__)
#define MISIEVE_ASK_FOR(begin, bytes) \
    for (const char *at = (begin), *end = at + (bytes); at < end; at += 64) __builtin_prefetch(at, 0, 2)
#else
#define MISIEVE_ASK_FOR(begin, bytes) (void)0
#endif

// The rows of a CSR matrix of ones.
template <class T, class Index>
class Rows {
   public:
    Rows(const Sparse& x, const Level& level)
        : x_(x),
          indptr_(static_cast<const Index*>(x.indptr)),
          indices_(static_cast<const Index*>(x.indices)),
          all_ones_(level.all_ones[static_cast<int>(x.type)]),
          all_rise_(sizeof(Index) == 4 ? level.narrow_rise : level.wide_rise) {}

    std::size_t size(std::size_t row) const { return static_cast<std::size_t>(indptr_[row + 1] - indptr_[row]); }
    const Index* indices(std::size_t row) const { return indices_ + indptr_[row]; }
    const char* values(std::size_t row) const { return x_.data + static_cast<std::size_t>(indptr_[row]) * sizeof(T); }

    // Whether all is as it mostly is: ones, and indices that rise and lie inside.
    bool are_plain(std::size_t row) const {
        const std::size_t n = size(row);
        if (n == 0) return true;
        const Index* at = indices(row);
        return all_ones_(values(row), n) && all_rise_(at, n) && at[0] >= 0 &&
               static_cast<std::size_t>(at[n - 1]) < x_.n_columns;
    }

   private:
    const Sparse& x_;
    const Index* indptr_;
    const Index* indices_;
    bool (*all_ones_)(const char*, std::size_t);
    bool (*all_rise_)(const void*, std::size_t);
};

// Where the rows are counted that have value v >= 1 and class c in column j. Ones have a run of columns for every class, so
// that the cells of a row of the matrix stand in its order.
template <bool only_ones>
std::size_t cell_of(const Compact& compact, std::size_t p, std::size_t s, std::size_t j, std::int64_t v, std::size_t c) {
    return only_ones ? c * p + j : static_cast<std::size_t>(compact.first(j) + v - 1) * s + c;
}

template <class T, class Index, class Cell, bool only_ones>
Shape count_rows(const Sparse& x, const Target& y, const Compact& compact, std::size_t from, std::size_t to,
                 std::vector<Cell>& cells, Rare& rare) {
    const std::size_t s = y.n_classes, p = x.n_columns;
    const Rows<T, Index> rows(x, level());
    constexpr std::size_t ahead = 4;
    Shape shape = Shape::canonical;
    for (std::size_t row = from; row < to && shape != Shape::broken; ++row) {
        const std::size_t c = y.at(row);
        if (only_ones && row + ahead < to) {
            const std::size_t n = std::min<std::size_t>(rows.size(row + ahead), 1024);
            MISIEVE_ASK_FOR(rows.values(row + ahead), n * sizeof(T));
            MISIEVE_ASK_FOR(reinterpret_cast<const char*>(rows.indices(row + ahead)), n * sizeof(Index));
        }
        if (only_ones && rows.are_plain(row)) {
            const Index* at = rows.indices(row);
            const std::size_t n = rows.size(row);
            Cell* mine = cells.data() + c * p;
            std::size_t k = 0;
            for (; k + 4 <= n; k += 4) {
                ++mine[at[k]];
                ++mine[at[k + 1]];
                ++mine[at[k + 2]];
                ++mine[at[k + 3]];
            }
            for (; k < n; ++k) ++mine[at[k]];
            continue;
        }
        shape = worse(shape, walk<T, Index>(x, row, [&](std::size_t j, T value) {
            const std::int64_t code = code_of(value, compact.limit(j), false);
            if (code > 0)
                ++cells[cell_of<only_ones>(compact, p, s, j, code, c)];
            else if (code == is_missing)
                rare.add_missing(j * s + c, p * s);
            else if (code == is_bad)
                rare.add_bad(j, p, row);
        }));
    }
    return shape;
}

// As write_tables, where nothing is missing or bad and each column has two values: little else is read than what was found.
template <std::size_t known_classes, class Cell>
void write_pairs(const std::vector<std::int64_t>& totals, const std::vector<std::vector<Cell>>& cells, std::size_t p,
                 std::size_t classes, std::size_t from, std::size_t to, std::int64_t* tables) {
    const std::size_t s = known_classes > 0 ? known_classes : classes;
    for (std::size_t j = from; j < to; ++j) {
        std::int64_t* table = tables + j * 2 * s;
        for (std::size_t c = 0; c < s; ++c) {
            std::int64_t n = 0;
            for (const auto& part : cells) n += static_cast<std::int64_t>(part[c * p + j]);
            table[c] = totals[c] - n;
            table[s + c] = n;
        }
    }
}

// The tables of columns from .. to, every cell of them: what the threads found, and zeros as what is left of the class totals.
template <bool only_ones, class Cell>
void write_tables(const Compact& compact, const std::vector<std::int64_t>& totals, const std::vector<std::vector<Cell>>& cells,
                  std::size_t p, std::size_t s, std::size_t from, std::size_t to, const Counts& out) {
    for (std::size_t j = from; j < to; ++j) {
        std::int64_t* table = out.tables + out.starts[j] * static_cast<std::int64_t>(s);
        const std::int64_t limit = only_ones ? 2 : compact.limit(j);
        if (out.bad[j] >= 0) {
            std::fill_n(table, static_cast<std::size_t>(limit) * s, 0);
            std::fill_n(out.missing + j * s, s, 0);
            continue;
        }
        for (std::size_t c = 0; c < s; ++c) table[c] = totals[c] - out.missing[j * s + c];
        for (std::int64_t v = 1; v < limit; ++v) {
            for (std::size_t c = 0; c < s; ++c) {
                const std::size_t cell = cell_of<only_ones>(compact, p, s, j, v, c);
                std::int64_t n = 0;
                for (const auto& part : cells) n += static_cast<std::int64_t>(part[cell]);
                table[static_cast<std::size_t>(v) * s + c] = n;
                table[c] -= n;
            }
        }
    }
}

template <class T, class Index, class Cell>
Shape count_csr(const Sparse& x, const Target& y, const Counts& out, std::size_t n_jobs) {
    const Compact compact{out.starts};
    const std::size_t s = y.n_classes, p = x.n_columns;
    const auto n_cells = static_cast<std::size_t>(compact.first(p)) * s;
    bool only_ones = true;
    for (std::size_t j = 0; j < p; ++j) only_ones &= compact.limit(j) == 2;
    // Every thread has a run of rows with about as many entries, and tables of its own.
    n_jobs = std::min(n_jobs, 1 + x.stored / std::max(entries_per_job, n_cells / 2));
    const auto* indptr = static_cast<const Index*>(x.indptr);
    std::vector<std::size_t> bounds(n_jobs + 1, x.n_rows);
    for (std::size_t job = 0; job < n_jobs; ++job)
        bounds[job] = static_cast<std::size_t>(
            std::lower_bound(indptr, indptr + x.n_rows, static_cast<Index>(x.stored / n_jobs * job)) - indptr);
    std::vector<std::vector<Cell>> cells(n_jobs);
    std::vector<Rare> rare(n_jobs);
    std::vector<Shape> shapes(n_jobs, Shape::canonical);
    share(n_jobs, n_jobs, [&](std::size_t, std::size_t job) {
        cells[job].resize(n_cells);
        const auto count = only_ones ? count_rows<T, Index, Cell, true> : count_rows<T, Index, Cell, false>;
        shapes[job] = count(x, y, compact, bounds[job], bounds[job + 1], cells[job], rare[job]);
    });
    const Shape shape = *std::max_element(shapes.begin(), shapes.end());
    if (shape != Shape::canonical) {
        std::fill_n(out.tables, static_cast<std::size_t>(out.starts[p]) * s, 0);
        return shape;
    }
    bool sound = true;  // nothing is missing or bad
    for (const Rare& part : rare) {
        sound &= part.missing.empty() && part.bad.empty();
        for (std::size_t i = 0; i < part.missing.size(); ++i) out.missing[i] += part.missing[i];
        for (std::size_t j = 0; j < part.bad.size(); ++j)
            if (part.bad[j] >= 0 && (out.bad[j] < 0 || part.bad[j] < out.bad[j])) out.bad[j] = part.bad[j];
    }
    const std::vector<std::int64_t> totals = class_totals(y);
    constexpr std::size_t group = 4096;
    share(n_jobs, (p + group - 1) / group, [&](std::size_t, std::size_t task) {
        const std::size_t from = task * group, to = std::min(p, (task + 1) * group);
        if (only_ones && sound && s == 2)
            write_pairs<2>(totals, cells, p, s, from, to, out.tables);
        else if (only_ones && sound)
            write_pairs<0>(totals, cells, p, s, from, to, out.tables);
        else if (only_ones)
            write_tables<true>(compact, totals, cells, p, s, from, to, out);
        else
            write_tables<false>(compact, totals, cells, p, s, from, to, out);
    });
    return shape;
}

template <class T, class Index>
Shape count_csc(const Sparse& x, const Target& y, const Counts& out, std::size_t n_jobs) {
    const std::size_t s = y.n_classes, p = x.n_columns;
    const std::vector<std::int64_t> totals = class_totals(y);
    constexpr std::size_t group = 64;
    n_jobs = std::min(n_jobs, 1 + x.stored / entries_per_job);
    const std::size_t n_tasks = (p + group - 1) / group;
    std::vector<Shape> shapes(std::max<std::size_t>(n_tasks, 1), Shape::canonical);
    share(n_jobs, n_tasks, [&](std::size_t, std::size_t task) {
        for (std::size_t j = task * group; j < std::min(p, (task + 1) * group); ++j) {
            std::int64_t* table = out.tables + out.starts[j] * static_cast<std::int64_t>(s);
            const std::int64_t limit = out.starts[j + 1] - out.starts[j];
            std::fill_n(table, static_cast<std::size_t>(limit) * s, 0);
            const Shape line = walk<T, Index>(x, j, [&](std::size_t row, T value) {
                const std::int64_t code = code_of(value, limit, false);
                const std::size_t c = y.at(row);
                if (code > 0)
                    ++table[static_cast<std::size_t>(code) * s + c];
                else if (code == is_missing)
                    ++out.missing[j * s + c];
                else if (code == is_bad && (out.bad[j] < 0 || static_cast<std::int64_t>(row) < out.bad[j]))
                    out.bad[j] = static_cast<std::int64_t>(row);
            });
            shapes[task] = worse(shapes[task], line);
            if (out.bad[j] >= 0) {
                std::fill(table, table + limit * static_cast<std::int64_t>(s), 0);
                std::fill(out.missing + j * s, out.missing + (j + 1) * s, 0);
                continue;
            }
            for (std::size_t c = 0; c < s; ++c) table[c] = totals[c] - out.missing[j * s + c];
            for (std::int64_t v = 1; v < limit; ++v)
                for (std::size_t c = 0; c < s; ++c) table[c] -= table[static_cast<std::size_t>(v) * s + c];
        }
    });
    return *std::max_element(shapes.begin(), shapes.end());
}

template <class T, class Index>
Shape weigh(const Sparse& x, const Target& y, const double* weights, const Weights& out) {
    const std::size_t s = y.n_classes, p = x.n_columns;
    std::vector<std::int64_t> rows(s);
    std::vector<double> totals(s);
    for (std::size_t i = 0; i < y.n_rows; ++i) {
        ++rows[y.at(i)];
        totals[y.at(i)] += weights[i];
    }
    std::vector<std::int64_t> held_rows(p * s);  // rows that are not zero, and their weight, by column and class
    std::vector<double> held(p * s);
    const std::size_t lines = x.by_row ? x.n_rows : p;
    Shape shape = Shape::canonical;
    for (std::size_t line = 0; line < lines && shape != Shape::broken; ++line) {
        shape = worse(shape, walk<T, Index>(x, line, [&](std::size_t across, T value) {
            const std::size_t row = x.by_row ? line : across, j = x.by_row ? across : line, c = y.at(row);
            const std::int64_t code = code_of(value, out.starts[j + 1] - out.starts[j], false);
            if (code == 0) return;
            if (code == is_bad) {
                if (out.bad[j] < 0 || static_cast<std::int64_t>(row) < out.bad[j]) out.bad[j] = static_cast<std::int64_t>(row);
                return;
            }
            ++held_rows[j * s + c];
            held[j * s + c] += weights[row];
            if (code == is_missing)
                out.missing[j * s + c] += weights[row];
            else
                out.tables[static_cast<std::size_t>(out.starts[j] + code) * s + c] += weights[row];
        }));
    }
    for (std::size_t j = 0; j < p; ++j) {
        double* table = out.tables + out.starts[j] * static_cast<std::int64_t>(s);
        if (out.bad[j] >= 0) {
            std::fill(table, out.tables + out.starts[j + 1] * static_cast<std::int64_t>(s), 0.0);
            std::fill(out.missing + j * s, out.missing + (j + 1) * s, 0.0);
            continue;
        }
        for (std::size_t c = 0; c < s; ++c)
            table[c] = held_rows[j * s + c] < rows[c] ? std::max(totals[c] - held[j * s + c], 0.0) : 0.0;
    }
    return shape;
}

template <class T, class Index>
Shape maxima_of(const Sparse& x, std::int64_t* maxima) {
    const std::size_t lines = x.by_row ? x.n_rows : x.n_columns;
    Shape shape = Shape::canonical;
    for (std::size_t line = 0; line < lines && shape != Shape::broken; ++line) {
        shape = worse(shape, walk<T, Index>(x, line, [&](std::size_t across, T value) {
            std::int64_t& most = maxima[x.by_row ? across : line];
            const std::int64_t code = code_of(value, largest_limit, false);
            if (code == is_bad)
                most = -1;
            else if (most >= 0 && code > most)
                most = code;
        }));
    }
    return shape;
}

template <class Work>
Shape with_index(const Sparse& x, Work&& work) {
    const bool good = x.wide ? good_lines<std::int64_t>(x) : good_lines<std::int32_t>(x);
    if (!good) return Shape::broken;
    return with_type(x.type, [&](auto zero) {
        using T = decltype(zero);
        return x.wide ? work(T{}, std::int64_t{}) : work(T{}, std::int32_t{});
    });
}

}  // namespace

Shape count_sparse(const Sparse& x, const Codes& codes, const Counts& out, std::size_t n_jobs) {
    const Target y(codes, max_block, *levels()[0]);
    return with_index(x, [&](auto value, auto index) {
        using T = decltype(value);
        using Index = decltype(index);
        if (!x.by_row) return count_csc<T, Index>(x, y, out, n_jobs);
        // The smaller the counters, the more of them the cache holds; none can exceed the number of rows.
        if (x.n_rows <= std::numeric_limits<std::uint16_t>::max()) return count_csr<T, Index, std::uint16_t>(x, y, out, n_jobs);
        if (x.n_rows > std::numeric_limits<std::uint32_t>::max()) return count_csr<T, Index, std::uint64_t>(x, y, out, n_jobs);
        return count_csr<T, Index, std::uint32_t>(x, y, out, n_jobs);
    });
}

Shape weigh_sparse(const Sparse& x, const Codes& codes, const double* weights, const Weights& out) {
    const Target y(codes, max_block, *levels()[0]);
    return with_index(x, [&](auto value, auto index) { return weigh<decltype(value), decltype(index)>(x, y, weights, out); });
}

Shape sparse_maxima(const Sparse& x, std::int64_t* maxima) {
    return with_index(x, [&](auto value, auto index) { return maxima_of<decltype(value), decltype(index)>(x, maxima); });
}

}  // namespace misieve
