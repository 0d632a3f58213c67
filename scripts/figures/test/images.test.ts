import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUDGET_BYTES } from '../shrink.mjs';

const root = resolve(import.meta.dirname, '../../..');
const files = readdirSync(join(root, 'docs/images'));
const images = files.filter((name) => name.endsWith('.png'));
/** `npm run film` makes it; a second of motion is larger than a picture. */
const FILM = 'overview.gif';
const FILM_BYTES = 250_000;
const scripts = readdirSync(join(root, 'scripts/figures')).filter((name) => name.endsWith('.figure.mjs'));
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(root, name), 'utf8'))
  .join('\n');

describe('pictures of the guide', () => {
  it('are each made by a script, and each script made one', () => {
    expect(images.map((name) => name.replace('.png', '.figure.mjs')).sort()).toEqual(scripts.sort());
  });

  it('are pictures, and one film', () => {
    expect(files.filter((name) => !images.includes(name))).toEqual([FILM]);
    expect(statSync(join(root, 'docs/images', FILM)).size).toBeLessThanOrEqual(FILM_BYTES);
    expect(pages).toContain(`images/${FILM}`);
  });

  it.each(images)('%s is small and shown', (name) => {
    expect(statSync(join(root, 'docs/images', name)).size).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(pages).toContain(`images/${name})`);
  });
});
