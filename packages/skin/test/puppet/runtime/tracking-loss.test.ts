import { dogCharacter, PERFORMER_BONES, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { PuppetOptions } from '../../../src/puppet/options.ts';
import { CharacterShape } from '../../../src/puppet/runtime/character-shape.ts';
import { posedOrigin } from '../../../src/puppet/runtime/local-pose.ts';
import type { PuppetData } from '../../../src/puppet/runtime/make-pose-source.ts';
import { createPuppet } from '../../../src/puppet/runtime/puppet.ts';

const dog = dogCharacter(0.1);
const man = stickRig('man', PERFORMER_BONES);
const CHARACTERS: readonly (readonly [string, PuppetData])[] = [
  ['by pairs', { character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS }],
  ['directly', { character: man, performer: PERFORMER_JOINTS, neutral: performerPose() }],
];

/** Somebody who walks along slowly, waves, and turns. */
function performance(t: number): Float32Array {
  const swing = Math.sin(t / 12);
  return performerPose(
    {
      leftShoulder: { degrees: [30 * swing, 0, 50 + 40 * swing] },
      rightShoulder: { degrees: [-30 * swing, 0, -20] },
      leftHip: { degrees: [-15 * swing, 0, 0] },
      rightHip: { degrees: [15 * swing, 0, 0] },
      rightKnee: { degrees: [10 + 10 * swing, 0, 0] },
    },
    { at: [0, 0, 0.5 * (t / 30)], headingDegrees: t / 2 },
  );
}

const LOSSES: readonly (readonly [string, RegExp, number])[] = [
  ['nothing', /^$/, 0],
  ['an arm for half a second', /^left(Shoulder|Elbow|Wrist|Hand)$/, 15],
  ['a leg for a second', /^left(Hip|Knee|Ankle|Toes)$/, 30],
  ['everything for two seconds', /./, 60],
];

/** Largest way of a bone's origin from one frame to the next, relative to the height, at 30 frames per second. */
function largestStep(data: PuppetData, lost: RegExp, frames: number, options: Partial<PuppetOptions> = {}): number {
  const puppet = createPuppet(data, options);
  const { bones } = data.character;
  const rest = Float64Array.from({ length: 12 * bones.length }, (_, k) => Number((k % 12) % 5 === 0));
  const { height } = new CharacterShape(data.character, [rest]);
  const now = new Float64Array(3);
  let last: number[][] = [];
  let largest = 0;
  for (let t = 0; t < 150; t++) {
    const gone = t >= 40 && t < 40 + frames;
    const confidence = Float32Array.from(PERFORMER_JOINTS, (name) => (gone && lost.test(name) ? 0 : 1));
    // What a tracker says of a lost joint is nonsense.
    const joints = performance(t).map((value, k) => (confidence[Math.floor(k / 3)] === 0 ? 7 : value));
    const { transforms } = puppet.update(joints, t / 30, confidence);
    const origins = bones.map((bone, j) => {
      posedOrigin(bone, transforms, 12 * j, now);
      return [...now];
    });
    if (last.length > 0) {
      const steps = origins.map((origin, j) => Math.hypot(...origin.map((value, k) => value - last[j][k])));
      largest = Math.max(largest, ...steps.map((step) => step / height));
    }
    last = origins;
  }
  return largest;
}

describe.each(CHARACTERS)('a character that is driven %s', (_, data) => {
  it.each(LOSSES)('does not jump when the tracker loses %s', (_name, lost, frames) => {
    expect(largestStep(data, lost, frames)).toBeLessThan(0.05);
  });

  it('eases to its neutral pose when the performer has been away for long, and back without a jump', () => {
    expect(largestStep(data, /./, 90, { restAfter: 0.5 })).toBeLessThan(0.05);
    const puppet = createPuppet(data, { restAfter: 0.5, contacts: 'none' });
    const neutral = createPuppet(data, { contacts: 'none' }).update(
      new Float32Array(3 * PERFORMER_JOINTS.length),
      0,
      new Float32Array(PERFORMER_JOINTS.length),
    );
    const away = new Float32Array(PERFORMER_JOINTS.length);
    for (let t = 0; t < 60; t++) puppet.update(performance(t), t / 30);
    const held = puppet.update(performance(60), 60 / 30, away).transforms.slice();
    const last = puppet.update(performance(61), 61 / 30, away).transforms;
    expect(puppet.isResting).toBe(false);
    for (let k = 0; k < held.length; k++) expect(last[k]).toBeCloseTo(held[k], 1);
    for (let t = 62; t < 400; t++) puppet.update(performance(t), t / 30, away);
    expect(puppet.isResting).toBe(true);
    const { transforms } = puppet.update(performance(400), 400 / 30, away);
    for (let k = 0; k < held.length; k++) expect(transforms[k]).toBeCloseTo(neutral.transforms[k], 6);
    puppet.update(performance(401), 401 / 30);
    expect(puppet.isResting).toBe(false);
  });

  it('arrives where it would be without the loss', () => {
    const [lossy, whole] = [createPuppet(data, { contacts: 'none' }), createPuppet(data, { contacts: 'none' })];
    let a: Float64Array = new Float64Array();
    let b: Float64Array = new Float64Array();
    for (let t = 0; t < 200; t++) {
      const confidence = new Float32Array(PERFORMER_JOINTS.length).fill(t > 20 && t < 60 ? 0 : 1);
      a = lossy.update(performance(t), t / 30, confidence).transforms;
      b = whole.update(performance(t), t / 30).transforms;
    }
    for (let k = 0; k < a.length; k++) expect(a[k]).toBeCloseTo(b[k], 1);
  });
});
