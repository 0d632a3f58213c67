import { poseAt, validateClip, validateMeshSequence, validateRig } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { blendFrames } from '../../src/scene.ts';
import { bendTwistScene } from '../../src/scenes/bend-twist.ts';
import { shoulderScene } from '../../src/scenes/shoulder.ts';
import { expectClosedSurface, volumeOf } from '../closed-surface.ts';

describe.each([
  ['shoulder', shoulderScene({ frames: 30 })],
  ['bend and twist', bendTwistScene({ frames: 24 })],
])('%s', (_, { sequence, rig, clip }) => {
  const size = rig.mesh.positions.length;

  it('is valid: sequence, rig, clip, closed surface', () => {
    validateMeshSequence(sequence);
    validateRig(rig);
    validateClip(clip, rig.bones.length);
    expectClosedSurface(sequence.rest);
  });

  it('starts at rest, exactly as the bones do', () => {
    expect(Array.from(poseAt(clip, 0, 2).transforms)).toEqual(
      [...Array(2)].flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]).map((value) => expect.closeTo(value, 9)),
    );
    sequence.frames.subarray(0, size).forEach((value, k) => {
      expect(Math.abs(value - rig.mesh.positions[k])).toBeLessThan(1e-6);
    });
  });

  it('keeps its volume within 4 %, which linear blending does not', () => {
    const blended = blendFrames(rig, clip);
    const rest = volumeOf(sequence.rest.positions, sequence.rest.triangles);
    const change = (frames: Float32Array) =>
      Math.max(
        ...Array.from(clip.times, (_, t) =>
          Math.abs(volumeOf(frames.subarray(t * size, (t + 1) * size), sequence.rest.triangles) / rest - 1),
        ),
      );
    expect(change(sequence.frames)).toBeLessThan(0.04);
    expect(change(blended)).toBeGreaterThan(0.04);
  });

  it('carries the far end rigidly with its bone', () => {
    const n = size / 3;
    const tip = 3 * (n - 1);
    for (let t = 0; t < clip.times.length; t++) {
      const M = poseAt(clip, t, 2).transforms.subarray(12);
      for (let c = 0; c < 3; c++) {
        const [x, y, z] = rig.mesh.positions.subarray(tip, tip + 3);
        const moved = M[4 * c] * x + M[4 * c + 1] * y + M[4 * c + 2] * z + M[4 * c + 3];
        expect(Math.abs(moved - sequence.frames[t * size + tip + c])).toBeLessThan(1e-5);
      }
    }
  });
});
