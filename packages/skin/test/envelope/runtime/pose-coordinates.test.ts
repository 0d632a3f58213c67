import { rotationExp } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { followLogs, jointCentres, PoseCoordinates } from '../../../src/envelope/runtime/pose-coordinates.ts';

const bones: Bone[] = [
  { name: 'root', parent: -1, rest: new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]) },
  { name: 'tip', parent: 0, rest: new Float64Array([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]) },
];

/** Two bones turned by the given rotation vectors, model space. */
function pose(root: number[], tip: number[]): Float64Array {
  const out = new Float64Array(24);
  const r = new Float64Array(9);
  [root, tip].forEach((log, j) => {
    rotationExp(log, 0, r, 0);
    for (let k = 0; k < 9; k++) out[12 * j + 4 * Math.floor(k / 3) + (k % 3)] = r[k];
  });
  return out;
}

describe('pose coordinates', () => {
  it('are zero at rest', () => {
    const { values, versines } = new PoseCoordinates(bones).read(pose([0, 0, 0], [0, 0, 0]));
    expect(Math.max(...values, ...versines)).toBe(0);
  });

  it('split a pure twist and a pure swing about the bone', () => {
    const coordinates = new PoseCoordinates(bones);
    coordinates.read(pose([0, 0, 0], [0.7, 0, 0]));
    expect(coordinates.values[9]).toBeCloseTo(0.7, 12);
    expect(coordinates.versines[3]).toBeCloseTo(0, 12);
    coordinates.read(pose([0, 0, 0], [0, 0.3, -0.4]));
    expect(Array.from(coordinates.values.subarray(9, 12))).toEqual(
      [0, 0.3, -0.4].map((value) => expect.closeTo(value, 12)),
    );
    expect(coordinates.versines[3]).toBeCloseTo(1 - Math.cos(0.5), 12);
  });

  it('put swing and twist together to the rotation they came from', () => {
    const coordinates = new PoseCoordinates(bones).read(pose([0, 0, 0], [0.5, -0.8, 0.3]));
    const [twist, y, z] = coordinates.values.subarray(9, 12);
    const [swing, turn, whole] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
    rotationExp([0, y, z], 0, swing, 0);
    rotationExp([twist, 0, 0], 0, turn, 0);
    rotationExp([0.5, -0.8, 0.3], 0, whole, 0);
    for (let k = 0; k < 9; k++) {
      const [r, c] = [3 * Math.floor(k / 3), k % 3];
      expect(swing[r] * turn[c] + swing[r + 1] * turn[3 + c] + swing[r + 2] * turn[6 + c]).toBeCloseTo(whole[k], 12);
    }
  });

  it('do not change when the whole character turns', () => {
    const still = new PoseCoordinates(bones).read(pose([0, 0, 0], [0, 0, 0.9]));
    const r = new Float64Array(9);
    rotationExp([0.4, 1.1, -0.2], 0, r, 0);
    const turned = pose([0, 0, 0], [0, 0, 0.9]);
    const moved = turned.map((_, k) => {
      const [j, row, c] = [Math.floor(k / 12), Math.floor((k % 12) / 4), k % 4];
      return [0, 1, 2].reduce((sum, i) => sum + r[3 * row + i] * turned[12 * j + 4 * i + c], 0);
    });
    const again = new PoseCoordinates(bones).read(moved);
    again.values.forEach((value, k) => {
      expect(value).toBeCloseTo(still.values[k], 12);
    });
  });

  it('follow a joint through half a turn and read it without a jump', () => {
    const poses = [0, 60, 120, 180, 230].map((degrees) => pose([0, 0, 0], [(degrees * Math.PI) / 180, 0, 0]));
    const centres = jointCentres(bones, poses);
    expect(centres[3]).toBeCloseTo((115 * Math.PI) / 180, 9);
    const coordinates = new PoseCoordinates(bones, centres);
    for (const degrees of [0, 179, 181, 230]) {
      coordinates.read(pose([0, 0, 0], [(degrees * Math.PI) / 180, 0, 0]));
      expect(coordinates.values[6]).toBeCloseTo((degrees * Math.PI) / 180, 9);
      expect(coordinates.values[9]).toBeCloseTo((degrees * Math.PI) / 180, 9);
    }
  });

  it('follow logarithms in any order of the poses', () => {
    const rotations = [200, 100, 150, 50].map((degrees) => {
      const r = new Float64Array(9);
      rotationExp([0, (degrees * Math.PI) / 180, 0], 0, r, 0);
      return r;
    });
    const angles = followLogs(rotations).map((log) => (log[1] * 180) / Math.PI);
    expect(angles).toEqual([200, 100, 150, 50].map((value) => expect.closeTo(value, 9)));
  });
});
