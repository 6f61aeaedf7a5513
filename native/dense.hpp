// What counting dense columns and dense matrices share: blocks of rows as bytes, checked by their largest byte, and counted by
// the level's kernel. Where all that is unusual in a block is missing, it is counted as one more value; a block with anything
// else unusual in it (out of range, not whole, above 254) is read again value by value.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "count.hpp"
#include "target.hpp"
#include "threads.hpp"
#include "values.hpp"

namespace misieve {
namespace {

constexpr std::size_t values_per_job = 1 << 18;  // fewer are counted before another thread has started
constexpr std::size_t private_cells = 1 << 20;   // largest result of which every thread may keep a copy

std::size_t jobs_for(std::size_t values, std::size_t n_jobs) { return std::min(n_jobs, 1 + values / values_per_job); }

bool all_set(const Column& x, std::size_t first, std::size_t n) {
    const std::size_t begin = static_cast<std::size_t>(x.valid_offset) + first, end = begin + n;
    std::size_t bit = begin;
    for (; bit < end && bit % 8 != 0; ++bit)
        if (!(x.valid[bit / 8] >> (bit % 8) & 1)) return false;
    unsigned all = 255;
    for (; bit + 8 <= end; bit += 8) all &= x.valid[bit / 8];
    if (all != 255) return false;
    for (; bit < end; ++bit)
        if (!(x.valid[bit / 8] >> (bit % 8) & 1)) return false;
    return true;
}

struct Scan {
    std::size_t good = 0;  // rows before the first bad one
    std::size_t absent = 0;
    std::uint32_t largest = 0;
};

// Codes of rows first .. first + n - 1, missing ones as the largest Out, up to the first bad value.
template <class T, class Out>
Scan scan(const Column& x, std::size_t first, std::size_t n, std::int64_t limit, bool minus_one_is_missing, Out* out) {
    Scan found;
    for (; found.good < n; ++found.good) {
        const std::size_t row = first + found.good;
        std::int64_t code = is_missing;
        const std::size_t bit = static_cast<std::size_t>(x.valid_offset) + row;
        if (x.valid == nullptr || (x.valid[bit / 8] >> (bit % 8) & 1))
            code = code_of(load_value<T>(x.data + static_cast<std::ptrdiff_t>(row) * x.stride), limit, minus_one_is_missing);
        if (code == is_bad) break;
        const bool absent = code == is_missing;
        found.absent += absent;
        found.largest = std::max(found.largest, absent ? 0 : static_cast<std::uint32_t>(code));
        out[found.good] = static_cast<Out>(code);  // is_missing turns into the largest Out
    }
    return found;
}

template <class Out>
Scan scan(const Column& x, std::size_t first, std::size_t n, std::int64_t limit, bool minus_one_is_missing, Out* out) {
    return with_type(x.type,
                     [&](auto zero) { return scan<decltype(zero), Out>(x, first, n, limit, minus_one_is_missing, out); });
}

// Of n bytes: how many are unusual, and one more than the largest other one, 0 if there is none.
struct Glance {
    std::size_t unusual_ones = 0;
    std::uint8_t values = 0;
};

Glance glance(const std::uint8_t* bytes, std::size_t n) {
    Glance found;
    for (std::size_t i = 0; i < n;) {
        std::uint8_t strange = 0, most = found.values;  // of at most 255 bytes, so that compilers may count in bytes
        for (const std::size_t end = std::min(n, i + 255); i < end; ++i) {
            strange = static_cast<std::uint8_t>(strange + (bytes[i] == unusual));
            const auto next = static_cast<std::uint8_t>(bytes[i] + 1);  // 0 after the last: unusual
            most = next > most ? next : most;
        }
        found.unusual_ones += strange;
        found.values = most;
    }
    return found;
}

template <class T>
bool stands_for_missing(T value) {
    if constexpr (std::is_floating_point_v<T>) return value != value;
    if constexpr (std::is_signed_v<T>) return value == T{-1};
    return false;
}

// How many of n values are NaN, or -1 if that is missing; no two branches for a value, so that compilers use vectors.
template <class T>
std::size_t missing_ones(const char* data, std::ptrdiff_t stride, std::size_t n) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < n;) {
        std::uint32_t some = 0;
        const std::size_t end = std::min<std::size_t>(n, i + 4096);
        if (stride == static_cast<std::ptrdiff_t>(sizeof(T)))
            for (; i < end; ++i) some += stands_for_missing(load_value<T>(data + i * sizeof(T)));
        else
            for (; i < end; ++i) some += stands_for_missing(load_value<T>(data + static_cast<std::ptrdiff_t>(i) * stride));
        found += some;
    }
    return found;
}

