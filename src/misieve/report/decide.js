"use strict";
/* Read what was packed, and decide as misieve.decide does: from P(I > epsilon) at the places where the sliders can stand. */

const KINDS = { "<u2": Uint16Array, "<u4": Uint32Array, "<i4": Int32Array, "<f4": Float32Array, "<f8": Float64Array, "|u1": Uint8Array };

/** A JSON header and typed arrays, from base64 over zlib. */
async function unpack(packed) {
  const coded = atob(packed);
  const bytes = Uint8Array.from(coded, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = await new Response(stream).arrayBuffer();
  const length = new DataView(raw).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(raw, 4, length)));
  const state = { ...header.text };
  let start = 4 + length;
  for (const [name, kind, count] of header.arrays) {
    start += (8 - (start % 8)) % 8;
    state[name] = new KINDS[kind](raw, start, count);
    start += state[name].byteLength;
  }
  return prepare(state);
}

/** Add the differences of codes up, and list the probability and the normal quantile that each code stands for. */
function prepare(state) {
  const count = state.names.length;
  state.count = count;
  for (let i = count; i < state.codes.length; i++) state.codes[i] += state.codes[i - count];
  const { top, widest } = state;
  const step = (2 * widest) / (top - 2);
  const density = (z) => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
  state.quantile = Float64Array.from({ length: top + 1 }, (_, code) => -widest + (code - 1) * step);
  state.chance = new Float64Array(top + 1);
  // The normal distribution function by the trapezoid rule, whose error with such steps is below 1e-9; the rest by symmetry.
  state.chance[1] = state.floor;
  for (let code = 2; code <= top >> 1; code++)
    state.chance[code] = state.chance[code - 1] + (step / 2) * (density(state.quantile[code - 1]) + density(state.quantile[code]));
  for (let code = 1; code <= top >> 1; code++) state.chance[top - code] = 1 - state.chance[code];
  [state.quantile[0], state.quantile[top], state.chance[top]] = [-Infinity, Infinity, 1];
  return state;
}

/** P(I > epsilon) of a feature, with epsilon at one of its stops. */
function probability(state, feature, stop) {
  return state.chance[state.codes[stop * state.count + feature]];
}

/** Which features a rule keeps: a mask, and which of them only because at least so many were asked for. */
function decide(state, rule, stop, level) {
  const { count, chance } = state;
  // Where nothing was moved, Python's own decision stands.
  if (rule === state.rule && stop === state.stop && level === state.level) return { kept: state.kept, filled: state.filled };
  const codes = state.codes.subarray(stop * count, (stop + 1) * count);
  const sure = state.levels[level].value;
  const kept = new Uint8Array(count);
  if (rule === "forward") for (let i = 0; i < count; i++) kept[i] = chance[codes[i]] >= sure;
  else if (rule === "backward") for (let i = 0; i < count; i++) kept[i] = chance[codes[i]] > 1 - sure;
  else if (rule === "empirical") for (let i = 0; i < count; i++) kept[i] = state.plugin[i] > state.stops[stop].nats;
  else {
    let errors = 0;
    const order = byProbability(state, codes);
    for (let taken = 0; taken < count; taken++) {
      errors += 1 - chance[codes[order[taken]]];
      if (errors / (taken + 1) > 1 - sure) break;
      kept[order[taken]] = 1;
    }
  }
  return { kept, filled: fill(state, codes, kept) };
}

/** Features by falling probability, ties in the data's order. */
function byProbability(state, codes) {
  const keys = Float64Array.from(codes, (code, i) => (state.top - code) * state.count + i).sort();
  return Array.from(keys, (key) => key % state.count);
}

/** Keep the best of the others if fewer than asked for are kept: by probability, and by mean where that is next to nothing. */
function fill(state, codes, kept) {
  const filled = new Uint8Array(state.count);
  const lacking = Math.min(state.atLeast, state.count) - kept.reduce((sum, one) => sum + one, 0);
  if (lacking <= 0) return filled;
  const rest = [];
  for (let i = 0; i < state.count; i++) if (!kept[i]) rest.push(i);
  rest.sort((a, b) => codes[b] - codes[a] || state.mean[b] - state.mean[a] || a - b);
  for (const i of rest.slice(0, lacking)) filled[i] = kept[i] = 1;
  return filled;
}

