// Every kernel on random and edge-case input against a loop that does nothing clever. Arrays are allocated to the byte, so that
// the address sanitizer sees a kernel that reads past one; several threads run, so that the thread sanitizer sees a race.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../count.hpp"
#include "../values.hpp"

using namespace misieve;

namespace {

std::mt19937_64 random_source(20020806);
int checks = 0;

std::size_t below(std::size_t n) { return random_source() % n; }

void demand(bool good, const std::string& what) {
    ++checks;
    if (good) return;
    std::printf("FAILED at level %s: %s\n", level().name, what.c_str());
    std::exit(1);
}

// What the kernels fill, and what the loop fills.
template <class Number>
struct Table {
    std::vector<std::int64_t> starts, bad;
    std::vector<Number> tables, missing;

    Table(const std::vector<std::int64_t>& limits, std::size_t n_classes)
        : starts(1, 0), bad(limits.size(), -1), missing(limits.size() * n_classes) {
        for (const std::int64_t limit : limits) starts.push_back(starts.back() + limit);
        tables.resize(static_cast<std::size_t>(starts.back()) * n_classes);
    }
    Result<Number> result() { return {starts.data(), tables.data(), missing.data(), bad.data()}; }
    bool operator==(const Table& other) const {
        return bad == other.bad && tables == other.tables && missing == other.missing;
    }
};

struct Classes {
    std::vector<char> bytes;
    std::vector<std::uint32_t> values;
    Codes codes;

    Classes(std::size_t n, std::uint32_t n_classes) {
        const Type type = n_classes > 65536 ? Type::i32 : n_classes > 256 ? Type::u16 : below(2) ? Type::u8 : Type::i32;
        const std::size_t size = item_size[static_cast<int>(type)];
        bytes.resize(n * size);
        for (std::size_t i = 0; i < n; ++i) {
            values.push_back(static_cast<std::uint32_t>(below(n_classes)));
            std::memcpy(bytes.data() + i * size, &values[i], size);  // little-endian, as every machine with sanitizers
        }
        codes = {bytes.data(), type, n, n_classes};
    }
};

// The naive loop: value by value, through double, which holds all that the tests put in.
template <class Number>
void loop(const std::vector<Column>& columns, const Classes& y, const double* weights, bool minus_one_is_missing,
          Table<Number>& out) {
    const std::size_t s = y.codes.n_classes;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const Column& x = columns[j];
        const std::int64_t limit = out.starts[j + 1] - out.starts[j];
        std::vector<Number> table(static_cast<std::size_t>(limit) * s), missing(s);
        for (std::size_t i = 0; i < y.codes.size && out.bad[j] < 0; ++i) {
            const double value = with_type(x.type, [&](auto zero) {
                return static_cast<double>(load_value<decltype(zero)>(x.data + static_cast<std::ptrdiff_t>(i) * x.stride));
            });
            const bool is_signed = x.type == Type::i8 || x.type == Type::i16 || x.type == Type::i32 || x.type == Type::i64;
            const std::size_t bit = i + static_cast<std::size_t>(x.valid_offset);
            const bool there = x.valid == nullptr || (x.valid[bit / 8] >> (bit % 8) & 1);
            const auto add = static_cast<Number>(weights == nullptr ? 1.0 : weights[i]);
            if (!there || std::isnan(value) || (is_signed && minus_one_is_missing && value == -1))
                missing[y.values[i]] += add;
            else if (value >= 0 && value < static_cast<double>(limit) && value == std::floor(value))
                table[static_cast<std::size_t>(value) * s + y.values[i]] += add;
            else
                out.bad[j] = static_cast<std::int64_t>(i);
        }
        if (out.bad[j] >= 0) continue;
        std::copy(table.begin(), table.end(), out.tables.begin() + out.starts[j] * static_cast<std::ptrdiff_t>(s));
        std::copy(missing.begin(), missing.end(), out.missing.begin() + static_cast<std::ptrdiff_t>(j * s));
    }
}