std::size_t missing_ones(const Column& x, std::size_t first, std::size_t n, bool minus_one_is_missing) {
    return with_type(x.type, [&](auto zero) -> std::size_t {
        using T = decltype(zero);
        if (!std::is_floating_point_v<T> && !(std::is_signed_v<T> && minus_one_is_missing)) return 0;
        return missing_ones<T>(x.data + static_cast<std::ptrdiff_t>(first) * x.stride, x.stride, n);
    });
}

// For each byte of a bitmap eight bytes, unusual where a bit is not set.
std::array<std::array<std::uint8_t, 8>, 256> spread_bits() {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned bit = 0; bit < 8; ++bit) table[byte][bit] = byte >> bit & 1 ? 0 : unusual;
    return table;
}

// out = bytes, but unusual where the bitmap says that there is no value; returns how often.
std::size_t veil(const Column& x, std::size_t first, std::size_t n, const std::uint8_t* bytes, std::uint8_t* out) {
    static const auto table = spread_bits();
    static const auto hidden_in = [] {
        std::array<std::uint8_t, 256> count{};
        for (unsigned byte = 0; byte < 256; ++byte)
            for (unsigned bit = 0; bit < 8; ++bit) count[byte] += byte >> bit & 1 ? 0 : 1;
        return count;
    }();
    const std::size_t begin = static_cast<std::size_t>(x.valid_offset) + first;
    const unsigned shift = begin % 8;
    const std::uint8_t* bits = x.valid + begin / 8;
    std::size_t i = 0, hidden = 0;
    for (; i + 16 <= n; i += 8, ++bits) {  // the bitmap goes on for eight rows at least
        const unsigned eight = (bits[0] | bits[1] << 8) >> shift & 255;
        std::uint64_t value, mask;
        std::memcpy(&value, bytes + i, 8);
        std::memcpy(&mask, table[eight].data(), 8);
        hidden += hidden_in[eight];
        value |= mask;
        std::memcpy(out + i, &value, 8);
    }
    for (; i < n; ++i) {
        const std::size_t bit = begin + i;
        const bool there = x.valid[bit / 8] >> (bit % 8) & 1;
        hidden += !there;
        out[i] = there ? bytes[i] : unusual;
    }
    return hidden;
}

// What one thread needs to count blocks into a result.
class Counter {
   public:
    Counter(const Target& y, const Level& level, bool minus_one_is_missing, const Counts& out)
        : y_(y),
          level_(level),
          minus_one_is_missing_(minus_one_is_missing),
          out_(out),
          scratch_(scratch_bytes(std::min(y.n_rows, y.block_rows)) / 8) {}

