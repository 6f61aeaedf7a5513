#pragma once
#include <nanobind/nanobind.h>

namespace misieve {
void bind_counting(nanobind::module_& m);
}
