import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUDGET_BYTES } from '../shrink.mjs';

const root = resolve(import.meta.dirname, '../../..');
const images = readdirSync(join(root, 'docs/images'));
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

  it.each(images)('%s is small and shown', (name) => {
    expect(statSync(join(root, 'docs/images', name)).size).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(pages).toContain(`images/${name})`);
  });
});
