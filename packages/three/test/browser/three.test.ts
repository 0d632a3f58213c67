/** The run time in a real browser: every model on every renderer against the evaluators on the CPU. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { farthest, weldedNormals, widestAngle } from './compare.ts';
import { type FixtureName, type Fixtures, makeFixtures } from './fixtures.ts';
import type { Played, PlayRequest } from './lab/lab.ts';
import { floatsOf, openLab, type TestPage } from './page.ts';

/** Of the model's size. */
const SAME_PLACE = 2e-6;
const SAME_NORMAL_DEGREES = 0.01;

let fixtures: Fixtures;
let page: TestPage;

beforeAll(async () => {
  fixtures = await makeFixtures();
  page = await openLab(new Map([...fixtures.files].map(([name, { bytes }]) => [`${name}.glb`, bytes])));
});
afterAll(async () => {
  await page?.close();
  fixtures?.close();
});

const RENDERERS = ['webgpu', 'webgl2', 'classic'] as const;

const CASES: { name: FixtureName; on: readonly string[]; options: Partial<PlayRequest>; exact?: boolean }[] = [
  { name: 'plain', on: RENDERERS, options: { all: true } },
  { name: 'envelope-plain', on: RENDERERS, options: {} },
  { name: 'two-layer', on: RENDERERS, options: {} },
  { name: 'eigenskin', on: RENDERERS, options: { all: true } },
  ...(['blended', 'exact'] as const).flatMap((normals) =>
    (['plain', 'eight', 'envelope-plain', 'envelope', 'two-layer', 'eigenskin'] as const).map((name) => ({
      name,
      on: ['webgpu', 'webgl2'],
      options: { all: true, enhance: { normals } },
      exact: normals === 'exact',
    })),
  ),
];

describe('models on renderers', () => {
  it.each(
    CASES.flatMap(({ on, ...rest }) =>
      on.map((renderer) => ({ ...rest, renderer: renderer as PlayRequest['renderer'] })),
    ),
  )('plays $name on $renderer with $options', async ({ name, renderer, options, exact }) => {
    const fixture = fixtures.files.get(name);
    if (!fixture) throw new Error(`no fixture ${name}`);
    const t = Math.floor(fixture.times.length / 2);
    const played: Played = await page.call('playFile', {
      file: `/${name}.glb`,
      renderer,
      time: fixture.times[t],
      ...options,
    });
    const expected = fixture.positions(t);
    expect(farthest(fixture.mesh, floatsOf(played.positions), expected)).toBeLessThan(SAME_PLACE);
    expect(farthest(fixture.mesh, floatsOf(played.raycastPositions), expected)).toBeLessThan(SAME_PLACE);
    if (exact) {
      const normals = weldedNormals(fixture.mesh, expected);
      expect(widestAngle(floatsOf(played.normals), normals)).toBeLessThan(SAME_NORMAL_DEGREES);
    }
    expect(page.errors).toEqual([]);
  });
});
