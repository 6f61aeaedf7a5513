"use strict";
/* The three pictures as Vega-Lite specifications. Colours are those of the style sheet, so that they follow light and dark. */

const LOOK = {
  background: "transparent",
  font: "system-ui, sans-serif",
  view: { stroke: null },
  axis: {
    labelColor: "var(--muted)", titleColor: "var(--muted)", gridColor: "var(--line)", domain: false, tickColor: "var(--line)",
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelPadding: 6, titlePadding: 8,
  },
  legend: { labelColor: "var(--ink)", titleColor: "var(--muted)", labelFontSize: 12, symbolSize: 90, title: null },
  text: { color: "var(--ink)", fontSize: 12 },
};

const PALETTE = Array.from({ length: 12 }, (_, i) => `var(--class-${i})`);

function spec(parts) {
  return { $schema: "https://vega.github.io/schema/vega-lite/v6.json", width: "container", autosize: { type: "fit-x", contains: "padding", resize: true }, config: LOOK, padding: 2, ...parts };
}

/** One row for each feature: quantiles at 1 - level and level, the mean, and epsilon as a line. */
function intervalSpec(axis) {
  const colour = {
    field: "verdict", type: "nominal",
    scale: { domain: ["kept", "left out"], range: ["var(--accent)", "var(--grey)"] },
    legend: { orient: "bottom", direction: "horizontal", symbolType: "circle" },
  };
  const y = { field: "key", type: "nominal", sort: null, title: null, axis: { labelLimit: 170, labelColor: "var(--ink)", ticks: false } };
  const x = { field: "low", type: "quantitative", title: axis, scale: { type: "sqrt", nice: true }, axis: { tickCount: 6, labelFlush: true } };
  // What could not be assessed has a note where others have a point.
  const opacity = { condition: { test: "datum.note", value: 0 }, value: 1 };
  const tooltip = [
    { field: "name", title: "feature" }, { field: "verdict", title: "verdict" }, { field: "meanText", title: "mean" },
    { field: "intervalText", title: "interval" }, { field: "chanceText", title: "P(MI > ε)" },
  ];
  return spec({
    data: { name: "rows" },
    encoding: { y },
    layer: [
      {
        mark: { type: "bar", cursor: "pointer", color: "var(--accent)", height: { band: 1 } },
        encoding: {
          x: { value: 0 }, x2: { value: "width" }, tooltip,
          opacity: { condition: { test: "datum.selected", value: 0.14 }, value: 0.001 },
        },
      },
      { mark: { type: "rule", strokeWidth: 4, strokeCap: "round", cursor: "pointer" }, encoding: { x, x2: { field: "high" }, color: colour, opacity, tooltip } },
      {
        mark: { type: "circle", size: 62, stroke: "var(--panel)", strokeWidth: 1.5, cursor: "pointer" },
        encoding: { x: { field: "mean", type: "quantitative" }, color: { ...colour }, opacity, tooltip },
      },
      {
        mark: { type: "text", align: "right", dx: -6, fontSize: 11, fontStyle: "italic", color: "var(--muted)", cursor: "pointer" },
        encoding: { x: { value: "width" }, text: { field: "note" }, tooltip },
      },
      {
        data: { name: "threshold" },
        mark: { type: "rule", strokeDash: [4, 3], strokeWidth: 1.5, color: "var(--ink)" },
        encoding: { x: { field: "x", type: "quantitative" }, y: null },
      },
      {
        data: { name: "threshold" },
        mark: { type: "text", dy: -8, baseline: "bottom", align: "center", fontWeight: 600 },
        encoding: { x: { field: "x", type: "quantitative" }, y: { value: 0 }, text: { field: "text" } },
      },
    ],
  });
}

/** The density of one posterior from `left` to `right`, the part beyond epsilon filled, and the point mass at 0 as a bar. */
function densitySpec(axis, { left, right }) {
  const scale = { domain: [{ expr: "left" }, { expr: "right" }], nice: false, zero: false };
  const x = { field: "x", type: "quantitative", title: axis, scale, axis: { grid: false, tickCount: 6 } };
  const y = { field: "y", type: "quantitative", scale: { domain: [0, 1.08] }, axis: null };
  return spec({
    params: [{ name: "left", value: left }, { name: "right", value: right }],
    layer: [
      { data: { name: "curve" }, mark: { type: "area", color: "var(--soft)" }, encoding: { x, y } },
      { data: { name: "beyond" }, mark: { type: "area", color: "var(--accent)", opacity: 0.85 }, encoding: { x, y } },
      { data: { name: "curve" }, mark: { type: "line", color: "var(--ink)", strokeWidth: 1.3 }, encoding: { x, y } },
      { data: { name: "atom" }, mark: { type: "rule", color: "var(--red)", strokeWidth: 6 }, encoding: { x, y: { ...y, field: "y0" }, y2: { field: "y" } } },
      { data: { name: "threshold" }, mark: { type: "rule", strokeDash: [4, 3], strokeWidth: 1.5, color: "var(--ink)" }, encoding: { x } },
      {
        data: { name: "threshold" },
        mark: { type: "text", align: { expr: "datum.right ? 'right' : 'left'" }, dx: { expr: "datum.right ? -5 : 5" }, baseline: "top", fontWeight: 600 },
        encoding: { x, y: { value: 0 }, text: { field: "text" } },
      },
    ],
  });
}

/** For all rows and for each value: the shares of the classes, side by side, and the overall shares as lines. */
function profileSpec(classes, columns) {
  return spec({
    data: { name: "shares" },
    layer: [
      {
        mark: { type: "bar", stroke: "var(--panel)", strokeWidth: 1, height: { band: 0.74 } },
        encoding: {
          y: { field: "value", type: "nominal", sort: null, title: null, axis: { labelLimit: 150, labelColor: "var(--ink)", ticks: false } },
          x: { field: "from", type: "quantitative", title: null, scale: { domain: [0, 1], nice: false }, axis: { format: ".0%", grid: false, tickCount: 5, labelFlush: true } },
          x2: { field: "to" },
          color: { field: "class", type: "nominal", scale: { domain: classes, range: PALETTE.slice(0, classes.length) }, legend: { orient: "top", symbolType: "square", labelLimit: 90, columns } },
          tooltip: [
            { field: "value", title: "value" }, { field: "class", title: "class" }, { field: "shareText", title: "share" },
            { field: "overallText", title: "among all rows" }, { field: "count", title: "rows" },
          ],
        },
      },
      {
        data: { name: "overall" },
        mark: { type: "rule", strokeDash: [3, 3], strokeWidth: 1.3, color: "var(--ink)" },
        encoding: { x: { field: "x", type: "quantitative" } },
      },
    ],
  });
}
