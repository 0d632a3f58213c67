import { enclosingBall } from '@pelt/math';
import {
  frameAt,
  frameCount,
  poseAt,
  SequenceErrorMeter,
  TRANSFORM_SIZE,
  validateClip,
  validateMeshSequence,
  validateRig,
} from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { blendFrames, type Scene } from '../../src/scene.ts';
import { armScene } from '../../src/scenes/arm.ts';
import { barScene } from '../../src/scenes/bar.ts';
import { chainScene } from '../../src/scenes/chain.ts';
import { creatureScene } from '../../src/scenes/creature.ts';
import { elbowScene } from '../../src/scenes/elbow.ts';
import { apply, type Transform } from '../../src/transform.ts';
import { expectClosedSurface, volumeOf } from '../closed-surface.ts';

/** The error of the rig's own linear blend against the frames. */
function blendError({ sequence, rig, clip }: Scene) {
  const blended = blendFrames(rig, clip);
  const meter = new SequenceErrorMeter(sequence.rest, frameCount(sequence));
  const size = sequence.rest.positions.length;
  for (let t = 0; t < frameCount(sequence); t++) {
    meter.addFrame(frameAt(sequence, t), blended.subarray(t * size, (t + 1) * size));
  }
  return meter.result();
}

const arm = armScene();
const bar = barScene();
const elbow = elbowScene();
const creature = creatureScene();
const chain = chainScene();

describe.each([
  ['arm', arm],
  ['bar', bar],
  ['elbow', elbow],
  ['creature', creature],
  ['chain', chain],
])('%s', (_, scene) => {
  it('is valid: sequence, rig, clip, closed surface', () => {
    validateMeshSequence(scene.sequence);
    validateRig(scene.rig);
    validateClip(scene.clip, scene.rig.bones.length);
    expect(scene.clip.times).toEqual(scene.sequence.times);
    expect(scene.rig.mesh).toBe(scene.sequence.rest);
    expectClosedSurface(scene.sequence.rest);
  });

  it('moves smoothly: no vertex jumps by a fifth of the size between two frames', () => {
    const { radius } = enclosingBall(scene.sequence.rest.positions);
    for (let t = 1; t < frameCount(scene.sequence); t++) {
      const [a, b] = [frameAt(scene.sequence, t - 1), frameAt(scene.sequence, t)];
      let largest = 0;
      for (let k = 0; k < a.length; k += 3) {
        largest = Math.max(largest, (a[k] - b[k]) ** 2 + (a[k + 1] - b[k + 1]) ** 2 + (a[k + 2] - b[k + 2]) ** 2);
      }
      expect(Math.sqrt(largest)).toBeLessThan(0.4 * radius);
    }
  });

  it('keeps its volume, but for what linear blending takes', () => {
    const { triangles, positions } = scene.sequence.rest;
    const whole = volumeOf(positions, triangles);
    expect(whole).toBeGreaterThan(0);
    for (let t = 0; t < frameCount(scene.sequence); t++) {
      expect(Math.abs(volumeOf(frameAt(scene.sequence, t), triangles) / whole - 1)).toBeLessThan(0.03);
    }
  });
});

describe('scenes that a rod carries', () => {
  it.each([
    ['arm', arm, 5],
    ['bar', bar, 30],
    ['elbow', elbow, 8],
  ])('%s does what linear blending of its rig cannot', (_, scene, least) => {
    const rest = scene.sequence.rest.positions;
    const first = frameAt(scene.sequence, 0);
    expect(Math.max(...rest.map((value, k) => Math.abs(value - first[k])))).toBeLessThan(1e-6);
    expect(blendError(scene).eRms).toBeGreaterThan(least);
  });

  it('keeps the volume of the arm within one per cent while its biceps bulges', () => {
    const { rest } = arm.sequence;
    const whole = volumeOf(rest.positions, rest.triangles);
    for (let t = 0; t < 60; t++) {
      expect(Math.abs(volumeOf(frameAt(arm.sequence, t), rest.triangles) / whole - 1)).toBeLessThan(0.01);
    }
    // the top of the upper arm at its middle rises by more than half a centimetre at full bend
    const top = (frame: Float32Array) => {
      let highest = 0;
      for (let k = 0; k < frame.length; k += 3) {
        if (Math.abs(frame[k] - 0.155) < 0.015 && rest.positions[k] < 0.25) highest = Math.max(highest, frame[k + 1]);
      }
      return highest;
    };
    expect(top(frameAt(arm.sequence, 30)) - top(rest.positions)).toBeGreaterThan(0.005);
    const flat = armScene({ bulge: 0 });
    expect(top(frameAt(flat.sequence, 30))).toBeCloseTo(top(rest.positions), 3);
  });
});

