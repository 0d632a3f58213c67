import { describe, expect, it } from 'vitest';
import { joinedModel, partModel } from '../../src/model/part-model.ts';
import type { PeltModel } from '../../src/model/pelt-model.ts';

/** Four vertices with two displacements; every number tells its vertex. */
const whole = {
  kind: 'envelope',
  added: 1,
  skin: { slots: 2, bones: Uint16Array.of(0, 9, 1, 9, 2, 9, 3, 9), weights: Float32Array.of(1, 0, 1, 0, 1, 0, 1, 0) },
  jointSkin: { slots: 1, bones: Uint16Array.of(10, 11, 12, 13), weights: new Float32Array(4).fill(1) },
  envelope: {
    proxies: 1,
    displacements: {
      poses: new Float64Array(0),
      displacements: Float32Array.from({ length: 24 }, (_, k) => k),
      axes: Uint16Array.of(20, 21, 22, 23),
    },
  },
} as unknown as PeltModel;

describe('partModel', () => {
  it('has the rows of its own vertices, and of every displacement', () => {
    const part = partModel(whole, 1, 2);
    expect([...part.skin.bones]).toEqual([1, 9, 2, 9]);
    expect([...(part.jointSkin?.bones ?? [])]).toEqual([11, 12]);
    const { displacements, axes } = part.envelope?.displacements ?? {};
    expect([...(displacements ?? [])]).toEqual([3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 19, 20]);
    expect([...(axes ?? [])]).toEqual([21, 22]);
    expect(part.added).toBe(1);
  });

  it('of all parts joined is the whole', () => {
    expect(joinedModel([partModel(whole, 0, 1), partModel(whole, 1, 2), partModel(whole, 3, 1)])).toEqual(whole);
    expect(joinedModel([whole])).toBe(whole);
  });
});
