import { openNumerics, Random } from '@pelt/math';
import {
  type Bone,
  CAPSULE_SIZE,
  type Capsules,
  IDENTITY_TRANSFORM,
  InputError,
  type Rig,
  UsageError,
  validateCapsules,
} from '@pelt/model';
import { afterAll, describe, expect, test } from 'vitest';
import { capsuleDistance, fitCapsules, poseCapsules, pushOut } from '../../src/capsules/index.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const bone = (name: string, parent: number, y: number): Bone => {
  const rest = Float64Array.from(IDENTITY_TRANSFORM);
  rest[7] = y;
  return { name, parent, rest };
};

/** Points on the surface of a capsule along y, all of one bone. */
function capsuleRig(from: number, to: number, radius: number, scale = 1): Rig {
  const random = new Random(3);
  const points: number[] = [];
  while (points.length < 3 * 400) {
    const y = random.uniform(from - radius, to + radius);
    const out = Math.max(0, from - y, y - to);
    const r = Math.sqrt(Math.max(0, radius * radius - out * out));
    const angle = random.uniform(0, 2 * Math.PI);
    points.push(scale * r * Math.cos(angle), scale * y, scale * r * Math.sin(angle));
  }
  return {
    name: 'limb',
    mesh: { name: 'limb', positions: Float32Array.from(points), triangles: new Uint32Array(0) },
    bones: [bone('upper', -1, 0), bone('lower', 0, scale * to)],
    weights: { slots: 1, bones: new Uint16Array(400), weights: new Float32Array(400).fill(1) },
  };
}

describe('capsuleDistance', () => {
  const posed = Float64Array.of(0, 0, 0, 0, 2, 0, 0.5);
  const normal = new Float64Array(3);

  test('beside, beyond an end, inside, on the segment', () => {
    expect(capsuleDistance(posed, 0, 1, 1, 0, normal)).toBeCloseTo(0.5, 12);
    expect([...normal]).toEqual([1, 0, 0]);
    expect(capsuleDistance(posed, 0, 0, 3, 0, normal)).toBeCloseTo(0.5, 12);
    expect([...normal]).toEqual([0, 1, 0]);
    expect(capsuleDistance(posed, 0, 0, 1, -0.1, normal)).toBeCloseTo(-0.4, 12);
    expect([...normal]).toEqual([0, 0, -1]);
    expect(capsuleDistance(posed, 0, 0, 1, 0, normal)).toBe(-0.5);
    expect(Math.hypot(...normal)).toBe(1);
  });

  test('a sphere is a capsule whose ends coincide', () => {
    const sphere = Float64Array.of(1, 1, 1, 1, 1, 1, 2);
    expect(capsuleDistance(sphere, 0, 1, 4, 1, normal)).toBeCloseTo(1, 12);
  });
});

describe('pushOut', () => {
  test('leaves what is clear, moves what is inside by all that is missing, continuously', () => {
    expect(pushOut(1, 0.2, 0.1)).toBe(0);
    expect(pushOut(-1, 0.2, 0.1)).toBeCloseTo(1.2, 12);
    expect(pushOut(-1, 0.2, 0)).toBeCloseTo(1.2, 12);
    for (const edge of [0.1, 0.3]) {
      expect(pushOut(edge - 1e-9, 0.2, 0.1)).toBeCloseTo(pushOut(edge + 1e-9, 0.2, 0.1), 7);
    }
  });
});

describe('fitCapsules', () => {
  test.each([1, 1e-6, 1e6])('recovers a capsule at scale %d', (scale) => {
    const { bones, shapes } = fitCapsules(capsuleRig(0.2, 1.1, 0.25, scale), {}, { numerics });
    expect([...bones]).toEqual([0]);
    const [a, b] = [shapes[1], shapes[4]].sort((x, y) => x - y);
    expect(a / scale).toBeCloseTo(0.2, 1);
    expect(b / scale).toBeCloseTo(1.1, 1);
    expect(shapes[6] / scale).toBeCloseTo(0.25, 2);
  });

  test('leaves out bones with few vertices, vertices that are not of the body, and points that coincide', () => {
    const rig = capsuleRig(0, 1, 0.2);
    const run = { numerics };
    expect(fitCapsules(rig, { without: new Uint8Array(400).fill(1) }, run).bones).toHaveLength(0);
    expect(fitCapsules(rig, { leastVertices: 401 }, run).bones).toHaveLength(0);
    const flat = { ...rig, mesh: { ...rig.mesh, positions: new Float32Array(1200) } };
    expect(fitCapsules(flat, {}, run).bones).toHaveLength(0);
    expect(() => fitCapsules(rig, { leastVertices: 0 }, run)).toThrow(UsageError);
    expect(() => fitCapsules(rig, { without: new Uint8Array(3) }, run)).toThrow(InputError);
  });

  test('moves with its bone', () => {
    const capsules: Capsules = { bones: Uint16Array.of(0), shapes: Float64Array.of(0, 0, 0, 1, 0, 0, 0.1) };
    validateCapsules(capsules, 1);
    // A quarter turn about z, one up; another transform stands before it.
    const pose = Float64Array.of(...IDENTITY_TRANSFORM, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0);
    const posed = poseCapsules(capsules, pose, 1, new Float64Array(CAPSULE_SIZE));
    expect([...posed]).toEqual([0, 1, 0, 0, 2, 0, 0.1]);
    expect(() => validateCapsules(capsules, 0)).toThrow(InputError);
    expect(() => validateCapsules({ ...capsules, shapes: new Float64Array(6) }, 1)).toThrow(InputError);
    expect(() => validateCapsules({ ...capsules, shapes: capsules.shapes.map(() => -1) }, 1)).toThrow(InputError);
  });
});
