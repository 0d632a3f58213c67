import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Figure } from '../description.ts';
import { decodePng, type Picture } from '../png.mjs';
import { openRenderer } from '../render.mjs';

/** A pyramid on its base: 5 points, 6 triangles. */
const PYRAMID = {
  kind: 'mesh',
  positions: Float32Array.of(-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 1.5, 0),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0),
} as const;

/** Width of a panel in the picture: (200 − 2 × 18 padding − 14 gap) / 2, twice as fine. */
const SMALL = { width: 200, panelHeight: 80, samples: 2 };

/** Pixels of a part of the picture that satisfy the test. */
function count(
  { width, rgb }: Picture,
  test: (r: number, g: number, b: number) => boolean,
  from = 0,
  to = width,
): number {
  let found = 0;
  for (let k = 0; k < rgb.length / 3; k++) {
    const x = k % width;
    if (x >= from && x < to && test(rgb[3 * k], rgb[3 * k + 1], rgb[3 * k + 2])) found++;
  }
  return found;
}

const isInk = (r: number, g: number, b: number) => Math.max(r, g, b) < 130;
const isRed = (r: number, g: number, b: number) => r > 1.6 * Math.max(g, b);
const isBlue = (r: number, _: number, b: number) => b > 1.6 * r;

describe('figures', () => {
  let renderer: Awaited<ReturnType<typeof openRenderer>>;
  beforeAll(async () => {
    renderer = await openRenderer();
  });
  afterAll(() => renderer.close());
  const draw = async (figure: Figure) => decodePng(await renderer.render({ ...SMALL, ...figure }));

  it('draws a mesh in its colour, heat and bones, each in its panel', async () => {
    const picture = await draw({
      panels: [
        { kind: 'scene', items: [{ ...PYRAMID, colour: '#1030d0' }] },
        {
          kind: 'scene',
          items: [{ ...PYRAMID, heat: { values: [0.6, 0.6, 0.6, 0.6, 0.6], min: 0, max: 1, name: 'height' } }],
        },
      ],
    });
    expect(picture.width).toBe(400);
    const [left, right] = [count(picture, isBlue, 0, 200), count(picture, isRed, 200, 400)];
    // The triangle of the outline fills roughly a quarter of a panel of 150 × 160 pixels.
    expect(left).toBeGreaterThan(2000);
    expect(left).toBeLessThan(16_000);
    expect(right).toBeGreaterThan(2000);
    expect(count(picture, isBlue, 200, 400)).toBe(0);
  });

  it('shows bones through a see-through mesh, and hides them in a solid one', async () => {
    const bones = {
      kind: 'bones',
      frames: [1, 0, 0, 0, 0, 1, 0, 0.2, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0.8, 0, 0, 1, 0],
      parents: [-1, 0],
      radius: 0.1,
    } as const;
    const picture = await draw({
      panels: [
        { kind: 'scene', items: [{ ...PYRAMID, opacity: 0.3 }, bones] },
        { kind: 'scene', items: [PYRAMID, bones] },
      ],
    });
    expect(count(picture, (r, g) => r > g + 40, 0, 200)).toBeGreaterThan(100);
    expect(count(picture, (r, g) => r > g + 40, 200, 400)).toBe(0);
  });

  it('draws curves and their names', async () => {
    const x = [1, 2, 3, 4];
    const plot = await draw({
      width: 400,
      panelHeight: 150,
      panels: [
        {
          kind: 'plot',
          x: { label: 'bones' },
          y: { label: 'error', scale: 'log' },
          series: [
            { name: 'first', x, y: [100, 10, 3, 1], colour: '#d01010' },
            { name: 'second', x, y: [50, 8, 2, 1], colour: '#1030d0', mark: 'both', dashed: true },
          ],
        },
      ],
    });
    expect(count(plot, isRed)).toBeGreaterThan(500);
    expect(count(plot, isBlue)).toBeGreaterThan(500);
    expect(count(plot, isInk)).toBeGreaterThan(200);
  });

  it('gives the same picture again', async () => {
    const figure: Figure = { panels: [{ kind: 'scene', items: [PYRAMID] }] };
    expect((await draw(figure)).rgb).toEqual((await draw(figure)).rgb);
  });

  it.each([
    ['no vertices', { kind: 'mesh', positions: [], triangles: [] }],
    ['a single point', { kind: 'points', positions: [1, 2, 3] }],
    ['bones at one place', { kind: 'bones', frames: new Float64Array(24), parents: [-1, 0] }],
  ] as const)('survives %s', async (_, item) => {
    const picture = await draw({ panels: [{ kind: 'scene', items: [item] }] });
    expect(picture.width).toBe(400);
  });

  it('passes on what goes wrong in the page', async () => {
    const broken = { panels: [{ kind: 'scene', items: [{ kind: 'mesh' }] }] } as unknown as Figure;
    await expect(renderer.render(broken)).rejects.toThrow(/undefined/);
  });
});
