// The one place where C++ meets Python: shapes are checked by the caller, the lock is released around every kernel.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bind_count.hpp"

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

NB_MODULE(_native, m) {
    m.doc() = "Compiled kernels of misieve; each has a readable twin in misieve._core.twin.";
    m.def("compiler", &compiler, "Name and version of the compiler that built this module.");
    misieve::bind_counting(m);
}
