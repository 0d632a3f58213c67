import { type Poser, regionCount, UsageError, validatePoser } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { creatureExamples } from '../scenes.ts';

const { rig, clip } = creatureExamples(3);
const rest = rig.mesh.positions;
const poser = buildPoser({ rig, clip }, { proxies: 60 });

/** The region that has most of a vertex. */
function regionOf({ regions, vertexProxies }: Poser, vertex: number): number {
  if (!regions) return 0;
  const R = regions.parents.length;
  const shares = Array.from(regions.shares.subarray(vertexProxies[vertex] * R, (vertexProxies[vertex] + 1) * R));
  return shares.indexOf(Math.max(...shares));
}

describe('regions of a body', () => {
  it('are none where one is wanted, or where there are too few controls to divide', () => {
    expect(buildPoser({ rig, clip }, { regions: 1 }).regions).toBeUndefined();
    const weights = {
      slots: 1,
      bones: new Uint16Array(rest.length / 3),
      weights: new Float32Array(rest.length / 3).fill(1),
    };
    const one = { ...rig, bones: rig.bones.slice(0, 1), weights };
    const still = { ...clip, transforms: clip.transforms.filter((_, k) => k % (12 * rig.bones.length) < 12) };
    expect(buildPoser({ rig: one, clip: still }).regions).toBeUndefined();
  });

  it('share every proxy, hang on one root, and stay within what is wanted', () => {
    const { regions } = poser;
    if (!regions) throw new Error('no regions');
    const R = regionCount(poser);
    expect(R).toBeGreaterThan(2);
    expect(R).toBeLessThanOrEqual(8);
    for (let k = 0; k < poser.proxyWeights.length; k++) {
      expect(regions.shares.subarray(k * R, (k + 1) * R).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    }
    expect(regions.parents.filter((parent) => parent < 0)).toHaveLength(1);
    expect(regions.bonds.every((bond) => bond >= 0 && bond <= 1)).toBe(true);
  });

  it('keep limbs apart: the farthest points are in several regions', () => {
    const found = new Set(extremities(rest, 4).map((vertex) => regionOf(poser, vertex)));
    expect(found.size).toBeGreaterThanOrEqual(3);
  });

  it('are those that somebody has painted', () => {
    const labels = Uint16Array.from({ length: rest.length / 3 }, (_, i) => (rest[3 * i] > 0 ? 1 : 0));
    const painted = buildPoser({ rig, clip }, { proxies: 60, regions: labels });
    expect(regionCount(painted)).toBe(2);
    const [left, right] = [0, 1].map((side) => {
      const far = Array.from(labels.keys()).sort((a, b) => rest[3 * b] - rest[3 * a]);
      return regionOf(painted, side === 0 ? far[0] : far[far.length - 1]);
    });
    expect([left, right]).toEqual([1, 0]);
  });

  it('are refused where labels or shares do not fit', () => {
    expect(() => buildPoser({ rig, clip }, { regions: 0 })).toThrow(UsageError);
    expect(() => buildPoser({ rig, clip }, { regions: new Uint16Array(3) })).toThrow(UsageError);
    const { regions } = poser;
    if (!regions) throw new Error('no regions');
    const twice = { ...regions, shares: regions.shares.map((share) => 2 * share) };
    expect(() => validatePoser({ ...poser, regions: twice })).toThrow('sum to 2');
    const circle = { ...regions, parents: regions.parents.map((_, r) => (r + 1) % regions.parents.length) };
    expect(() => validatePoser({ ...poser, regions: circle })).toThrow('root');
  });
});