// Mostly codes below n_values; with `odd`, now and then something else.
void put(char* at, Type type, std::size_t n_values, bool odd) {
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        T value = static_cast<T>(below(n_values));
        if (odd && below(1000) == 0) {
            const T strange[] = {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), static_cast<T>(-1),
                                 static_cast<T>(255), static_cast<T>(n_values), static_cast<T>(0.5)};
            value = type == Type::boolean ? T{1} : strange[below(6)];
        }
        if constexpr (std::is_floating_point_v<T>) {
            const T strange[] = {std::numeric_limits<T>::infinity(), static_cast<T>(-0.0), static_cast<T>(1e-30),
                                 static_cast<T>(1e30), static_cast<T>(4503599627370497.0)};
            if (odd && below(3000) == 0) value = strange[below(5)];
            if (odd && below(20) == 0) value = std::numeric_limits<T>::quiet_NaN();
        }
        std::memcpy(at, &value, sizeof value);
    });
}

// Every second column of a matrix, and its rows in between others.
void test_gaps(std::size_t n, std::size_t p, Type type, std::uint32_t n_classes, std::size_t n_values, bool odd) {
    const auto width = static_cast<std::ptrdiff_t>(item_size[static_cast<int>(type)]);
    const auto row = 2 * width * static_cast<std::ptrdiff_t>(p);
    const Classes y(n, n_classes);
    std::vector<char> data(2 * n * static_cast<std::size_t>(row));
    for (std::size_t k = 0; k < 4 * n * p; ++k) put(data.data() + k * static_cast<std::size_t>(width), type, n_values, odd);
    const std::vector<std::int64_t> limits(p, static_cast<std::int64_t>(n_values));
    for (const Matrix& x : {Matrix{data.data(), row, 2 * width, type},
                            Matrix{data.data() + row - width, 2 * row, -2 * width, type}}) {
        Table<std::int64_t> wanted(limits, n_classes), found(limits, n_classes);
        loop(columns_of(x, n, p), y, nullptr, true, wanted);
        count_matrix(x, p, y.codes, true, found.result(), 2);
        demand(found == wanted, "count_matrix with gaps");
    }
}

