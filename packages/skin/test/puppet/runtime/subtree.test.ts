import { Random } from '@pelt/math';
import { dogCharacter } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { axisRotation, shortestRotation, subtreeOf, turnInPlace } from '../../../src/puppet/runtime/subtree.ts';
import { expectClose } from '../expect-close.ts';

const apply = (r: Float64Array, v: ArrayLike<number>) =>
  [0, 3, 6].map((row) => r[row] * v[0] + r[row + 1] * v[1] + r[row + 2] * v[2]);

describe('subtreeOf', () => {
  it('is the bone and all below it', () => {
    const { bones } = dogCharacter(0.1).rig;
    const index = (name: string) => bones.findIndex((bone) => bone.name === name);
    const parents = Int32Array.from(bones, (bone) => bone.parent);
    const names = [...subtreeOf(parents, index('neck'))].map((j) => bones[j].name);
    expect(names).toEqual(['neck', 'head', 'left ear', 'right ear']);
    expect(subtreeOf(parents, 0)).toHaveLength(bones.length);
    expect([...subtreeOf(parents, index('tail 2'))]).toEqual([index('tail 2')]);
    // In any order: the parent of bone 0 is bone 2.
    expect([...subtreeOf(Int32Array.of(2, 0, -1), 0)]).toEqual([0, 1]);
  });
});

describe('turnInPlace', () => {
  it('turns about a point and moves, only the bones it is told', () => {
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const transforms = Float64Array.from([...identity, ...identity]);
    const quarter = new Float64Array(9);
    axisRotation(0, 0, 1, Math.PI / 2, quarter);
    turnInPlace(transforms, Int32Array.of(1), quarter, Float64Array.of(0, 1, 0, 0), 1, Float64Array.of(0, 0, 5));
    expectClose(transforms, [...identity, 0, -1, 0, 1, 1, 0, 0, -1, 0, 0, 1, 5], 1e-12);
  });
});

describe('shortestRotation', () => {
  const r = new Float64Array(9);

  it('takes one direction to another, as short as can be', () => {
    const random = new Random(8);
    for (let round = 0; round < 100; round++) {
      const [a, b] = [0, 1].map(() => Float64Array.from({ length: 3 }, () => random.normal()));
      shortestRotation(a, b, Math.PI, r);
      const [la, lb] = [Math.hypot(...a), Math.hypot(...b)];
      expectClose(
        apply(r, a),
        b.map((value) => (value * la) / lb),
        1e-9,
      );
      const angle = Math.acos(Math.max(-1, Math.min(1, (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (la * lb))));
      expect(r[0] + r[4] + r[8]).toBeCloseTo(1 + 2 * Math.cos(angle), 9);
    }
  });

  it('stops at a limit', () => {
    shortestRotation(Float64Array.of(1, 0, 0), Float64Array.of(0, 2, 0), Math.PI / 6, r);
    expectClose(apply(r, [1, 0, 0]), [Math.cos(Math.PI / 6), 0.5, 0], 1e-12);
  });

  it('is the identity along, and a half turn against', () => {
    for (const a of [Float64Array.of(0, 0, 2), Float64Array.of(1, 0, 0), Float64Array.of(0, 3, 0)]) {
      shortestRotation(a, a, Math.PI, r);
      expectClose(r, [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-12);
      const back = a.map((value) => -value);
      shortestRotation(a, back, Math.PI, r);
      expectClose(apply(r, a), back, 1e-12);
    }
  });
});
