import { openNumerics } from '@pelt/math';
import { type Bone, type PaletteCorrections, poseAt, type ReducedEnvelope } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { CorrectionBlend } from '../../../src/envelope/runtime/palette-corrections.ts';
import { createReducedDeformer, EnvelopePalette, reduceEnvelope, trainEnvelope } from '../../../src/index.ts';

const at = (x: number) => Float64Array.of(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0);
const BONES: Bone[] = [
  { name: 'a', parent: -1, rest: at(0) },
  { name: 'b', parent: 0, rest: at(2) },
];
const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** At the second example, where joint b turns by 1 about z, transform 0 grows by 10 % along x about that joint. */
const CORRECTIONS: PaletteCorrections = {
  poses: Float64Array.of(0, 0, 0, 0, 0, 0, /* turned */ 0, 0, 0, 0, 0, 1),
  mixing: Float64Array.of(0, 1),
  entries: Uint16Array.of(0),
  slots: 1,
  joints: Uint16Array.of(1),
  weights: Float32Array.of(1),
  maps: Float32Array.of(0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
};

describe('CorrectionBlend', () => {
  it('leaves the rest pose as it is', () => {
    const palette = Float64Array.from(at(0));
    const rotations = Float64Array.of(...IDENTITY, ...IDENTITY);
    new CorrectionBlend(BONES, CORRECTIONS).addTo(new Float64Array(6), rotations, palette);
    palette.forEach((value, k) => {
      expect(value).toBeCloseTo(at(0)[k], 12);
    });
  });

  it('adds the map of an example in the axes of its joint, about the origin of the joint', () => {
    const palette = new Float64Array(12);
    // A quarter turn about z: x becomes y.
    const rotations = Float64Array.of(...IDENTITY, 0, -1, 0, 1, 0, 0, 0, 0, 1);
    new CorrectionBlend(BONES, CORRECTIONS).addTo(Float64Array.of(0, 0, 0, 0, 0, 1), rotations, palette);
    // Q [X | −X o] with o = (2, 0, 0): second row 0.1 x − 0.2.
    const expected = [0, 0, 0, 0, 0.1, 0, 0, -0.2, 0, 0, 0, 0];
    palette.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 6);
    });
  });
});

describe('corrections of a reduced skin', () => {
  it('take it to its examples, move with the character, and hold far from the origin', async () => {
    const numerics = await openNumerics({ threads: 1 });
    try {
      const scene = elbowScene({ frames: 8, rings: 15, sides: 10 });
      const { rig, clip, sequence } = scene;
      const frames = [0, 3, 6];
      const m = rig.bones.length;
      const poses = frames.map((t) => poseAt(clip, t, m).transforms);
      const { envelope } = trainEnvelope(scene, { frames, fallback: false }, { numerics });
      const reduced = reduceEnvelope({ envelope, poses }, { proxies: 12 }, { numerics });
      const size = rig.mesh.positions.length;
      const error = (skin: ReducedEnvelope, corrected: boolean, shift: number) => {
        const deformer = createReducedDeformer(skin, { correction: corrected }, { numerics });
        const out = new Float32Array(size);
        let sum = 0;
        frames.forEach((t, e) => {
          deformer.deform(moved(poses[e], shift), out);
          for (let k = 0; k < size; k++) sum += (out[k] - shift - sequence.frames[t * size + k]) ** 2;
        });
        deformer.dispose();
        return Math.sqrt(sum / size / frames.length);
      };
      expect(reduced.corrections).toBeDefined();
      expect(error(reduced, true, 0)).toBeLessThan(0.6 * error(reduced, false, 0));
      expect(error(reduced, true, 50)).toBeCloseTo(error(reduced, true, 0), 4);
      // At rest nothing moves.
      const rest = Float64Array.from({ length: 12 * m }, (_, k) => ([0, 5, 10].includes(k % 12) ? 1 : 0));
      const palette = new EnvelopePalette(reduced, rig.bones).update(rest);
      palette.forEach((value, k) => {
        expect(Math.abs(value - rest[k % 12])).toBeLessThan(1e-5);
      });
    } finally {
      numerics.close();
    }
  });
});

/** The whole character moved along x, y and z alike. */
function moved(pose: Float64Array, shift: number): Float64Array {
  return pose.map((value, k) => (k % 4 === 3 ? value + shift : value));
}
