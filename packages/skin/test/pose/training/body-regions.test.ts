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

  it('are connected on the surface although a stray weight ties two ends of the body together', () => {
    // A strip of 12 squares of 3 × 3 vertices, one control each. Both ends turn in the first example, which none between
    // them do, and the far end follows the near one by a hundredth.
    const m = 12;
    const columns = 3 * m;
    const positions = Float32Array.from(
      { length: 9 * columns },
      (_, k) => [Math.floor(k / 9), Math.floor(k / 3) % 3, 0][k % 3],
    );
    const triangles: number[] = [];
    for (let x = 0; x + 1 < columns; x++) {
      for (let i = 3 * x; i < 3 * x + 2; i++) triangles.push(i, i + 3, i + 1, i + 1, i + 3, i + 4);
    }
    const strip = {
      ...rig,
      mesh: { name: 'strip', positions, triangles: Uint32Array.from(triangles) },
      bones: Array.from({ length: m }, (_, j) => ({ ...rig.bones[0], name: `${j}` })),
      weights: {
        slots: 2,
        bones: Uint16Array.from({ length: 6 * columns }, (_, k) => (k % 2 === 0 ? Math.floor(k / 18) : 0)),
        weights: Float32Array.from({ length: 6 * columns }, (_, k) =>
          Math.abs((k % 2) - (k >= 18 * (m - 1) ? 0.99 : 1)),
        ),
      },
    };
    const angles = [0, 1, 2, 3].map((e) =>
      Array.from(
        { length: m },
        (_, j) => (j === 0 || j === m - 1 ? [0.5, 0, 0, 0] : [0, 0.3, 0.1 * j, j < 6 ? 0.4 : -0.2])[e],
      ),
    );
    const transforms = Float64Array.from(
      angles.flat().flatMap((a) => [1, 0, 0, 0, 0, Math.cos(a), -Math.sin(a), 0, 0, Math.sin(a), Math.cos(a), 0]),
    );
    const turned = { ...clip, times: Float64Array.of(0, 1, 2, 3), transforms };
    const tied = buildPoser({ rig: strip, clip: turned }, { regions: 3 });
    expect(regionCount(tied)).toBe(3);
    expect(regionOf(tied, 0)).not.toBe(regionOf(tied, positions.length / 3 - 1));
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