/** Between the level and its complement neither side is sure. */
function undecided(state, feature, stop, level) {
  const sure = Math.max(state.levels[level].value, 1 - state.levels[level].value);
  const p = probability(state, feature, stop);
  return p > 1 - sure && p < sure;
}

/** Quantiles at 1 - level and level: as computed for the chosen level, for others between what is known. */
function interval(state, feature, level) {
  if (level === state.level) return [state.lower[feature], state.upper[feature]];
  const known = curve(state, feature);
  const z = state.levels[level].quantile;
  return [at(known, z), at(known, -z)];
}

/** Points of the posterior by falling normal quantile of P(I > x): [quantile, square root of x]. */
function curve(state, feature) {
  const points = [];
  for (let stop = 0; stop < state.stops.length; stop++)
    points.push([state.quantile[state.codes[stop * state.count + feature]], Math.sqrt(state.stops[stop].nats)]);
  const z = state.levels[state.level].quantile;
  for (const [quantile, x] of [[z, state.lower[feature]], [-z, state.upper[feature]]])
    if (x > 0) points.push([quantile, Math.sqrt(x)]);
  return points.sort((a, b) => a[1] - b[1] || b[0] - a[0]);
}

/** The x with P(I > x) at this normal quantile: a straight line between neighbours, or beyond the last two. */
function at(points, z) {
  const finite = points.filter((point) => Number.isFinite(point[0]));
  const below = points.filter((point) => point[0] === Infinity).at(-1)?.[1] ?? 0;
  const above = points.find((point) => point[0] === -Infinity)?.[1] ?? Infinity;
  if (!finite.length) return below ** 2;
  if (z >= finite[0][0] && finite[0][1] === 0) return 0;
  let i = finite.findIndex((point) => point[0] < z);
  if (i < 0) i = finite.length - 1;
  i = Math.max(i, 1);
  if (finite.length === 1) return finite[0][1] ** 2;
  const [a, b] = [finite[i - 1], finite[i]];
  const x = a[0] === b[0] ? b[1] : a[1] + ((a[0] - z) / (a[0] - b[0])) * (b[1] - a[1]);
  return Math.min(Math.max(x, below, 0), above) ** 2;
}

/** Three decimals, but never 1.000 or 0.000. */
function shown(p) {
  if (p > 0.9995) return "> 0.999";
  return p < 0.0005 ? "< 0.001" : `= ${p.toFixed(3)}`;
}

/** Why a feature is kept or not, in the words of Selection.reason. */
function reason(state, rule, stop, feature, filled) {
  const { reason: threshold } = state.stops[stop];
  let words = `P(MI > ${threshold}) ${shown(probability(state, feature, stop))}`;
  if (rule === "empirical") words = `plug-in MI = ${digits(state.plugin[feature])}, threshold ${threshold}`;
  if (state.fixed_of[feature] >= 0) words = state.fixed[state.fixed_of[feature]].reason;
  return filled ? `${words}, kept as one of the best` : words;
}

/** Three significant digits, as Python's format .3g has them. */
function digits(value, count = 3) {
  if (!Number.isFinite(value)) return "–";
  const [mantissa, exponent] = value.toExponential(count - 1).split("e");
  if (value === 0) return "0";
  if (exponent < -4 || exponent >= count) {
    const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${trimmed}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return String(Number(value.toPrecision(count)));
}

/** The verdict in one sentence. */
function sentence(state, rule, stop, level, kept) {
  const total = state.count;
  if (!total) return "There are no features.";
  if (!kept) return total > 1 ? `None of ${total.toLocaleString("en")} features is kept.` : "The only feature is not kept.";
  const many = total > 1 ? `${kept.toLocaleString("en")} of ${total.toLocaleString("en")} features ${kept === 1 ? "is" : "are"}` : "The only feature is";
  const words = { amount: state.stops[stop].amount, level: state.levels[level].text, rest: state.levels[level].rest };
  const why = state.phrases[rule].replace(/\{(\w+)\}/g, (_, name) => words[name]);
  return `${many} kept: ${kept === 1 ? why.replace("their ", "its ") : why}.`;
}
