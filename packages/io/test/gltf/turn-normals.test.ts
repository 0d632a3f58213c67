import { Random } from '@pelt/math';
import { expect, it } from 'vitest';
import { turnedNormalDeltas } from '../../src/gltf/turn-normals.ts';
import { unitVectors } from '../../src/smooth-normals.ts';
import { expectClose } from './expect-close.ts';

it('stay where nothing turned, exactly', () => {
  const normals = unitVectors(Float32Array.of(1, 0, 0, 0, 2, 0));
  expect(turnedNormalDeltas(normals, normals, normals).every((value) => value === 0)).toBe(true);
});

it('follow their surface, and stay unit', () => {
  const random = new Random(6);
  for (let k = 0; k < 50; k++) {
    const [before, after, normal] = [0, 1, 2].map(() =>
      unitVectors(Float64Array.from({ length: 3 }, () => random.normal())),
    );
    expectClose(
      turnedNormalDeltas(before, before, after).map((value, c) => value + before[c]),
      after,
    );
    const moved = turnedNormalDeltas(normal, before, after).map((value, c) => value + normal[c]);
    expect(Math.hypot(...moved)).toBeCloseTo(1, 5);
  }
});

it('turn about where the surface turned over', () => {
  const up = Float32Array.of(0, 0, 1);
  expectClose(turnedNormalDeltas(up, up, Float32Array.of(0, 0, -1)), [0, 0, -2]);
});