    // One block of column j. bytes: its values narrowed, or null if they have to be read one by one. missing(): how many of
    // them are unusual because they are missing; asked only if some are unusual.
    template <class Missing>
    void take(const Column& x, std::size_t j, std::size_t block, const std::uint8_t* bytes, Missing&& missing) {
        const std::size_t n = y_.rows(block);
        const std::int64_t limit = out_.starts[j + 1] - out_.starts[j];
        std::int64_t* table = out_.tables + out_.starts[j] * y_.n_classes;
        if (bytes != nullptr && y_.is_narrow()) {
            const std::uint8_t most = level_.largest(bytes, n);
            if (most < std::min<std::int64_t>(limit, unusual)) {
                level_.count(bytes, n, most + 1u, y_.block(block), table, scratch_.data());
                return;
            }
            if (most == unusual) {
                const Glance found = glance(bytes, n);
                if (found.values <= limit && found.unusual_ones == missing())
                    return count_marked(bytes, j, block, found.values, table);
            }
        }
        if (y_.is_narrow() && limit <= unusual)
            take_bytes(x, j, block, limit, table);
        else
            take_rows(x, j, block * y_.block_rows, n);
    }

    // Any rows of column j, one by one.
    void take_rows(const Column& x, std::size_t j, std::size_t first, std::size_t n) {
        const std::size_t s = y_.n_classes;
        std::int64_t* table = out_.tables + out_.starts[j] * y_.n_classes;
        wide_.resize(std::min(y_.n_rows, y_.block_rows));
        const Scan found = scan(x, first, n, out_.starts[j + 1] - out_.starts[j], minus_one_is_missing_, wide_.data());
        if (found.good < n) return refuse(j, first + found.good);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t c = y_.at(first + i);
            if (wide_[i] != ~std::uint32_t{0})
                ++table[std::size_t{wide_[i]} * s + c];
            else
                ++out_.missing[j * s + c];
        }
    }

    bool is_bad(std::size_t j) const { return out_.bad[j] >= 0; }
    std::int64_t limit(std::size_t j) const { return out_.starts[j + 1] - out_.starts[j]; }
    const Counts& result() const { return out_; }

    // A contiguous column from memory.
    void take_column(const Column& x, std::size_t j, std::size_t block) {
        const std::size_t n = y_.rows(block), first = block * y_.block_rows;
        const auto size = static_cast<std::ptrdiff_t>(item_size[static_cast<int>(x.type)]);
        const char* data = x.data + static_cast<std::ptrdiff_t>(first) * x.stride;
        const std::uint8_t* bytes = nullptr;
        std::size_t veiled = 0;
        if (x.stride == size) {
            if (x.type == Type::u8 || x.type == Type::boolean) {
                bytes = reinterpret_cast<const std::uint8_t*>(data);
            } else {
                narrowed_.resize(std::min(y_.n_rows, y_.block_rows));
                level_.narrow[static_cast<int>(x.type)](data, 0, 1, n, narrowed_.data(), 0);
                bytes = narrowed_.data();
            }
            if (x.valid != nullptr && !all_set(x, first, n)) {
                veiled_.resize(std::min(y_.n_rows, y_.block_rows));
                veiled = veil(x, first, n, bytes, veiled_.data());
                bytes = veiled_.data();
            }
        }
        take(x, j, block, bytes, [&] { return veiled > 0 ? veiled : missing_ones(x, first, n, minus_one_is_missing_); });
    }

   private:
    void take_bytes(const Column& x, std::size_t j, std::size_t block, std::int64_t limit, std::int64_t* table) {
        const std::size_t n = y_.rows(block), first = block * y_.block_rows;
        slow_bytes_.resize(std::min(y_.n_rows, y_.block_rows));
        const Scan found = scan(x, first, n, limit, minus_one_is_missing_, slow_bytes_.data());
        if (found.good < n) return refuse(j, first + found.good);
        if (found.absent == 0) {
            level_.count(slow_bytes_.data(), n, found.largest + 1, y_.block(block), table, scratch_.data());
            return;
        }
        count_marked(slow_bytes_.data(), j, block, static_cast<std::uint8_t>(found.largest + 1), table);
    }

    // Bytes below mark, and unusual ones, which are missing and counted as one more value.
    void count_marked(const std::uint8_t* bytes, std::size_t j, std::size_t block, std::uint8_t mark, std::int64_t* table) {
        const std::size_t n = y_.rows(block);
        const std::uint32_t s = y_.n_classes;
        slow_bytes_.resize(std::min(y_.n_rows, y_.block_rows));
        std::uint8_t* out = slow_bytes_.data();
        for (std::size_t i = 0; i < n; ++i) out[i] = bytes[i] < mark ? bytes[i] : mark;
        marked_.assign((mark + 1u) * s, 0);
        level_.count(out, n, mark + 1u, y_.block(block), marked_.data(), scratch_.data());
        for (std::size_t cell = 0; cell < std::size_t{mark} * s; ++cell) table[cell] += marked_[cell];
        for (std::uint32_t c = 0; c < s; ++c) out_.missing[j * s + c] += marked_[std::size_t{mark} * s + c];
    }

    void refuse(std::size_t j, std::size_t row) { out_.bad[j] = static_cast<std::int64_t>(row); }

    const Target& y_;
    const Level& level_;
    const bool minus_one_is_missing_;
    const Counts out_;
    std::vector<std::uint64_t> scratch_;
    std::vector<std::uint8_t> narrowed_, veiled_, slow_bytes_;
    std::vector<std::uint32_t> wide_;
    std::vector<std::int64_t> marked_;
};

