// Counting columns of values against classes; the contract is that of src/misieve/_core/twin_counting.py.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "level.hpp"

namespace misieve {

// One column where it lies: value i at data + i * stride (bytes, any sign, any alignment).
struct Column {
    const char* data;
    std::ptrdiff_t stride;
    Type type;
    const std::uint8_t* valid = nullptr;  // Arrow's bitmap, or null: all there
    std::int64_t valid_offset = 0;
};

// A matrix where it lies: value (i, j) at data + i * row_stride + j * column_stride.
struct Matrix {
    const char* data;
    std::ptrdiff_t row_stride, column_stride;
    Type type;
};

inline std::vector<Column> columns_of(const Matrix& x, std::size_t n_rows, std::size_t n_columns) {
    std::vector<Column> columns(n_columns, Column{x.data, x.row_stride, x.type});
    for (std::size_t j = 0; j < n_columns && n_rows > 0; ++j) columns[j].data += static_cast<std::ptrdiff_t>(j) * x.column_stride;
    return columns;
}

// Class codes as they come; all must be below n_classes.
struct Codes {
    const char* data;
    Type type;  // u8, u16, i32
    std::size_t size;
    std::uint32_t n_classes;
};

// What is counted into: zeroed by the caller. starts[j] .. starts[j + 1] are column j's values; tables has starts[p] * n_classes
// cells, missing p * n_classes, bad p entries that are -1.
template <class Number>
struct Result {
    const std::int64_t* starts;
    Number* tables;
    Number* missing;
    std::int64_t* bad;
};
using Counts = Result<std::int64_t>;
using Weights = Result<double>;

bool codes_are_valid(const Codes& y);

void count_matrix(const Matrix& x, std::size_t n_columns, const Codes& y, bool minus_one_is_missing, const Counts& out,
                  std::size_t n_jobs);
void count_columns(const std::vector<Column>& columns, const Codes& y, bool minus_one_is_missing, const Counts& out,
                   std::size_t n_jobs);
void weigh_columns(const std::vector<Column>& columns, const Codes& y, const double* weights, bool minus_one_is_missing,
                   const Weights& out, std::size_t n_jobs);

// A compressed sparse matrix: by_row (CSR), lines are rows; else (CSC) lines are columns. Wide: indices are 64-bit.
struct Sparse {
    const char* data;
    Type type;
    const void* indices;
    const void* indptr;
    bool wide;
    bool by_row;
    std::size_t n_rows, n_columns, stored;
};

enum class Shape { canonical, unordered, broken };  // broken: points outside the matrix

// Of the result, tables need not be zeroed here: all of their cells are written, unless the matrix is broken.
Shape count_sparse(const Sparse& x, const Codes& y, const Counts& out, std::size_t n_jobs);
Shape weigh_sparse(const Sparse& x, const Codes& y, const double* weights, const Weights& out);
Shape sparse_maxima(const Sparse& x, std::int64_t* maxima);

}  // namespace misieve
