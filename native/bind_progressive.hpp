#pragma once
#include <nanobind/nanobind.h>

namespace misieve {
void bind_progressive(nanobind::module_& m);
}
