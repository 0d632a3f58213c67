// @ts-check
/** The page: lays a figure's panels out, draws each, and puts titles, legends and the caption around them. */
import { decodeScene } from '@pelt/jobs/view';
import { pointsOf, Stage } from '@pelt/viewer/drawing';
import { drawLegend, legendKey } from './legend.mjs';
import { drawPlot } from './plot.mjs';
import { drawScene } from './scene.mjs';

/**
 * @typedef {import('../description.ts').Figure} Figure
 * @typedef {import('../description.ts').Panel} Panel
 * @typedef {import('../description.ts').Heat} Heat
 */

const WIDTH = 800;
const PANEL_HEIGHT = 300;
const SAMPLES = 48;
const PADDING = 18;
const GAP = 14;
const LEGEND_WIDTH = 260;

const stage = new Stage();

/** @param {string} url */
async function renderFigure(url) {
  const response = await fetch(url);
  /** @type {Figure} */
  const figure = decodeScene(await response.arrayBuffer());
  const target = /** @type {HTMLElement} */ (document.getElementById('figure'));
  target.replaceChildren(...layOut(figure));
  target.style.width = `${figure.width ?? WIDTH}px`;
  target.style.padding = `${PADDING}px`;
  await document.fonts.ready;
}

/** @param {Figure} figure */
function layOut(figure) {
  const columns = figure.columns ?? figure.panels.length;
  const inside = (figure.width ?? WIDTH) - 2 * PADDING;
  const size = {
    width: Math.floor((inside - (columns - 1) * GAP) / columns),
    height: figure.panelHeight ?? PANEL_HEIGHT,
    samples: figure.samples ?? SAMPLES,
  };
  const scenes = figure.panels.filter((panel) => panel.kind === 'scene');
  const shared = (figure.sameView ?? true) ? pointsOf(scenes.flatMap(({ items }) => items)) : undefined;
  const legends = new Map(figure.panels.flatMap(heatsOf).map((heat) => [legendKey(heat), heat]));

  const grid = block('panels');
  grid.style.gridTemplateColumns = `repeat(${columns}, ${size.width}px)`;
  grid.style.gap = `${GAP}px`;
  for (const panel of figure.panels) {
    const cell = block('panel');
    if (panel.title) cell.append(block('panel-title', panel.title));
    if (panel.kind === 'plot') cell.append(drawPlot(panel, size.width, size.height));
    else cell.append(drawScene(panel, shared ?? pointsOf(panel.items), stage, size));
    if (legends.size > 1) {
      for (const heat of heatsOf(panel)) cell.append(drawLegend(heat, Math.min(LEGEND_WIDTH, size.width - 40)));
    }
    if (panel.note) cell.append(block('note', panel.note));
    grid.append(cell);
  }
  /** @type {HTMLElement[]} */
  const parts = [grid];
  if (figure.title) parts.unshift(block('title', figure.title));
  if (legends.size === 1) for (const heat of legends.values()) parts.push(drawLegend(heat, LEGEND_WIDTH));
  if (figure.caption) parts.push(block('caption', figure.caption));
  return parts;
}

/**
 * @param {Panel} panel
 * @returns {Heat[]}
 */
function heatsOf(panel) {
  if (panel.kind !== 'scene') return [];
  return panel.items.flatMap((item) => (item.kind === 'mesh' && item.heat ? [item.heat] : []));
}

/**
 * @param {string} className
 * @param {string} [content]
 */
function block(className, content) {
  const made = document.createElement('div');
  made.className = className;
  if (content !== undefined) made.textContent = content;
  return made;
}

Object.assign(window, { renderFigure });
