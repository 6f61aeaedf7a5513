// The counting kernels as Python functions; see src/misieve/_core/twin_counting.py for what they promise.
#include "bind_count.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "count.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace misieve {
namespace {

using Any = nb::ndarray<nb::ro, nb::device::cpu>;
using Any1 = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Any2 = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Flat = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Type type_of(nb::dlpack::dtype t) {
    if (t.lanes == 1) {
        if (t == nb::dtype<bool>()) return Type::boolean;
        if (t == nb::dtype<std::int8_t>()) return Type::i8;
        if (t == nb::dtype<std::uint8_t>()) return Type::u8;
        if (t == nb::dtype<std::int16_t>()) return Type::i16;
        if (t == nb::dtype<std::uint16_t>()) return Type::u16;
        if (t == nb::dtype<std::int32_t>()) return Type::i32;
        if (t == nb::dtype<std::uint32_t>()) return Type::u32;
        if (t == nb::dtype<std::int64_t>()) return Type::i64;
        if (t == nb::dtype<std::uint64_t>()) return Type::u64;
        if (t == nb::dtype<float>()) return Type::f32;
        if (t == nb::dtype<double>()) return Type::f64;
    }
    throw nb::type_error("values must be bool, integers of 8 to 64 bits, float32 or float64");
}

template <class Array>
const char* bytes_of(const Array& x) {
    return static_cast<const char*>(x.data());
}

std::ptrdiff_t stride_of(const nb::ndarray<nb::ro>& x, std::size_t axis) {
    return static_cast<std::ptrdiff_t>(x.stride(axis)) * static_cast<std::ptrdiff_t>(x.itemsize());
}

Codes codes_of(const Flat& y, std::int64_t n_classes) {
    const Type type = type_of(y.dtype());
    if (type != Type::u8 && type != Type::u16 && type != Type::i32)
        throw nb::type_error("class codes must be uint8, uint16 or int32");
    if (n_classes < 1 || n_classes > INT32_MAX) throw std::invalid_argument("n_classes must be 1 .. 2^31 - 1");
    const Codes codes{bytes_of(y), type, y.shape(0), static_cast<std::uint32_t>(n_classes)};
    if (!codes_are_valid(codes)) {
        const std::string last = std::to_string(n_classes - 1);
        throw std::invalid_argument("class codes must be 0 .. " + last);
    }
    return codes;
}

std::size_t jobs_of(std::int64_t n_jobs) {
    if (n_jobs < 1) throw std::invalid_argument("n_jobs must be at least 1");
    return static_cast<std::size_t>(n_jobs);
}

template <class Number>
struct Owned {
    std::unique_ptr<std::int64_t[]> starts;
    Number* tables;
    Number* missing;
    std::int64_t* bad;
    nb::object tables_object, missing_object, bad_object;

