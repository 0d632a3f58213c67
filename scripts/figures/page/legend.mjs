// @ts-check
/** The legend of a heat map: the colours, round numbers under them, and what they measure. */
import { linearTicks, mapColour, tickText, toHex } from '@pelt/viewer/drawing';

/** @typedef {import('../description.ts').Heat} Heat */

/**
 * Legends that would say the same are one.
 *
 * @param {Heat} heat
 */
export function legendKey({ name, unit, min, max, map }) {
  return JSON.stringify([name, unit, min, max, map]);
}

/**
 * @param {Heat} heat
 * @param {number} width  CSS pixels of the bar
 * @returns {HTMLElement}
 */
export function drawLegend({ name, unit, min, max, map = 'heat' }, width) {
  const stops = Array.from({ length: 33 }, (_, k) => `${toHex(mapColour(map, k / 32))} ${(100 * k) / 32}%`);
  const legend = document.createElement('div');
  legend.className = 'legend';
  const title = document.createElement('div');
  title.className = 'legend-title';
  title.textContent = unit ? `${name} (${unit})` : name;
  const bar = document.createElement('div');
  bar.className = 'legend-bar';
  bar.style.width = `${width}px`;
  bar.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
  const scale = document.createElement('div');
  scale.className = 'legend-scale';
  scale.style.width = `${width}px`;
  for (const value of linearTicks(min, max, 4)) {
    const tick = document.createElement('span');
    tick.textContent = tickText(value);
    tick.style.left = `${(100 * (value - min)) / (max - min || 1)}%`;
    scale.append(tick);
  }
  legend.append(title, bar, scale);
  return legend;
}
