// The one place where C++ meets Python: shapes and ranges are checked by the caller, the lock is released around every kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "distinct.hpp"
#include "mdl.hpp"
#include "moments.hpp"
#include "sums.hpp"

#include "arrays.hpp"
#include "bind_count.hpp"
#include "bind_progressive.hpp"

namespace nb = nanobind;

static std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
    return "msvc " + std::to_string(_MSC_VER);
#else
    return "unknown";
#endif
}

using Doubles = Input<double, 1>;

static auto product_difference(Doubles a, Doubles b, Doubles c, Doubles d) {
    std::vector<double> out(a.size());
    {
        nb::gil_scoped_release unlocked;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = misieve::product_difference(a.data()[i], b.data()[i], c.data()[i], d.data()[i]);
    }
    const std::size_t size = out.size();
    return give<double, 1>(std::move(out), {size});
}

static auto overlap_sum(Doubles a, Doubles p, Doubles q) {
    std::vector<double> out(a.size());
    {
        nb::gil_scoped_release unlocked;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = misieve::overlap_sum(a.data()[i], p.data()[i], q.data()[i]);
    }
    const std::size_t size = out.size();
    return give<double, 1>(std::move(out), {size});
}

static auto tabled_moments(Input<std::int64_t, 3> counts, Input<double, 2> cells, Input<double, 2> rows, Input<double, 2> columns,
                           Input<double, 2> total, double offset, bool exact) {
    const std::size_t k = counts.shape(0), r = counts.shape(1), s = counts.shape(2);
    const auto functions = [](const Input<double, 2>& rows) { return misieve::Functions(rows.data(), rows.shape(1)); };
    const misieve::LookUp look_up{functions(cells), functions(rows), functions(columns), functions(total), offset};
    std::vector<double> out(k * misieve::moment_count);
    {
        nb::gil_scoped_release unlocked;
        misieve::tabled_moments(counts.data(), k, r, s, look_up, exact, out.data());
    }
    return give<double, 2>(std::move(out), {k, misieve::moment_count});
}

static auto distinct_rows(Input<std::int64_t, 2> rows) {
    const std::size_t size = rows.shape(0);
    std::unique_ptr<std::int64_t[]> inverse(new std::int64_t[size]);
    std::vector<std::int64_t> firsts;
    {
        nb::gil_scoped_release unlocked;
        firsts = misieve::distinct_rows(rows.data(), size, rows.shape(1), inverse.get());
    }
    const std::size_t found = firsts.size();
    return std::make_pair(give<std::int64_t, 1>(std::move(firsts), {found}), give<std::int64_t, 1>(std::move(inverse), {size}));
}

template <typename Real>
static std::vector<std::vector<double>> mdl_cuts(nb::ndarray<const Real, nb::ndim<2>, nb::device::cpu> x,
                                                 nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig> classes,
                                                 nb::ndarray<const double, nb::ndim<1>, nb::c_contig> weights,
                                                 std::size_t k, bool test, std::size_t max_bins, std::size_t threads) {
    if (classes.shape(0) != x.shape(0) || (weights.shape(0) != 0 && weights.shape(0) != x.shape(0)))
        throw std::invalid_argument("classes and weights must have one entry for each row of x");
    const misieve::Matrix<Real> matrix{x.data(), x.shape(0), x.shape(1), x.stride(0), x.stride(1)};
    nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < classes.shape(0); ++i)
        if (classes.data()[i] >= k) throw std::invalid_argument("classes must be below k");
    return misieve::mdl_cuts(matrix, classes.data(), weights.shape(0) == 0 ? nullptr : weights.data(), k, {test, max_bins},
                             threads);
}

template <typename Index>
static auto sum_ones(Input<Index, 1> indices, Input<Index, 1> indptr, Input<double, 2> table, std::int64_t n_jobs) {
    if (indptr.size() == 0) throw std::invalid_argument("indptr must rise from 0 to the number of stored entries");
    const std::size_t rows = indptr.size() - 1, s = table.shape(1);
    const misieve::Pattern<Index> x{indices.data(), indptr.data(), rows, table.shape(0), indices.size()};
    std::vector<double> out(rows * s);
    bool sound;
    {
        nb::gil_scoped_release unlocked;
        sound = misieve::sum_ones(x, table.data(), s, n_jobs < 1 ? 1 : static_cast<std::size_t>(n_jobs), out.data());
    }
    if (!sound)
        throw std::invalid_argument(
            "sparse indices must lie inside the matrix, and indptr must rise from 0 to the number of stored entries");
    return give<double, 2>(std::move(out), {rows, s});
}

NB_MODULE(_native, m) {
    m.doc() = "Compiled kernels of misieve; each has a readable twin in misieve._core.twin.";
    m.def("compiler", &compiler);
    m.def("product_difference", &product_difference, nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"));
    m.def("overlap_sum", &overlap_sum, nb::arg("a"), nb::arg("p"), nb::arg("q"));
    m.def("tabled_moments", &tabled_moments, nb::arg("counts"), nb::arg("cells"), nb::arg("rows"), nb::arg("columns"),
          nb::arg("total"), nb::arg("offset"), nb::arg("exact"));
    m.def("distinct_rows", &distinct_rows, nb::arg("rows"));
    constexpr auto mdl_doc = "Cuts of every column of x (n, p) by Fayyad and Irani's method; weights may be empty.";
    m.def("mdl_cuts", &mdl_cuts<double>, nb::arg("x").noconvert(), nb::arg("classes"), nb::arg("weights"), nb::arg("k"),
          nb::arg("test"), nb::arg("max_bins"), nb::arg("threads"), mdl_doc);
    m.def("mdl_cuts", &mdl_cuts<float>, nb::arg("x").noconvert(), nb::arg("classes"), nb::arg("weights"), nb::arg("k"),
          nb::arg("test"), nb::arg("max_bins"), nb::arg("threads"), mdl_doc);
    constexpr auto sums_doc = "See misieve._core.twin_sums.";
    m.def("sum_ones", &sum_ones<std::int32_t>, nb::arg("indices").noconvert(), nb::arg("indptr").noconvert(), nb::arg("table"),
          nb::arg("n_jobs") = 1, sums_doc);
    m.def("sum_ones", &sum_ones<std::int64_t>, nb::arg("indices").noconvert(), nb::arg("indptr").noconvert(), nb::arg("table"),
          nb::arg("n_jobs") = 1, sums_doc);
    misieve::bind_counting(m);
    misieve::bind_progressive(m);
}