void test_dense(std::size_t n, std::size_t p, Type type, std::uint32_t n_classes, std::size_t n_values, bool odd) {
    const std::size_t size = item_size[static_cast<int>(type)];
    if (type == Type::boolean) n_values = std::min<std::size_t>(n_values, 2);
    if (type == Type::i8) n_values = std::min<std::size_t>(n_values, 128);
    if (type == Type::u8) n_values = std::min<std::size_t>(n_values, 256);
    p = std::min<std::size_t>(p, 1 + 400'000 / (n_classes * (n_values + 300)));  // tables of a bearable size
    const Classes y(n, n_classes);
    std::vector<char> data(n * p * size);
    // Half of the time most values are small, and some columns have more of them from some row on.
    const bool late = below(2) != 0;
    for (std::size_t k = 0; k < n * p; ++k) {
        const bool small = late && (k / p < n / 3 || k % p % 5 > 0);
        put(data.data() + k * size, type, small ? std::min<std::size_t>(n_values, 7) : n_values, odd);
    }
    std::vector<std::int64_t> limits(p);
    for (auto& limit : limits) limit = static_cast<std::int64_t>(n_values + (below(2) ? 0 : below(300)));
    const bool minus_one = below(2) != 0;
    const std::string what = std::to_string(n) + " x " + std::to_string(p) + ", type " +
                             std::to_string(static_cast<int>(type)) + ", values " + std::to_string(n_values) + ", classes " +
                             std::to_string(n_classes);
    const auto width = static_cast<std::ptrdiff_t>(size), rows = static_cast<std::ptrdiff_t>(n),
               cols = static_cast<std::ptrdiff_t>(p);
    const char* end = data.data() + (n * p == 0 ? 0 : (n * p - 1) * size);
    const Matrix views[] = {{data.data(), cols * width, width, type},
                            {data.data(), width, rows * width, type},
                            {end, -cols * width, -width, type},
                            {end, -width, -rows * width, type},
                            {data.data(), 0, width, type}};
    for (const Matrix& x : views) {
        std::vector<Column> columns = columns_of(x, n, p);
        Table<std::int64_t> wanted(limits, n_classes);
        loop(columns, y, nullptr, minus_one, wanted);
        for (const std::size_t n_jobs : {1, 2, 3, 8}) {
            Table<std::int64_t> found(limits, n_classes);
            count_matrix(x, p, y.codes, minus_one, found.result(), n_jobs);
            demand(found == wanted, "count_matrix, " + what);
        }
        const std::vector<std::uint8_t> bits = [&] {
            std::vector<std::uint8_t> made((n + 3 + 7) / 8);
            const bool all = below(2) != 0;
            for (auto& byte : made) byte = all ? 255 : static_cast<std::uint8_t>(random_source());
            return made;
        }();
        for (std::size_t j = 0; j < p; j += 2) columns[j].valid = bits.data(), columns[j].valid_offset = 3;
        std::vector<double> weights(n);
        for (auto& weight : weights) weight = static_cast<double>(below(1000)) / 7;
        Table<std::int64_t> wanted_columns(limits, n_classes);
        Table<double> wanted_weights(limits, n_classes);
        loop(columns, y, nullptr, minus_one, wanted_columns);
        loop(columns, y, weights.data(), minus_one, wanted_weights);
        for (const std::size_t n_jobs : {1, 3}) {
            Table<std::int64_t> found(limits, n_classes);
            count_columns(columns, y.codes, minus_one, found.result(), n_jobs);
            demand(found == wanted_columns, "count_columns, " + what);
            Table<double> weighed(limits, n_classes);
            weigh_columns(columns, y.codes, weights.data(), minus_one, weighed.result(), n_jobs);
            demand(weighed == wanted_weights, "weigh_columns, " + what);
        }
    }
}

template <class Index>
void test_sparse(std::size_t n, std::size_t p, Type type, std::uint32_t n_classes, std::size_t n_values, bool odd, bool by_row) {
    const std::size_t size = item_size[static_cast<int>(type)], lines = by_row ? n : p, width = by_row ? p : n;
    const Classes y(n, n_classes);
    std::vector<char> dense(n * p * size), data;
    std::vector<Index> indices, indptr(1, 0);
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t across = 0; across < width; ++across) {
            if (below(8) != 0) continue;
            const std::size_t row = by_row ? line : across, j = by_row ? across : line;
            char* at = dense.data() + (row * p + j) * size;
            put(at, type, n_values, odd);
            data.insert(data.end(), at, at + size);
            indices.push_back(static_cast<Index>(across));
        }
        indptr.push_back(static_cast<Index>(indices.size()));
    }
    data.shrink_to_fit();
    indices.shrink_to_fit();
    const Sparse x{data.data(), type, indices.data(), indptr.data(), sizeof(Index) == 8, by_row, n, p, indices.size()};
    const auto item = static_cast<std::ptrdiff_t>(size);
    const std::vector<Column> columns = columns_of({dense.data(), static_cast<std::ptrdiff_t>(p) * item, item, type}, n, p);
    const std::vector<std::int64_t> limits(p, static_cast<std::int64_t>(n_values));
    Table<std::int64_t> wanted(limits, n_classes);
    loop(columns, y, nullptr, false, wanted);
    for (const std::size_t n_jobs : {1, 2, 3, 8}) {
        Table<std::int64_t> found(limits, n_classes);
        std::fill(found.tables.begin(), found.tables.end(), 99);  // every cell is written
        demand(count_sparse(x, y.codes, found.result(), n_jobs) == Shape::canonical, "canonical");
        demand(found == wanted, "count_sparse");
    }
    // Weights that are whole numbers add up to the same in any order.
    const std::vector<double> weights(n, 3.0);
    Table<double> weighed(limits, n_classes), wanted_weights(limits, n_classes);
    loop(columns, y, weights.data(), false, wanted_weights);
    demand(weigh_sparse(x, y.codes, weights.data(), weighed.result()) == Shape::canonical && weighed == wanted_weights,
           "weigh_sparse");
    std::vector<std::int64_t> maxima(p);
    demand(sparse_maxima(x, maxima.data()) == Shape::canonical, "sparse_maxima");
    for (std::size_t j = 0; j < p && !odd; ++j) {
        std::int64_t most = 0;
        for (std::size_t v = 1; v < n_values; ++v)
            for (std::size_t c = 0; c < n_classes; ++c)
                if (wanted.tables[(j * n_values + v) * n_classes + c] != 0) most = static_cast<std::int64_t>(v);
        demand(maxima[j] == most, "the largest value");
    }
    // Matrices that point outside, or go back, are told from good ones.
    if (indices.size() < 2) return;
    Table<std::int64_t> ignored(limits, n_classes);
    const std::size_t k = below(indices.size());
    const Index kept = indices[k];
    for (const Index outside : {static_cast<Index>(width), static_cast<Index>(-1), std::numeric_limits<Index>::max()}) {
        indices[k] = outside;
        demand(count_sparse(x, y.codes, ignored.result(), 2) == Shape::broken, "an index outside");
    }
    indices[k] = kept;
    const std::size_t line = below(lines);
    const Index end = indptr[line + 1];
    indptr[line + 1] = static_cast<Index>(-1);
    demand(count_sparse(x, y.codes, ignored.result(), 2) == Shape::broken, "a negative indptr");
    indptr[line + 1] = std::numeric_limits<Index>::max();
    demand(count_sparse(x, y.codes, ignored.result(), 2) == Shape::broken, "an indptr outside");
    indptr[line + 1] = end;
}