    Result<Number> result() const { return {starts.get(), tables, missing, bad}; }
};

template <class Number>
nb::object fresh(std::size_t rows, std::size_t cols, bool flat, Number*& data, bool zeroed = true) {
    const std::size_t size = std::max<std::size_t>(rows * cols, 1);
    data = static_cast<Number*>(zeroed ? std::calloc(size, sizeof(Number)) : std::malloc(size * sizeof(Number)));
    if (data == nullptr) throw std::bad_alloc();
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    const std::size_t shape[2] = {rows, cols};
    return nb::cast(nb::ndarray<nb::numpy, Number>(data, flat ? 1 : 2, shape, owner));
}

// Room for the result. Tables need not be zeroed for a kernel that writes each of their cells.
template <class Number>
Owned<Number> owned(const Ints& limits, std::size_t n_columns, const Codes& y, bool zeroed = true) {
    if (limits.shape(0) != n_columns)
        throw std::invalid_argument(std::to_string(n_columns) + " columns need as many limits, not " +
                                    std::to_string(limits.shape(0)));
    Owned<Number> out;
    out.starts.reset(new std::int64_t[n_columns + 1]);
    out.starts[0] = 0;
    for (std::size_t j = 0; j < n_columns; ++j) {
        const std::int64_t limit = limits.data()[j];
        if (limit < 1 || limit > INT32_MAX) throw std::invalid_argument("limits must be 1 .. 2^31 - 1");
        out.starts[j + 1] = out.starts[j] + limit;
    }
    const auto values = static_cast<std::size_t>(out.starts[n_columns]);
    if (values > PTRDIFF_MAX / 8 / y.n_classes || n_columns > PTRDIFF_MAX / 8 / y.n_classes) throw std::bad_alloc();
    out.tables_object = fresh<Number>(values, y.n_classes, false, out.tables, zeroed);
    out.tables_object = out.tables_object.attr("reshape")(-1);
    out.missing_object = fresh<Number>(n_columns, y.n_classes, false, out.missing);
    out.bad_object = fresh<std::int64_t>(n_columns, 1, true, out.bad, false);
    std::fill_n(out.bad, n_columns, std::int64_t{-1});
    return out;
}

const double* weights_of(const std::optional<Doubles>& weights, const Codes& y) {
    if (!weights) return nullptr;
    if (weights->shape(0) != y.size)
        throw std::invalid_argument(std::to_string(y.size) + " rows need as many weights, not " +
                                    std::to_string(weights->shape(0)));
    return weights->data();
}

template <class Number>
nb::tuple triple(const Owned<Number>& out) {
    return nb::make_tuple(out.tables_object, out.missing_object, out.bad_object);
}

nb::tuple bind_dense(const Any2& x, const Flat& y, std::int64_t n_classes, const Ints& limits,
                     const std::optional<Doubles>& weights, bool minus_one_is_missing, std::int64_t n_jobs) {
    const Codes codes = codes_of(y, n_classes);
    const std::size_t jobs = jobs_of(n_jobs), p = x.shape(1);
    if (x.shape(0) != codes.size)
        throw std::invalid_argument("the matrix has " + std::to_string(x.shape(0)) + " rows, the classes have " +
                                    std::to_string(codes.size));
    const Matrix matrix{bytes_of(x), stride_of(nb::ndarray<nb::ro>(x), 0), stride_of(nb::ndarray<nb::ro>(x), 1),
                        type_of(x.dtype())};
    if (const double* w = weights_of(weights, codes)) {
        const auto out = owned<double>(limits, p, codes);
        {
            nb::gil_scoped_release unlocked;
            weigh_columns(columns_of(matrix, codes.size, p), codes, w, minus_one_is_missing, out.result(), jobs);
        }
        return triple(out);
    }
    const auto out = owned<std::int64_t>(limits, p, codes);
    {
        nb::gil_scoped_release unlocked;
        count_matrix(matrix, p, codes, minus_one_is_missing, out.result(), jobs);
    }
    return triple(out);
}

nb::tuple bind_columns(const nb::sequence& arrays, const nb::sequence& validity, const Flat& y, std::int64_t n_classes,
                       const Ints& limits, const std::optional<Doubles>& weights, bool minus_one_is_missing,
                       std::int64_t n_jobs) {
    const Codes codes = codes_of(y, n_classes);
    const std::size_t jobs = jobs_of(n_jobs), p = nb::len(arrays);
    if (nb::len(validity) != p)
        throw std::invalid_argument(std::to_string(p) + " columns need as many validities, not " +
                                    std::to_string(nb::len(validity)));
    std::vector<Any1> kept;  // the arrays stay alive while they are read
    std::vector<Bytes> kept_bits;
    std::vector<Column> columns;
    kept.reserve(p);
    columns.reserve(p);
    for (std::size_t j = 0; j < p; ++j) {
        kept.push_back(nb::cast<Any1>(arrays[j]));
        const Any1& x = kept.back();
        if (x.shape(0) != codes.size)
            throw std::invalid_argument("column " + std::to_string(j) + " has " + std::to_string(x.shape(0)) +
                                        " values, the classes have " + std::to_string(codes.size));
        Column column{bytes_of(x), stride_of(nb::ndarray<nb::ro>(x), 0), type_of(x.dtype())};
        const nb::object bits = validity[j];
        if (!bits.is_none()) {
            kept_bits.push_back(nb::cast<Bytes>(bits[0]));
            column.valid = kept_bits.back().data();
            column.valid_offset = nb::cast<std::int64_t>(bits[1]);
            const std::size_t bytes = kept_bits.back().shape(0);
            if (column.valid_offset < 0 || static_cast<std::size_t>(column.valid_offset) > 8 * bytes ||
                codes.size > 8 * bytes - static_cast<std::size_t>(column.valid_offset))
                throw std::invalid_argument("a bitmap of " + std::to_string(bytes) + " bytes has no bit for every row");
        }
        columns.push_back(column);
    }
    if (const double* w = weights_of(weights, codes)) {
        const auto out = owned<double>(limits, p, codes);
        {
            nb::gil_scoped_release unlocked;
            weigh_columns(columns, codes, w, minus_one_is_missing, out.result(), jobs);
        }
        return triple(out);
    }
    const auto out = owned<std::int64_t>(limits, p, codes);
    {
        nb::gil_scoped_release unlocked;
        count_columns(columns, codes, minus_one_is_missing, out.result(), jobs);
    }
    return triple(out);
}

Sparse sparse_of(const Flat& data, const Flat& indices, const Flat& indptr, std::int64_t n_columns, std::int64_t n_rows,
                 bool by_row) {
    const Type type = type_of(indices.dtype());
    if (type != type_of(indptr.dtype()) || (type != Type::i32 && type != Type::i64))
        throw nb::type_error("indices and indptr must both be int32 or both int64");
    if (indices.shape(0) != data.shape(0)) throw std::invalid_argument("there must be one index per stored value");
    if (indptr.shape(0) == 0) throw std::invalid_argument("indptr must rise from 0 to the number of stored entries");
    const std::int64_t lines = by_row ? n_rows : n_columns;
    if (n_columns < 0 || static_cast<std::int64_t>(indptr.shape(0)) - 1 != lines)
        throw std::invalid_argument("the matrix has " + std::to_string(static_cast<std::int64_t>(indptr.shape(0)) - 1) +
                                    " lines, its classes and limits say " + std::to_string(lines));
    return {bytes_of(data),
            type_of(data.dtype()),
            indices.data(),
            indptr.data(),
            type == Type::i64,
            by_row,
            static_cast<std::size_t>(n_rows),
            static_cast<std::size_t>(n_columns),
            data.shape(0)};
}

void refuse_broken(Shape shape) {
    if (shape == Shape::broken)
        throw std::invalid_argument(
            "sparse indices must lie inside the matrix, and indptr must rise from 0 to the number of stored entries");
}

nb::tuple bind_sparse(const Flat& data, const Flat& indices, const Flat& indptr, std::int64_t n_columns, bool by_row,
                      const Flat& y, std::int64_t n_classes, const Ints& limits, const std::optional<Doubles>& weights,
                      std::int64_t n_jobs) {
    const Codes codes = codes_of(y, n_classes);
    const std::size_t jobs = jobs_of(n_jobs);
    const Sparse x = sparse_of(data, indices, indptr, n_columns, static_cast<std::int64_t>(codes.size), by_row);
    Shape shape;
    if (const double* w = weights_of(weights, codes)) {
        const auto out = owned<double>(limits, x.n_columns, codes);
        {
            nb::gil_scoped_release unlocked;
            shape = weigh_sparse(x, codes, w, out.result());
        }
        refuse_broken(shape);
        return nb::make_tuple(out.tables_object, out.missing_object, out.bad_object, shape == Shape::canonical);
    }
    const auto out = owned<std::int64_t>(limits, x.n_columns, codes, false);
    {
        nb::gil_scoped_release unlocked;
        shape = count_sparse(x, codes, out.result(), jobs);
    }
    refuse_broken(shape);
    return nb::make_tuple(out.tables_object, out.missing_object, out.bad_object, shape == Shape::canonical);
}

nb::object bind_maxima(const Flat& data, const Flat& indices, const Flat& indptr, std::int64_t n_columns, bool by_row) {
    // The number of rows of a CSC matrix is not known here, and is not needed: its indices are not followed.
    const auto lines = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const Sparse x = sparse_of(data, indices, indptr, n_columns, by_row ? lines : INT64_MAX, by_row);
    std::int64_t* maxima;
    nb::object result = fresh<std::int64_t>(x.n_columns, 1, true, maxima);
    Shape shape;
    {
        nb::gil_scoped_release unlocked;
        shape = sparse_maxima(x, maxima);
    }
    refuse_broken(shape);
    return result;
}

// A width known to the compiler (0: not known) lets it use vectors.
template <std::size_t known, class Number>
void find_occurring(const Number* row, std::size_t rows, std::size_t any_width, std::size_t counted, bool* out) {
    const std::size_t width = known ? known : any_width, end = known ? known : counted;
    for (std::size_t i = 0; i < rows; ++i, row += width) {
        unsigned char occurs = 0;
        for (std::size_t c = 0; c < end; ++c) occurs |= static_cast<unsigned char>(row[c] != 0);
        out[i] = occurs != 0;
    }
}

// For each row whether any of its first `counted` cells is not zero.
template <class Number>
nb::object bind_occurring(const nb::ndarray<const Number, nb::ndim<2>, nb::c_contig, nb::device::cpu>& cells, std::size_t counted) {
    const std::size_t rows = cells.shape(0), width = cells.shape(1);
    if (counted > width)
        throw std::invalid_argument("rows of " + std::to_string(width) + " cells have no " + std::to_string(counted) +
                                    " to count");
    bool* out;
    nb::object result = fresh<bool>(rows, 1, true, out, false);
    const Number* data = cells.data();
    nb::gil_scoped_release unlocked;
    if (width == 2 && counted == 2)
        find_occurring<2>(data, rows, width, counted, out);
    else if (width == 3 && counted == 3)
        find_occurring<3>(data, rows, width, counted, out);
    else
        find_occurring<0>(data, rows, width, counted, out);
    return result;
}

std::vector<std::string> level_names() {
    std::vector<std::string> names;
    for (const Level* const* known = levels(); *known != nullptr; ++known) names.emplace_back((*known)->name);
    return names;
}

void set_level(const std::string& name) {
    if (use_level(name.c_str())) return;
    std::string known;
    for (const std::string& other : level_names()) known += (known.empty() ? "" : ", ") + other;
    throw std::invalid_argument("this build counts on this machine with " + known + ", not '" + name + "'");
}

std::uint64_t read_bytes(const Any& x, std::int64_t n_jobs) {
    std::int64_t reach = 1;  // elements from the first to the last, in whatever order they lie
    for (std::size_t axis = 0; axis < x.ndim() && x.size() > 0; ++axis) {
        if (x.shape(axis) > 1 && x.stride(axis) < 0) throw std::invalid_argument("x must be contiguous");
        reach += static_cast<std::int64_t>(x.shape(axis) - 1) * x.stride(axis);
    }
    if (x.size() > 0 && static_cast<std::size_t>(reach) != x.size()) throw std::invalid_argument("x must be contiguous");
    const std::size_t words = x.nbytes() / 8, jobs = jobs_of(n_jobs);
    const char* data = bytes_of(x);
    constexpr std::size_t chunk = 1 << 17;
    const std::size_t n_tasks = (words + chunk - 1) / chunk;
    std::vector<std::uint64_t> sums(n_tasks);
    nb::gil_scoped_release unlocked;
    share(jobs, n_tasks, [&](std::size_t, std::size_t task) {
        sums[task] = level().sum_words(data + 8 * chunk * task, std::min(chunk, words - chunk * task));
    });
    std::uint64_t sum = 0;
    for (const std::uint64_t part : sums) sum += part;
    return sum;
}

}  // namespace

