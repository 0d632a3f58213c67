import { openNumerics } from '@pelt/math';
import { InputError, type Rig, UsageError, validateRig } from '@pelt/model';
import { armScene, chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose, PAINT } from '../../src/decompose/index.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());
const run = { numerics };

const { sequence } = armScene({ frames: 8 });
const n = sequence.rest.positions.length / 3;
const rounds = { rounds: 30, restPose: 'keep' } as const;
const first = decompose(sequence, { bones: 4, ...rounds }, run);
const m = first.rig.bones.length;
const free = () => new Uint8Array(n * m);
const weightOf = ({ weights: { slots, bones, weights } }: Rig, i: number, j: number) => {
  for (let s = i * slots; s < (i + 1) * slots; s++) if (bones[s] === j && weights[s] > 0) return weights[s];
  return 0;
};
const again = (mask: Uint8Array, rig = first.rig) => decompose(sequence, { painted: { rig, mask }, ...rounds }, run);

describe('a painted fit', () => {
  it('keeps every weight that is to stay, and the names of the bones', () => {
    const { rig } = again(free().fill(PAINT.keep));
    expect(rig.bones).toEqual(first.rig.bones);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) expect(Math.abs(weightOf(rig, i, j) - weightOf(first.rig, i, j))).toBeLessThan(1e-6);
    }
  });

  it('is no worse than what it began with where all is free', () => {
    expect(again(free()).error.eRms).toBeLessThan(1.05 * first.error.eRms);
  });

  it('gives nothing where a bone is forbidden, at a price that others lower', () => {
    const bone = 1;
    const mask = free();
    const own = Array.from({ length: n }, (_, i) => i)
      .filter((i) => weightOf(first.rig, i, bone) > 0.1)
      .slice(0, 20);
    expect(own).toHaveLength(20);
    for (const i of own) mask[i * m + bone] = PAINT.forbid;
    const { rig, error } = again(mask);
    validateRig(rig);
    for (const i of own) expect(weightOf(rig, i, bone)).toBe(0);
    expect(error.eRms).toBeGreaterThan(first.error.eRms);
    // Forbidden everywhere, the bone moves nothing.
    const nowhere = again(Uint8Array.from({ length: n * m }, (_, k) => (k % m === bone ? PAINT.forbid : PAINT.free)));
    for (let i = 0; i < n; i++) expect(weightOf(nowhere.rig, i, bone)).toBe(0);
    expect(error.eRms).toBeLessThan(nowhere.error.eRms);
  });

  it('shares what kept weights leave among the free bones', () => {
    const rig = painted(first.rig, 0.3);
    const mask = free();
    for (let i = 0; i < n; i++) mask[i * m] = PAINT.keep;
    const found = again(mask, rig).rig;
    validateRig(found);
    for (let i = 0; i < n; i++) expect(weightOf(found, i, 0)).toBeCloseTo(0.3, 6);
  });

  it('solves the same problem as the free search where a mask decides nothing', () => {
    // The weights that are 0 are kept: what is left is the support.
    const mask = Uint8Array.from({ length: n * m }, (_, k) => {
      return weightOf(first.rig, Math.floor(k / m), k % m) > 0 ? PAINT.free : PAINT.keep;
    });
    const { rig, error } = again(mask);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) if (mask[i * m + j] === PAINT.keep) expect(weightOf(rig, i, j)).toBe(0);
    }
    expect(error.eRms).toBeLessThan(1.001 * first.error.eRms);
  });

  it('refuses masks that cannot hold', () => {
    expect(() => again(new Uint8Array(3))).toThrow(InputError);
    expect(() => again(free().fill(PAINT.forbid))).toThrow(/vertex 0 is left with weights of sum 0/);
    expect(() => again(free().fill(7))).toThrow(/mask has 7/);
    const { rig } = first;
    const mask = free();
    expect(() => decompose(sequence, { painted: { rig, mask }, maxError: 1 }, run)).toThrow(UsageError);
    const other = chainScene({ joints: ['hinge'], frames: 3 }).sequence;
    expect(() => decompose(other, { painted: { rig, mask } }, run)).toThrow(/vertices/);
  });
});

/** A rig whose first bone has a given weight everywhere, the second the rest. */
function painted(rig: Rig, share: number): Rig {
  return {
    ...rig,
    weights: {
      slots: 2,
      bones: Uint16Array.from({ length: 2 * n }, (_, k) => k % 2),
      weights: Float32Array.from({ length: 2 * n }, (_, k) => (k % 2 === 0 ? share : 1 - share)),
    },
  };
}
