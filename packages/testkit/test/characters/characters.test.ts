import { validateRegistration, validateRig } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import {
  barCharacter,
  blendFrames,
  dogCharacter,
  flourSackCharacter,
  octopusCharacter,
  PERFORMER_JOINTS,
} from '../../src/index.ts';
import { expectClosedSurface } from '../closed-surface.ts';

// name, make, bones, pairs
describe.each([
  ['bar', () => barCharacter(), 6, 2],
  ['dog', () => dogCharacter(0.06), 22, 7],
  ['flour sack', () => flourSackCharacter(0.08), 8, 8],
  ['octopus', () => octopusCharacter(0.07), 33, 6],
] as const)('%s', (name, make, bones, pairs) => {
  const { rig, registration, loose } = make();

  it('is a rig with pairs, the first of them neutral and at rest', () => {
    validateRig(rig);
    validateRegistration(registration, rig.bones.length);
    expect(rig.name).toBe(name);
    expect(rig.bones).toHaveLength(bones);
    expect(registration.pairs).toHaveLength(pairs);
    expect(registration.joints).toEqual(PERFORMER_JOINTS);
    const identity = rig.bones.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    registration.pairs[0].character.transforms.forEach((value, k) => {
      expect(value).toBeCloseTo(identity[k], 12);
    });
    for (const bone of loose) expect(rig.bones.map((other) => other.name)).toContain(bone);
  });

  it('is closed, and stands on the ground', () => {
    expectClosedSurface(rig.mesh);
    const heights = rig.mesh.positions.filter((_, k) => k % 3 === 1);
    expect(Math.min(...heights)).toBeGreaterThan(-0.06);
    expect(Math.min(...heights)).toBeLessThan(0.12);
  });

  it('looks different in every pose', () => {
    const size = rig.bones.length * 12;
    const transforms = new Float64Array(pairs * size);
    registration.pairs.forEach((pair, i) => {
      transforms.set(pair.character.transforms, i * size);
    });
    const times = Float64Array.from({ length: pairs }, (_, i) => i);
    const frames = blendFrames(rig, { name, times, transforms });
    const n = rig.mesh.positions.length;
    for (let i = 0; i < pairs; i++) {
      for (let k = 0; k < i; k++) {
        let farthest = 0;
        for (let c = 0; c < n; c++) farthest = Math.max(farthest, Math.abs(frames[i * n + c] - frames[k * n + c]));
        expect(farthest).toBeGreaterThan(0.05);
      }
    }
  });
});
