// NumPy arrays in and out of the kernels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace nb = nanobind;

template <typename T, int Dimensions>
using Input = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
template <typename T, int Dimensions>
using Output = nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>>;

// A NumPy array that owns what the vector held.
template <typename T, int Dimensions>
inline Output<T, Dimensions> give(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Output<T, Dimensions>(kept->data(), shape, owner);
}

// The same of memory that was not zeroed, made by new[].
template <typename T, int Dimensions>
inline Output<T, Dimensions> give(std::unique_ptr<T[]>&& values, std::initializer_list<std::size_t> shape) {
    T* data = values.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Output<T, Dimensions>(data, shape, owner);
}
