// @ts-check
/** Curves in a coordinate system, as SVG: light grid, names written at the ends of the curves instead of in a key. */
import { distinctColours } from '@pelt/viewer/colour';
import { linearTicks, logTicks, tickText, toHex } from '@pelt/viewer/drawing';

/**
 * @typedef {import('../description.ts').PlotPanel} PlotPanel
 * @typedef {import('../description.ts').Axis} Axis
 * @typedef {{ ticks: number[], at: (value: number) => number }} Scale
 */

const NAMESPACE = 'http://www.w3.org/2000/svg';
const FONT = "12px 'Liberation Sans', Arial, Helvetica, sans-serif";
const LINE_HEIGHT = 15;
/** Part of an axis left free beyond the data. */
const PADDING = 0.04;

/**
 * @param {PlotPanel} panel
 * @param {number} width  CSS pixels
 * @param {number} height
 * @returns {SVGElement}
 */
export function drawPlot(panel, width, height) {
  const colours = distinctColours(panel.series.length, 'ink').map(toHex);
  const names = panel.series.length > 1 ? panel.series.map((series) => textWidth(series.name)) : [0];
  const box = { left: 58, right: width - 18 - Math.max(...names), top: 12, bottom: height - 42 };
  const x = makeScale(
    panel.x,
    panel.series.map((series) => series.x),
    box.left,
    box.right,
  );
  const y = makeScale(
    panel.y,
    panel.series.map((series) => series.y),
    box.bottom,
    box.top,
  );
  const svg = element('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'plot' });

  for (const value of y.ticks) {
    svg.append(element('line', { x1: box.left, x2: box.right, y1: y.at(value), y2: y.at(value), class: 'gridline' }));
    svg.append(text(tickText(value), { x: box.left - 8, y: y.at(value) + 4, 'text-anchor': 'end' }));
  }
  for (const value of x.ticks) {
    svg.append(
      element('line', { x1: x.at(value), x2: x.at(value), y1: box.bottom, y2: box.bottom + 5, class: 'axis' }),
    );
    svg.append(text(tickText(value), { x: x.at(value), y: box.bottom + 19, 'text-anchor': 'middle' }));
  }
  svg.append(element('line', { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: 'axis' }));
  svg.append(text(panel.x.label, { x: (box.left + box.right) / 2, y: height - 5, 'text-anchor': 'middle' }));
  const middle = (box.top + box.bottom) / 2;
  const turned = { x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})` };
  svg.append(text(panel.y.label, turned));

  panel.series.forEach((series, k) => {
    svg.append(...drawSeries(series, x, y, series.colour ?? colours[k]));
  });
  if (panel.series.length > 1) svg.append(...endNames(panel, colours, y, box));
  return svg;
}

/**
 * @param {import('../description.ts').Series} series
 * @param {Scale} x
 * @param {Scale} y
 * @param {string} colour
 */
function drawSeries({ x: xs, y: ys, mark = 'line', dashed }, x, y, colour) {
  const points = Array.from(xs, (value, k) => [x.at(value), y.at(ys[k])]).filter((point) =>
    point.every(Number.isFinite),
  );
  /** @type {SVGElement[]} */
  const marks = [];
  if (mark !== 'points') {
    const d = points.map(([px, py], k) => `${k === 0 ? 'M' : 'L'}${px.toFixed(2)} ${py.toFixed(2)}`).join('');
    marks.push(
      element('path', { d, stroke: colour, class: 'curve', ...(dashed ? { 'stroke-dasharray': '5 4' } : {}) }),
    );
  }
  if (mark !== 'line') marks.push(...points.map(([cx, cy]) => element('circle', { cx, cy, r: 3.2, fill: colour })));
  return marks;
}

/**
 * The names beside the last points, moved apart where they would cover each other.
 *
 * @param {PlotPanel} panel
 * @param {string[]} colours
 * @param {Scale} y
 * @param {{ right: number, top: number, bottom: number }} box
 */
function endNames(panel, colours, y, box) {
  const names = panel.series
    .map((series, k) => ({
      name: series.name,
      colour: series.colour ?? colours[k],
      at: y.at(series.y[series.y.length - 1]),
    }))
    .sort((a, b) => a.at - b.at);
  for (let k = 1; k < names.length; k++) names[k].at = Math.max(names[k].at, names[k - 1].at + LINE_HEIGHT);
  let limit = box.bottom;
  for (const name of names.toReversed()) {
    name.at = Math.min(name.at, limit);
    limit = name.at - LINE_HEIGHT;
  }
  return names.map(({ name, colour, at }) => text(name, { x: box.right + 8, y: at + 4, fill: colour, class: 'name' }));
}

/**
 * @param {Axis} axis
 * @param {readonly ArrayLike<number>[]} columns
 * @param {number} from  pixel of the smallest value
 * @param {number} to
 * @returns {Scale}
 */
function makeScale({ scale = 'linear', min, max }, columns, from, to) {
  const log = scale === 'log';
  const values = columns
    .flatMap((column) => Array.from(column))
    .filter((value) => Number.isFinite(value) && (!log || value > 0));
  let low = min ?? Math.min(...values);
  let high = max ?? Math.max(...values);
  if (!(high > low)) [low, high] = log ? [low / 2, low * 2] : [low - 0.5, low + 0.5];
  // A scale that nearly reaches zero may as well start there.
  if (min === undefined && !log && low > 0 && low < 0.4 * high) low = 0;
  const measure = log ? Math.log : (/** @type {number} */ value) => value;
  let [a, b] = [measure(low), measure(high)];
  const pad = PADDING * (b - a);
  if (max === undefined) b += pad;
  if (min === undefined && low !== 0) a -= pad;
  [low, high] = log ? [Math.exp(a), Math.exp(b)] : [a, b];
  return {
    ticks: log ? logTicks(low, high) : linearTicks(low, high, Math.abs(to - from) > 260 ? 6 : 4),
    at: (value) => from + ((measure(value) - a) / (b - a)) * (to - from),
  };
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
function element(name, attributes) {
  const made = /** @type {SVGElement} */ (document.createElementNS(NAMESPACE, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/**
 * @param {string} content
 * @param {Record<string, string | number>} attributes
 */
function text(content, attributes) {
  const made = element('text', attributes);
  made.textContent = content;
  return made;
}

/** @param {string} content */
function textWidth(content) {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 7 * content.length;
  context.font = FONT;
  return context.measureText(content).width;
}
