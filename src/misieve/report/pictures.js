"use strict";
/* The charts on the page: each is made once, and then shown other data. */

const views = {};

/** Show data in a chart, which is made when first needed. */
async function draw(id, make, latest, prepare = () => {}) {
  const before = views[id];
  if (before) {
    before.latest = latest;
    if (before.view) await refresh(before);
    return;
  }
  const mine = (views[id] = { latest });
  const { view } = await vegaEmbed($(id).firstElementChild, { ...make(), height: latest.height, datasets: latest.data }, { actions: false, renderer: "svg" });
  mine.view = view;
  prepare(view);
  await refresh(mine);
}

/** What came last, in case it came while the chart was being made. */
async function refresh({ view, latest }) {
  for (const [name, values] of Object.entries(latest.data)) view.data(name, values);
  for (const [name, value] of Object.entries(latest.signals ?? {})) view.signal(name, value);
  await view.height(latest.height).runAsync();
}

/** The chart of some features; `choose` is called with the one that is clicked on. */
async function showIntervals(state, now, features, choose) {
  const rows = intervalRows(state, now, features);
  const threshold = [{ x: state.stops[now.stop].nats / state.scale, text: `ε = ${state.stops[now.stop].text}` }];
  $("intervals").hidden = $("intervals-note").hidden = !rows.length;
  if (!rows.length) return;
  $("intervals").setAttribute("aria-label",
    `Mean and interval of the mutual information of ${rows.length} features against epsilon, ${state.stops[now.stop].text}: ` +
    `${rows.filter((row) => row.verdict === "kept").length} of them are kept. The table below has the same numbers.`);
  const { rest, text } = state.levels[now.level];
  $("intervals-note").textContent =
    `Lines from the quantile at ${rest} to that at ${text}, points at the mean. ` +
    (now.level === state.level ? "" : "At other levels than the first one, quantiles are interpolated. ") + `${state.shown.words} ${aboveAll(state, now, features)} Choose a feature for its details.`;
  const latest = { height: 23 * rows.length, data: { rows, threshold } };
  await draw("intervals", () => intervalSpec(state.shown.axis), latest, (view) => {
    view.addEventListener("click", (event, item) => item?.datum?.feature !== undefined && choose(item.datum.feature));
  });
}

/** The density of a feature, or why there is none. */
async function showDensity(state, now, f, detail) {
  const found = density(state, detail);
  const { text, nats } = state.stops[now.stop];
  const x = nats / state.scale;
  $("density").hidden = !found;
  if (!found) {
    $("density-note").textContent = unassessed(state, f)?.words ?? "It is independent of the target for certain: there is no density to draw.";
    return;
  }
  const width = found.right - found.left;
  // Epsilon is part of the picture where it is near; so is 0, if some probability sits there.
  const atom = state.independence[f];
  const near = x >= found.left - width && x <= found.right + width;
  const left = Math.max(Math.min(found.left, near ? x - 0.04 * width : found.left, atom > 0.0005 ? 0 : found.left), 0);
  const right = Math.max(found.right, near ? x + 0.25 * width : found.right);
  const notes = [`P(MI > ${text}) ${shown(probability(state, f, now.stop))}${near ? ", the filled part" : ""}.`];
  if (atom > 0.0005) notes.push(`P(independent) ${shown(atom)}: the red bar at 0.`);
  if (!near) notes.push(`ε = ${text} is ${x < found.left ? "left" : "right"} of the picture.`);
  $("density-note").textContent = notes.join(" ");
  $("density").setAttribute("aria-label", `Density of the posterior of the mutual information of ${shortened(state.names[f])}. ${notes.join(" ")}`);
  const data = {
    curve: found.curve,
    beyond: beyond(found.curve, x),
    atom: atom > 0.0005 ? [{ x: left, y0: 0, y: found.bar }] : [],
    threshold: near ? [{ x, text: `ε = ${text}`, right: x > (left + right) / 2 }] : [],
  };
  await draw("density", () => densitySpec(state.shown.axis, { left, right }), { height: 150, data, signals: { left, right } });
}

/** The class profile of a feature. */
async function showProfile(state, f, table) {
  const { rows, lines } = profileRows(state, table);
  $("profile-part").hidden = !table.counts.length;
  $("profile").setAttribute("aria-label",
    `Share of each class among the rows of each value of ${shortened(state.names[f])}, and among all rows. The table of counts has the same shares.`);
  if (table.counts.length) {
    const latest = { height: 24 * (table.counts.length + 1), data: { shares: rows, overall: lines } };
    await draw("profile", () => profileSpec(state.classKeys, Math.max(Math.floor($("profile").clientWidth / 125), 2)), latest);
  }
}