describe('scenes with a known rig', () => {
  it.each([
    ['creature', creature],
    ['chain', chain],
  ])('%s is the linear blend of its rig and clip, by rigid bones', (_, scene) => {
    expect(blendError(scene).eRms).toBe(0);
    const { transforms } = scene.clip;
    for (let k = 0; k < transforms.length; k += TRANSFORM_SIZE) {
      const [a, b, c, , d, e, f, , g, h, i] = transforms.subarray(k, k + TRANSFORM_SIZE);
      expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 12);
      expect(a * a + b * b + c * c).toBeCloseTo(1, 12);
      expect(a * d + b * e + c * f).toBeCloseTo(0, 12);
    }
  });

  it.each([
    ['creature', creature],
    ['chain', chain],
  ])('%s holds together at its joints in every frame', (_, { rig, clip }) => {
    for (let t = 0; t < clip.times.length; t++) {
      const { transforms } = poseAt(clip, t, rig.bones.length);
      const boneOf = (j: number) => [...transforms.subarray(12 * j, 12 * j + 12)] as Transform;
      rig.bones.forEach(({ parent, rest }, j) => {
        if (parent < 0) return;
        const joint = [rest[3], rest[7], rest[11]] as const;
        const [own, other] = [apply(boneOf(j), joint), apply(boneOf(parent), joint)];
        for (let c = 0; c < 3; c++) expect(own[c]).toBeCloseTo(other[c], 10);
      });
    }
  });

  it('creature: feet stay on the ground while they carry', () => {
    let lowest = Number.POSITIVE_INFINITY;
    for (const value of creature.sequence.frames.filter((_, k) => k % 3 === 1)) lowest = Math.min(lowest, value);
    expect(lowest).toBeGreaterThan(-0.06);
  });

  it('chain: hinges turn about their axis alone, balls about more than one', () => {
    for (const { kind, parent, child, center, axis } of chain.joints) {
      expect(center).toEqual([0.4 * child, 0, 0].map((value) => expect.closeTo(value, 12)));
      const end = axis ?? [0, 1, 0];
      const tip = [0, 1, 2].map((c) => center[c] + end[c]) as unknown as readonly [number, number, number];
      let parted = 0;
      for (let t = 0; t < 60; t++) {
        const { transforms } = poseAt(chain.clip, t, 5);
        const at = (j: number) => apply([...transforms.subarray(12 * j, 12 * j + 12)], tip);
        const [a, b] = [at(parent), at(child)];
        parted = Math.max(parted, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      }
      if (kind === 'hinge') expect(parted).toBeLessThan(1e-9);
      else expect(parted).toBeGreaterThan(0.1);
    }
  });

  it('gives the same numbers for the same seed, others for another', () => {
    expect(chainScene().sequence.frames).toEqual(chain.sequence.frames);
    expect(chainScene({ seed: 2 }).sequence.frames).not.toEqual(chain.sequence.frames);
  });

  it('takes one frame, rigid links, one link', () => {
    const rigid = chainScene({ joints: [], frames: 1, blend: 0 });
    validateRig(rigid.rig);
    expect(rigid.rig.weights.slots).toBe(1);
    expect(chainScene({ blend: 0 }).rig.weights.slots).toBe(1);
    validateMeshSequence(barScene({ frames: 1 }).sequence);
    validateMeshSequence(elbowScene({ frames: 1 }).sequence);
  });
});