// Small enough for one thread, and every shape at the edge of a word, a tile or a type.
void test_edges() {
    const std::size_t rows[] = {0, 1, 2, 15, 63, 64, 65, 511, 513, 2047, 2049};
    const std::uint32_t classes[] = {1, 2, 3, 5, 16, 17, 256, 257, 70000};
    const std::size_t values[] = {1, 2, 3, 4, 8, 9, 20, 32, 33, 100, 254, 255, 256, 1000};
    for (const std::size_t n : rows) {
        for (int repeat = 0; repeat < 2; ++repeat) {
            const auto type = static_cast<Type>(below(type_count));
            const std::uint32_t s = classes[below(n > 600 ? 8 : 9)];
            test_dense(n, below(40), type, s, values[below(14)], below(2) != 0);
            test_dense(n, 1 + below(3), type, 2, values[below(14)], false);
            test_gaps(n, 2 + below(90), type, classes[below(5)], type == Type::boolean ? 2 : 1 + below(100), below(2) != 0);
            const bool by_row = below(2) != 0;
            test_sparse<std::int32_t>(n, below(50), type, classes[below(4)], 2, below(3) == 0, by_row);
            test_sparse<std::int64_t>(n, below(50), type, 2, 2 + below(100), below(3) == 0, by_row);
        }
    }
    for (int type = 0; type < type_count; ++type) test_dense(2100, 261, static_cast<Type>(type), 2, 1 + below(9), false);
    for (const std::uint32_t s : {2, 7, 31, 32, 33}) test_dense(5000, 70, Type::u8, s, 120, s == 7);
}

// Long enough for several threads: in rows, in columns, with private results and without, dense and sparse.
void test_threads() {
    test_dense(40000, 9, Type::u8, 2, 8, false);
    test_dense(2100, 261, Type::i64, 2, 8, true);
    test_dense(33000, 16, Type::f32, 20, 9, true);
    test_dense(700, 800, Type::i16, 5, 2000, false);
    test_sparse<std::int32_t>(4000, 300, Type::f64, 2, 2, false, true);
    test_sparse<std::int32_t>(4000, 300, Type::f64, 2, 2, true, false);
    test_sparse<std::int64_t>(4000, 300, Type::u8, 3, 9, false, true);
}

}  // namespace

// With any argument, only what runs several threads.
int main(int argc, char**) {
    for (const Level* const* known = levels(); *known != nullptr; ++known) {
        use_level((*known)->name);
        const int before = checks;
        if (argc == 1) test_edges();
        test_threads();
        std::printf("%s: %d checks passed\n", level().name, checks - before);
    }
    return 0;
}