// A result of a thread's own, to be added to the common one.
struct Private {
    std::vector<std::int64_t> tables, missing, bad;

    Private(std::size_t cells, std::size_t n_columns, std::size_t n_classes)
        : tables(cells), missing(n_columns * n_classes), bad(n_columns, -1) {}
    Counts as_result(const std::int64_t* starts) { return {starts, tables.data(), missing.data(), bad.data()}; }
    void add_to(const Counts& out) const {
        for (std::size_t i = 0; i < tables.size(); ++i) out.tables[i] += tables[i];
        for (std::size_t i = 0; i < missing.size(); ++i) out.missing[i] += missing[i];
        for (std::size_t j = 0; j < bad.size(); ++j)
            if (bad[j] >= 0 && (out.bad[j] < 0 || bad[j] < out.bad[j])) out.bad[j] = bad[j];
    }
};

// Runs work(counter, worker, task); with `apart`, every worker but the first has a result of its own, added at the end.
template <class Work>
void run(const Target& y, bool minus_one_is_missing, const Counts& out, std::size_t n_columns, std::size_t n_jobs,
         std::size_t n_tasks, bool apart, const Level& level, Work&& work) {
    n_jobs = std::max<std::size_t>(1, std::min(n_jobs, n_tasks));
    const auto cells = static_cast<std::size_t>(out.starts[n_columns]) * y.n_classes;
    std::vector<std::unique_ptr<Private>> own(n_jobs);
    std::vector<std::unique_ptr<Counter>> counters(n_jobs);
    share(n_jobs, n_tasks, [&](std::size_t worker, std::size_t task) {
        if (!counters[worker]) {
            Counts mine = out;
            if (apart && worker > 0) {
                own[worker] = std::make_unique<Private>(cells, n_columns, y.n_classes);
                mine = own[worker]->as_result(out.starts);
            }
            counters[worker] = std::make_unique<Counter>(y, level, minus_one_is_missing, mine);
        }
        work(*counters[worker], worker, task);
    });
    for (const auto& part : own)
        if (part) part->add_to(out);
}

template <class Number>
void clear_bad(const Result<Number>& out, std::size_t n_columns, std::size_t n_classes) {
    for (std::size_t j = 0; j < n_columns; ++j) {
        if (out.bad[j] < 0) continue;
        std::fill(out.tables + out.starts[j] * n_classes, out.tables + out.starts[j + 1] * n_classes, Number{0});
        std::fill(out.missing + j * n_classes, out.missing + (j + 1) * n_classes, Number{0});
    }
}

}  // namespace
}  // namespace misieve
