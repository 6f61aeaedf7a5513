"use strict";
/* The page at work: what the controls say goes into `now`, and everything that depends on it is shown again. */

(async function main() {
  const state = await unpack($("data").textContent);
  $("data").remove();
  state.points = state.detail_place.length ? state.detail_density.length / state.detail_place.length : 0;
  state.detail_start = [0];
  for (const rows of state.detail_rows) state.detail_start.push(state.detail_start.at(-1) + rows);
  state.detailOf = new Map(Array.from(state.detail_place, (place, i) => [place, i]));
  state.classKeys = keys(state.classes.map((name) => shortened(name, 40)));
  state.cautioned = new Map();
  const placed = new Map(state.names.map((name, f) => [name, f]));
  for (const { text, features } of state.cautions)
    for (const f of features.map((name) => placed.get(name))) state.cautioned.set(f, [...(state.cautioned.get(f) ?? []), text]);
  const lowered = state.names.map((name) => name.toLowerCase());

  const now = {
    rule: state.rule, stop: state.stop, level: state.level, search: "", filter: "all", sort: "rank", page: 0, size: 25, feature: -1,
  };
  let pictured; // the detail whose profile and counts are shown

  function redecide() {
    Object.assign(now, decide(state, now.rule, now.stop, now.level));
    now.count = sum(now.kept);
    let open = 0;
    for (let f = 0; f < state.count; f++) open += undecided(state, f, now.stop, now.level);
    const stop = state.stops[now.stop], level = state.levels[now.level];
    $("sentence").textContent = sentence(state, now.rule, now.stop, now.level, now.count);
    $("count-kept").textContent = whole(now.count);
    $("count-dropped").textContent = whole(state.count - now.count);
    $("count-undecided").textContent = whole(open);
    $("undecided-note").textContent = `not ${digits(100 * Math.max(level.value, 1 - level.value))} % sure either way`;
    $("ends").textContent = ends(state, now);
    $("now").textContent = `${whole(now.count)} of ${whole(state.count)} kept`;
    $("epsilon-text").textContent = stop.text;
    $("level-text").textContent = now.rule === "fdr" ? level.rest : level.text;
    $("level-label").textContent = { fdr: "False discoveries at most", empirical: "Intervals shown at" }[now.rule] ?? "Sure to";
    $("epsilon").value = now.stop;
    $("level").value = now.level;
    $("rule").value = now.rule;
    $("epsilon").setAttribute("aria-valuetext", stop.amount);
    $("level").setAttribute("aria-valuetext", $("level-text").textContent);
    $("reset").disabled = now.rule === state.rule && now.stop === state.stop && now.level === state.level;
    again(stop, level);
  }

  function again(stop, level) {
    $("options").textContent = `--rule ${now.rule} --epsilon ${stop.value} --unit ${state.unit} --level ${level.value}`;
    $("call").textContent = `misieve.select(tables, rule="${now.rule}", epsilon=${stop.value}, unit="${state.unit}", level=${level.value}${state.others})${state.enough}`;
    $("names").textContent = state.names.filter((_, f) => now.kept[f]).join("\n");
  }

  /** Positions of the features that search and filter leave, in order. */
  function listed() {
    const wanted = now.search.toLowerCase();
    const keep = {
      all: () => true, kept: (f) => now.kept[f], dropped: (f) => !now.kept[f],
      undecided: (f) => undecided(state, f, now.stop, now.level),
    }[now.filter];
    const found = [];
    for (let f = 0; f < state.count; f++) if (keep(f) && (!wanted || lowered[f].includes(wanted))) found.push(f);
    const chance = (f) => state.codes[now.stop * state.count + f];
    const order = {
      data: null,
      rank: (a, b) => state.rank[a] - state.rank[b],
      probability: (a, b) => chance(b) - chance(a) || state.rank[a] - state.rank[b],
      name: (a, b) => (lowered[a] < lowered[b] ? -1 : lowered[a] > lowered[b] ? 1 : a - b),
      missing: (a, b) => (state.missing[b] || 0) - (state.missing[a] || 0) || state.rank[a] - state.rank[b],
      values: (a, b) => state.values[b] - state.values[a] || state.rank[a] - state.rank[b],
    }[now.sort];
    return order ? found.sort(order) : found;
  }

  function show() {
    const found = listed();
    const pages = Math.max(Math.ceil(found.length / now.size), 1);
    now.page = Math.min(Math.max(now.page, 0), pages - 1);
    const features = found.slice(now.page * now.size, (now.page + 1) * now.size);
    const focused = document.activeElement?.dataset?.feature;
    $("table").tBodies[0].replaceChildren(...features.map((f) => tableRow(state, now, f)));
    if (focused !== undefined) $("table").querySelector(`[data-feature="${focused}"]`)?.focus({ preventScroll: true });
    $("table").dataset.sort = now.sort;
    $("page-text").textContent = `page ${whole(now.page + 1)} of ${whole(pages)}`;
    $("previous").disabled = now.page === 0;
    $("next").disabled = now.page >= pages - 1;
    const first = now.page * now.size + 1;
    $("range").textContent = found.length
      ? `${whole(first)} to ${whole(first + features.length - 1)} of ${whole(found.length)}${found.length < state.count ? ` found, of ${whole(state.count)} in all` : ""}`
      : "No feature is like that.";
    showIntervals(state, now, features, choose);
  }

  function showDetail() {
    const f = now.feature;
    $("detail").hidden = f < 0;
    if (f < 0) return;
    $("detail-name").textContent = nameOf(state, f);
    $("detail-verdict").replaceChildren(verdictPill(now.kept[f]), ` ${reason(state, now.rule, now.stop, f, now.filled[f])}`);
    $("detail-facts").replaceChildren(
      ...featureFacts(state, now, f).map(([label, text]) => element("div", {}, element("dt", {}, label), element("dd", {}, text))));
    $("detail-cautions").replaceChildren(...(state.cautioned.get(f) ?? []).map((text) => element("p", { className: "caution-text" }, `⚠ ${text}`)));
    $("detail-above").textContent = aboveAll(state, now, [f]);
    const detail = state.detailOf.get(f);
    $("detail-more").hidden = detail === undefined;
    $("detail-none").textContent =
      state.detail_place.length < state.count
        ? `Density, profile and counts are in this file for ${whole(state.detail_place.length)} of ${whole(state.count)} features: those that were kept, ` +
          "undecided or warned about, then those of the greatest mean. " + (detail === undefined ? "This feature is not among them: tables[name] has its counts in Python." : "")
        : "";
    if (detail === undefined) return;
    showDensity(state, now, f, detail);
    if (pictured === detail) return; // what follows does not depend on the controls
    pictured = detail;
    const table = contingency(state, detail);
    $("counts").replaceChildren(countsTable(state, table));
    showProfile(state, f, table);
  }

  function choose(f, move = true) {
    now.feature = f;
    show();
    showDetail();
    if (move && !matchMedia("(min-width: 68rem)").matches) {
      $("detail").scrollIntoView({ block: "start" });
      $("detail-name").focus({ preventScroll: true });
    }
  }

  function changed() {
    redecide();
    show();
    showDetail();
  }

  function listen() {
    let waiting = 0;
    const soon = () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(changed);
    };
    for (const [id, key] of [["epsilon", "stop"], ["level", "level"]])
      $(id).addEventListener("input", (event) => { now[key] = Number(event.target.value); soon(); });
    $("rule").addEventListener("change", (event) => { now.rule = event.target.value; changed(); });
    $("reset").addEventListener("click", () => {
      Object.assign(now, { rule: state.rule, stop: state.stop, level: state.level });
      changed();
      $("epsilon").focus();
    });
    $("search").addEventListener("input", (event) => { Object.assign(now, { search: event.target.value, page: 0 }); show(); });
    for (const id of ["filter", "sort"])
      $(id).addEventListener("change", (event) => { Object.assign(now, { [id]: event.target.value, page: 0 }); show(); });
    $("size").addEventListener("change", (event) => { Object.assign(now, { size: Number(event.target.value), page: 0 }); show(); });
    $("previous").addEventListener("click", () => { now.page--; show(); });
    $("next").addEventListener("click", () => { now.page++; show(); });
    const body = $("table").tBodies[0];
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) choose(Number(row.querySelector("button").dataset.feature));
    });
    body.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const buttons = [...body.querySelectorAll("button")];
      const next = buttons[buttons.indexOf(event.target) + step];
      if (next) { next.focus(); choose(Number(next.dataset.feature), false); }
    });
  }

  async function copy(button) {
    const source = $(button.dataset.of);
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      getSelection().selectAllChildren(source);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  function theme() {
    const root = document.documentElement, button = $("theme");
    const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const label = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} colours`); };
    button.hidden = false;
    button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
  }

  theme();
  $("unit").textContent = state.shown.sign;
  $("epsilon").max = state.stops.length - 1;
  $("level").max = state.levels.length - 1;
  $("controls").hidden = $("features").hidden = !state.count;
  $("again-now").hidden = !state.count;
  $("kept-names").open = false;
  if (state.count) {
    listen();
    redecide();
    choose(listed()[0], false);
  }
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  document.documentElement.dataset.ready = "true";
})().catch((error) => {
  $("broken").hidden = false;
  throw error;
});
