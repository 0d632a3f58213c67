import { rotationExp } from '@pelt/math';
import type { SkinWeights } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { BoneFrames } from '../../../src/volume/runtime/bone-frames.ts';

/** Two vertices, each on a bone of its own. */
const skin: SkinWeights = { slots: 1, bones: Uint16Array.of(0, 1), weights: Float32Array.of(1, 1) };

/** Transforms of a bone that stands and of one that is turned about z. */
function turned(angle: number): Float64Array {
  const r = new Float64Array(9);
  rotationExp([0, 0, angle], 0, r, 0);
  return Float64Array.of(
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    ...[0, 1, 2].flatMap((k) => [...r.subarray(3 * k, 3 * k + 3), 0]),
  );
}

/** Where the second bone carries a place. */
function carried(angle: number, x: number): number[] {
  return [x * Math.cos(angle), x * Math.sin(angle), 0];
}

describe('bone frames', () => {
  it('carry vertices by the motion of their bones', () => {
    const frames = new BoneFrames(skin);
    frames.pose(turned(0));
    frames.pose(turned(0.5));
    const x = Float64Array.of(1, 2, 3, 1, 0, 0);
    frames.carry(x);
    [1, 2, 3, ...carried(0.5, 1)].forEach((value, k) => {
      expect(x[k]).toBeCloseTo(value, 12);
    });
  });

  /** The prediction after poses of the given angles, if the second vertex moves out along its bone by the given amounts. */
  const predicted = (angles: readonly number[], places: readonly number[]) => {
    const frames = new BoneFrames(skin);
    let x = new Float64Array(6);
    angles.forEach((angle, t) => {
      frames.pose(turned(angle));
      if (t > 0) frames.predict(x);
      if (t < places.length) x = Float64Array.of(0, 0, 0, ...carried(angle, places[t]));
    });
    return x.subarray(3);
  };

  it('predict what goes on as it went', () => {
    const small = 1e-4;
    const x = predicted([0, small, 2 * small, 3 * small], [1, 1.1, 1.2]);
    carried(3 * small, 1.3).forEach((value, d) => {
      expect(x[d]).toBeCloseTo(value, 6);
    });
  });

  it.each([
    ['stop', [0, 0.1, 0.2, 0.2]],
    ['turn back', [0, 0.1, 0.2, 0.1]],
  ])('predict no more than the bones where these %s', (_, angles) => {
    const x = predicted(angles, [1, 1.1, 1.2]);
    carried(angles[3], 1.2).forEach((value, d) => {
      expect(x[d]).toBeCloseTo(value, 12);
    });
  });

  it('forget what was', () => {
    const frames = new BoneFrames(skin);
    for (const angle of [0, 0.1]) frames.pose(turned(angle));
    frames.predict(Float64Array.of(0, 0, 0, 5, 0, 0));
    frames.pose(turned(0.2));
    frames.reset();
    const x = Float64Array.of(0, 0, 0, ...carried(0.1, 1));
    frames.predict(x);
    carried(0.2, 1).forEach((value, d) => {
      expect(x[3 + d]).toBeCloseTo(value, 12);
    });
  });
});
