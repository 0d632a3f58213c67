import { readFileSync } from 'node:fs';
import { readObj } from '@pelt/io';
import { enclosingBall } from '@pelt/math';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';

/** Radii of the rest poses' minimal enclosing spheres, as their publishers scaled them. */
const RADII = [
  ['horse-gallop/rest.obj', 1],
  ['elephant-gallop/rest.obj', 1],
  ['pcow/rest.obj', 1],
  ['samba/rest.obj', 0.877],
] as const;

describe.each(RADII)('the enclosing radius of %s', (name, radius) => {
  const file = realData(name);

  it.skipIf(!file)(`is ${radius} (skipped where the data is absent)`, () => {
    const { positions } = readObj(readFileSync(file ?? ''));
    expect(enclosingBall(positions).radius).toBeCloseTo(radius, 3);
  });
});
