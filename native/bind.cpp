// The one place where C++ meets Python: shapes are checked by the caller, the lock is released around every kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "mdl.hpp"

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

NB_MODULE(_native, m) {
    m.doc() = "Compiled kernels of misieve; each has a readable twin in misieve._core.twin.";
    m.def("compiler", &compiler, "Name and version of the compiler that built this module.");
    constexpr auto mdl_doc = "Cuts of every column of x (n, p) by Fayyad and Irani's method; weights may be empty.";
    m.def("mdl_cuts", &mdl_cuts<double>, nb::arg("x").noconvert(), nb::arg("classes"), nb::arg("weights"), nb::arg("k"),
          nb::arg("test"), nb::arg("max_bins"), nb::arg("threads"), mdl_doc);
    m.def("mdl_cuts", &mdl_cuts<float>, nb::arg("x").noconvert(), nb::arg("classes"), nb::arg("weights"), nb::arg("k"),
          nb::arg("test"), nb::arg("max_bins"), nb::arg("threads"), mdl_doc);
}