void bind_counting(nb::module_& m) {
    const auto text = "See misieve._core.twin_counting.";
    m.def("count_dense", &bind_dense, "x"_a, "y"_a, "n_classes"_a, "limits"_a, nb::kw_only(), "weights"_a = nb::none(),
          "minus_one_is_missing"_a = false, "n_jobs"_a = 1, text);
    m.def("count_columns", &bind_columns, "columns"_a, "validity"_a, "y"_a, "n_classes"_a, "limits"_a, nb::kw_only(),
          "weights"_a = nb::none(), "minus_one_is_missing"_a = false, "n_jobs"_a = 1, text);
    m.def("count_sparse", &bind_sparse, "data"_a, "indices"_a, "indptr"_a, nb::kw_only(), "n_columns"_a, "by_row"_a, "y"_a,
          "n_classes"_a, "limits"_a, "weights"_a = nb::none(), "n_jobs"_a = 1, text);
    m.def("sparse_maxima", &bind_maxima, "data"_a, "indices"_a, "indptr"_a, nb::kw_only(), "n_columns"_a, "by_row"_a, text);
    m.def("occurring", &bind_occurring<std::int64_t>, "cells"_a.noconvert(), "counted"_a, text);
    m.def("occurring", &bind_occurring<double>, "cells"_a.noconvert(), "counted"_a, text);
    m.def("read_bytes", &read_bytes, "x"_a, "n_jobs"_a = 1, text);
    m.def("simd_levels", &level_names, text);
    m.def("simd_level", [] { return std::string(level().name); }, text);
    m.def("set_simd_level", &set_level, "name"_a, "Count with one of simd_levels() from now on, in the whole process.");
}

}  // namespace misieve
