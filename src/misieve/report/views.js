"use strict";
/* The table, the chart of intervals and the details of one feature, as elements of the page. Text is only ever set as text. */

/** The element with this id. */
function $(id) {
  return document.getElementById(id);
}

/** An element with properties and children. */
function element(tag, properties = {}, ...children) {
  const { dataset, ...rest } = properties;
  const made = Object.assign(document.createElement(tag), rest);
  Object.assign(made.dataset, dataset);
  made.append(...children);
  return made;
}

/** A probability in three decimals, with the words of reasons for what is next to 0 or 1. */
function chanceText(p) {
  return Number.isNaN(p) ? "–" : shown(p).replace("= ", "");
}

function whole(value) {
  return Number.isNaN(value) ? "–" : value.toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Mutual information in the unit of the page, in three digits; what is less than anyone would keep is not spelled out. */
function amount(state, nats) {
  const value = nats / state.scale;
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  if (Math.abs(value) < state.shown.least) return `< ${state.shown.least}`;
  return value < 1000 ? Number(value).toPrecision(3).replace(/e.*/, "") : whole(value);
}

function withSign(state, text) {
  return `${text} ${state.shown.sign}`;
}

function shortened(text, most = 60) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function nameOf(state, f) {
  return state.names[f] || "(no name)";
}

function verdictPill(kept) {
  return element("span", { className: kept ? "pill kept" : "pill" }, kept ? "✓ kept" : "left out");
}

/** What is said of a feature that could not be assessed: its reason, words, and its mean; else undefined. */
function unassessed(state, f) {
  return state.fixed[state.fixed_of[f]];
}

/** Which quantiles an interval has for its ends. */
function ends(state, now) {
  return `${state.levels[now.level].rest} to ${state.levels[now.level].text}`;
}

/** The sign of a feature that a caution names, with the caution's words; nothing for others. */
function cautionMark(state, f) {
  const said = state.cautioned.get(f);
  if (!said) return "";
  return element("span", { className: "caution", title: said.join("\n") }, " ⚠", element("span", { className: "hidden" }, "be careful"));
}

/** Words for shares above 100 %, where one of the features has them; else nothing. */
function aboveAll(state, now, features) {
  const above = (f) => !unassessed(state, f) && Math.max(interval(state, f, now.level)[1], state.mean[f], state.plugin[f]) / state.scale > 100;
  return state.shown.sign === "%" && features.some(above)
    ? "Shares above 100 % are no mistake: they are shares of the entropy seen in these rows, and the true entropy may be greater."
    : "";
}

function tableRow(state, now, f) {
  const [low, high] = interval(state, f, now.level);
  const nothing = unassessed(state, f);
  const name = element("button", { type: "button", className: "name feature", dataset: { feature: f }, title: shortened(state.names[f], 500) }, nameOf(state, f));
  const number = (name, text) => element("td", { className: `number ${name}` }, text);
  const row = element(
    "tr", { className: f === now.feature ? "selected" : "" },
    number("rank", whole(state.rank[f])),
    element("th", { scope: "row" }, name),
    element("td", {}, verdictPill(now.kept[f]), cautionMark(state, f), element("span", { className: "reason" }, reason(state, now.rule, now.stop, f, now.filled[f]))),
    number("mean", nothing ? nothing.mean : amount(state, state.mean[f])),
    number("interval", nothing ? "–" : `${amount(state, low)} to ${amount(state, high)}`),
    number("independence", nothing ? "–" : chanceText(state.independence[f])),
    number("values", whole(state.values[f])),
    number("missing", whole(state.missing[f])),
  );
  if (f === now.feature) name.setAttribute("aria-current", "true");
  return row;
}

/** Names for the rows of a picture: two features that look alike must not share a row. */
function keys(names) {
  const seen = new Map();
  return names.map((name) => {
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times ? `${name} (${times + 1})` : name;
  });
}

function intervalRows(state, now, features) {
  const unique = keys(features.map((f) => shortened(nameOf(state, f), 80)));
  return features.map((f, i) => {
    const [low, high] = interval(state, f, now.level);
    const row = {
      feature: f, key: `${state.cautioned.has(f) ? "⚠ " : ""}${unique[i]}`, name: unique[i],
      verdict: now.kept[f] ? "kept" : "left out", selected: f === now.feature, note: "",
    };
    const nothing = unassessed(state, f);
    if (nothing) return { ...row, low: 0, high: 0, mean: 0, note: nothing.reason, meanText: nothing.mean, intervalText: "–", chanceText: "–" };
    return {
      ...row, low: low / state.scale, high: high / state.scale, mean: state.mean[f] / state.scale,
      meanText: withSign(state, amount(state, state.mean[f])),
      intervalText: `${withSign(state, `${amount(state, low)} to ${amount(state, high)}`)} (${ends(state, now)} quantiles)`,
      chanceText: chanceText(probability(state, f, now.stop)),
    };
  });
}

/** Points of a density, x in the unit of the page; null where the feature has no details, or no density. */
function density(state, detail) {
  const points = state.points;
  const [left, right] = [state.detail_left[detail] / state.scale, state.detail_right[detail] / state.scale];
  if (!(right > left)) return null;
  const heights = state.detail_density.subarray(detail * points, (detail + 1) * points);
  // The bar at 0 is to the curve as independence is to the rest.
  const atom = state.independence[state.detail_place[detail]];
  const tallest = Math.max(atom, 1 - atom);
  const rest = (1 - atom) / tallest;
  const curve = Array.from(heights, (height, i) => ({ x: left + ((i + 0.5) / points) * (right - left), y: (rest * height) / 65535 }));
  return { left, right, bar: atom / tallest, curve: [{ x: left, y: curve[0].y }, ...curve, { x: right, y: curve.at(-1).y }] };
}

/** The part of a curve beyond x. */
function beyond(curve, x) {
  const first = curve.findIndex((point) => point.x >= x);
  if (first <= 0) return first === 0 ? curve : [];
  const [a, b] = [curve[first - 1], curve[first]];
  const y = a.y + ((x - a.x) / (b.x - a.x || 1)) * (b.y - a.y);
  return [{ x, y }, ...curve.slice(first)];
}

/** The table of a feature: labels, counts by value and class, rows in which it is missing, rows without a class. */
function contingency(state, detail) {
  const s = state.classes.length;
  const [from, to] = [state.detail_start[detail], state.detail_start[detail + 1]];
  return {
    labels: state.labels[state.detail_pool[detail]],
    counts: Array.from({ length: to - from }, (_, i) => Array.from(state.detail_counts.subarray((from + i) * s, (from + i + 1) * s))),
    absent: Array.from(state.detail_absent.subarray(detail * s, (detail + 1) * s)),
    unlabelled: Array.from(state.detail_unlabelled.subarray(from, to)),
  };
}

function sum(values) {
  return values.reduce((a, b) => a + b, 0);
}

/** A share in two digits, but 100 % only for all. */
function percent(part, all) {
  if (!(all > 0)) return "–";
  const value = (100 * part) / all;
  return `${value > 99.5 && part < all ? Math.floor(10 * value) / 10 : Number(value.toPrecision(2))} %`;
}

/** Bars for the profile: all rows first, then each value. */
function profileRows(state, table) {
  const overall = Array.from(state.detail_overall);
  const labels = keys(["all rows", ...table.labels.map((label) => shortened(label, 40))]);
  const rows = [];
  [overall, ...table.counts].forEach((counts, i) => {
    const total = sum(counts);
    let from = 0;
    counts.forEach((count, j) => {
      const share = total > 0 ? count / total : 0;
      rows.push({
        value: labels[i], class: state.classKeys[j], from, to: from + share, count: whole(count),
        shareText: percent(count, total), overallText: percent(overall[j], sum(overall)),
      });
      from += share;
    });
  });
  let reached = 0;
  const lines = overall.slice(0, -1).map((count) => ({ x: (reached += count / (sum(overall) || 1)) }));
  return { rows, lines };
}

function countsTable(state, table) {
  const unlabelled = sum(table.unlabelled) > 0;
  const number = (text, note = "") => element("td", { className: "number" }, text, note && element("small", {}, note));
  const head = ["value", ...state.classes, "all", ...(unlabelled ? ["no class"] : [])];
  const body = table.counts.map((counts, i) =>
    element("tr", {}, element("th", { scope: "row", className: "name" }, table.labels[i]),
      ...counts.map((count) => number(whole(count), percent(count, sum(counts)))),
      number(whole(sum(counts))), ...(unlabelled ? [number(whole(table.unlabelled[i]))] : [])));
  const line = (label, counts, className) =>
    element("tr", { className }, element("th", { scope: "row" }, label),
      ...counts.map((count) => number(whole(count), percent(count, sum(counts)))),
      number(whole(sum(counts))), ...(unlabelled ? [number("")] : []));
  if (sum(table.absent) > 0) body.push(line("missing", table.absent, "missing"));
  body.push(line("all rows", Array.from(state.detail_overall), "total"));
  return element(
    "table", { className: "plain counts" },
    element("caption", {}, "Rows by value and class, and the share of each class among the rows of the value"),
    element("thead", {}, element("tr", {}, ...head.map((text, i) => element("th", { scope: "col", className: i ? "number name" : "name" }, text)))),
    element("tbody", {}, ...body),
  );
}

/** What is known of a feature, as pairs. */
function featureFacts(state, now, f) {
  const [low, high] = interval(state, f, now.level);
  const mean = amount(state, state.mean[f]);
  const nothing = unassessed(state, f);
  const told = nothing ? [["Mutual information", nothing.mean === "0" ? "0" : "not assessed"]] : [
    ["Mutual information", withSign(state, mean.startsWith("<") ? mean : `${mean} ± ${amount(state, state.sd[f])}`)],
    [`Quantiles, ${ends(state, now)}`, withSign(state, `${amount(state, low)} to ${amount(state, high)}`)],
    [`P(MI > ${state.stops[now.stop].text})`, chanceText(probability(state, f, now.stop))],
    ["P(independent)", chanceText(state.independence[f])],
    ["Plug-in estimate", withSign(state, amount(state, state.plugin[f]))],
  ];
  return [
    ...told,
    ["Taken as", state.types[state.type[f]]],
    ["Values", whole(state.values[f])],
    ["Rows seen", whole(state.seen[f])],
    ["Rows missing", whole(state.missing[f])],
  ];
}
