// Dense columns that stand apart: blocks of rows are narrowed to bytes in the cache, and counted by the level's kernel.
#include "dense.hpp"

namespace misieve {
namespace {

constexpr std::size_t column_block = 32768;  // rows narrowed at a time
constexpr std::size_t weighed_rows = 2048;   // rows of some columns weighed at a time

static_assert(column_block <= max_block && column_block % 512 == 0);

}  // namespace

bool codes_are_valid(const Codes& y) {
    if (y.type == Type::u8) return y.size == 0 || level().largest(reinterpret_cast<const std::uint8_t*>(y.data), y.size) < y.n_classes;
    return with_type(y.type, [&](auto zero) {
        using T = decltype(zero);
        bool good = true;
        for (std::size_t i = 0; i < y.size; ++i) {
            const auto code = load_value<T>(y.data + i * sizeof(T));
            good &= code >= 0 && static_cast<std::uint64_t>(code) < y.n_classes;
        }
        return good;
    });
}

void count_columns(const std::vector<Column>& columns, const Codes& codes, bool minus_one_is_missing, const Counts& out,
                   std::size_t n_jobs) {
    const Level& best = level();
    const std::size_t p = columns.size();
    const Target y(codes, column_block, best);
    n_jobs = jobs_for(p * y.n_rows, n_jobs);
    const auto cells = static_cast<std::size_t>(out.starts[p]) * y.n_classes;
    if (p < 4 * n_jobs && n_jobs > 1 && cells <= private_cells) {
        run(y, minus_one_is_missing, out, p, n_jobs, y.n_blocks, true, best,
            [&](Counter& counter, std::size_t, std::size_t block) {
                for (std::size_t j = 0; j < p; ++j)
                    if (!counter.is_bad(j)) counter.take_column(columns[j], j, block);
            });
    } else {
        run(y, minus_one_is_missing, out, p, n_jobs, p, false, best, [&](Counter& counter, std::size_t, std::size_t j) {
            for (std::size_t block = 0; block < y.n_blocks && !counter.is_bad(j); ++block)
                counter.take_column(columns[j], j, block);
        });
    }
    clear_bad(out, p, y.n_classes);
}

void weigh_columns(const std::vector<Column>& columns, const Codes& codes, const double* weights, bool minus_one_is_missing,
                   const Weights& out, std::size_t n_jobs) {
    const std::size_t p = columns.size();
    const Target y(codes, weighed_rows, level());
    const std::size_t s = y.n_classes;
    n_jobs = jobs_for(p * y.n_rows, n_jobs);
    // Some columns at a time, block by block, so that neighbours in a row share what the cache has read.
    constexpr std::size_t group = 16;
    share(n_jobs, (p + group - 1) / group, [&](std::size_t, std::size_t task) {
        std::vector<std::uint32_t> codes_of_block(weighed_rows);
        for (std::size_t block = 0; block < y.n_blocks; ++block) {
            const std::size_t n = y.rows(block), first = block * weighed_rows;
            for (std::size_t j = task * group; j < std::min(p, (task + 1) * group); ++j) {
                if (out.bad[j] >= 0) continue;
                const std::int64_t limit = out.starts[j + 1] - out.starts[j];
                const Scan found = scan(columns[j], first, n, limit, minus_one_is_missing, codes_of_block.data());
                if (found.good < n) {
                    out.bad[j] = static_cast<std::int64_t>(first + found.good);
                    continue;
                }
                double* table = out.tables + out.starts[j] * static_cast<std::int64_t>(s);
                for (std::size_t i = 0; i < n; ++i) {
                    const std::size_t code = codes_of_block[i], c = y.at(first + i);
                    if (code != ~std::uint32_t{0})
                        table[code * s + c] += weights[first + i];
                    else
                        out.missing[j * s + c] += weights[first + i];
                }
            }
        }
    });
    clear_bad(out, p, s);
}

}  // namespace misieve
