// Test-then-train as Python functions; see src/misieve/_core/twin_progressive.py for what they promise.
#include "bind_progressive.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "progressive.hpp"

namespace misieve {
namespace {

Rows rows_of(const Input<std::int64_t, 1>& starts, const Input<std::int32_t, 1>& features,
             const Input<std::int32_t, 1>& values, const Input<std::int32_t, 1>& classes) {
    return {starts.data(), features.data(), values.data(), classes.data()};
}

auto follow(Input<std::int32_t, 1> group, Input<std::int32_t, 3> keys, Input<std::int64_t, 1> totals, std::size_t r,
            Input<std::int64_t, 1> starts, Input<std::int32_t, 1> features, Input<std::int32_t, 1> values,
            Input<std::int32_t, 1> classes, Input<std::int64_t, 1> order, std::size_t batch) {
    const std::size_t width = keys.shape(1), s = keys.shape(2);
    std::vector<std::int32_t> groups(group.data(), group.data() + group.size());
    std::vector<std::int64_t> sums(totals.data(), totals.data() + s);
    Walk walk;
    {
        nb::gil_scoped_release unlocked;
        walk = walk_tables(groups.data(), groups.size(), keys.data(), keys.shape(0), width, sums.data(), r, s,
                                    rows_of(starts, features, values, classes), {order.data(), order.size(), batch});
    }
    const std::size_t size = walk.alive.size(), rounds = walk.starts.size(), moves = walk.moves.size(), all = groups.size();
    return std::make_tuple(
        give<std::int64_t, 3>(std::move(walk.tables), {size, r, s}), give<std::int64_t, 1>(std::move(walk.starts), {rounds}),
        give<std::int32_t, 1>(std::move(walk.alive), {size}), give<std::int32_t, 1>(std::move(walk.members), {size}),
        give<std::int32_t, 1>(std::move(walk.moves), {moves}),
        give<std::int32_t, 3>(std::move(walk.keys), {walk.groups, width, s}), give<std::int32_t, 1>(std::move(groups), {all}));
}

auto score(Input<std::int32_t, 1> group, Input<std::int64_t, 1> totals, std::size_t r, Input<std::int64_t, 1> starts,
            Input<std::int32_t, 1> features, Input<std::int32_t, 1> values, Input<std::int32_t, 1> classes,
            Input<std::int64_t, 1> order, std::size_t batch, Input<std::int64_t, 1> rounds, Input<std::int32_t, 1> alive,
            Input<std::int32_t, 1> members, Input<std::int32_t, 1> moves, Input<std::int32_t, 3> keys,
            Input<std::uint8_t, 1> kept, std::size_t rules, Input<double, 1> logs) {
    const std::size_t s = keys.shape(2), steps = rounds.size() - 1;
    std::vector<std::int32_t> groups(group.data(), group.data() + group.size());
    std::vector<std::int64_t> sums(totals.data(), totals.data() + s), used(steps * rules);
    std::vector<double> scores(order.size() * rules * s);
    {
        nb::gil_scoped_release unlocked;
        walk_scores(groups.data(),
                             {alive.data(), members.data(), moves.data(), keys.data(), rounds.data(), kept.data(), keys.shape(0),
                              keys.shape(1), rules, logs.data()},
                             sums.data(), r, s, rows_of(starts, features, values, classes), {order.data(), order.size(), batch},
                             scores.data(), used.data());
    }
    return std::make_pair(give<double, 3>(std::move(scores), {order.size(), rules, s}),
                          give<std::int64_t, 2>(std::move(used), {steps, rules}));
}

}  // namespace

void bind_progressive(nb::module_& m) {
    m.def("walk_tables", &follow, nb::arg("group"), nb::arg("keys"), nb::arg("totals"), nb::arg("r"), nb::arg("starts"),
          nb::arg("features"), nb::arg("values"), nb::arg("classes"), nb::arg("order"), nb::arg("batch"));
    m.def("walk_scores", &score, nb::arg("group"), nb::arg("totals"), nb::arg("r"), nb::arg("starts"), nb::arg("features"),
          nb::arg("values"), nb::arg("classes"), nb::arg("order"), nb::arg("batch"), nb::arg("rounds"), nb::arg("alive"),
          nb::arg("members"), nb::arg("moves"), nb::arg("keys"), nb::arg("kept"), nb::arg("rules"), nb::arg("logs"));
}

}  // namespace misieve
